/* Su's "fixed" NTK: the fastest pair slows down, too. */
#include "rope_expect.h"

static const struct rope_frequency_row rows[] = {
    {{.dim = 6, .base = 523.7, .scaling = "rope_type=ntk_fixed&factor=3.7"},
     3,
     {0.6465459942193522, 0.0518606544086845, 0.004159839361381206}},
    {{.dim = 6, .base = 523.7, .scaling = "rope_type=ntk_fixed&factor=3.7&mixed_b=0.625"},
     3,
     {0.5176572743760278, 0.04493990130954414, 0.004159839361381206}},
    {{.dim = 2, .scaling = "rope_type=ntk_fixed&factor=4"}, 1, {0.25}}, /* one pair is enough */
    {{.dim = 6, .base = 523.7, .scaling = "rope_type=ntk&factor=3.7"},  /* vLLM's name */
     3,
     {0.6465459942193522, 0.0518606544086845, 0.004159839361381206}},
    {{.dim = 10,
      .base = 523.7,
      .scaling = "rope_type=ntk_fixed&factor=3.7",
      .arithmetic = POSENC__ROPE_FLOAT32},
     5,
     {0.769767701625824, 0.16939586400985718, 0.037277426570653915, 0.00820330809801817,
      0.0018052286468446255}},
    {{.dim = 10,
      .base = 523.7,
      .scaling = "rope_type=ntk_fixed&factor=3.7&mixed_b=0.625",
      .arithmetic = POSENC__ROPE_FLOAT32},
     5,
     {0.6197258830070496, 0.13668206334114075, 0.031583838164806366, 0.007487124763429165,
      0.0018052284140139818}},
};

Test(rope_ntk_fixed, slows_each_pair_by_its_place_and_the_last_by_the_factor)
{
    expect_rope_frequencies(rows, COUNT_OF(rows));
}

Test(rope_ntk_fixed, keeps_90_bits)
{
    expect_rope_formula("ntk_fixed");
    expect_rope_formula("ntk_fixed with mixed_b");
}

/* (i + 1)^1 / (d / 2)^1 is the exponent of the plain form: s^(-2 (i + 1) / d). */
Test(rope_ntk_fixed, a_mixed_b_of_one_is_the_plain_form)
{
    const struct rope_asking mixed = {.dim = 42,
                                      .scaling = "rope_type=ntk_fixed&factor=5.3&mixed_b=1"};
    const struct rope_asking plain = {.dim = 42, .scaling = "rope_type=ntk_fixed&factor=5.3"};

    expect_rope_same(&mixed, &plain, 1.0);
}

Test(rope_ntk_fixed, a_mixed_b_of_zero_is_linear)
{
    const struct rope_asking mixed = {.dim = 42,
                                      .scaling = "rope_type=ntk_fixed&factor=5.3&mixed_b=0"};
    const struct rope_asking linear = {.dim = 42, .scaling = "rope_type=linear&factor=5.3"};

    expect_rope_same(&mixed, &linear, 1.0);
}

/* Mixed radices are no power of one base. */
Test(rope_ntk_fixed, tells_its_base_unless_it_is_mixed)
{
    const struct rope_asking plain = {.dim = 8, .base = 500, .scaling = rows[0].asking.scaling};
    const struct rope_asking mixed = {.dim = 8, .base = 500, .scaling = rows[1].asking.scaling};
    struct rope_asked asked = rope_answer(&plain);

    cr_expect(asked.answer.has_effective_base);
    cr_expect_eq(asked.answer.effective_base, 500 * 3.7);
    posenc_memory_release(&asked.memory);
    asked = rope_answer(&mixed);
    cr_expect_not(asked.answer.has_effective_base);
    posenc_memory_release(&asked.memory);
}

static const struct rope_refusal refusals[] = {
    {{.dim = 8, .scaling = "rope_type=ntk_fixed"}, POSENC_MISSING_PARAMETER, "scaling.factor"},
    {{.dim = 8, .base = 1e300, .scaling = "rope_type=ntk_fixed&factor=1e10"},
     POSENC_OUT_OF_RANGE,
     "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=ntk_fixed&factor=2&mixed_b=5"},
     POSENC_OUT_OF_RANGE,
     "scaling.mixed_b"},
    {{.dim = 8, .scaling = "rope_type=ntk_fixed&factor=2&mixed_b=-0.5"},
     POSENC_OUT_OF_RANGE,
     "scaling.mixed_b"},
};

Test(rope_ntk_fixed, needs_a_factor_and_a_base_that_stays_finite)
{
    const struct rope_warning mixed = {
        {.dim = 8, .base = 1e300, .scaling = "rope_type=ntk_fixed&factor=1e10&mixed_b=0.5"}, NULL};

    expect_rope_refusals(refusals, COUNT_OF(refusals));
    expect_rope_warnings(&mixed, 1); /* has no such base */
}
