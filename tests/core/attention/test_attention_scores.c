/* Softmax, features and sums by themselves. */
#include <criterion/criterion.h>
#include <math.h>

#include "attention.h"

/* exp, a sum of three and a quotient. */
#define WEIGHT_ERROR 1e-15

static const struct posenc__attention one_row = {
    .queries = 1, .keys = 3, .width = 1, .matrices = 1, .heads = 1, .kv_heads = 1};

Test(attention_scores, softmax_is_calm_with_large_scores)
{
    const double scores[] = {1000, 1001, -(double)INFINITY};
    const double expected[] = {1 / (1 + exp(1.0)), exp(1.0) / (1 + exp(1.0)), 0};
    double weights[3];

    posenc__attention_softmax(&one_row, scores, weights);
    for (size_t i = 0; i < 3; i++)
        cr_expect_float_eq(weights[i], expected[i], WEIGHT_ERROR);
}

Test(attention_scores, softmax_hands_a_nan_on)
{
    const double scores[] = {1, NAN, 2};
    double weights[3];

    posenc__attention_softmax(&one_row, scores, weights);
    cr_expect(isnan(weights[0]));
}

Test(attention_scores, features_are_elu_plus_one)
{
    const double x[] = {-1, 0, 0.25};
    double features[3];

    posenc__attention_features(x, 3, features);
    cr_expect_float_eq(features[0], exp(-1.0), WEIGHT_ERROR);
    cr_expect_eq(features[1], 1.0);
    cr_expect_eq(features[2], 1.25);
}

Test(attention_scores, hidden_values_do_not_reach_the_output)
{
    const double weights[] = {0.5, 0, 0.5}, v[] = {1, INFINITY, 3};
    struct posenc__attention attention = one_row;
    const struct posenc__outputs outputs = {&attention, weights, v};
    double out;

    attention.value_width = 1;
    posenc__attention_outputs(&outputs, 0, 1, &out);
    cr_expect_eq(out, 2.0);
}

/* An ulp of ours, one of libm's and those of two divisions. */
#define DECAY_ERROR 6e-16

Test(attention_scores, weights_decay_as_exp_does_down_to_nothing)
{
    static const double distances[] = {0x1p-30, 0.3, 0.3465735902799726, 1, 17.25, 700.5};

    for (size_t i = 0; i < sizeof(distances) / sizeof(*distances); i++) {
        const double scores[] = {0, -distances[i], -800};
        double weights[3];

        posenc__attention_softmax(&one_row, scores, weights);
        cr_expect_float_eq(weights[1] / weights[0] / exp(-distances[i]), 1, DECAY_ERROR, "at %g",
                           distances[i]);
        cr_expect_eq(weights[2], 0.0);
    }
}
