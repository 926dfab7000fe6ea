/* Double-double arithmetic against exact sums, products and quotients. */
#include <criterion/criterion.h>

#include "exact.h"

#define SAMPLES 20000

/* What dd.h promises of add, multiply and divide: log2 of the relative error. */
#define PROMISED_BITS (-102.0)

static double random_double(uint64_t *seed)
{
    const double mantissa = exact_between(seed, 1.0, 2.0);

    return ldexp(exact_bits(seed) % 2 ? mantissa : -mantissa, (int)(exact_bits(seed) % 80) - 40);
}

Test(dd, sum_and_product_of_doubles_are_exact)
{
    uint64_t seed = 1;
    mpfr_t exact;

    mpfr_init2(exact, EXACT_BITS);
    for (int i = 0; i < SAMPLES; i++) {
        const double a = random_double(&seed), b = random_double(&seed);

        mpfr_set_d(exact, a, MPFR_RNDN);
        mpfr_add_d(exact, exact, b, MPFR_RNDN);
        cr_assert_eq(exact_error_bits(posenc__dd_sum(a, b), exact), -INFINITY, "%a + %a", a, b);
        mpfr_set_d(exact, a, MPFR_RNDN);
        mpfr_mul_d(exact, exact, b, MPFR_RNDN);
        cr_assert_eq(exact_error_bits(posenc__dd_product(a, b), exact), -INFINITY, "%a * %a", a, b);
    }
    mpfr_clear(exact);
}

Test(dd, the_high_part_is_the_rounded_sum)
{
    const struct posenc__dd sum = posenc__dd_sum(1.0, 0x1p-60);

    cr_expect_eq(sum.hi, 1.0);
    cr_expect_eq(sum.lo, 0x1p-60);
}

struct operation {
    const char *name;
    struct posenc__dd (*ours)(struct posenc__dd, struct posenc__dd);
    int (*exact)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
};

Test(dd, add_multiply_and_divide_keep_102_bits)
{
    const struct operation operations[] = {
        {"add", posenc__dd_add, mpfr_add},
        {"multiply", posenc__dd_multiply, mpfr_mul},
        {"divide", posenc__dd_divide, mpfr_div},
    };
    mpfr_t a, b, exact;

    mpfr_inits2(EXACT_BITS, a, b, exact, (mpfr_ptr)NULL);
    for (size_t k = 0; k < sizeof(operations) / sizeof(operations[0]); k++) {
        uint64_t seed = 2;
        double worst = -INFINITY;

        for (int i = 0; i < SAMPLES; i++) {
            const struct posenc__dd x = exact_widen(&seed, random_double(&seed));
            const struct posenc__dd y = exact_widen(&seed, random_double(&seed));

            exact_set(a, x);
            exact_set(b, y);
            operations[k].exact(exact, a, b, MPFR_RNDN);
            worst = fmax(worst, exact_error_bits(operations[k].ours(x, y), exact));
        }
        cr_log_info("%s: worst relative error 2^%.1f", operations[k].name, worst);
        cr_expect_leq(worst, PROMISED_BITS, "%s: 2^%.1f", operations[k].name, worst);
    }
    mpfr_clears(a, b, exact, (mpfr_ptr)NULL);
}

/* Nearly equal numbers of opposite sign are where a careless addition loses all its bits. */
Test(dd, add_keeps_its_bits_when_high_parts_cancel)
{
    uint64_t seed = 3;
    mpfr_t a, b;

    mpfr_inits2(EXACT_BITS, a, b, (mpfr_ptr)NULL);
    for (int i = 0; i < SAMPLES; i++) {
        const double high = random_double(&seed);
        const struct posenc__dd x = exact_widen(&seed, high);
        const struct posenc__dd y = exact_widen(&seed, i % 2 ? -high : -nextafter(high, 0.0));

        exact_set(a, x);
        exact_set(b, y);
        mpfr_add(a, a, b, MPFR_RNDN);
        cr_assert_leq(exact_error_bits(posenc__dd_add(x, y), a), PROMISED_BITS);
    }
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}
