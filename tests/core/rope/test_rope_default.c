/* No scaling, and linear interpolation. */
#include "rope_expect.h"

static const struct rope_frequency_row rows[] = {
    {{.dim = 8}, 4, {1, 0.1, 0.01, 0.001}},
    {{.dim = 6, .base = 523.7}, 3, {1, 0.12406210395245787, 0.015391405637110462}},
    {{.dim = 16, .rotary_dim = 4}, 2, {1, 0.01}}, /* exponents over what turns */
    {{.dim = 2, .base = 7}, 1, {1}},
    {{.dim = 8, .scaling = "type=mrope&mrope_section=1,1,2"}, 4, {1, 0.1, 0.01, 0.001}},
    {{.dim = 8, .scaling = "rope_type=linear&factor=4"}, 4, {0.25, 0.025, 0.0025, 0.00025}},
    {{.dim = 6, .base = 523.7, .scaling = "rope_type=linear&factor=3.7"},
     3,
     {0.27027027027027023, 0.033530298365529156, 0.004159839361381206}},
    {{.dim = 10,
      .base = 523.7,
      .scaling = "rope_type=linear&factor=3.7",
      .arithmetic = POSENC__ROPE_FLOAT32},
     5,
     {0.2702702581882477, 0.07726480811834335, 0.02208844944834709, 0.006314640864729881,
      0.0018052284140139818}},
};

Test(rope_default, frequencies_fall_from_one_by_the_width_that_turns)
{
    expect_rope_frequencies(rows, COUNT_OF(rows));
}

Test(rope_default, keeps_90_bits)
{
    expect_rope_formula("default");
    expect_rope_formula("linear");
}

Test(rope_default, linear_at_p_is_default_at_p_over_the_factor)
{
    const struct rope_asking linear = {
        .dim = 42, .base = 5237.5, .scaling = "rope_type=linear&factor=3.7"};
    const struct rope_asking plain = {.dim = 42, .base = 5237.5};

    expect_rope_same(&linear, &plain, 3.7);
}

/* A factor of 1 scales nothing, so its pairs count as kept. */
Test(rope_default, linear_scales_every_pair_unless_its_factor_is_one)
{
    static const char *const schemes[] = {"rope_type=linear&factor=1",
                                          "rope_type=linear&factor=1.0000001"};

    for (size_t k = 0; k < 2; k++) {
        const struct rope_asking asking = {.dim = 8, .scaling = schemes[k]};
        struct rope_asked asked = rope_answer(&asking);

        for (size_t i = 0; i < 4; i++) {
            cr_expect_str_eq(asked.answer.region[i], k == 0 ? "kept" : "scaled");
            cr_expect_eq(asked.answer.interpolation_weight[i], (double)k);
        }
        cr_expect_not(asked.answer.has_effective_base);
        cr_expect_not(asked.answer.has_correction_range);
        posenc_memory_release(&asked.memory);
    }
}

static const struct rope_refusal refusals[] = {
    {{.dim = 8, .scaling = "rope_type=linear"}, POSENC_MISSING_PARAMETER, "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=linear&factor=0"}, POSENC_OUT_OF_RANGE, "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=linear&factor=-2"}, POSENC_OUT_OF_RANGE, "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=linear&factor=0.5"}, POSENC_OUT_OF_RANGE, "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=linear&factor=four"}, POSENC_WRONG_TYPE, "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=linear&factor=1e16"}, POSENC_OUT_OF_RANGE, "scaling.factor"},
};

Test(rope_default, linear_needs_a_factor_of_at_least_one)
{
    expect_rope_refusals(refusals, COUNT_OF(refusals));
}
