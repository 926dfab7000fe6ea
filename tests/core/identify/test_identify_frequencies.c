/* Mistakes of frequencies that public reports tell of: exponents, bases, schemes. */
#include "identify_case.h"

#define PAIRS_MAX 128

static const double near_far[] = {0, 1, 2, 7, 600, 8192, 70000};
#define ROWS_NEAR_FAR (sizeof(near_far) / sizeof(*near_far))

/* Cosines at near and far positions. */
static struct posenc_value cosines(const double *frequencies, size_t pairs)
{
    static double out[ROWS_NEAR_FAR * PAIRS_MAX];

    return wave_table(cos, near_far, ROWS_NEAR_FAR, frequencies, pairs, out);
}

static struct posenc_member positions(void)
{
    return (struct posenc_member){"positions", posenc_numbers(near_far, ROWS_NEAR_FAR)};
}

/* ferritin-bio/ferritin PR 173 */
Test(identify_frequencies, an_exponent_over_half_the_width)
{
    double wrong[32];

    geometric_frequencies(10000, 32, 32, wrong);
    cr_expect_float_eq(wrong[1], 0.562341325, 1e-9);
    cr_expect_float_eq(wrong[31], 1.778279410e-8, 1e-17);
    expect_mistake("'inv_freq' is wrong: all are squared", .actual = cosines(wrong, 32),
                   .encoding = "rope", .parameters = EXPECTED(NUMBER("dim", 64), positions()));
}

/* xlite-dev/LeetCUDA #289 / PR 290, where a list of frequencies is taken */
Test(identify_frequencies, an_exponent_of_integer_division)
{
    double wrong[2] = {1, 1};

    expect_mistake("'inv_freq' is wrong: all are 1", .actual = cosines(wrong, 2),
                   .encoding = "rope", .parameters = EXPECTED(NUMBER("dim", 4), positions()));
}

/* lyogavin/airllm #368 / PR 369 */
Test(identify_frequencies, a_base_that_fell_back_to_the_default)
{
    double wrong[64];

    geometric_frequencies(10000, 128, 64, wrong);
    cr_expect_float_eq(wrong[32] * 1024, 10.24, 1e-12);
    expect_mistake("'base' is 10000 instead of 500000", .actual = cosines(wrong, 64),
                   .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("dim", 128), NUMBER("base", 500000), positions()));
}

/* 1bit-MONSTER/1bit-MONSTER #634 */
Test(identify_frequencies, a_base_that_wrapped_in_32_bits_of_thousandths)
{
    double wrong[64];

    geometric_frequencies(1410065.408, 128, 64, wrong);
    expect_mistake("'base' is 1410065.408 instead of 10000000", .actual = cosines(wrong, 64),
                   .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("dim", 128), NUMBER("base", 1e7), positions()));
}

Test(identify_frequencies, a_base_that_nobody_expects)
{
    double wrong[64];

    geometric_frequencies(17321.5, 128, 64, wrong);
    expect_mistake("'base' is 17321.5 instead of 10000", .actual = cosines(wrong, 64),
                   .encoding = "rope", .parameters = EXPECTED(NUMBER("dim", 128), positions()));
}

/* pie-project/pie #602 / PR 603: pairs (i, i + 128) by exponents over 256, right (i, i + 32) over
 * 64 */
Test(identify_frequencies, a_part_that_turns_as_if_it_were_the_whole_head)
{
    double x[256], wrong[256], frequencies[32];

    geometric_frequencies(1e7, 256, 32, frequencies);
    cr_expect_float_eq(700 * frequencies[1], 617.178147, 1e-6);
    draw_numbers(1, 256, x);
    memcpy(wrong, x, sizeof(wrong));
    for (size_t i = 0; i < 32; i++) {
        const double angle = 700 * frequencies[i];

        wrong[i] = x[i] * cos(angle) - x[i + 128] * sin(angle);
        wrong[i + 128] = x[i + 128] * cos(angle) + x[i] * sin(angle);
    }
    expect_mistake("proportional", .actual = asking_rows(1, 256, wrong),
                   .x = asking_rows(1, 256, x), .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("rotary_dim", 64), NUMBER("base", 1e7),
                                          TEXT("layout", "half"), NUMBER("offset", 700)));
}

/* pie-project/pie #602, its exponents alone: the first 32 of 128 frequencies */
Test(identify_frequencies, exponents_over_the_whole_head_where_a_part_turns)
{
    double wrong[32];

    geometric_frequencies(1e7, 256, 32, wrong);
    expect_mistake("they are the first of 128", .actual = cosines(wrong, 32), .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("dim", 256), NUMBER("rotary_dim", 64),
                                          NUMBER("base", 1e7), positions()));
}

