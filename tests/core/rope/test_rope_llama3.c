/* Llama 3.1's scheme. */
#include "rope_expect.h"

#define LLAMA3 "rope_type=llama3&factor=8&low_freq_factor=1&high_freq_factor=4"

static const struct rope_frequency_row rows[] = {
    {{.dim = 16, .base = 500000, .scaling = LLAMA3 "&original_max_position_embeddings=8192"},
     8,
     {1, 0.19392274474868576, 0.03760603093086393, 0.007292664737217109, 0.0005248461609929547,
      3.428102195952591e-05, 6.647869871181235e-06, 1.2891731721515574e-06}},
    /* Higgs Audio: bounds below one turn. */
    {{.dim = 16,
      .base = 500000,
      .scaling = "rope_type=llama3&factor=32&low_freq_factor=0.125&high_freq_factor=0.5"
                 "&original_max_position_embeddings=1024"},
     8,
     {1, 0.19392274474868576, 0.03760603093086393, 0.007292664737217109, 0.0004295567965593682,
      8.570255489881478e-06, 1.6619674677953088e-06, 3.2229329303788936e-07}},
};

Test(rope_llama3, keeps_fast_pairs_divides_slow_ones_and_blends_between)
{
    expect_rope_frequencies(rows, COUNT_OF(rows));
}

Test(rope_llama3, keeps_90_bits)
{
    expect_rope_formula("llama3");
}

/* Base 1: every pair turns by 1 radian a position, so 2 pi t positions hold t turns. 44 positions
 * hold 7.0028 turns, 22 half as many. */
struct bounds {
    const char *scaling;
    double weight;
};

static const struct bounds bounds[] = {
    {"rope_type=llama3&factor=8&low_freq_factor=1&high_freq_factor=7"
     "&original_max_position_embeddings=44",
     0},
    {"rope_type=llama3&factor=8&low_freq_factor=7&high_freq_factor=7"
     "&original_max_position_embeddings=44",
     0},
    {"rope_type=llama3&factor=8&low_freq_factor=7.003&high_freq_factor=7.003"
     "&original_max_position_embeddings=44",
     1},
    {"rope_type=llama3&factor=8&low_freq_factor=7.003&high_freq_factor=9"
     "&original_max_position_embeddings=44",
     1},
    {"rope_type=llama3&factor=8&low_freq_factor=1&high_freq_factor=6.002817496043395"
     "&original_max_position_embeddings=22", /* halfway between the bounds: (1 + 6.0028...) / 2 */
     0.5},
};

Test(rope_llama3, weights_follow_the_turns_over_the_original_length)
{
    for (size_t k = 0; k < COUNT_OF(bounds); k++) {
        const struct rope_asking asking = {.dim = 4, .base = 1, .scaling = bounds[k].scaling};
        struct rope_asked asked = rope_answer(&asking);

        for (size_t i = 0; i < 2; i++) {
            cr_expect_float_eq(asked.answer.interpolation_weight[i], bounds[k].weight, 1e-15, "%s",
                               bounds[k].scaling);
            cr_expect_float_eq(asked.answer.radians[i].hi, 1 - bounds[k].weight * 7 / 8, 1e-15,
                               "%s", bounds[k].scaling);
        }
        posenc_memory_release(&asked.memory);
    }
}

/* Llama 4 Scout. */
Test(rope_llama3, equal_bounds_are_a_step_in_float32_too)
{
    const struct rope_asking asking = {.dim = 128,
                                       .base = 500000,
                                       .scaling = "rope_type=llama3&factor=16&low_freq_factor=1"
                                                  "&high_freq_factor=1"
                                                  "&original_max_position_embeddings=8192",
                                       .arithmetic = POSENC__ROPE_FLOAT32};
    const struct rope_asking whole = {
        .dim = 128, .base = 500000, .arithmetic = POSENC__ROPE_FLOAT32};
    struct rope_asked asked = rope_answer(&asking), plain = rope_answer(&whole);

    for (size_t i = 0; i < 64; i++) /* pair 34 makes 1.22 turns, pair 35 0.997 */
        cr_expect_eq(asked.answer.radians[i].hi,
                     i < 35 ? plain.answer.radians[i].hi : plain.answer.radians[i].hi / 16,
                     "pair %zu", i);
    posenc_memory_release(&asked.memory);
    posenc_memory_release(&plain.memory);
}

/* Base 1 and L / low = 2 pi to the float: a wavelength that is neither longer nor shorter. */
Test(rope_llama3, a_pair_on_the_step_is_kept)
{
    const struct rope_asking asking = {
        .dim = 4,
        .base = 1,
        .scaling = "rope_type=llama3&factor=16&low_freq_factor=0x1.c02e289e19758p+2"
                   "&high_freq_factor=0x1.c02e289e19758p+2&original_max_position_embeddings=44",
        .arithmetic = POSENC__ROPE_FLOAT32};
    struct rope_asked asked = rope_answer(&asking);

    cr_expect_eq(asked.answer.radians[0].hi, 1);
    cr_expect_eq(asked.answer.radians[1].hi, 1);
    posenc_memory_release(&asked.memory);
}

static const struct rope_refusal refusals[] = {
    {{.dim = 8, .scaling = LLAMA3},
     POSENC_MISSING_PARAMETER,
     "scaling.original_max_position_embeddings"},
    {{.dim = 8, .scaling = LLAMA3, .max_position_embeddings = 4096}, /* no fallback, unlike yarn */
     POSENC_MISSING_PARAMETER,
     "scaling.original_max_position_embeddings"},
    {{.dim = 8, .scaling = "rope_type=llama3&low_freq_factor=1&high_freq_factor=4" TRAINED},
     POSENC_MISSING_PARAMETER,
     "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=llama3&factor=8&high_freq_factor=4" TRAINED},
     POSENC_MISSING_PARAMETER,
     "scaling.low_freq_factor"},
    {{.dim = 8, .scaling = "rope_type=llama3&factor=8&low_freq_factor=1" TRAINED},
     POSENC_MISSING_PARAMETER,
     "scaling.high_freq_factor"},
    {{.dim = 8,
      .scaling = "rope_type=llama3&factor=8&low_freq_factor=4&high_freq_factor=1" TRAINED},
     POSENC_CONFLICT,
     "scaling.high_freq_factor"},
    {{.dim = 8,
      .scaling = "rope_type=llama3&factor=8&low_freq_factor=0&high_freq_factor=1" TRAINED},
     POSENC_OUT_OF_RANGE,
     "scaling.low_freq_factor"},
    {{.dim = 8, .scaling = LLAMA3 TRAINED, .max_position_embeddings = 4096},
     POSENC_CONFLICT,
     "scaling.original_max_position_embeddings"},
};

Test(rope_llama3, needs_all_four_members_in_their_order)
{
    const struct rope_warning longer = {
        {.dim = 8, .scaling = LLAMA3 TRAINED, .max_position_embeddings = 4097}, NULL};

    expect_rope_refusals(refusals, COUNT_OF(refusals));
    expect_rope_warnings(&longer, 1);
}
