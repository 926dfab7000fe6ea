/* float32 functions: rounded once, against MPFR with 24 bits. */
#include "rope_float32.h"

#include <criterion/criterion.h>

#include "exact.h"

#define SAMPLES 20000

/* MPFR's value rounded to the nearest float. */
static float nearest(const mpfr_t x)
{
    return mpfr_get_flt(x, MPFR_RNDN);
}

Test(rope_float32, rounds_ties_by_the_low_part)
{
    const double middle = 1.0 + 0x1p-24; /* between 1 and the next float */

    cr_expect_eq(posenc__float_round((struct posenc__dd){middle, 0.0}), 1.0f);
    cr_expect_eq(posenc__float_round((struct posenc__dd){middle, 0x1p-80}), 1.0f + 0x1p-23f);
    cr_expect_eq(posenc__float_round((struct posenc__dd){middle, -0x1p-80}), 1.0f);
    cr_expect_eq(posenc__float_round((struct posenc__dd){-middle, -0x1p-80}), -1.0f - 0x1p-23f);
    cr_expect_eq(posenc__float_round((struct posenc__dd){-middle, 0x1p-80}), -1.0f);
    cr_expect_eq(posenc__float_round((struct posenc__dd){0.0, 0.0}), 0.0f);
    cr_expect_eq(posenc__float_round((struct posenc__dd){1e300, 0.0}), INFINITY);
}

Test(rope_float32, powers_are_correctly_rounded)
{
    uint64_t seed = 21;
    mpfr_t exact, exponent;

    mpfr_inits2(EXACT_BITS, exact, exponent, (mpfr_ptr)NULL);
    for (int i = 0; i < SAMPLES; i++) {
        const float base = (float)pow(10.0, exact_between(&seed, 0.0, 9.0));
        const float e = (float)exact_between(&seed, -1.0, 1.0);

        mpfr_set_flt(exact, base, MPFR_RNDN);
        mpfr_set_flt(exponent, e, MPFR_RNDN);
        mpfr_pow(exact, exact, exponent, MPFR_RNDN);
        cr_expect_eq(posenc__float_power(base, e), nearest(exact), "%a^%a", base, e);
    }
    mpfr_clears(exact, exponent, (mpfr_ptr)NULL);
}

Test(rope_float32, logarithms_and_exponentials_are_correctly_rounded)
{
    uint64_t seed = 22;
    mpfr_t exact;

    mpfr_init2(exact, EXACT_BITS);
    for (int i = 0; i < SAMPLES; i++) {
        const float x = (float)pow(10.0, exact_between(&seed, -9.0, 9.0));
        const float y = (float)exact_between(&seed, -40.0, 40.0);

        mpfr_set_flt(exact, x, MPFR_RNDN);
        mpfr_log(exact, exact, MPFR_RNDN);
        cr_expect_eq(posenc__float_log(x), nearest(exact), "log %a", x);
        mpfr_set_flt(exact, y, MPFR_RNDN);
        mpfr_exp(exact, exact, MPFR_RNDN);
        cr_expect_eq(posenc__float_exp(y), nearest(exact), "exp %a", y);
    }
    mpfr_clear(exact);
}

Test(rope_float32, bases_that_are_no_floats_end_in_zero_and_infinity)
{
    cr_expect_eq(posenc__float_period(1e300, 0, 8), 1.0f);
    cr_expect_eq(posenc__float_period(1e300, 1, 8), INFINITY);
    cr_expect_eq(posenc__float_period(1e-300, 1, 8), 0.0f);
    cr_expect_eq(posenc__float_power(0.0f, -1.0f), INFINITY);
    cr_expect_eq(posenc__float_power(INFINITY, -1.0f), 0.0f);
}

Test(rope_float32, the_exponent_is_rounded_before_the_power)
{
    /* 2 / 6 as a float is a little more than 1/3. */
    cr_expect_eq(posenc__float_period(1e6, 1, 6), posenc__float_power(1e6f, 0x1.555556p-2f));
    cr_expect_neq(posenc__float_period(1e6, 1, 6), 100.0f);
}