/* AI-Hypercomputer/maxtext #4616 */
Test(identify_frequencies, a_share_that_was_dropped)
{
    double x[5 * 16], wrong[5 * 16], frequencies[8];

    geometric_frequencies(1e4, 16, 8, frequencies);
    draw_numbers(2, 5 * 16, x);
    for (size_t row = 0; row < 5; row++)
        for (size_t i = 0; i < 8; i++) {
            const double angle = (double)row * frequencies[i];
            const double a = x[row * 16 + i], b = x[row * 16 + i + 8];

            wrong[row * 16 + i] = a * cos(angle) - b * sin(angle);
            wrong[row * 16 + i + 8] = b * cos(angle) + a * sin(angle);
        }
    expect_mistake("'partial_rotary_factor' is left out", .actual = asking_rows(5, 16, wrong),
                   .x = asking_rows(5, 16, x), .encoding = "rope",
                   .parameters =
                       EXPECTED(NUMBER("partial_rotary_factor", 0.25), TEXT("layout", "half")));
}

#define YARN(...) OBJECT("scaling", TEXT("rope_type", "yarn"), __VA_ARGS__)

/* Frequencies and attention factor of YaRN (Peng et al., 2023) from its bounds. */
static void yarn_frequencies(double base, double dim, double factor, double low, double high,
                             double unscaled_base, double *out)
{
    for (size_t i = 0; i < (size_t)dim / 2; i++) {
        const double ramp = fmin(1, fmax(0, ((double)i - low) / (high - low)));
        const double unscaled = pow(unscaled_base, -2 * (double)i / dim);

        out[i] = unscaled * (1 - ramp) + pow(base, -2 * (double)i / dim) / factor * ramp;
    }
}

static struct posenc_value scaled_cosines(const double *frequencies, size_t pairs, double scale)
{
    const struct posenc_value value = cosines(frequencies, pairs);
    double *numbers = (double *)value.as.array.data;

    for (size_t i = 0; i < ROWS_NEAR_FAR * pairs; i++)
        numbers[i] *= scale;
    return value;
}

/* ml-explore/mlx-lm PR 1507 and others: bounds of dim 64, base 150000, length 4096: 8 and 18 */
Test(identify_frequencies, an_attention_factor_that_was_ignored)
{
    double frequencies[32];

    yarn_frequencies(150000, 64, 64, 8, 18, 150000, frequencies);
    expect_mistake("'scaling.attention_factor' is left out",
                   .actual = scaled_cosines(frequencies, 32, 0.1 * log(64) + 1), .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("dim", 64), NUMBER("base", 150000), positions(),
                                          YARN(NUMBER("factor", 64),
                                               NUMBER("original_max_position_embeddings", 4096),
                                               NUMBER("attention_factor", 1))));
}

/* NVIDIA/TensorRT-LLM PR 16379 */
Test(identify_frequencies, an_attention_factor_that_was_fed_back)
{
    const double once = 0.1 * log(64) + 1, twice = 0.1 * once * log(64) + 1;
    double frequencies[32];

    cr_expect_float_eq(twice, 1.588851393, 1e-9);
    yarn_frequencies(150000, 64, 64, 8, 18, 150000, frequencies);
    expect_mistake("it is multiplied by 1.12215", .actual = scaled_cosines(frequencies, 32, twice),
                   .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("dim", 64), NUMBER("base", 150000), positions(),
                                          YARN(NUMBER("factor", 64),
                                               NUMBER("original_max_position_embeddings", 4096))));
}

/* keras-team/keras-hub PR 2981: truncate, and a clamp to 31 where the bound is 35 */
Test(identify_frequencies, bounds_that_were_not_rounded)
{
    const double length = 131072, raw_low = 64 * log(length / (32 * 2 * M_PI)) / (2 * log(1e4)),
                 raw_high = 64 * log(length / (2 * M_PI)) / (2 * log(1e4));
    double wrong[32];

    cr_expect_float_eq(raw_high, 34.55464, 1e-5);
    yarn_frequencies(1e4, 64, 8, raw_low, raw_high, 1e4, wrong);
    expect_mistake("'scaling.truncate' is false",
                   .actual = scaled_cosines(wrong, 32, 0.1 * log(8) + 1), .encoding = "rope",
                   .parameters =
                       EXPECTED(NUMBER("dim", 64), positions(),
                                YARN(NUMBER("factor", 8),
                                     NUMBER("original_max_position_embeddings", length))));
}

Test(identify_frequencies, a_bound_that_was_cut_at_the_last_pair)
{
    double wrong[32];

    yarn_frequencies(1e4, 64, 8, 22, 31, 1e4, wrong);
    cr_expect_float_eq(wrong[31], 1.66690179e-5, 1e-13);
    expect_mistake("'scaling.beta_slow' is 3",
                   .actual = scaled_cosines(wrong, 32, 0.1 * log(8) + 1), .encoding = "rope",
                   .parameters =
                       EXPECTED(NUMBER("dim", 64), positions(),
                                YARN(NUMBER("factor", 8),
                                     NUMBER("original_max_position_embeddings", 131072))));
}

