/* What must hold of the schemes whatever their parameters: limits, order, weights, dialects. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "rope_question.h"

/* Two exact ways to one frequency: a relative difference that no double shows. */
#define SAME 0x1p-90

#define TRAINED "&original_max_position_embeddings=4096"

static double difference(struct posenc__dd a, struct posenc__dd b)
{
    const struct posenc__dd rest = posenc__dd_add(a, (struct posenc__dd){-b.hi, -b.lo});

    return b.hi == 0.0 ? fabs(a.hi) : fabs(rest.hi / b.hi);
}

/* Both questions have the same answer, pair by pair, with b's frequencies times `scale`. */
static void expect_same(const struct rope_asking *a, const struct rope_asking *b, double scale)
{
    struct rope_asked first = {.answer = {.pairs = 0}}, second = {.answer = {.pairs = 0}};

    cr_assert_eq(ask_rope(&first, a), POSENC_OK, "%s", first.problem.detail);
    cr_assert_eq(ask_rope(&second, b), POSENC_OK, "%s", second.problem.detail);
    cr_assert_eq(first.answer.pairs, second.answer.pairs);
    cr_expect_eq(first.answer.attention_factor.hi, second.answer.attention_factor.hi);
    for (size_t i = 0; i < first.answer.pairs; i++)
        cr_expect_lt(difference(posenc__dd_multiply(first.answer.radians[i],
                                                    (struct posenc__dd){scale, 0.0}),
                                second.answer.radians[i]),
                     SAME, "%s: pair %zu", a->scaling, i);
    posenc_memory_release(&first.memory);
    posenc_memory_release(&second.memory);
}

Test(rope_schemes, linear_at_p_is_default_at_p_over_the_factor)
{
    const struct rope_asking linear = {
        .dim = 42, .base = 5237.5, .scaling = "rope_type=linear&factor=3.7"};
    const struct rope_asking plain = {.dim = 42, .base = 5237.5};

    expect_same(&linear, &plain, 3.7);
}

Test(rope_schemes, dynamic_up_to_the_trained_length_is_default)
{
    const double lengths[] = {1, 100, 2047, 2048};

    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        const struct rope_asking dynamic = {.dim = 42,
                                            .scaling = "rope_type=dynamic&factor=3.7",
                                            .max_position_embeddings = 2048,
                                            .sequence_length = lengths[i]};
        const struct rope_asking plain = {.dim = 42};

        expect_same(&dynamic, &plain, 1.0);
    }
}

static double dynamic_base(double length)
{
    const struct rope_asking asking = {.dim = 42,
                                       .scaling = "rope_type=dynamic&factor=3.7",
                                       .max_position_embeddings = 2048,
                                       .sequence_length = length};
    struct rope_asked asked = {.answer = {.pairs = 0}};

    cr_assert_eq(ask_rope(&asked, &asking), POSENC_OK);
    posenc_memory_release(&asked.memory);
    return asked.answer.effective_base;
}

Test(rope_schemes, dynamic_enlarges_the_base_with_every_position_beyond)
{
    double before = dynamic_base(2048);

    cr_expect_eq(before, 10000.0);
    for (double length = 2049; length < 9007199254740992.0; length = length * 1.5 + 1.0) {
        const double base = dynamic_base(floor(length));

        cr_expect_gt(base, before, "at %.0f", length);
        before = base;
    }
}

static const char *const neutral[] = {
    "rope_type=linear&factor=1",
    "rope_type=ntk&alpha=1",
    "rope_type=ntk_fixed&factor=1",
    "rope_type=ntk_fixed&factor=1&mixed_b=0.6",
    "rope_type=ntk_by_parts&factor=1" TRAINED,
    "rope_type=yarn&factor=1" TRAINED,
    "rope_type=yarn&factor=1&truncate=false" TRAINED,
    "rope_type=llama3&factor=1&low_freq_factor=1&high_freq_factor=4" TRAINED,
    "rope_type=proportional",
    "rope_type=longrope&factor=1&short_factor=1,1,1,1,1,1&long_factor=1,1,1,1,1,1" TRAINED,
    "rope_type=dynamic_qwen&seq_length=2048",
};

