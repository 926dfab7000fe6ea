/*
 * RoPE's frequencies under a scaling scheme: (width, base, dictionary, sequence length) ->
 * frequencies, attention factor and what happened to each pair. Stateless: the same request gives
 * the same frequencies whatever was asked before.
 */
#ifndef POSENC_ROPE_SCALING_H
#define POSENC_ROPE_SCALING_H

#include "angle.h"
#include "internal.h"

/* Members of the parameter `scaling`: a rope_scaling or rope_parameters dictionary as in a
 * config.json. */
extern const struct posenc_parameter posenc__rope_scaling_rows[];

enum posenc__yarn_dialect { POSENC__YARN_TRANSFORMERS, POSENC__YARN_DEEPSEEK };

/* Whose sequence of roundings the frequencies follow. */
enum posenc__rope_arithmetic {
    POSENC__ROPE_EXACT,
    POSENC__ROPE_FLOAT32,        /* transformers on a CPU */
    POSENC__ROPE_GGML,           /* an iterated product over the pairs */
    POSENC__ROPE_BFLOAT16_TABLE, /* exact, then cos and sin rounded to bfloat16 */
};

/* What a scheme works from. */
struct posenc__rope_question {
    size_t dim;        /* the whole head */
    size_t rotary_dim; /* even; channels that turn */
    double base;
    const struct posenc_value *scaling; /* bound by posenc__rope_scaling_rows; NULL: no scaling */
    bool has_max_position_embeddings, has_sequence_length;
    double max_position_embeddings;
    double sequence_length; /* the n of dynamic and longrope */
    enum posenc__yarn_dialect yarn_dialect;
    enum posenc__rope_arithmetic arithmetic;
};

/* What a scheme answers; everything lives in the memory. */
struct posenc__rope_frequencies {
    size_t pairs;
    struct posenc__dd
        *radians; /* [pairs] per position; under float32 dialects lo is 0 and hi a float */
    double *interpolation_weight; /* [pairs] 0: kept as without scaling, 1: scaled by the whole
                                     factor */
    const char **region;          /* [pairs] "kept", "blended" or "scaled" */
    size_t table_dim; /* channels that the pairs cover: rotary_dim, or dim for proportional */
    struct posenc__dd attention_factor; /* multiplies cos and sin */
    double softmax_scale_multiplier;    /* DeepSeek's mscale squared; 1 for others */
    bool has_effective_base, has_correction_range;
    double effective_base;
    double correction_raw[2], correction_used[2];
    struct posenc_value
        canonical; /* the dictionary in canonical form with defaults filled in, or null */
};

/*
 * Answers a question. Paths in problems start with "scaling." where a member is at fault;
 * "sequence_length", "max_position_embeddings", "base" and "dim" are named as themselves. Unknown
 * members were warned of when bound.
 */
enum posenc_status posenc__rope_frequencies(const struct posenc__rope_question *question,
                                            struct posenc_arguments *arguments,
                                            struct posenc_memory *memory,
                                            struct posenc__rope_frequencies *frequencies,
                                            struct posenc_problem *problem);

#endif
