/* Tensors for the tests of pictures. */
#ifndef PICTURED_H
#define PICTURED_H

#include "format.h"
#include "picture_shapes.h"

/* A float64 tensor whose element i is values[i], or i itself where values is NULL. */
struct posenc_tensor pictured_tensor(size_t rank, const size_t *shape, const double *values);

/* Elements that pictured tensors have computed so far. */
size_t pictured_filled(void);

/* The picture of a tensor as alibi's table has it: [heads, query_length, key_length]. */
struct picture pictured_make(struct posenc_tensor tensor, struct posenc_memory *memory);

/* The first text that reads so; NULL where there is none. */
const struct picture_shape *pictured_text(const struct picture *picture, const char *text);

/* The shape of that kind that comes after `before` others of it; asserts that there is one. */
const struct picture_shape *pictured_shape(const struct picture *picture, enum picture_kind kind,
                                           size_t before);

size_t pictured_count(const struct picture *picture, enum picture_kind kind);

#endif
