/* The error function and its inverse against MPFR. */
#include <criterion/criterion.h>

#include "erf.h"
#include "exact.h"

#define SAMPLES 4000

/* What erf.h promises. */
#define PROMISED_ULP      0.51
#define PROMISED_RELATIVE 1e-15

Test(erf, is_the_rounded_value)
{
    uint64_t seed = 1;
    mpfr_t exact, error;

    mpfr_inits2(EXACT_BITS, exact, error, (mpfr_ptr)NULL);
    for (int i = 0; i < SAMPLES; i++) {
        const double x = exact_between(&seed, -6.5, 6.5), value = posenc__erf(x);

        mpfr_set_d(exact, x, MPFR_RNDN);
        mpfr_erf(exact, exact, MPFR_RNDN);
        mpfr_d_sub(error, value, exact, MPFR_RNDN);
        const double ulp = fabs(nextafter(value, INFINITY) - value);

        cr_assert_leq(fabs(mpfr_get_d(error, MPFR_RNDN)), PROMISED_ULP * ulp, "erf(%a)", x);
    }
    mpfr_clears(exact, error, (mpfr_ptr)NULL);
}

Test(erf, ends_at_one)
{
    cr_expect_eq(posenc__erf(0.0), 0.0);
    cr_expect_eq(posenc__erf(5.999), erf(5.999));
    cr_expect_eq(posenc__erf(6.0), 1.0);
    cr_expect_eq(posenc__erf(-1e300), -1.0);
    cr_expect_eq(posenc__erf(INFINITY), 1.0);
}

/* With x = erf_inverse(y), the error of x is (erf(x) - y) over the slope of erf at x. */
static double inverse_error(double y)
{
    const double x = posenc__erf_inverse(y);
    mpfr_t rest, slope;

    mpfr_inits2(EXACT_BITS, rest, slope, (mpfr_ptr)NULL);
    mpfr_set_d(rest, x, MPFR_RNDN);
    mpfr_erf(rest, rest, MPFR_RNDN);
    mpfr_sub_d(rest, rest, y, MPFR_RNDN);
    mpfr_set_d(slope, x, MPFR_RNDN);
    mpfr_sqr(slope, slope, MPFR_RNDN);
    mpfr_neg(slope, slope, MPFR_RNDN);
    mpfr_exp(slope, slope, MPFR_RNDN);
    mpfr_div(rest, rest, slope, MPFR_RNDN);
    const double error = mpfr_get_d(rest, MPFR_RNDN) * 0.5 * sqrt(acos(-1.0)) / x;

    mpfr_clears(rest, slope, (mpfr_ptr)NULL);
    return fabs(error);
}

Test(erf, the_inverse_is_right_in_the_middle_and_up_to_the_ends)
{
    uint64_t seed = 2;

    for (int i = 0; i < SAMPLES; i++) {
        const double middle = exact_between(&seed, -1.0, 1.0);
        const double end = 1.0 - exp2(-exact_between(&seed, 0.0, 53.0));
        const double start = exp2(-exact_between(&seed, 0.0, 60.0));

        cr_assert_leq(inverse_error(middle), PROMISED_RELATIVE, "%a", middle);
        cr_assert(end == 0.0 || end == 1.0 || inverse_error(end) <= PROMISED_RELATIVE, "%a", end);
        cr_assert(start == 1.0 || inverse_error(-start) <= PROMISED_RELATIVE, "%a", -start);
    }
    cr_assert_leq(inverse_error(1.0 - 0x1p-53), PROMISED_RELATIVE);
}

Test(erf, the_inverse_is_odd_and_infinite_at_the_ends)
{
    cr_expect_eq(posenc__erf_inverse(0.0), 0.0);
    cr_expect_eq(posenc__erf_inverse(-0.3), -posenc__erf_inverse(0.3));
    cr_expect_eq(posenc__erf_inverse(1.0), INFINITY);
    cr_expect_eq(posenc__erf_inverse(-1.0), -INFINITY);
    cr_expect(isnan(posenc__erf_inverse(1.5)));
    cr_expect(isnan(posenc__erf_inverse(NAN)));
}
