/* YaRN: the blend, the magnitudes of its two readings, and where its factor comes from. */
#include <stdio.h>

#include "rope_expect.h"

#define YARN_2048 "rope_type=yarn&original_max_position_embeddings=2048&factor="

static const struct rope_frequency_row rows[] = {
    {{.dim = 16, .scaling = YARN_2048 "4"},
     8,
     {1, 0.31622776601683794, 0.1, 0.025693505988868083, 0.00625, 0.001383496476323666, 0.00025,
      7.905694150420948e-05}},
    {{.dim = 16, .scaling = YARN_2048 "4&truncate=false"},
     8,
     {1, 0.31622776601683794, 0.1, 0.023870192321736327, 0.005056971521129435,
      0.0008112903817014311, 0.00025, 7.905694150420948e-05}},
    {{.dim = 16, .scaling = "rope_type=yarn&factor=4&original_max_position_embeddings=32"},
     8,
     {1, 0.19764235376052372, 0.025, 0.007905694150420948, 0.0025, 0.0007905694150420948, 0.00025,
      7.905694150420948e-05}},
    {{.dim = 8, .scaling = YARN_2048 "4&beta_fast=1&truncate=false"}, /* a step after pair 2.51 */
     4,
     {1, 0.1, 0.01, 0.00025}},
    {{.dim = 16, .scaling = YARN_2048 "3.7&truncate=false", .arithmetic = POSENC__ROPE_FLOAT32},
     8,
     {1.0, 0.3162277638912201, 0.10000000149011612, 0.02407972514629364, 0.00519056711345911,
      0.0008748306427150965, 0.0002702702768146992, 8.546697063138708e-05}},
};

Test(rope_yarn, blends_over_its_correction_range)
{
    expect_rope_frequencies(rows, COUNT_OF(rows));
}

Test(rope_yarn, keeps_90_bits)
{
    expect_rope_formula("yarn");
    expect_rope_formula("yarn, not truncated");
}

/* gm(40, m) = 0.1 m ln(40) + 1 with ln(40) = 3.6888794541139363. */
struct magnitude {
    const char *scaling;
    enum posenc__yarn_dialect dialect;
    double attention_factor, softmax;
};

#define GM_1     1.3688879454113936
#define GM_0_707 1.2608037774058553
#define YARN     "rope_type=yarn&factor=40" TRAINED

static const struct magnitude magnitudes[] = {
    {YARN, POSENC__YARN_TRANSFORMERS, GM_1, 1},
    {YARN, POSENC__YARN_DEEPSEEK, GM_1, 1},
    {YARN "&mscale=0.707", POSENC__YARN_TRANSFORMERS, GM_1, 1},
    {YARN "&mscale=0.707", POSENC__YARN_DEEPSEEK, GM_0_707, 1},
    {YARN "&mscale_all_dim=0.707", POSENC__YARN_TRANSFORMERS, GM_1, GM_0_707 *GM_0_707},
    {YARN "&mscale_all_dim=0.707", POSENC__YARN_DEEPSEEK, GM_1 / GM_0_707, GM_0_707 *GM_0_707},
    {YARN "&mscale=0.707&mscale_all_dim=0.707", POSENC__YARN_TRANSFORMERS, 1, GM_0_707 *GM_0_707},
    {YARN "&mscale=1&mscale_all_dim=0", POSENC__YARN_TRANSFORMERS, GM_1, 1},
    {YARN "&mscale=0&mscale_all_dim=1", POSENC__YARN_DEEPSEEK, 1 / GM_1, GM_1 *GM_1},
    {YARN "&mscale=1&mscale_all_dim=0.707&attention_factor=1", POSENC__YARN_DEEPSEEK, 1,
     GM_0_707 *GM_0_707},
    {YARN "&attention_factor=1", POSENC__YARN_TRANSFORMERS, 1, 1}, /* even 1 overrides */
    {"rope_type=deepseek_yarn&factor=40&mscale=0.707" TRAINED, POSENC__YARN_TRANSFORMERS, GM_0_707,
     1},
    {"rope_type=yarn&factor=1&mscale=0.5&mscale_all_dim=1" TRAINED, POSENC__YARN_DEEPSEEK, 1, 1},
};

Test(rope_yarn, magnitudes_follow_the_dialect)
{
    for (size_t k = 0; k < COUNT_OF(magnitudes); k++) {
        const struct rope_asking asking = {
            .dim = 64, .scaling = magnitudes[k].scaling, .dialect = magnitudes[k].dialect};
        struct rope_asked asked = rope_answer(&asking);

        /* the constants above are rounded, and so are their products */
        cr_expect_float_eq(asked.answer.attention_factor.hi, magnitudes[k].attention_factor, 1e-15,
                           "%s", asking.scaling);
        cr_expect_float_eq(asked.answer.softmax_scale_multiplier, magnitudes[k].softmax, 2e-15,
                           "%s", asking.scaling);
        posenc_memory_release(&asked.memory);
    }
}

/* cases.md's list of 0.1 ln(s) + 1. */
Test(rope_yarn, the_magnitude_grows_with_the_logarithm_of_the_factor)
{
    static const double powers[][2] = {{2, 1.0693147180559945},  {4, 1.1386294361119891},
                                       {8, 1.2079441541679836},  {16, 1.277258872223978},
                                       {32, 1.3465735902799727}, {64, 1.4158883083359672},
                                       {128, 1.485203026391962}};

    for (size_t k = 0; k < COUNT_OF(powers); k++) {
        char text[96];

        (void)snprintf(text, sizeof(text), YARN_2048 "%g", powers[k][0]);
        const struct rope_asking asking = {.dim = 8, .scaling = text};
        struct rope_asked asked = rope_answer(&asking);

        cr_expect_float_eq(asked.answer.attention_factor.hi, powers[k][1], 0x1p-52, "%s", text);
        posenc_memory_release(&asked.memory);
    }
}

