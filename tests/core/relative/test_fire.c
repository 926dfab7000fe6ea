/* FIRE's normalised distances against MPFR, and the biases made of them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "exact.h"
#include "support.h"

#define NORMALIZED_ERROR 0x1.8p-52 /* relative: a logarithm, a quotient and their sums */

static double exact_normalized(double c, double threshold, double epsilon, double query,
                               double distance)
{
    mpfr_t numerator, denominator;

    mpfr_inits2(EXACT_BITS, numerator, denominator, NULL);
    mpfr_set_d(numerator, c, MPFR_RNDN);
    mpfr_mul_d(numerator, numerator, distance, MPFR_RNDN);
    mpfr_log1p(numerator, numerator, MPFR_RNDN);
    mpfr_set_d(denominator, c, MPFR_RNDN);
    mpfr_mul_d(denominator, denominator, fmax(query, threshold), MPFR_RNDN);
    mpfr_log1p(denominator, denominator, MPFR_RNDN);
    mpfr_add_d(denominator, denominator, epsilon, MPFR_RNDN);
    mpfr_div(numerator, numerator, denominator, MPFR_RNDN);
    const double result = mpfr_get_d(numerator, MPFR_RNDN);

    mpfr_clears(numerator, denominator, NULL);
    return result;
}

struct distances {
    double c, threshold;
    size_t queries, keys;
    double offset;
    bool masked;
};

Test(fire, normalises_by_the_query_s_position_but_not_before_the_threshold)
{
    static const struct distances rows[] = {
        {0.1, 4, 9, 9, 0, true},        {0.1, 512, 3, 40, 37, true}, {1e-9, 20.5, 5, 30, 25, false},
        {2.75, 0, 6, 4, -2, false},     {0.1, 4, 1, 9, 8, true},     {0.1, 4, 3, 9, 1e15, true},
        {0.3, 1e6, 2, 70, -100, false},
    };
    uint64_t seed = 31;

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        const struct distances *row = &rows[r];
        char query[200];
        struct asked asked;

        (void)snprintf(query, sizeof(query),
                       "c=%g&threshold=%g&query_length=%zu&key_length=%zu&query_offset=%.0f&"
                       "mask=%s&dtype=float64",
                       row->c, row->threshold, row->queries, row->keys, row->offset,
                       row->masked ? "causal" : "none");
        cr_assert_eq(ask(&asked, "fire/table", query), POSENC_OK, "%s", asked.problem.detail);
        cr_expect_eq(asked.result.tensor_count, 1);
        const double *normalized = asked_values(&asked, "normalized");

        for (size_t i = 0; i < row->queries * row->keys; i++) {
            const double position = (double)(i / row->keys) + row->offset;
            const double distance = position - (double)(i % row->keys);
            const double exact =
                exact_normalized(row->c, row->threshold, 1e-6, position, fabs(distance));

            if (row->masked && distance < 0)
                cr_assert_eq(normalized[i], -(double)INFINITY);
            else
                cr_assert_float_eq(normalized[i], exact, NORMALIZED_ERROR * fabs(exact),
                                   "%zu %zu: %a %a", r, i, normalized[i], exact);
        }
        assert_runs_agree(&asked, &seed);
        asked_release(&asked);
    }
}

static const double w1[] = {1, -2}, b1[] = {0.1, 0.5}, w2[] = {0.5, 0.25, -1, 3},
                    b2[] = {-0.2, 0.75};

static struct posenc_member weights(struct posenc_member members[4])
{
    static const size_t w1_shape[] = {2, 1}, two[] = {2, 2};

    members[0] = (struct posenc_member){"w1", support_array(w1, 2, w1_shape)};
    members[1] = (struct posenc_member){"b1", support_array(b1, 1, two)};
    members[2] = (struct posenc_member){"w2", support_array(w2, 2, two)};
    members[3] = (struct posenc_member){"b2", support_array(b2, 1, two)};
    return (struct posenc_member){"weights", posenc_object(members, 4)};
}

