/* DeBERTa's parts: index of relative positions (deberta.c), logarithmic buckets
 * (deberta_buckets.c), disentangled scores (deberta_apply.c). */
#ifndef POSENC_DEBERTA_H
#define POSENC_DEBERTA_H

#include "toeplitz.h"

#define POSENC__DEBERTA_BUCKETS_MAX  8192       /* a side; bounds what is worked out beforehand */
#define POSENC__DEBERTA_DISTANCE_MAX 1073741823 /* so that an index is an int32 */

/* How a distance becomes a row of the table. */
struct posenc__deberta_buckets {
    int64_t span;   /* the table has 2 span rows */
    int64_t middle; /* distances up to it are their own bucket; at least span: all are */
    size_t start_count;
    const int64_t *starts; /* [b]: the first distance of bucket middle + b + 1; rising */
};

/*
 * Reads position_buckets and max_relative_positions. Starts are exact: where a logarithm is an
 * integer, or next to one, integers decide.
 */
enum posenc_status posenc__read_deberta_buckets(const struct posenc_arguments *arguments,
                                                struct posenc__deberta_buckets *buckets,
                                                struct posenc_memory *memory,
                                                struct posenc_problem *problem);

/* Row of the table for query minus key, clamped to it. */
int64_t posenc__deberta_index(const struct posenc__deberta_buckets *buckets, int64_t distance);

/* The same for keys one after the other: a posenc__ramp whose plan is the buckets. */
void posenc__deberta_ramp(const void *buckets, size_t head, int64_t first, size_t count,
                          double *out);

/* The operation beside the table. */
extern const struct posenc_parameter posenc__deberta_apply_rows[];
enum posenc_status posenc__deberta_plan_apply(struct posenc_arguments *arguments,
                                              struct posenc_memory *memory,
                                              struct posenc_result *result,
                                              struct posenc_problem *problem);

#endif
