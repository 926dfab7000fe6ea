/*
 * Attention under any encoding, as a tool for comparing numbers: everything is computed in double
 * and rounded once.
 *
 * What an encoding does to attention follows from its operation `apply` alone: the tensors it takes
 * and gives back. So a new encoding has its part in attention without a line here.
 */
#ifndef POSENC_ATTENTION_H
#define POSENC_ATTENTION_H

#include "internal.h"

#define POSENC__ATTENTION_SCORES_MAX 4194304    /* scores of one request: 2048 queries, 2048 keys */
#define POSENC__ATTENTION_STEPS_MAX  1073741824 /* products of one request */

/* What apply takes, and gives back. */
enum posenc__attention_part {
    POSENC__PART_ADDS,    /* x -> x: something is added to queries and to keys, or nothing */
    POSENC__PART_ROTATES, /* q, k -> q, k: both are changed by their positions */
    POSENC__PART_BIASES,  /* scores -> scores: something is added to them */
    POSENC__PART_SCORES,  /* q, k -> scores: the encoding has its own way from one to the other */
    POSENC__PART_NONE,    /* it needs more than queries and keys */
};

enum posenc__attention_part posenc__attention_part_of(const struct posenc_encoding *encoding);

/* Queries or keys. */
struct posenc__side {
    const char *name;                     /* "q" or "k" */
    const char *positions_name;           /* "q_positions" or "k_positions" */
    const struct posenc_array *positions; /* as given, or NULL */
    double offset;                        /* the first position where none are given */
    struct posenc_array content;          /* [..., length, width], float64 */
    const double *encoded;                /* the same elements under the encoding */
};

/* One request, as the encoding meets it. */
struct posenc__attention {
    const struct posenc_encoding *encoding;
    const struct posenc_value *parameters; /* the encoding's, as given; an object or null */
    enum posenc__attention_part part;
    struct posenc__side q, k;
    size_t queries, keys, width, value_width;
    size_t matrices;        /* of queries: the product of the axes in front */
    size_t heads, kv_heads; /* the axis in front of the length, 1 where there is none */
    double scale;           /* of the products */
    bool causal, is_linear;
    struct posenc_members echo; /* the encoding's parameters as they were understood */
    struct posenc_members derived;
    bool has_echo;
};

/* Reads the tool's parameters; `v` is float64 where it was sent. */
enum posenc_status posenc__attention_read(struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc__attention *attention,
                                          struct posenc_array *v, struct posenc_problem *problem);

/* Scores, masked, and weights: without softmax the scores, 0 where they are hidden. */
struct posenc__computed {
    double *scores, *weights; /* [matrices][queries][keys] */
};

enum posenc_status posenc__attention_compute(struct posenc_arguments *arguments,
                                             struct posenc_memory *memory,
                                             struct posenc__attention *attention,
                                             struct posenc__computed *computed,
                                             struct posenc_problem *problem);

/*
 * Runs the encoding's apply on one side (ADDS, ROTATES), writing its elements to `out`: float64,
 * in the memory. `content` stands instead of the side's own elements.
 */
enum posenc_status posenc__attention_encode(struct posenc__attention *attention,
                                            const struct posenc__side *side, const double *content,
                                            struct posenc_arguments *arguments,
                                            struct posenc_memory *memory, const double **out,
                                            struct posenc_problem *problem);

/* BIASES: the scores [matrices][queries][keys] with the bias. */
enum posenc_status posenc__attention_bias(struct posenc__attention *attention, const double *scores,
                                          struct posenc_arguments *arguments,
                                          struct posenc_memory *memory, double **out,
                                          struct posenc_problem *problem);

/* SCORES: the encoding's own scores of queries and keys. */
enum posenc_status posenc__attention_own_scores(struct posenc__attention *attention,
                                                struct posenc_arguments *arguments,
                                                struct posenc_memory *memory, double **out,
                                                struct posenc_problem *problem);

/* Elements of all scores. */
size_t posenc__attention_count(const struct posenc__attention *attention);

/* A product of every query with every key of its head: the plan of posenc__attention_products. */
struct posenc__products {
    const struct posenc__attention *attention;
    const double *q, *k; /* elements as the sides have them */
    double scale;
};

void posenc__attention_products(const void *products, size_t first, size_t count, double *out);

/* Nanoseconds that a sum of `count` products takes, about. */
uint64_t posenc__attention_sum_ns(size_t count);

/* Minus infinity where the causal mask hides a key. */
void posenc__attention_mask(const struct posenc__attention *attention, double *scores);

/* Softmax of each row; rows without a key give zeros. */
void posenc__attention_softmax(const struct posenc__attention *attention, const double *scores,
                               double *weights);

/* elu(x) + 1 of count numbers. */
void posenc__attention_features(const double *x, size_t count, double *out);

/* Each row of numerators that the mask leaves, over the sum of its denominators. */
void posenc__attention_divide(const struct posenc__attention *attention, const double *numerators,
                              const double *denominators, double *weights);

/* Weights times values: the plan of posenc__attention_outputs. */
struct posenc__outputs {
    const struct posenc__attention *attention;
    const double *weights, *v;
};

void posenc__attention_outputs(const void *outputs, size_t first, size_t count, double *out);

#endif
