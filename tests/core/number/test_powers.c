/* Powers one after another against MPFR. */
#include <criterion/criterion.h>

#include "exact.h"
#include "powers.h"

#define SEQUENCES 400
#define LONGEST   300

/* What powers.h promises: log2 of the relative error. */
#define PROMISED_BITS (-105.0)

/* log2 of the worst relative error of the first `count` powers. */
static double worst_of(double base, double numerator, double denominator, int count)
{
    struct posenc__powers powers;
    mpfr_t ratio, exact;
    double worst = -INFINITY;

    mpfr_inits2(EXACT_BITS, ratio, exact, (mpfr_ptr)NULL);
    mpfr_set_d(ratio, numerator, MPFR_RNDN);
    mpfr_div_d(ratio, ratio, denominator, MPFR_RNDN);
    mpfr_set_d(exact, base, MPFR_RNDN);
    mpfr_pow(ratio, exact, ratio, MPFR_RNDN);
    mpfr_set_ui(exact, 1, MPFR_RNDN);
    posenc__powers_begin(&powers, (struct posenc__dd){base, 0.0}, numerator, denominator);
    for (int i = 0; i < count; i++) {
        const struct posenc__dd power = posenc__powers_next(&powers);

        if (fabs(log2(power.hi)) < 850) /* where the low part is normal */
            worst = fmax(worst, exact_error_bits(power, exact));
        mpfr_mul(exact, exact, ratio, MPFR_RNDN);
    }
    mpfr_clears(ratio, exact, (mpfr_ptr)NULL);
    return worst;
}

Test(powers, frequencies_of_tables_keep_105_bits)
{
    uint64_t seed = 1;
    double worst = -INFINITY;

    for (int i = 0; i < SEQUENCES; i++) {
        const double pairs = (double)(1 + exact_bits(&seed) % 2048);
        const double base = i % 4 ? pow(10.0, exact_between(&seed, 0.0, 9.0)) : 10000.0;

        worst =
            fmax(worst, worst_of(base, -2.0, 2.0 * pairs, pairs < LONGEST ? (int)pairs : LONGEST));
    }
    cr_log_info("worst relative error 2^%.2f", worst);
    cr_expect_leq(worst, PROMISED_BITS, "2^%.2f", worst);
}

/* Up to where a double ends, both ways; ratios next to 1 and far from it. */
Test(powers, extreme_bases_and_exponents_keep_105_bits)
{
    uint64_t seed = 2;
    double worst = -INFINITY;

    for (int i = 0; i < SEQUENCES; i++) {
        const double base = pow(10.0, exact_between(&seed, -300.0, 300.0));
        const double last = exact_between(&seed, -600.0, 600.0) / log(base);

        worst = fmax(worst, worst_of(base, last, exact_between(&seed, 0.5, 200.0), 200));
    }
    cr_log_info("worst relative error 2^%.2f", worst);
    cr_expect_leq(worst, PROMISED_BITS, "2^%.2f", worst);
}

Test(powers, begin_with_1_and_hit_powers_that_are_doubles)
{
    struct posenc__powers powers;

    posenc__powers_begin(&powers, (struct posenc__dd){2.0, 0.0}, -8.0, 16.0);
    for (int i = 0; i < 200; i++) {
        const struct posenc__dd power = posenc__powers_next(&powers);

        if (i == 0)
            cr_expect_eq(power.lo, 0.0);
        if (i % 2 == 0)
            cr_expect_eq(power.hi, ldexp(1.0, -i / 2), "%d: %a", i, power.hi);
    }
}

Test(powers, of_no_power_are_nan)
{
    struct posenc__powers powers;

    posenc__powers_begin(&powers, (struct posenc__dd){-1.0, 0.0}, 1.0, 2.0);
    for (int i = 0; i < 3; i++)
        cr_expect(isnan(posenc__powers_next(&powers).hi));
}

Test(powers, beyond_every_double_are_infinite_or_0)
{
    struct posenc__powers powers;
    struct posenc__dd last = {0.0, 0.0};

    posenc__powers_begin(&powers, (struct posenc__dd){1e300, 0.0}, 1.0, 2.0);
    for (int i = 0; i < 5; i++)
        last = posenc__powers_next(&powers);
    cr_expect_eq(last.hi, INFINITY);
    cr_expect_eq(last.lo, 0.0);
    posenc__powers_begin(&powers, (struct posenc__dd){1e-300, 0.0}, 1.0, 2.0);
    for (int i = 0; i < 5; i++)
        last = posenc__powers_next(&powers);
    cr_expect_eq(last.hi, 0.0);
}
