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
    size_t dim;        /* the whole head, even */
    size_t rotary_dim; /* even, 2 to dim; channels that turn. Proportional turns the smaller of this
                          and the dictionary's share of dim */
    double base;
    const struct posenc_value *scaling; /* bound by posenc__rope_scaling_rows; NULL: no scaling */
    bool has_max_position_embeddings, has_sequence_length;
    double max_position_embeddings;
    double sequence_length; /* the n of dynamic, dynamic_qwen and longrope; at least 1 */
    enum posenc__yarn_dialect yarn_dialect;
    enum posenc__rope_arithmetic arithmetic;
};

/*
 * ggml's way to an angle. theta starts as the position in float32 and is multiplied by theta_scale
 * after every pair; pair i turns by posenc__ggml_angle(form, i, theta). All roundings are
 * float32's.
 */
struct posenc__ggml_form {
    float theta_scale;     /* base^(-2 / width) */
    float freq_scale;      /* 1 / factor for linear and yarn, else 1 */
    const float *divisors; /* [pairs] rope_freqs of a GGUF file; ones where it has none */
    const float *kept;     /* [pairs] yarn: share of the unscaled angle; NULL for the others */
};

/* What a scheme answers; everything lives in the memory. */
struct posenc__rope_frequencies {
    size_t pairs;
    struct posenc__dd *radians;   /* [pairs] per position, below 2^22; under the float32 and ggml
                                     arithmetics lo is 0 and hi a float (ggml: the angle at 1) */
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
    enum posenc__yarn_dialect yarn_dialect; /* the one used: the type deepseek_yarn asks for its own
                                             */
    struct posenc__ggml_form ggml;          /* for that arithmetic only */
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

/* The angle of one pair, radians; see struct posenc__ggml_form. */
float posenc__ggml_angle(const struct posenc__ggml_form *form, size_t pair, float theta);

#endif