Test(rope_schemes, a_factor_of_one_is_default)
{
    for (size_t i = 0; i < sizeof(neutral) / sizeof(*neutral); i++) {
        const struct rope_asking scaled = {
            .dim = 12, .base = 5237.5, .scaling = neutral[i], .sequence_length = 2048};
        const struct rope_asking plain = {.dim = 12, .base = 5237.5};

        expect_same(&scaled, &plain, 1.0);
    }
}

Test(rope_schemes, proportional_with_the_whole_head_is_linear)
{
    const struct rope_asking proportional = {.dim = 42,
                                             .scaling = "rope_type=proportional&factor=3.7"};
    const struct rope_asking linear = {.dim = 42, .scaling = "rope_type=linear&factor=3.7"};

    expect_same(&proportional, &linear, 1.0);
}

/* 0.25 * 88 / 2 = 11 pairs turn, by exponents over the whole head; told by either way. */
Test(rope_schemes, proportional_stops_the_slow_pairs_of_the_whole_head)
{
    const struct rope_asking askings[] = {
        {.dim = 88, .scaling = "rope_type=proportional&partial_rotary_factor=0.25"},
        {.dim = 88, .rotary_dim = 22, .scaling = "rope_type=proportional"},
    };

    for (size_t k = 0; k < 2; k++) {
        struct rope_asked asked = {.answer = {.pairs = 0}}, plain = {.answer = {.pairs = 0}};
        const struct rope_asking whole = {.dim = 88};

        cr_assert_eq(ask_rope(&asked, &askings[k]), POSENC_OK);
        cr_assert_eq(ask_rope(&plain, &whole), POSENC_OK);
        cr_expect_eq(asked.answer.table_dim, 88);
        cr_assert_eq(asked.answer.pairs, 44);
        for (size_t i = 0; i < 44; i++)
            cr_expect_eq(asked.answer.radians[i].hi, i < 11 ? plain.answer.radians[i].hi : 0.0,
                         "pair %zu", i);
        posenc_memory_release(&asked.memory);
        posenc_memory_release(&plain.memory);
    }
}

static const char *const falling[] = {
    "rope_type=default",
    "rope_type=ntk&alpha=5.3",
    "rope_type=dynamic&factor=5.3",
    "rope_type=dynamic_qwen&seq_length=512",
    "rope_type=ntk_by_parts&factor=5.3" TRAINED,
    "rope_type=yarn&factor=5.3" TRAINED,
    "rope_type=llama3&factor=5.3&low_freq_factor=1&high_freq_factor=4" TRAINED,
};

Test(rope_schemes, frequencies_start_at_one_and_fall)
{
    for (size_t k = 0; k < sizeof(falling) / sizeof(*falling); k++)
        for (double base = 1000.0; base < 1e9; base *= 7.3) {
            const struct rope_asking asking = {.dim = 128,
                                               .base = base,
                                               .scaling = falling[k],
                                               .max_position_embeddings = 9000,
                                               .sequence_length = 20000};
            struct rope_asked asked = {.answer = {.pairs = 0}};

            cr_assert_eq(ask_rope(&asked, &asking), POSENC_OK, "%s", asked.problem.detail);
            cr_expect_eq(asked.answer.radians[0].hi, 1.0, "%s", falling[k]);
            for (size_t i = 1; i < 64; i++)
                cr_expect_lt(asked.answer.radians[i].hi, asked.answer.radians[i - 1].hi,
                             "%s, base %g: pair %zu", falling[k], base, i);
            posenc_memory_release(&asked.memory);
        }
}

/* Static NTK meets linear interpolation at the slowest pair, and default at the fastest. */
Test(rope_schemes, ntk_runs_from_kept_to_scaled)
{
    const char *const schemes[] = {"rope_type=ntk&alpha=5.3", "rope_type=ntk_fixed&factor=5.3",
                                   "rope_type=ntk_fixed&factor=5.3&mixed_b=0.7"};

    for (size_t k = 0; k < 3; k++) {
        const struct rope_asking asking = {.dim = 42, .scaling = schemes[k]};
        const struct rope_asking linear = {.dim = 42, .scaling = "rope_type=linear&factor=5.3"};
        struct rope_asked asked = {.answer = {.pairs = 0}}, last = {.answer = {.pairs = 0}};

        cr_assert_eq(ask_rope(&asked, &asking), POSENC_OK);
        cr_assert_eq(ask_rope(&last, &linear), POSENC_OK);
        cr_expect_lt(difference(asked.answer.radians[20], last.answer.radians[20]), SAME);
        cr_expect_eq(asked.answer.interpolation_weight[20], 1.0);
        cr_expect_str_eq(asked.answer.region[20], "scaled");
        cr_expect_str_eq(asked.answer.region[10], "blended");
        cr_expect_str_eq(asked.answer.region[0], k == 0 ? "kept" : "blended");
        posenc_memory_release(&asked.memory);
        posenc_memory_release(&last.memory);
    }
}

