/*
 * The elements of a tensor as they lie in a binary body: pointed to where a program can read them
 * in place, else copied into order.
 */
#ifndef POSENC_ELEMENTS_H
#define POSENC_ELEMENTS_H

#include "body_problem.h"

/*
 * Bytes of an array's elements. False when its axes without those of length 0 are too long to be
 * counted: a shape that nothing could ever have.
 */
bool count_element_bytes(const struct posenc_array *array, size_t *bytes);

/* Where and how the elements lie. */
struct element_source {
    const char *body;
    size_t offset;        /* of the first element in the body, which holds them all */
    bool is_big_endian;   /* the body, not this machine */
    bool is_column_major; /* the first axis runs fastest, as in Fortran */
};

/*
 * Gives an array of known dtype and shape its data: in the body itself when that is aligned and in
 * order, else a copy in the memory. Refuses integers that doubles cannot hold.
 */
bool take_elements(const struct element_source *source, struct posenc_memory *memory,
                   struct posenc_array *array, struct body_problem *problem);

#endif
