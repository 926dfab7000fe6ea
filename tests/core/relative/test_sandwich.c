/* Sandwich's sums of cosines against MPFR. */
#include <criterion/criterion.h>
#include <math.h>

#include "exact.h"
#include "support.h"

/* A cosine is within an ulp of 1, a quarter of which is left in the mean of many; sums of `pairs`.
 */
#define COSINE_ERROR 1.2e-16

static double exact_sum(size_t dim, double base, double distance)
{
    mpfr_t sum, term, exponent;

    mpfr_inits2(EXACT_BITS, sum, term, exponent, NULL);
    mpfr_set_zero(sum, 1);
    for (size_t i = 0; i < dim / 2; i++) {
        mpfr_set_d(exponent, -2 * (double)i, MPFR_RNDN);
        mpfr_div_d(exponent, exponent, (double)dim, MPFR_RNDN);
        mpfr_set_d(term, base, MPFR_RNDN);
        mpfr_pow(term, term, exponent, MPFR_RNDN);
        mpfr_mul_d(term, term, distance, MPFR_RNDN);
        mpfr_cos(term, term, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    const double result = mpfr_get_d(sum, MPFR_RNDN);

    mpfr_clears(sum, term, exponent, NULL);
    return result;
}

#define HEADS 3
#define KEYS  50

Test(sandwich, is_the_inner_product_of_rows_divided_from_head_to_head)
{
    struct asked asked;
    uint64_t seed = 5;

    cr_assert_eq(ask(&asked, "sandwich/table",
                     "heads=3&dim=134&base=523.7&query_length=2&key_length=50&mask=none&"
                     "dtype=float64"),
                 POSENC_OK);
    const double *bias = asked_values(&asked, "bias");

    for (size_t i = 0; i < HEADS * 2 * KEYS; i++) {
        const double head = (double)(i / (2 * KEYS)) + 1;
        const double distance = fabs((double)(i / KEYS % 2) + KEYS - 2 - (double)(i % KEYS));
        const double divisor = 8 * head / HEADS;
        const double exact = exact_sum(134, 523.7, distance) / divisor;

        cr_assert_float_eq(bias[i], exact, 67 * COSINE_ERROR / divisor + 4e-15, "%zu", i);
    }
    assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

Test(sandwich, masks_keys_after_the_query_and_is_largest_at_the_query)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "sandwich/table", "heads=2&query_length=9"), POSENC_OK);
    const double *bias = asked_values(&asked, "bias");

    for (size_t i = 0; i < 2 * 81; i++) {
        const size_t query = i / 9 % 9, key = i % 9;

        if (key > query)
            cr_expect_eq(bias[i], -(double)INFINITY);
        else
            cr_expect_leq(bias[i], i < 81 ? 64 / 4.0 : 64 / 8.0);
        cr_expect(key != query || bias[i] == (i < 81 ? 16 : 8));
    }
    asked_release(&asked);
}

Test(sandwich, apply_adds_the_bias_of_the_scores_heads)
{
    const double numbers[] = {1, 2, 3, 4};
    const size_t shape[] = {4, 1, 1};
    const struct posenc_member scores = {"scores", support_array(numbers, 3, shape)};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "sandwich/apply", "dim=8", &scores, 1), POSENC_OK);
    for (size_t head = 0; head < 4; head++)
        cr_expect_float_eq(asked_values(&asked, "scores")[head],
                           numbers[head] + 4.0 * 4 / (8 * (double)(head + 1)), 1e-6);
    cr_expect_eq(echoed_number(&asked.result, "heads"), 4);
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "sandwich/apply", "heads=5", &scores, 1), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "heads");
    asked_release(&asked);
}

struct refused {
    const char *query, *parameter;
    enum posenc_status status;
};

Test(sandwich, refuses_what_has_no_cosines)
{
    static const struct refused rows[] = {
        {"query_length=2", "heads", POSENC_MISSING_PARAMETER},
        {"heads=0&query_length=2", "heads", POSENC_OUT_OF_RANGE},
        {"heads=2&query_length=2&dim=7", "dim", POSENC_OUT_OF_RANGE},
        {"heads=2&query_length=2&base=0", "base", POSENC_OUT_OF_RANGE},
        {"heads=2&query_length=2&base=1e-300&query_offset=1000", "base", POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "sandwich/table", rows[i].query), rows[i].status, "%s",
                     rows[i].query);
        cr_expect_str_eq(asked.problem.parameter, rows[i].parameter, "%s", rows[i].query);
        asked_release(&asked);
    }
}

Test(sandwich, ends_well_without_memory)
{
    cr_expect_gt(assert_memory_ends_well("sandwich/table", "heads=2&query_length=5", NULL, 0), 0);
}
