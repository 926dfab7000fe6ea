/* log, exp and power against MPFR. */
#include <criterion/criterion.h>
#include <float.h>

#include "exact.h"

#define SAMPLES 20000

/* What dd.h promises of log, exp and power: log2 of the relative error. */
#define PROMISED_BITS (-105.0)

/* ... and of the logarithm in double: units in the last place. */
#define PROMISED_ULP 0.51

static void expect_promise(double worst)
{
    cr_log_info("worst relative error 2^%.2f", worst);
    cr_expect_leq(worst, PROMISED_BITS, "2^%.2f", worst);
}

/* A function of one variable, what MPFR calls it, and its argument number i. */
struct tried {
    uint64_t seed;
    struct posenc__dd (*argument)(uint64_t *seed, int i);
    struct posenc__dd (*ours)(struct posenc__dd x);
    int (*exact)(mpfr_t result, const mpfr_t x, mpfr_rnd_t rounding);
};

static void expect_promise_of(const struct tried *tried)
{
    uint64_t seed = tried->seed;
    double worst = -INFINITY;
    mpfr_t exact;

    mpfr_init2(exact, EXACT_BITS);
    for (int i = 0; i < SAMPLES; i++) {
        const struct posenc__dd argument = tried->argument(&seed, i);

        exact_set(exact, argument);
        tried->exact(exact, exact, MPFR_RNDN);
        worst = fmax(worst, exact_error_bits(tried->ours(argument), exact));
    }
    mpfr_clear(exact);
    expect_promise(worst);
}

static struct posenc__dd wide_argument(uint64_t *seed, int i)
{
    const double scale = i % 2 ? 300.0 : 1.0;
    const double x = pow(10.0, exact_between(seed, -scale, scale));

    return x > 1e-280 ? exact_widen(seed, x) : (struct posenc__dd){x, 0.0};
}

static struct posenc__dd argument_next_to_1(uint64_t *seed, int i)
{
    return posenc__dd_sum(1.0, ldexp(exact_between(seed, -1.0, 1.0), -(i % 100)) / 4.0);
}

/* Below -600 the low part of the result would no longer be normal. */
static struct posenc__dd exponent_argument(uint64_t *seed, int i)
{
    const double scale = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 0.01 : 0x1p-40;
    const double x = i % 6 < 3 ? exact_between(seed, -600.0, 709.0) : 1.0;

    return exact_widen(seed, x * scale);
}

Test(dd_power, log_keeps_105_bits_from_1e_minus_300_to_1e300)
{
    expect_promise_of(&(const struct tried){1, wide_argument, posenc__dd_log, mpfr_log});
}

Test(dd_power, log_keeps_105_bits_next_to_1)
{
    expect_promise_of(&(const struct tried){2, argument_next_to_1, posenc__dd_log, mpfr_log});
}

Test(dd_power, exp_keeps_105_bits)
{
    expect_promise_of(&(const struct tried){3, exponent_argument, posenc__dd_exp, mpfr_exp});
}

Test(dd_power, exp_leaves_the_range_of_double_quietly)
{
    const struct posenc__dd above = posenc__dd_exp((struct posenc__dd){709.79, 0.0});
    const struct posenc__dd far_above = posenc__dd_exp((struct posenc__dd){1e300, 0.0});
    const struct posenc__dd below = posenc__dd_exp((struct posenc__dd){-1e300, 0.0});

    cr_expect_eq(above.hi, INFINITY);
    cr_expect_eq(above.lo, 0.0);
    cr_expect_eq(far_above.hi, INFINITY);
    cr_expect_eq(below.hi, 0.0);
}

/* log2 of the relative error of one power. */
static double power_error(struct posenc__dd base, double numerator, double denominator)
{
    mpfr_t exact, exponent;

    mpfr_inits2(EXACT_BITS, exact, exponent, (mpfr_ptr)NULL);
    mpfr_set_d(exponent, numerator, MPFR_RNDN);
    mpfr_div_d(exponent, exponent, denominator, MPFR_RNDN);
    exact_set(exact, base);
    mpfr_pow(exact, exact, exponent, MPFR_RNDN);
    const double bits = exact_error_bits(posenc__dd_power(base, numerator, denominator), exact);

    mpfr_clears(exact, exponent, (mpfr_ptr)NULL);
    return bits;
}

