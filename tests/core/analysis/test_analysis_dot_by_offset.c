/* Dot products by offset: against mpfr, and against the rows themselves. */
#include <criterion/criterion.h>
#include <math.h>

#include "exact.h"
#include "quantity.h"

/* sum of cos(offset base^(-2i/dim)) over the pairs. */
static double exact_dot(double base, size_t dim, double offset)
{
    mpfr_t sum, angle, exponent;

    mpfr_inits2(EXACT_BITS, sum, angle, exponent, (mpfr_ptr)NULL);
    mpfr_set_zero(sum, 1);
    for (size_t i = 0; i < dim / 2; i++) {
        mpfr_set_d(exponent, -2.0 * (double)i, MPFR_RNDN);
        mpfr_div_ui(exponent, exponent, dim, MPFR_RNDN);
        mpfr_set_d(angle, base, MPFR_RNDN);
        mpfr_pow(angle, angle, exponent, MPFR_RNDN);
        mpfr_mul_d(angle, angle, offset, MPFR_RNDN);
        mpfr_cos(angle, angle, MPFR_RNDN);
        mpfr_add(sum, sum, angle, MPFR_RNDN);
    }
    const double rounded = mpfr_get_d(sum, MPFR_RNDN);

    mpfr_clears(sum, angle, exponent, (mpfr_ptr)NULL);
    return rounded;
}

/* Each of 75 cosines is right to 0.85 ulp of at most 2^-53; their sum is rounded once more. */
#define SUM_TOLERANCE (75 * 0x1p-53)

Test(analysis_dot_by_offset, is_a_sum_of_exact_cosines_at_any_offset)
{
    static const double offsets[] = {0, 1, 7, -12.5, 1e6, 1e9};
    double exact[6];
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "dot_by_offset",
                              "encoding=sinusoidal&dim=150&base=523.7&dtype=float64&offsets="
                              "0,1,7,-12.5,1e6,1e9"),
                 POSENC_OK);
    for (size_t i = 0; i < 6; i++)
        exact[i] = exact_dot(523.7, 150, offsets[i]);
    assert_tensor_near(&asked, "dot_by_offset", exact, 6, SUM_TOLERANCE);
    asked_release(&asked);
}

Test(analysis_dot_by_offset, is_correctly_rounded_in_float32)
{
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "dot_by_offset", "encoding=rope&dim=64&length=200"),
                 POSENC_OK);
    const double *values = asked_values(&asked, "dot_by_offset");

    for (size_t i = 0; i < 200; i++)
        cr_expect_eq(values[i], (double)(float)exact_dot(10000, 64, (double)i), "offset %zu", i);
    asked_release(&asked);
}