/* How many pairs of a Llama 3.1 and a DeepSeek-V3 head stay, blend and are scaled. */
struct regions {
    struct rope_asking asking;
    size_t kept, blended;
};

static const struct regions regions[] = {
    {{.dim = 128,
      .base = 500000,
      .scaling = "rope_type=llama3&factor=8&low_freq_factor=1&high_freq_factor=4"
                 "&original_max_position_embeddings=8192"},
     29,
     6},
    {{.dim = 64,
      .base = 500000,
      .scaling = "rope_type=llama3&factor=32&low_freq_factor=1&high_freq_factor=4"
                 "&original_max_position_embeddings=8192"},
     15,
     3},
    {{.dim = 128,
      .base = 500000,
      .scaling = "rope_type=llama3&factor=16&low_freq_factor=1&high_freq_factor=1"
                 "&original_max_position_embeddings=8192"},
     35,
     0},
    {{.dim = 64, .scaling = "rope_type=yarn&factor=40" TRAINED}, 11, 12},
    {{.dim = 64, .base = 50000, .scaling = "rope_type=yarn&factor=32&beta_fast=1" TRAINED}, 20, 0},
    {{.dim = 64, .scaling = "rope_type=linear&factor=2"}, 0, 0},
    {{.dim = 64}, 32, 0},
};

Test(rope_schemes, regions_follow_the_published_ranges)
{
    for (size_t k = 0; k < sizeof(regions) / sizeof(*regions); k++) {
        struct rope_asked asked = {.answer = {.pairs = 0}};

        cr_assert_eq(ask_rope(&asked, &regions[k].asking), POSENC_OK, "%s", asked.problem.detail);
        for (size_t i = 0; i < asked.answer.pairs; i++) {
            const bool is_kept = i < regions[k].kept;
            const bool is_blended = !is_kept && i < regions[k].kept + regions[k].blended;
            const char *right = is_kept ? "kept" : is_blended ? "blended" : "scaled";
            const double weight = asked.answer.interpolation_weight[i];

            cr_expect_str_eq(asked.answer.region[i], right, "case %zu, pair %zu", k, i);
            cr_expect_eq(weight == 0.0, is_kept, "case %zu, pair %zu", k, i);
            cr_expect_eq(weight == 1.0, !is_kept && !is_blended, "case %zu, pair %zu", k, i);
        }
        posenc_memory_release(&asked.memory);
    }
}

/* The weight is what it says: w (1 - weight) + w / factor * weight. */
Test(rope_schemes, weights_explain_the_frequencies)
{
    const char *const schemes[] = {
        "rope_type=ntk&alpha=6",
        "rope_type=ntk_fixed&factor=6",
        "rope_type=ntk_by_parts&factor=6" TRAINED,
        "rope_type=yarn&factor=6" TRAINED,
        "rope_type=llama3&factor=6&low_freq_factor=1&high_freq_factor=4" TRAINED,
        "rope_type=longrope&factor=6&short_factor=1,2,3,4,5,6&long_factor=1,2,3,4,5,6" TRAINED,
    };
    const struct rope_asking whole = {.dim = 12};

    for (size_t k = 0; k < sizeof(schemes) / sizeof(*schemes); k++) {
        const struct rope_asking asking = {.dim = 12, .scaling = schemes[k], .sequence_length = 9};
        struct rope_asked asked = {.answer = {.pairs = 0}}, plain = {.answer = {.pairs = 0}};

        cr_assert_eq(ask_rope(&asked, &asking), POSENC_OK, "%s", asked.problem.detail);
        cr_assert_eq(ask_rope(&plain, &whole), POSENC_OK);
        for (size_t i = 0; i < 6; i++) {
            const double weight = asked.answer.interpolation_weight[i];
            const double right = plain.answer.radians[i].hi * (1.0 - weight * (1.0 - 1.0 / 6.0));

            /* a few roundings of doubles */
            cr_expect_float_eq(asked.answer.radians[i].hi / right, 1.0, 4e-15, "%s, pair %zu",
                               schemes[k], i);
        }
        posenc_memory_release(&asked.memory);
        posenc_memory_release(&plain.memory);
    }
}

