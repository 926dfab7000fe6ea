/* ALiBi's slopes against MPFR, and the released rules against each other. */
#include "alibi.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "exact.h"
#include "support.h"

#define HEADS 256

/* 2^(-bias_max numerator / denominator), rounded to double. */
static double power(double bias_max, size_t numerator, size_t denominator)
{
    mpfr_t slope;

    mpfr_init2(slope, EXACT_BITS);
    mpfr_set_d(slope, -bias_max, MPFR_RNDN);
    mpfr_mul_ui(slope, slope, numerator, MPFR_RNDN);
    mpfr_div_ui(slope, slope, denominator, MPFR_RNDN);
    mpfr_exp2(slope, slope, MPFR_RNDN);
    const double rounded = mpfr_get_d(slope, MPFR_RNDN);

    mpfr_clear(slope);
    return rounded;
}

/* Press: the slopes of the power of two below, then every second one of the next power's. */
static void press(double bias_max, size_t heads, double *slopes)
{
    size_t below = 1;

    while (2 * below <= heads)
        below *= 2;
    for (size_t i = 0; i < below; i++)
        slopes[i] = power(bias_max, i + 1, below);
    for (size_t i = below; i < heads; i++)
        slopes[i] = power(bias_max, 2 * (i - below) + 1, 2 * below);
}

/* llm-foundry: the slopes of the power of two above, odd indices before even ones, cut. */
static void llm_foundry(double bias_max, size_t heads, double *slopes)
{
    size_t above = 1;

    while (above < heads)
        above *= 2;
    for (size_t i = 0; i < heads; i++) {
        const size_t index = above == heads ? i : i < above / 2 ? 2 * i + 1 : 2 * (i - above / 2);

        slopes[i] = power(bias_max, index + 1, above);
    }
}

/* ggml: powers of two ratios, m0^(h + 1) below the power of two and m1^(2 (h - c) + 1) from it on.
 */
static void ggml(double bias_max, size_t heads, double *slopes)
{
    const size_t below = (size_t)1 << (size_t)floor(log2((double)heads));

    for (size_t h = 0; h < heads; h++)
        slopes[h] = h < below ? power(bias_max, h + 1, below)
                              : power(bias_max / 2, 2 * (h - below) + 1, below);
}

static const double *ask_slopes(struct asked *asked, size_t heads, double bias_max,
                                const char *rest)
{
    char query[160];

    (void)snprintf(query, sizeof(query), "heads=%zu&bias_max=%.17g&query_length=1&dtype=float64&%s",
                   heads, bias_max, rest);
    cr_assert_eq(ask(asked, "alibi/table", query), POSENC_OK, "%s", query);
    return asked_values(asked, "slopes");
}

Test(alibi_slopes, are_the_three_released_rules_for_1_to_256_heads)
{
    static const double bias_maxes[] = {8, 16, 4.5};

    for (size_t heads = 1; heads <= HEADS; heads++) {
        const double bias_max = bias_maxes[heads % 3];
        double expected[HEADS], others[HEADS];
        struct asked asked;
        const double *slopes = ask_slopes(&asked, heads, bias_max, "");

        press(bias_max, heads, expected);
        for (size_t h = 0; h < heads; h++)
            cr_assert_eq(slopes[h], expected[h], "%zu of %zu", h, heads);
        llm_foundry(bias_max, heads, others);
        for (size_t h = 0; h < heads; h++)
            cr_assert_eq(slopes[h], others[h], "%zu of %zu", h, heads);
        ggml(bias_max, heads, others);
        for (size_t h = 0; h < heads; h++)
            cr_assert_eq(slopes[h], others[h], "%zu of %zu", h, heads);
        asked_release(&asked);
    }
}

Test(alibi_slopes, the_geometric_rule_keeps_one_ratio)
{
    for (size_t heads = 1; heads <= HEADS; heads += 5) {
        struct asked asked;
        const double *slopes = ask_slopes(&asked, heads, 8, "slope_rule=geometric");

        for (size_t h = 0; h < heads; h++)
            cr_assert_eq(slopes[h], power(8, h + 1, heads), "%zu of %zu", h, heads);
        asked_release(&asked);
    }
}

Test(alibi_slopes, one_sided_heads_use_the_slopes_of_half_their_number_twice)
{
    double expected[HEADS];
    struct asked asked;
    const double *slopes = ask_slopes(&asked, 12, 8, "one_sided=true&form=symmetric");

    press(8, 6, expected);
    for (size_t h = 0; h < 12; h++)
        cr_expect_eq(slopes[h], expected[h % 6]);
    asked_release(&asked);
}

Test(alibi_slopes, given_slopes_tell_the_number_of_heads)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "alibi/table", "slopes=0.5,-3,0&query_length=1&dtype=float64"),
                 POSENC_OK);
    const double *slopes = asked_values(&asked, "slopes");

    cr_expect_eq(echoed_number(&asked.result, "heads"), 3);
    cr_expect_eq(slopes[0], 0.5);
    cr_expect_eq(slopes[1], -3);
    cr_expect_eq(slopes[2], 0);
    asked_release(&asked);
}

Test(alibi_slopes, given_slopes_must_be_one_a_head)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "alibi/table", "heads=2&slopes=1,2,3&query_length=1"),
                 POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "slopes");
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "alibi/table", "heads=2&right_slopes=1&query_length=1"),
                 POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "right_slopes");
    asked_release(&asked);
}

Test(alibi_slopes, bfloat16_slopes_are_rounded)
{
    struct asked asked;
    const double *slopes = ask_slopes(&asked, 12, 8, "arithmetic=bfloat16");

    cr_expect_eq(slopes[0], 0.5);
    cr_expect_eq(slopes[8], 0x1.6ap-1); /* 0.7071067811865475 */
    asked_release(&asked);
}
