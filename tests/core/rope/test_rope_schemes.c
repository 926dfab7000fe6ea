/* What must hold of the schemes whatever their parameters: limits, order, weights, dialects. */
#include <math.h>

#include "rope_expect.h"

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

        expect_rope_same(&scaled, &plain, 1.0);
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
        cr_expect_lt(rope_difference(asked.answer.radians[20], last.answer.radians[20]), ROPE_SAME);
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
