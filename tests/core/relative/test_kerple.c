/* KERPLE's kernels against MPFR. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "exact.h"
#include "support.h"

#define ULP 0x1p-52 /* relative; a logarithm and a product round once each, a power once in all */

enum kind { KIND_LOG, KIND_POWER };

static double exact_kernel(enum kind kind, double p, double a, double distance)
{
    mpfr_t value, exponent;

    mpfr_inits2(EXACT_BITS, value, exponent, NULL);
    mpfr_set_d(value, distance, MPFR_RNDN);
    mpfr_set_d(exponent, p, MPFR_RNDN);
    if (kind == KIND_LOG) {
        mpfr_mul_d(value, value, a, MPFR_RNDN);
        mpfr_log1p(value, value, MPFR_RNDN);
        mpfr_mul_d(value, value, -p, MPFR_RNDN);
    } else {
        mpfr_pow(value, value, exponent, MPFR_RNDN);
        mpfr_mul_d(value, value, -a, MPFR_RNDN);
    }
    const double result = mpfr_get_d(value, MPFR_RNDN);

    mpfr_clears(value, exponent, NULL);
    return result;
}

struct kernels {
    const char *query;
    enum kind kind;
    double p[3], a[3];
};

static const struct kernels kernels[] = {
    {"kind=log&p=1.5,0.25,1e-3&a=0.5,2,1e-9", KIND_LOG, {1.5, 0.25, 1e-3}, {0.5, 2, 1e-9}},
    {"kind=power&p=0.75,2,0.01&a=0.5,3,1e-3", KIND_POWER, {0.75, 2, 0.01}, {0.5, 3, 1e-3}},
};

#define QUERIES 3
#define KEYS    70

Test(kerple, values_are_within_an_ulp_and_keys_after_the_query_are_masked)
{
    uint64_t seed = 7;

    for (size_t k = 0; k < 2; k++) {
        struct asked asked;
        char query[160];

        (void)snprintf(query, sizeof(query), "%s&query_length=3&key_length=70&dtype=float64",
                       kernels[k].query);
        cr_assert_eq(ask(&asked, "kerple/table", query), POSENC_OK);
        const double *bias = asked_values(&asked, "bias");

        for (size_t i = 0; i < 3 * QUERIES * KEYS; i++) {
            const size_t head = i / (QUERIES * KEYS);
            const double distance =
                (double)(i / KEYS % QUERIES + KEYS - QUERIES) - (double)(i % KEYS);
            const double exact =
                exact_kernel(kernels[k].kind, kernels[k].p[head], kernels[k].a[head], distance);

            if (distance < 0)
                cr_assert_eq(bias[i], -(double)INFINITY);
            else
                cr_assert_float_eq(bias[i], exact, ULP * fabs(exact), "%zu: %a %a", i, bias[i],
                                   exact);
            cr_assert(distance != 0 || !signbit(bias[i]));
        }
        assert_runs_agree(&asked, &seed);
        asked_release(&asked);
    }
}

Test(kerple, far_distances_keep_their_precision)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "kerple/table",
                     "kind=log&p=1.7&a=0.3&query_length=1&query_offset=9007199254740000&"
                     "key_length=1&dtype=float64"),
                 POSENC_OK);
    const double exact = exact_kernel(KIND_LOG, 1.7, 0.3, 9007199254740000.0);

    cr_expect_float_eq(asked_values(&asked, "bias")[0], exact, ULP * fabs(exact));
    asked_release(&asked);
}

Test(kerple, without_a_mask_both_sides_are_alike)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "kerple/table", "kind=power&p=0.5&a=2&query_length=6&mask=none"),
                 POSENC_OK);
    const double *bias = asked_values(&asked, "bias");

    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++)
            cr_expect_eq(bias[6 * i + j], bias[6 * j + i]);
    cr_expect_eq(bias[4], -4); /* 2 sqrt(4) */
    asked_release(&asked);
}

Test(kerple, apply_adds_the_bias)
{
    const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const size_t shape[] = {2, 2, 2};
    const struct posenc_member scores = {"scores", support_array(numbers, 3, shape)};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "kerple/apply", "kind=power&p=1,2&a=0.25,0.5", &scores, 1),
                 POSENC_OK);
    const double *sum = asked_values(&asked, "scores");

    cr_expect_eq(sum[0], 1);
    cr_expect_eq(sum[1], -(double)INFINITY);
    cr_expect_eq(sum[2], 3 - 0.25);
    cr_expect_eq(sum[6], 7 - 0.5);
    cr_expect_eq(sum[7], 8);
    asked_release(&asked);
}

struct refused {
    const char *query, *parameter;
    enum posenc_status status;
};

Test(kerple, refuses_numbers_outside_the_kernel_s_definition)
{
    static const struct refused rows[] = {
        {"kind=linear&p=1&a=1&query_length=2", "kind", POSENC_OUT_OF_RANGE},
        {"p=1&a=1&query_length=2", "kind", POSENC_MISSING_PARAMETER},
        {"kind=log&a=1&query_length=2", "p", POSENC_MISSING_PARAMETER},
        {"kind=log&p=1,2&a=1&query_length=2", "a", POSENC_CONFLICT},
        {"kind=log&p=0&a=1&query_length=2", "p.0", POSENC_OUT_OF_RANGE},
        {"kind=log&p=1,1&a=1,-1&query_length=2", "a.1", POSENC_OUT_OF_RANGE},
        {"kind=power&p=1,2.5&a=1,1&query_length=2", "p", POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "kerple/table", rows[i].query), rows[i].status, "%s",
                     rows[i].query);
        cr_expect_str_eq(asked.problem.parameter, rows[i].parameter, "%s", rows[i].query);
        asked_release(&asked);
    }
    const size_t none = 0;
    const double nothing = 0;
    const struct posenc_member empty[] = {{"p", support_array(&nothing, 1, &none)},
                                          {"a", support_array(&nothing, 1, &none)}};
    struct asked asked;

    cr_expect_eq(ask_with(&asked, "kerple/table", "kind=log&query_length=2", empty, 2),
                 POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "p");
    asked_release(&asked);
}

Test(kerple, ends_well_without_memory)
{
    cr_expect_gt(
        assert_memory_ends_well("kerple/table", "kind=log&p=1&a=1&query_length=5", NULL, 0), 0);
}