/* gm(40, m) = 0.4 ln(40)... : 0.1 m ln(40) + 1 with ln(40) = 3.6888794541139363. */
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
    {YARN "&mscale=1&mscale_all_dim=0", POSENC__YARN_TRANSFORMERS, GM_1, 1},
    {YARN "&mscale=0&mscale_all_dim=1", POSENC__YARN_DEEPSEEK, 1 / GM_1, GM_1 *GM_1},
    {YARN "&mscale=1&mscale_all_dim=0.707&attention_factor=1", POSENC__YARN_DEEPSEEK, 1,
     GM_0_707 *GM_0_707},
    {"rope_type=deepseek_yarn&factor=40&mscale=0.707" TRAINED, POSENC__YARN_TRANSFORMERS, GM_0_707,
     1},
};

Test(rope_schemes, yarn_magnitudes_follow_the_dialect)
{
    for (size_t k = 0; k < sizeof(magnitudes) / sizeof(*magnitudes); k++) {
        const struct rope_asking asking = {
            .dim = 64, .scaling = magnitudes[k].scaling, .dialect = magnitudes[k].dialect};
        struct rope_asked asked = {.answer = {.pairs = 0}};

        cr_assert_eq(ask_rope(&asked, &asking), POSENC_OK, "%s", asked.problem.detail);
        /* the constants above are rounded, and so are their products */
        cr_expect_float_eq(asked.answer.attention_factor.hi, magnitudes[k].attention_factor, 1e-15,
                           "%s", asking.scaling);
        cr_expect_float_eq(asked.answer.softmax_scale_multiplier, magnitudes[k].softmax, 2e-15,
                           "%s", asking.scaling);
        posenc_memory_release(&asked.memory);
    }
}

Test(rope_schemes, longrope_switches_past_the_trained_length)
{
    const double lengths[] = {1, 4096, 4097};

    for (size_t k = 0; k < 3; k++) {
        const struct rope_asking asking = {
            .dim = 8,
            .scaling = "rope_type=longrope&short_factor=1,1,1,1&long_factor=2,4,8,16"
                       "&short_mscale=1.25&long_mscale=1.5" TRAINED,
            .sequence_length = lengths[k]};
        struct rope_asked asked = {.answer = {.pairs = 0}};

        cr_assert_eq(ask_rope(&asked, &asking), POSENC_OK, "%s", asked.problem.detail);
        cr_expect_eq(asked.answer.radians[0].hi, k < 2 ? 1.0 : 0.5);
        cr_expect_eq(asked.answer.attention_factor.hi, k < 2 ? 1.25 : 1.5);
        posenc_memory_release(&asked.memory);
    }
}

/* Below the trained length of a longrope, nothing is scaled up. */
Test(rope_schemes, longrope_has_no_magnitude_for_a_shorter_context)
{
    const struct rope_asking asking = {
        .dim = 4,
        .scaling = "rope_type=longrope&short_factor=1,1&long_factor=2,4" TRAINED,
        .max_position_embeddings = 1024,
        .sequence_length = 7};
    struct rope_asked asked = {.answer = {.pairs = 0}};

    cr_assert_eq(ask_rope(&asked, &asking), POSENC_OK, "%s", asked.problem.detail);
    cr_expect_eq(asked.answer.attention_factor.hi, 1.0);
    posenc_memory_release(&asked.memory);
}

/* 2^(ceil(log2(n / 2048)) + 1) - 1, on both sides of each power of two. */
Test(rope_schemes, qwen_grows_in_steps)
{
    const double cases[][2] = {{1, 1},    {1024, 1}, {2048, 1}, {2049, 3},
                               {4096, 3}, {4097, 7}, {8192, 7}, {8193, 15}};

    for (size_t k = 0; k < 8; k++) {
        const struct rope_asking qwen = {.dim = 128,
                                         .scaling = "rope_type=dynamic_qwen&seq_length=2048",
                                         .sequence_length = cases[k][0]};
        char text[64];

        (void)snprintf(text, sizeof(text), "rope_type=ntk&alpha=%a", cases[k][1]);
        const struct rope_asking ntk = {.dim = 128, .scaling = text};

        expect_same(&qwen, &ntk, 1.0);
    }
}