/* huggingface/transformers PR 32330, ggml-org/llama.cpp #8650 and others */
Test(identify_frequencies, a_scheme_that_was_dropped)
{
    double wrong[64];

    geometric_frequencies(500000, 128, 64, wrong);
    cr_expect_float_eq(wrong[63], 2.45514079e-6, 1e-14);
    cr_expect_float_eq(cos(8192 * wrong[32]), 0.556081143, 1e-9);
    expect_mistake("'scaling' is left out", .actual = cosines(wrong, 64), .encoding = "rope",
                   .parameters =
                       EXPECTED(NUMBER("dim", 128), NUMBER("base", 500000), positions(),
                                OBJECT("scaling", TEXT("rope_type", "llama3"), NUMBER("factor", 8),
                                       NUMBER("low_freq_factor", 1), NUMBER("high_freq_factor", 4),
                                       NUMBER("original_max_position_embeddings", 8192))));
}

/* Factor twice, and a factor of another configuration. */
Test(identify_frequencies, a_factor_that_was_applied_twice)
{
    double wrong[64];

    geometric_frequencies(1e4, 128, 64, wrong);
    for (size_t i = 0; i < 64; i++)
        wrong[i] /= 16;
    expect_mistake(
        "'scaling.factor' is 16 instead of 4", .actual = cosines(wrong, 64), .encoding = "rope",
        .parameters =
            EXPECTED(NUMBER("dim", 128), positions(),
                     OBJECT("scaling", TEXT("rope_type", "linear"), NUMBER("factor", 4))));
}

Test(identify_frequencies, a_factor_of_another_configuration)
{
    double wrong[64];

    geometric_frequencies(1e4, 128, 64, wrong);
    for (size_t i = 0; i < 64; i++)
        wrong[i] /= 40;
    expect_mistake(
        "'scaling.factor' is 40 instead of 4", .actual = cosines(wrong, 64), .encoding = "rope",
        .parameters =
            EXPECTED(NUMBER("dim", 128), positions(),
                     OBJECT("scaling", TEXT("rope_type", "linear"), NUMBER("factor", 4))));
}

/* hiyouga/LlamaFactory PR 8101 and others: bounds 23 and 40 of 32768, 30 and 47 of 131072 */
Test(identify_frequencies, an_extended_length_in_place_of_the_original)
{
    double wrong[64];

    yarn_frequencies(1e6, 128, 4, 30, 47, 1e6, wrong);
    cr_expect_float_eq(wrong[40], 9.9374438e-5, 1e-12);
    expect_mistake("'scaling.original_max_position_embeddings' is 131072 instead of 32768",
                   .actual = scaled_cosines(wrong, 64, 0.1 * log(4) + 1), .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("dim", 128), NUMBER("base", 1e6), positions(),
                                          YARN(NUMBER("factor", 4),
                                               NUMBER("original_max_position_embeddings", 32768))));
}

/* ggml-org/llama.cpp #24823 and others */
Test(identify_frequencies, long_factors_in_place_of_short_ones)
{
    const double shorts[] = {1, 1.05, 1.1, 1.2}, longs[] = {1.5, 4, 17, 64.8};
    double wrong[4];

    geometric_frequencies(1e4, 8, 4, wrong);
    for (size_t i = 0; i < 4; i++)
        wrong[i] /= longs[i];
    expect_mistake("'sequence_length' is", .actual = scaled_cosines(wrong, 4, sqrt(17.0 / 12)),
                   .encoding = "rope",
                   .parameters = EXPECTED(
                       NUMBER("dim", 8), positions(), NUMBER("sequence_length", 100),
                       OBJECT("scaling", TEXT("rope_type", "longrope"), NUMBER("factor", 32),
                              NUMBER("original_max_position_embeddings", 4096),
                              {"short_factor", posenc_numbers(shorts, 4)},
                              {"long_factor", posenc_numbers(longs, 4)})));
}

/* alibaba/MNN PR 4133 and others */
Test(identify_frequencies, axes_in_blocks_in_place_of_turns)
{
    static const double places[3 * 4] = {5, 6, 7, 9, 7, 7, 8, 8, 9, 10, 11, 12};
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT64, .rank = 2, .shape = {3, 4}, .data = places};
    static const double sections[] = {24, 20, 20};
    double frequencies[64], wrong[4 * 64];

    geometric_frequencies(1e6, 128, 64, frequencies);
    for (size_t row = 0; row < 4; row++)
        for (size_t i = 0; i < 64; i++)
            wrong[row * 64 + i] = cos(places[(size_t)(i < 24   ? 0
                                                      : i < 44 ? 4
                                                               : 8) +
                                             row] *
                                      frequencies[i]);
    expect_mistake("'mrope_order' is chunked instead of interleaved",
                   .actual = asking_rows(4, 64, wrong), .encoding = "rope",
                   .parameters = EXPECTED(NUMBER("dim", 128), NUMBER("base", 1e6),
                                          {"positions", posenc_nested(&array)},
                                          {"mrope_section", posenc_numbers(sections, 3)},
                                          TEXT("mrope_order", "interleaved")));
}
