/* The logistic function against 320 bits. */
#include <criterion/criterion.h>

#include "exact.h"
#include "sigmoid.h"

static void exact_sigmoid(mpfr_t exact, double x)
{
    mpfr_set_d(exact, -x, MPFR_RNDN);
    mpfr_exp(exact, exact, MPFR_RNDN);
    mpfr_add_ui(exact, exact, 1, MPFR_RNDN);
    mpfr_ui_div(exact, 1, exact, MPFR_RNDN);
}

Test(sigmoid, has_98_bits_on_both_sides)
{
    uint64_t seed = 41;
    mpfr_t exact;

    mpfr_init2(exact, EXACT_BITS);
    for (int i = 0; i < 4000; i++) {
        const double x = exact_between(&seed, i % 2 ? -40 : -600, i % 2 ? 40 : 600);

        exact_sigmoid(exact, x);
        cr_assert_leq(exact_error_bits(posenc__sigmoid(x), exact), -98, "%a", x);
    }
    mpfr_clear(exact);
}

Test(sigmoid, saturates_at_0_and_1_and_keeps_nan)
{
    cr_expect_eq(posenc__sigmoid(0).hi, 0.5);
    cr_expect_eq(posenc__sigmoid(INFINITY).hi, 1);
    cr_expect_eq(posenc__sigmoid(INFINITY).lo, 0);
    cr_expect_eq(posenc__sigmoid(-INFINITY).hi, 0);
    cr_expect_eq(posenc__sigmoid(-INFINITY).lo, 0);
    cr_expect_eq(posenc__sigmoid(751).hi, 1);
    cr_expect_eq(posenc__sigmoid(-751).hi, 0);
    cr_expect_gt(posenc__sigmoid(-700).hi, 0);
    cr_expect(isnan(posenc__sigmoid(NAN).hi));
}
