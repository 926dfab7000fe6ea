/* A body that numpy.save() has written, as an array (numpy/lib/format.py). */
#ifndef POSENC_NPY_READER_H
#define POSENC_NPY_READER_H

#include "body_problem.h"

#define NPY_HEADER_BYTES_MAX 10000 /* as NumPy itself reads */

/*
 * Reads versions 1.0, 2.0 and 3.0 of float16, float32, float64, int32 and int64, little- or
 * big-endian, in C or in Fortran order, of up to POSENC_RANK_MAX axes. The body must end where the
 * elements do. The array's data is in the body where possible, so the body must outlive it; else in
 * the memory.
 */
bool read_npy_body(const char *body, size_t body_size, struct posenc_memory *memory,
                   struct posenc_array *array, struct body_problem *problem);

#endif