Test(dd_power, frequencies_keep_105_bits)
{
    uint64_t seed = 4;
    double worst = -INFINITY;

    for (int i = 0; i < SAMPLES; i++) {
        const double dim = 2.0 * (double)(1 + exact_bits(&seed) % 5000);
        const double base = pow(10.0, exact_between(&seed, 0.0, 9.0));
        const double column = 2.0 * floor(exact_between(&seed, 0.0, dim / 2.0));

        worst = fmax(worst, power_error((struct posenc__dd){base, 0.0}, -column, dim));
    }
    expect_promise(worst);
}

Test(dd_power, extreme_bases_and_exponents_keep_105_bits)
{
    uint64_t seed = 5;
    double worst = -INFINITY;

    for (int i = 0; i < SAMPLES; i++) {
        const double decades = exact_between(&seed, -300.0, 300.0);
        const double base = pow(10.0, i % 2 ? decades : decades / 1000.0);
        const double denominator = exact_between(&seed, 0.1, 1000.0);
        const double log_result = exact_between(&seed, -600.0, 708.0); /* low part normal */
        const double numerator = log_result / log(base) * denominator;

        worst = fmax(worst, power_error((struct posenc__dd){base, 0.0}, numerator, denominator));
    }
    expect_promise(worst);
}

struct known_power {
    double base, numerator, denominator, high;
};

Test(dd_power, powers_that_are_doubles_come_out_as_such)
{
    const struct known_power rows[] = {
        {1.0, 5.0, 7.0, 1.0},          {523.7, 0.0, 64.0, 1.0},  {10000.0, 64.0, 128.0, 100.0},
        {10000.0, -64.0, 128.0, 0.01}, {2.0, 10.0, 1.0, 1024.0}, {1e300, 1.0, 1.0, 1e300},
        {1e-300, -1.0, -1.0, 1e-300},  {4.0, -1.0, 2.0, 0.5},    {16.0, 1.0, 4.0, 2.0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct known_power *row = &rows[i];
        const struct posenc__dd power =
            posenc__dd_power((struct posenc__dd){row->base, 0.0}, row->numerator, row->denominator);

        cr_expect_eq(power.hi, row->high, "%g^(%g/%g) = %a", row->base, row->numerator,
                     row->denominator, power.hi);
    }
    const struct posenc__dd one = posenc__dd_power((struct posenc__dd){1.0, 0.0}, 5.0, 7.0);

    cr_expect_eq(one.lo, 0.0);
}

Test(dd_power, log_in_double_is_right_to_half_an_ulp)
{
    uint64_t seed = 6;
    double worst = 0.0;
    mpfr_t exact;

    mpfr_init2(exact, EXACT_BITS);
    for (int i = 0; i < SAMPLES; i++) {
        const double near_one = 1.0 - ldexp(exact_between(&seed, 0.0, 1.0), -(int)(i % 54));
        const double spread = pow(10.0, exact_between(&seed, -300.0, 300.0));
        const double x = i % 2 && near_one > 0.0 ? near_one : spread;
        const double ours = posenc__log(x);
        const double ulp = ldexp(DBL_EPSILON, ilogb(ours == 0.0 ? 1.0 : ours));

        mpfr_set_d(exact, x, MPFR_RNDN);
        mpfr_log(exact, exact, MPFR_RNDN);
        mpfr_sub_d(exact, exact, ours, MPFR_RNDN);
        worst = fmax(worst, fabs(mpfr_get_d(exact, MPFR_RNDN)) / ulp);
    }
    mpfr_clear(exact);
    cr_log_info("worst error %.4f ulp", worst);
    cr_expect_leq(worst, PROMISED_ULP, "%.4f ulp", worst);
    cr_expect_eq(posenc__log(1.0), 0.0);
}

Test(dd_power, gives_nan_outside_its_domain)
{
    static const double outside[] = {0, -0.0, -1, INFINITY, -INFINITY, NAN};

    for (size_t i = 0; i < sizeof(outside) / sizeof(*outside); i++) {
        const struct posenc__dd x = {outside[i], 0};

        cr_expect(isnan(posenc__dd_log(x).hi), "%g", outside[i]);
        cr_expect(isnan(posenc__dd_power(x, 1, 3).hi), "%g", outside[i]);
    }
    cr_expect(isnan(posenc__dd_exp((struct posenc__dd){NAN, 0}).hi));
}
