/* Limits of angles, and the float32 dialect's sines. */
#include "waves.h"

#include <criterion/criterion.h>

#include "exact.h"
#include "support.h"

Test(waves, refuses_more_turns_than_the_arithmetic_counts)
{
    double hi[] = {0.5, 2.0}, lo[] = {0, 0};
    const struct posenc__waves waves = {2, hi, lo};
    struct posenc__positions positions = {.count = 2, .step = 4503599627370496.0};
    struct posenc_problem problem;

    cr_expect_eq(posenc__check_angles(&waves, &positions, &problem), POSENC_OK);
    positions.step = 4503599627370497.0;
    cr_expect_eq(posenc__check_angles(&waves, &positions, &problem), POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(problem.parameter, "base");
}

Test(waves, looks_at_both_ends_of_a_walk_and_all_of_a_list)
{
    double hi = 2, lo = 0;
    const struct posenc__waves waves = {1, &hi, &lo};
    const double list[] = {0, -9007199254740992.0, 1};
    const struct posenc__positions cases[] = {
        {.count = 3, .list = list, .step = 1},
        {.count = 3, .offset = -9007199254740992.0, .step = 4503599627370496.0},
        {.count = 3, .offset = 0, .step = -4503599627370496.0},
    };

    for (size_t i = 0; i < 3; i++) {
        struct posenc_problem problem;

        cr_expect_eq(posenc__check_angles(&waves, &cases[i], &problem), POSENC_OUT_OF_RANGE, "%zu",
                     i);
    }
}

Test(waves, refuses_frequencies_that_are_not_finite_even_without_positions)
{
    const double numbers[] = {NAN, INFINITY, 1e300};
    const struct posenc__positions none = {.count = 0};

    for (size_t i = 0; i < 3; i++) {
        double hi = numbers[i], lo = 0;
        const struct posenc__waves waves = {1, &hi, &lo};
        const float narrow = (float)numbers[i];
        struct posenc_problem problem;

        cr_expect_eq(posenc__check_angles(&waves, &none, &problem), POSENC_OUT_OF_RANGE);
        cr_expect_eq(posenc__check_float32_angles(&narrow, 1, 1, &none, &problem),
                     POSENC_OUT_OF_RANGE);
    }
}

Test(waves, float32_angles_meet_scaled_positions)
{
    const float frequency = 1;
    const struct posenc__positions positions = {.count = 2, .step = 1024};
    struct posenc_problem problem;

    cr_expect_eq(posenc__check_float32_angles(&frequency, 1, 0x1p43, &positions, &problem),
                 POSENC_OK);
    cr_expect_eq(posenc__check_float32_angles(&frequency, 1, 0x1.1p43, &positions, &problem),
                 POSENC_OUT_OF_RANGE);
    cr_expect_eq(posenc__check_float32_angles(&frequency, 1, -1e300, &positions, &problem),
                 POSENC_OUT_OF_RANGE);
    cr_expect_eq(posenc__check_float32_angles(&frequency, 1, 0, &positions, &problem), POSENC_OK);
}

/* Half a float32 ulp, and what the angle kernel may be off before that. */
static double float_tolerance(double value)
{
    int exponent;

    (void)frexp(value, &exponent);
    return ldexp(0.5, exponent - 24) + 1.2e-16;
}

Test(waves, float32_sines_are_the_rounded_sines_of_the_rounded_angle)
{
    uint64_t seed = 6;
    mpfr_t angle, exact;

    mpfr_inits2(EXACT_BITS, angle, exact, (mpfr_ptr)NULL);
    for (int i = 0; i < 2000; i++) {
        const float frequency = (float)exp(exact_between(&seed, -12, 0));
        const float position = (float)exp(exact_between(&seed, 0, 20));
        const float product = position * frequency;
        double sine, cosine;

        posenc__sincos_float32(&frequency, position, 1, &sine, &cosine);
        mpfr_set_flt(angle, product, MPFR_RNDN);
        mpfr_sin(exact, angle, MPFR_RNDN);
        cr_assert_float_eq(sine, mpfr_get_d(exact, MPFR_RNDN),
                           float_tolerance(mpfr_get_d(exact, MPFR_RNDN)));
        cr_assert_eq(sine, (double)(float)sine);
        mpfr_cos(exact, angle, MPFR_RNDN);
        cr_assert_float_eq(cosine, mpfr_get_d(exact, MPFR_RNDN),
                           float_tolerance(mpfr_get_d(exact, MPFR_RNDN)));
        cr_assert_eq(cosine, (double)(float)cosine);
    }
    mpfr_clears(angle, exact, (mpfr_ptr)NULL);
}
