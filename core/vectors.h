/* Tensors of vectors that come in, such as q and k: how their axes fit together, and their dot
 * products. */
#ifndef POSENC_VECTORS_H
#define POSENC_VECTORS_H

#include "dd.h"
#include "internal.h"

/* A tensor [..., rows, width]: `outer` matrices, one for each place on the axes in front. */
struct posenc__vectors {
    const struct posenc_array *array;
    size_t outer, rows, width;
};

/* Reads tensor `name`, which must be present and have two axes or more; `axes` are in words what
 * the caller wants, for the message. */
enum posenc_status posenc__read_vectors(const struct posenc_arguments *arguments, const char *name,
                                        const char *axes, struct posenc__vectors *vectors,
                                        struct posenc_problem *problem);

/* Refuses `name` unless the axes in front of its last two are those of `other`. */
enum posenc_status posenc__check_outer(const char *name, const struct posenc__vectors *vectors,
                                       const char *other, const struct posenc__vectors *reference,
                                       struct posenc_problem *problem);

/* Refuses `name` unless its vectors are as wide as those of `other`. */
enum posenc_status posenc__check_width(const char *name, const struct posenc__vectors *vectors,
                                       const char *other, const struct posenc__vectors *reference,
                                       struct posenc_problem *problem);

/* Reads `q` [..., query, dim] and `k` [..., key, dim], of equal outer axes and width. */
enum posenc_status posenc__read_queries_and_keys(const struct posenc_arguments *arguments,
                                                 struct posenc__vectors *q,
                                                 struct posenc__vectors *k,
                                                 struct posenc_problem *problem);

/*
 * Refuses `name`, which the matrices of `other` share, unless its vectors are as wide and the axes
 * in front of its last two are the innermost ones of `other`: [rows, width] serves all heads,
 * [heads, rows, width] each head of every batch. Matrix o of `other` goes with matrix o % outer.
 */
enum posenc_status posenc__check_shared(const char *name, const struct posenc__vectors *vectors,
                                        const char *other, const struct posenc__vectors *reference,
                                        struct posenc_problem *problem);

/* Refuses `name` unless it has `rows` rows; `reason` says in words where the number comes from. */
enum posenc_status posenc__check_rows(const char *name, const struct posenc__vectors *vectors,
                                      size_t rows, const char *reason,
                                      struct posenc_problem *problem);

/* One vector of a tensor, or NULL where there is none. */
struct posenc__vector {
    const struct posenc_array *array; /* or NULL: zeros */
    size_t first;                     /* element at which it starts */
};

static inline struct posenc__vector posenc__vector_at(const struct posenc__vectors *vectors,
                                                      size_t outer, size_t row)
{
    const struct posenc__vector vector = {vectors->array,
                                          (outer * vectors->rows + row) * vectors->width};

    return vector;
}

/*
 * The sum over `width` channels of (a + shift) * b, as if in twice the precision of a double and
 * rounded once; infinities and NaN come out as in plain arithmetic.
 */
struct posenc__dd posenc__dot(struct posenc__vector a, struct posenc__vector shift,
                              struct posenc__vector b, size_t width);

/* Nanoseconds that posenc__dot() takes, about. */
static inline uint64_t posenc__dot_ns(size_t width)
{
    return 64 + 16 * (uint64_t)width;
}

/* 1 / sqrt(x) for x > 0, relative error below 2^-100. */
struct posenc__dd posenc__inverse_root(double x);

/* The sum of one or more terms, times scale, rounded to double; infinities and NaN come out as in
 * plain arithmetic. */
double posenc__scaled_sum(const struct posenc__dd *terms, size_t count, struct posenc__dd scale);

#endif
