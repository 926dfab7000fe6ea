/* Biases that depend on how far a key stands from a query: lengths, and ramps of values. */
#ifndef POSENC_RELATIVE_H
#define POSENC_RELATIVE_H

#include "inputs.h"
#include "internal.h"

extern const struct posenc_parameter posenc__relative_rows[];      /* lengths and query_offset */
extern const struct posenc_parameter posenc__relative_mask_rows[]; /* mask, causal by default */

extern const struct posenc_tensor_row posenc__bias_tensors[];          /* of a table: the bias */
extern const struct posenc_tensor_row posenc__biased_scores_tensors[]; /* of an apply */

/* Query number i stands at position offset + i, key number j at position j. */
struct posenc__relative {
    size_t query_length, key_length;
    int64_t offset;
};

/*
 * Reads the last three axes of the tensor `scores`: settles query_length and key_length, and tells
 * the number of heads.
 */
enum posenc_status posenc__settle_scores(struct posenc_arguments *arguments, size_t *heads,
                                         struct posenc_problem *problem);

/*
 * Reads query_length, key_length (by default as many) and query_offset (by default the last query
 * stands at the last key). Every position and every difference of two is below 2^53 in magnitude.
 */
enum posenc_status posenc__settle_lengths(struct posenc_arguments *arguments,
                                          struct posenc__relative *lengths,
                                          struct posenc_problem *problem);

/*
 * Warns of a bias [heads, query, key] in float16 of which some finite value becomes infinite. Looks
 * at each head's corners, where a bias that grows with the distance is largest.
 */
void posenc__warn_of_overflow(struct posenc_arguments *arguments, struct posenc_memory *memory,
                              posenc__values *values, const void *plan, const size_t shape[3]);

/* True when the parameter `mask` hides keys after the query. */
bool posenc__is_causal(const struct posenc_arguments *arguments);

/* Refuses scores whose heads are not as many as `parameter` has entries. */
enum posenc_status posenc__check_heads(size_t scores_heads, size_t heads, const char *parameter,
                                       struct posenc_problem *problem);

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
    const double *ramps; /* [heads][query_length + key_length - 1]; NULL: computed when filled */
};

/* Computes the ramps now if rows share them and they have at most `ramp_max` values in all. */
enum posenc_status posenc__toeplitz_init(struct posenc__toeplitz *toeplitz, size_t ramp_max,
                                         struct posenc_memory *memory,
                                         struct posenc_problem *problem);

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

/* The result of a table: the tensor `bias` in the dtype asked for, with a warning where that is too
 * narrow. `bias` must live in the same memory. */
enum posenc_status posenc__add_bias_table(struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc_result *result,
                                          struct posenc_problem *problem,
                                          const struct posenc__toeplitz *bias);

/* The result of an apply: `scores`, of which settled lengths and heads are known, plus the bias. */
enum posenc_status posenc__add_biased_scores(struct posenc_arguments *arguments,
                                             struct posenc_memory *memory,
                                             struct posenc_result *result,
                                             struct posenc_problem *problem,
                                             const struct posenc__toeplitz *bias);

#endif
