/*
 * Biases: what encodings add to the attention scores of every head, query and key.
 *
 * An encoding describes its bias in a posenc__bias_source, puts that into its record, and has two
 * operations: `table`, the bias itself, and `apply`, scores plus the bias.
 */
#ifndef POSENC_BIAS_H
#define POSENC_BIAS_H

#include "toeplitz.h"

/* A bias, not yet computed. What it points to lives in the memory it was made in. */
struct posenc__bias {
    size_t shape[3]; /* heads, queries, keys */
    const struct posenc__toeplitz
        *toeplitz;          /* where it depends on key minus query alone; or NULL */
    posenc__values *values; /* of plan: [heads, query, key] */
    const void *plan;
};

struct posenc__bias_source {
    /* The parameter that has something for each head, of which scores must then have as many; NULL:
     * the parameter `heads`, which scores tell. */
    const char *per_head;
    /* Makes the bias that bound arguments ask for; lengths are settled by then if scores tell them.
     */
    enum posenc_status (*make)(struct posenc_arguments *arguments, struct posenc_memory *memory,
                               struct posenc__bias *bias, struct posenc_problem *problem);
};

/* The bias that a tensor of windows is. */
struct posenc__bias posenc__toeplitz_bias(const struct posenc__toeplitz *toeplitz);

/* Appends the tensor `bias` in the dtype asked for; warns where that is float16 and a finite value
 * of the bias becomes infinite. */
enum posenc_status posenc__add_bias_tensor(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           const struct posenc__bias *bias,
                                           struct posenc_problem *problem);

/* The operations of an encoding that has a bias source. */
enum posenc_status posenc__plan_bias_table(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem);
enum posenc_status posenc__plan_bias_apply(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem);

/* The operation `apply` of a source by itself. */
enum posenc_status posenc__plan_bias_sum(const struct posenc__bias_source *source,
                                         struct posenc_arguments *arguments,
                                         struct posenc_memory *memory, struct posenc_result *result,
                                         struct posenc_problem *problem);

#define POSENC__BIAS_TENSOR                                                                        \
    "bias", "[heads, query_length, key_length]",                                                   \
        "what is added to the attention scores before softmax"

/* The operation `table` of a bias and nothing else, and the operation `apply` of any, which take
 * these groups of rows. */
#define POSENC__BIAS_TABLE(...)                                                                    \
    .name = "table", .summary = "the bias of every head, query and key",                           \
    .groups = POSENC__GROUPS(__VA_ARGS__), .tensors = POSENC__TENSORS({POSENC__BIAS_TENSOR}),      \
    .plan = posenc__plan_bias_table
#define POSENC__BIAS_APPLY(...)                                                                    \
    .name = "apply", .summary = "adds the bias to attention scores", .takes_tensors = true,        \
    .groups = POSENC__GROUPS(posenc__scores_rows, __VA_ARGS__),                                    \
    .tensors = POSENC__TENSORS({"scores", "[..., heads, query, key]", "scores plus the bias"}),    \
    .plan = posenc__plan_bias_apply

#endif