static double network(size_t head, double x)
{
    return w2[2 * head] * fmax(0, w1[0] * x + b1[0]) +
           w2[2 * head + 1] * fmax(0, w1[1] * x + b1[1]) + b2[head];
}

#define BIAS_ERROR 1e-15 /* some roundings of terms up to 2 in the formula above */

Test(fire, a_bias_is_the_network_of_the_normalised_distance)
{
    struct posenc_member members[4];
    const struct posenc_member parameter = weights(members);
    uint64_t seed = 32;
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "fire/table",
                          "c=0.1&threshold=4&query_length=5&key_length=8&dtype=float64", &parameter,
                          1),
                 POSENC_OK);
    const double *normalized = asked_values(&asked, "normalized"),
                 *bias = asked_values(&asked, "bias");

    for (size_t i = 0; i < 80; i++)
        if (isinf(normalized[i % 40]))
            cr_assert_eq(bias[i], -(double)INFINITY);
        else
            cr_assert_float_eq(bias[i], network(i / 40, normalized[i % 40]), BIAS_ERROR);
    assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

Test(fire, apply_adds_the_bias_and_needs_weights_for_every_head)
{
    const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const size_t shape[] = {2, 2, 2}, one[] = {1, 2, 2};
    struct posenc_member members[4];
    const struct posenc_member given[] = {{"scores", support_array(numbers, 3, shape)},
                                          weights(members)},
                               fewer[] = {{"scores", support_array(numbers, 3, one)}, given[1]};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "fire/apply", "c=0.1&threshold=4&dtype=float64", given, 2),
                 POSENC_OK);
    const double *sum = asked_values(&asked, "scores");

    cr_expect_float_eq(sum[0], 1 + network(0, 0), BIAS_ERROR);
    cr_expect_eq(sum[1], -(double)INFINITY);
    cr_expect_float_eq(sum[2], 3 + network(0, exact_normalized(0.1, 4, 1e-6, 1, 1)), BIAS_ERROR);
    cr_expect_float_eq(sum[7], 8 + network(1, 0), BIAS_ERROR);
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "fire/apply", "c=0.1&threshold=4", fewer, 2), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "weights.w2");
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "fire/apply", "c=0.1&threshold=4", given, 1),
                 POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "weights");
    asked_release(&asked);
}

struct refused {
    const char *query, *parameter;
    enum posenc_status status;
};

Test(fire, refuses_what_divides_by_zero_and_what_is_missing)
{
    static const struct refused rows[] = {
        {"threshold=4&query_length=2", "c", POSENC_MISSING_PARAMETER},
        {"c=0.1&query_length=2", "threshold", POSENC_MISSING_PARAMETER},
        {"c=0&threshold=4&query_length=2", "c", POSENC_OUT_OF_RANGE},
        {"c=0.1&threshold=-4&query_length=2", "threshold", POSENC_OUT_OF_RANGE},
        {"c=0.1&threshold=0&epsilon=0&query_length=2", "epsilon", POSENC_OUT_OF_RANGE},
        {"c=0.1&threshold=4&epsilon=-1&query_length=2", "epsilon", POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "fire/table", rows[i].query), rows[i].status, "%s", rows[i].query);
        cr_expect_str_eq(asked.problem.parameter, rows[i].parameter, "%s", rows[i].query);
        asked_release(&asked);
    }
    struct asked asked;

    cr_expect_eq(
        ask(&asked, "fire/table", "c=0.1&threshold=0&epsilon=0&query_length=2&query_offset=1"),
        POSENC_OK);
    asked_release(&asked);
}

Test(fire, ends_well_without_memory)
{
    struct posenc_member members[4];
    const struct posenc_member parameter = weights(members);

    cr_expect_gt(
        assert_memory_ends_well("fire/table", "c=0.1&threshold=4&query_length=5", &parameter, 1),
        0);
}
