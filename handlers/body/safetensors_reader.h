/* A body in the safetensors format, as an object of arrays. */
#ifndef POSENC_SAFETENSORS_READER_H
#define POSENC_SAFETENSORS_READER_H

#include "body_problem.h"

/*
 * Reads tensors of F64, F32, F16, BF16, I64 and I32, of up to POSENC_RANK_MAX axes, which must
 * cover the bytes behind the header without holes and without sharing any; __metadata__ is checked
 * and left out. The members stand in the order of the bytes. Their data is in the body where
 * possible, so the body must outlive them; names, and data that is not aligned, are in the memory.
 */
bool read_safetensors_body(const char *body, size_t body_size, struct posenc_memory *memory,
                           struct posenc_value *object, struct body_problem *problem);

#endif
