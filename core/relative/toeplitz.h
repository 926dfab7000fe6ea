/* Tensors that depend on key minus query alone: each row is a window of one ramp of values. */
#ifndef POSENC_TOEPLITZ_H
#define POSENC_TOEPLITZ_H

#include "relative.h"

/* One head's values for keys that stand `first`, first + 1, ... after the query (before it where
 * negative). */
typedef void posenc__ramp(const void *plan, size_t head, int64_t first, size_t count, double *out);

/* Values of a ramp that are worth computing beforehand: 2 MiB, milliseconds where they are cheap.
 */
#define POSENC__RAMP_MAX ((size_t)1 << 18)

/*
 * A tensor [heads, query, key] that depends on key minus query alone: each of its rows is a window
 * of one ramp of query_length + key_length - 1 values a head. Fields but `ramps` are the maker's.
 */
struct posenc__toeplitz {
    struct posenc__relative lengths;
    size_t heads;
    bool causal; /* keys after the query are minus infinity, and the ramp is not asked for them */
    posenc__ramp *ramp;
    const void *plan;
    uint64_t value_ns;   /* about what a value of the ramp takes, where that is long; 0: not */
    const double *ramps; /* [heads][query_length + key_length - 1]; NULL: computed when filled */
};

/* Computes the ramps now if rows share them and they have at most `ramp_max` values in all, asking
 * between parts of them whether to go on. */
enum posenc_status posenc__toeplitz_init(struct posenc__toeplitz *toeplitz, size_t ramp_max,
                                         struct posenc_memory *memory,
                                         struct posenc_problem *problem);

/* Nanoseconds that a value takes, about: little where there are ramps. */
uint64_t posenc__toeplitz_value_ns(const struct posenc__toeplitz *toeplitz);

/* One head's values for keys that stand `first`, first + 1, ... after the query, all of them pairs
 * of the tensor. */
void posenc__toeplitz_run(const struct posenc__toeplitz *toeplitz, size_t head, int64_t first,
                          size_t count, double *out);

/* Elements of the tensor; a posenc__values. */
void posenc__toeplitz_values(const void *toeplitz, size_t first, size_t count, double *out);

/*
 * Appends it as a tensor, as posenc__add_tensor would. Where there are ramps they are rounded now,
 * and filling copies windows of them, about as fast as memory can be set. `toeplitz` must live in
 * the same memory.
 */
enum posenc_status posenc__add_toeplitz(struct posenc_result *result, struct posenc_memory *memory,
                                        struct posenc_problem *problem, const char *name,
                                        enum posenc_dtype dtype, size_t rank, const size_t *shape,
                                        const struct posenc__toeplitz *toeplitz);

#endif
