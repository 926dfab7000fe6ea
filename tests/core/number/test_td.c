/* Triple-double arithmetic against exact sums, products and quotients. */
#include "td.h"

#include <criterion/criterion.h>

#include "exact.h"

#define SAMPLES 20000

/* What td.h promises: log2 of the relative error. */
#define PROMISED_BITS (-140.0)

/* A number of three parts, from 2^-40 to 2^40. */
static struct posenc__td random_td(uint64_t *seed)
{
    const double sign = exact_bits(seed) % 2 ? 1 : -1;
    const double high = ldexp(exact_between(seed, 1, 2), (int)(exact_bits(seed) % 80) - 40);
    const double middle = high * exact_between(seed, -0x1p-54, 0x1p-54);

    return (struct posenc__td){sign * high, middle,
                               middle * exact_between(seed, -0x1p-54, 0x1p-54)};
}

static void set_td(mpfr_t number, struct posenc__td x)
{
    mpfr_set_d(number, x.high, MPFR_RNDN);
    mpfr_add_d(number, number, x.middle, MPFR_RNDN);
    mpfr_add_d(number, number, x.low, MPFR_RNDN);
}

/* log2 of |x - exact| / |size|. */
static double error_bits(struct posenc__td x, const mpfr_t exact, const mpfr_t size)
{
    mpfr_t error;

    mpfr_init2(error, EXACT_BITS);
    set_td(error, x);
    mpfr_sub(error, error, exact, MPFR_RNDN);
    mpfr_div(error, error, size, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
    mpfr_log2(error, error, MPFR_RNDN);
    const double bits = mpfr_get_d(error, MPFR_RNDN);

    mpfr_clear(error);
    return bits;
}

/* Each part is at most about an ulp of the one before it. */
static void assert_is_settled(struct posenc__td x)
{
    cr_assert_leq(fabs(x.middle), 0x1p-51 * fabs(x.high), "%a + %a", x.high, x.middle);
    cr_assert_leq(fabs(x.low), 0x1p-51 * fabs(x.middle), "%a + %a", x.middle, x.low);
}

struct operation {
    const char *name;
    struct posenc__td (*ours)(struct posenc__td, struct posenc__td);
    int (*exact)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
};

static const struct operation operations[] = {
    {"add", posenc__td_add, mpfr_add},
    {"multiply", posenc__td_multiply, mpfr_mul},
    {"divide", posenc__td_divide, mpfr_div},
};

/* Sums may cancel, so those are of numbers of one sign. */
Test(td, add_multiply_and_divide_keep_140_bits)
{
    mpfr_t a, b, exact;

    mpfr_inits2(EXACT_BITS, a, b, exact, (mpfr_ptr)NULL);
    for (size_t k = 0; k < sizeof(operations) / sizeof(*operations); k++) {
        uint64_t seed = 7;
        double worst = -INFINITY;

        for (int i = 0; i < SAMPLES; i++) {
            struct posenc__td x = random_td(&seed), y = random_td(&seed);

            if (k == 0 && x.high * y.high < 0)
                y = (struct posenc__td){-y.high, -y.middle, -y.low};
            const struct posenc__td result = operations[k].ours(x, y);

            set_td(a, x);
            set_td(b, y);
            operations[k].exact(exact, a, b, MPFR_RNDN);
            worst = fmax(worst, error_bits(result, exact, exact));
            assert_is_settled(result);
        }
        cr_expect_leq(worst, PROMISED_BITS, "%s: 2^%.2f", operations[k].name, worst);
    }
    mpfr_clears(a, b, exact, (mpfr_ptr)NULL);
}

/* Where a sum cancels, its error stays small beside what was added. */
Test(td, a_sum_that_cancels_keeps_140_bits_of_its_terms)
{
    uint64_t seed = 8;
    double worst = -INFINITY;
    mpfr_t a, b, exact;

    mpfr_inits2(EXACT_BITS, a, b, exact, (mpfr_ptr)NULL);
    for (int i = 0; i < SAMPLES; i++) {
        const struct posenc__td x = random_td(&seed);
        struct posenc__td y = random_td(&seed);
        const int shift = (int)(exact_bits(&seed) % 110);

        /* -x, but for a part that is 2^-shift of it */
        y = posenc__td_add((struct posenc__td){-x.high, -x.middle, -x.low},
                           (struct posenc__td){ldexp(x.high, -shift), 0, y.low});
        set_td(a, x);
        set_td(b, y);
        mpfr_add(exact, a, b, MPFR_RNDN);
        worst = fmax(worst, error_bits(posenc__td_add(x, y), exact, a));
    }
    mpfr_clears(a, b, exact, (mpfr_ptr)NULL);
    cr_expect_leq(worst, PROMISED_BITS, "2^%.2f", worst);
}

Test(td, sums_of_what_three_doubles_hold_are_exact)
{
    const struct posenc__td one = {1, 0x1p-60, 0x1p-120}, half = {0.5, -0x1p-60, 0x1p-122};
    const struct posenc__td sum = posenc__td_add(one, half);
    const struct posenc__td nothing =
        posenc__td_add(one, (struct posenc__td){-1, -0x1p-60, -0x1p-120});

    cr_expect_eq(sum.high, 1.5);
    cr_expect_eq(sum.middle, 0x1.4p-120);
    cr_expect_eq(sum.low, 0);
    cr_expect_eq(nothing.high, 0);
    cr_expect_eq(nothing.middle, 0);
    cr_expect_eq(nothing.low, 0);
}

Test(td, a_double_double_comes_and_goes_unchanged)
{
    uint64_t seed = 9;

    for (int i = 0; i < SAMPLES; i++) {
        const struct posenc__dd x = exact_widen(&seed, exact_between(&seed, -9, 9));
        const struct posenc__td wide = posenc__td_from(x);
        const struct posenc__dd back = posenc__td_round(wide);

        cr_assert_eq(wide.low, 0);
        cr_assert_eq(back.hi, x.hi);
        cr_assert_eq(back.lo, x.lo);
    }
}

/* To nearest, nearly: half an ulp of the second part, which is at most 2^-54 of the first; the
 * third one may be a whole ulp of the second. */
Test(td, rounding_loses_half_an_ulp_of_the_second_part)
{
    uint64_t seed = 10;
    double worst = -INFINITY;
    mpfr_t exact;

    mpfr_init2(exact, EXACT_BITS);
    for (int i = 0; i < SAMPLES; i++) {
        struct posenc__td x = random_td(&seed);

        x.low = x.middle * exact_between(&seed, -0x1p-52, 0x1p-52);
        const struct posenc__dd rounded = posenc__td_round(x);

        set_td(exact, x);
        worst = fmax(worst, exact_error_bits(rounded, exact));
        cr_assert_eq(rounded.hi, mpfr_get_d(exact, MPFR_RNDN));
    }
    mpfr_clear(exact);
    cr_expect_leq(worst, -107.0, "2^%.2f", worst);
}
