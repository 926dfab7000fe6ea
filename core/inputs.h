/* Tensors that come in: where their sequence axis is, and what is added to them. */
#ifndef POSENC_INPUTS_H
#define POSENC_INPUTS_H

#include "internal.h"

/* How a tensor [..., length, ..., width] is cut: element = ((outer * length + row) * inner + i) *
 * width + column. */
struct posenc__axes {
    size_t outer, length, inner, width;
};

/* Finds the sequence axis (parameter sequence_axis, default -2) of tensor `name`; refuses axes that
 * do not fit. */
enum posenc_status posenc__read_axes(const struct posenc_arguments *arguments, const char *name,
                                     struct posenc__axes *axes, struct posenc_problem *problem);

/*
 * Settles a size that a tensor tells, such as `dim` from the width of `x`: refuses another given
 * one, else resolves it.
 */
enum posenc_status posenc__settle_size(struct posenc_arguments *arguments, const char *parameter,
                                       size_t told, const char *tensor,
                                       struct posenc_problem *problem);

/*
 * Appends tensor `name` = input `name` + rows, where rows(plan) gives a table [length, width] cut
 * as `axes` says: the apply operation of every additive encoding. The sum is rounded once.
 */
enum posenc_status posenc__add_sum(struct posenc_result *result, struct posenc_memory *memory,
                                   struct posenc_problem *problem,
                                   const struct posenc_arguments *arguments, const char *name,
                                   const struct posenc__axes *axes, posenc__values *rows,
                                   const void *plan);

/*
 * Appends tensor `scores` = input `scores` [..., heads, query, key] + bias(plan) [heads, query,
 * key], rounded once: the apply operation of every bias.
 */
enum posenc_status posenc__add_bias(struct posenc_result *result, struct posenc_memory *memory,
                                    struct posenc_problem *problem,
                                    const struct posenc_arguments *arguments, size_t bias_count,
                                    posenc__values *bias, const void *plan);

#endif
