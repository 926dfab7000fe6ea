/* A model's rows as the protocol sees them: which parameters can come as tensors, and what shapes
 * the words of a row describe. */
#ifndef POSENC_INFERENCE_ROWS_H
#define POSENC_INFERENCE_ROWS_H

#include "inference_model.h"

/* The model's own parameter of that name or alias; NULL when it has none. Those that a quantity
 * takes over from the encoding that its request names are not among them. */
const struct posenc_parameter *inference_row_find(const struct inference_model *model,
                                                  const char *name);

/* Whether it is one number or truth, which a tensor of one element can bring. */
bool inference_row_is_single(const struct posenc_parameter *row);

/* Whether a tensor can bring it at all. */
bool inference_row_is_input(const struct posenc_parameter *row);

/* The datatype that it is announced with; those that are announced are not the only ones read. */
const char *inference_row_datatype(const struct posenc_parameter *row);

/* Whether a request may be without it. */
bool inference_row_is_optional(const struct inference_model *model,
                               const struct posenc_parameter *row);

/*
 * The lengths that the first brackets of some words describe: "[..., length, 2]" is -1, -1, 2. A
 * free length is -1, and so are the dots, which stand for any number of axes. Words without
 * brackets describe one free axis. Returns how many there are.
 */
size_t inference_shape_of(const char *words, int64_t shape[POSENC_RANK_MAX]);

/* The shape that an input is announced with; returns its rank. */
size_t inference_row_shape(const struct inference_model *model, const struct posenc_parameter *row,
                           int64_t shape[POSENC_RANK_MAX]);

#endif