/* Without a factor the lengths tell it, to more bits than a double has. */
Test(rope_yarn, a_missing_factor_is_the_quotient_of_the_lengths)
{
    const struct rope_asking asking = {
        .dim = 8, .scaling = "rope_type=yarn" TRAINED, .max_position_embeddings = 30000};
    const struct posenc__dd factor =
        posenc__dd_divide((struct posenc__dd){30000, 0}, (struct posenc__dd){4096, 0});
    struct rope_asked asked = rope_answer(&asking);

    cr_expect_eq(posenc_find_member(&asked.answer.canonical, "factor")->as.number, 30000.0 / 4096);
    /* pair 3 of d 8 turns 0.65 times over 4096 positions: wholly scaled */
    cr_expect_lt(
        rope_difference(posenc__dd_multiply(asked.answer.radians[3], factor),
                        posenc__dd_divide((struct posenc__dd){1, 0}, (struct posenc__dd){1000, 0})),
        ROPE_SAME);
    posenc_memory_release(&asked.memory);
}

static const struct rope_refusal refusals[] = {
    {{.dim = 8, .scaling = "rope_type=yarn" TRAINED}, POSENC_MISSING_PARAMETER, "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=yarn", .max_position_embeddings = 4096},
     POSENC_MISSING_PARAMETER,
     "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=yarn" TRAINED, .max_position_embeddings = 2048},
     POSENC_CONFLICT,
     "max_position_embeddings"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4"},
     POSENC_MISSING_PARAMETER,
     "scaling.original_max_position_embeddings"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&original_max_position_embeddings=6"},
     POSENC_OUT_OF_RANGE,
     "scaling.original_max_position_embeddings"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&original_max_position_embeddings=4096.5"},
     POSENC_WRONG_TYPE,
     "scaling.original_max_position_embeddings"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&beta_fast=1&beta_slow=32" TRAINED},
     POSENC_CONFLICT,
     "scaling.beta_fast"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&beta_slow=33" TRAINED}, /* beside 32 */
     POSENC_CONFLICT,
     "scaling.beta_fast"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&beta_slow=-1" TRAINED},
     POSENC_OUT_OF_RANGE,
     "scaling.beta_slow"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&attention_factor=auto" TRAINED},
     POSENC_WRONG_TYPE,
     "scaling.attention_factor"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&attention_factor=0" TRAINED},
     POSENC_OUT_OF_RANGE,
     "scaling.attention_factor"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&attention_factor=-1" TRAINED},
     POSENC_OUT_OF_RANGE,
     "scaling.attention_factor"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&truncate=often" TRAINED},
     POSENC_WRONG_TYPE,
     "scaling.truncate"},
    {{.dim = 8, .base = 1, .scaling = "rope_type=yarn&factor=4" TRAINED},
     POSENC_OUT_OF_RANGE,
     "base"},
};

Test(rope_yarn, refuses_what_leaves_the_range_or_the_factor_open)
{
    expect_rope_refusals(refusals, COUNT_OF(refusals));
}

static const struct rope_warning warnings[] = {
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&mscale=0.7" TRAINED}, "scaling.mscale"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&mscale=1&attention_factor=1" TRAINED},
     "scaling.mscale"},
    {{.dim = 8, .scaling = "rope_type=deepseek_yarn&factor=4&mscale=0.7" TRAINED}, NULL},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&mscale=1&mscale_all_dim=1" TRAINED}, NULL},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4&beta_slow=0" TRAINED}, "scaling.beta_slow"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4", .max_position_embeddings = 4096},
     "scaling.original_max_position_embeddings"},
    /* Files keep the trained or the extended length there; any other contradicts the factor. */
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4" TRAINED, .max_position_embeddings = 8192},
     "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4" TRAINED, .max_position_embeddings = 16384},
     NULL},
    {{.dim = 8, .scaling = "rope_type=yarn&factor=4" TRAINED, .max_position_embeddings = 4096},
     NULL},
    {{.dim = 8,
      .scaling = "rope_type=yarn&factor=4&truncate=false" TRAINED,
      .arithmetic = POSENC__ROPE_GGML},
     "scaling.truncate"},
};

Test(rope_yarn, warns_of_what_does_not_count_or_does_not_agree)
{
    expect_rope_warnings(warnings, COUNT_OF(warnings));
}

/* ggml's range is whole: 2 to 6 here, as transformers' truncated one. */
Test(rope_yarn, ggml_blends_by_whole_pairs)
{
    const struct rope_asking asking = {
        .dim = 16, .scaling = YARN_2048 "4&truncate=false", .arithmetic = POSENC__ROPE_GGML};
    const float kept[] = {1, 1, 1, 0.75f, 0.5f, 0.25f, 0, 0};
    struct rope_asked asked = rope_answer(&asking);

    cr_expect_eq(asked.answer.ggml.freq_scale, 0.25f);
    for (size_t i = 0; i < 8; i++)
        cr_expect_eq(asked.answer.ggml.kept[i], kept[i], "pair %zu", i);
    posenc_memory_release(&asked.memory);
}
