/* Scales that some models put on a query by its position, so that long contexts stay sharp. */
#ifndef POSENC_QUERY_SCALE_H
#define POSENC_QUERY_SCALE_H

#include "internal.h"

enum posenc__query_rule {
    POSENC__QUERY_LLAMA4,     /* 1 + factor ln(1 + floor((p + 1) / length)), layers without RoPE */
    POSENC__QUERY_MINISTRAL3, /* 1 + factor ln(1 + floor(p / length)), all layers */
    POSENC__QUERY_LOGN,       /* ln(p + 1) / ln(length) beyond length tokens, else 1 (Qwen 1) */
};

struct posenc__query_scale {
    enum posenc__query_rule rule;
    double factor; /* attn_scale or beta; unused by LOGN */
    double length; /* floor_scale, original_max_position_embeddings or seq_length; above 0 */
};

/* rule, attn_scale, floor_scale, beta, original_max_position_embeddings, seq_length */
extern const struct posenc_parameter posenc__query_scale_rows[];

/* Reads these rows: refuses what a rule needs and has not got, and what belongs to another. */
enum posenc_status posenc__query_scale_read(struct posenc_arguments *arguments,
                                            struct posenc__query_scale *scale,
                                            struct posenc_problem *problem);

/* The scale at a position of 0 or more: right to an ulp, the same bits on every machine. */
double posenc__query_scale_at(const struct posenc__query_scale *scale, double position);

#endif
