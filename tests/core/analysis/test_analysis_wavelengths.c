/* Wavelengths against mpfr, and what has none. */
#include <criterion/criterion.h>
#include <math.h>

#include "exact.h"
#include "quantity.h"

/* 2 pi base^(numerator / denominator), rounded once. */
static double exact_wavelength(double base, double numerator, double denominator)
{
    mpfr_t x, y;

    mpfr_inits2(EXACT_BITS, x, y, (mpfr_ptr)NULL);
    mpfr_set_d(x, base, MPFR_RNDN);
    mpfr_set_d(y, numerator, MPFR_RNDN);
    mpfr_div_d(y, y, denominator, MPFR_RNDN);
    mpfr_pow(x, x, y, MPFR_RNDN);
    mpfr_const_pi(y, MPFR_RNDN);
    mpfr_mul(x, x, y, MPFR_RNDN);
    mpfr_mul_ui(x, x, 2, MPFR_RNDN);
    const double rounded = mpfr_get_d(x, MPFR_RNDN);

    mpfr_clears(x, y, (mpfr_ptr)NULL);
    return rounded;
}

Test(analysis_wavelengths, are_correctly_rounded)
{
    struct asked asked;

    cr_assert_eq(
        ask_quantity(&asked, "wavelengths", "encoding=sinusoidal&dim=150&base=523.7&dtype=float64"),
        POSENC_OK);
    const double *values = asked_values(&asked, "wavelengths");

    for (size_t i = 0; i < 75; i++)
        cr_expect_eq(values[i], exact_wavelength(523.7, 2.0 * (double)i, 150), "pair %zu", i);
    asked_release(&asked);
}

Test(analysis_wavelengths, follow_the_spacing_the_scale_and_the_float32_dialect)
{
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "wavelengths",
                              "encoding=sinusoidal&dim=8&layout=sin_cos&spacing=half_minus_1&"
                              "position_scale=0.25&dtype=float64"),
                 POSENC_OK);
    cr_expect_eq(asked_values(&asked, "wavelengths")[3], 4 * exact_wavelength(10000, 3, 3));
    asked_release(&asked);
    cr_assert_eq(ask_quantity(&asked, "wavelengths",
                              "encoding=sinusoidal&dim=8&arithmetic=float32&dtype=float64"),
                 POSENC_OK);
    const double dialect = asked_values(&asked, "wavelengths")[1];

    cr_expect_neq(dialect, exact_wavelength(10000, 1, 4)); /* 0.1 is no float32 number */
    cr_expect_float_eq(dialect, exact_wavelength(10000, 1, 4), 62.8 * 0x1p-23);
    asked_release(&asked);
}

Test(analysis_wavelengths, turn_either_way_in_the_same_length)
{
    struct asked there, back;

    cr_assert_eq(ask_quantity(&there, "wavelengths", "encoding=rope&dim=6"), POSENC_OK);
    cr_assert_eq(ask_quantity(&back, "wavelengths", "encoding=rope&dim=6&direction=-1"), POSENC_OK);
    assert_tensor_near(&back, "wavelengths", asked_values(&there, "wavelengths"), 3, 0);
    asked_release(&there);
    asked_release(&back);
}

Test(analysis_wavelengths, a_wave_that_stands_still_has_an_infinite_one)
{
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "wavelengths", "encoding=rope&dim=4&inv_freq=0,0.5"),
                 POSENC_OK, "%s", asked.problem.detail);
    const double *values = asked_values(&asked, "wavelengths");

    cr_expect_eq(values[0], (double)INFINITY);
    cr_expect_float_eq(values[1], 12.566370614359172, 12.6 * 0x1p-24); /* float32 */
    asked_release(&asked);
}

Test(analysis_wavelengths, tells_how_many_turn_fully_within_the_length)
{
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "wavelengths", "encoding=sinusoidal&dim=8&length=63"),
                 POSENC_OK);
    cr_expect_eq(derived_value(&asked, "complete_within_length")->as.number, 2);
    asked_release(&asked);
    cr_assert_eq(ask_quantity(&asked, "wavelengths", "encoding=sinusoidal&dim=8&length=62"),
                 POSENC_OK);
    cr_expect_eq(derived_value(&asked, "complete_within_length")->as.number, 1);
    asked_release(&asked);
}
