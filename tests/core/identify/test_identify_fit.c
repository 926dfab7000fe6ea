/* How numbers are held against the tensor: rounded once, printed, near, close, or not at all. */
#include <float.h>

#include "identify_question.h"

static struct posenc_memory memory;

/* The tensor of a type, from numbers. */
static struct posenc__sent send(enum posenc_dtype dtype, size_t count, const double *numbers)
{
    static unsigned char elements[64 * sizeof(double)];
    const struct posenc_array array = {
        .dtype = dtype, .rank = 1, .shape = {count}, .data = elements};
    struct posenc_problem problem;
    struct posenc__sent sent;

    posenc_round(dtype, numbers, count, elements);
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_assert_eq(posenc__read_sent(&array, &memory, &sent, &problem), POSENC_OK);
    return sent;
}

static struct posenc__fit compare(enum posenc_dtype dtype, bool are_integers, size_t count,
                                  const double *actual, const double *expected)
{
    const struct posenc__sent sent = send(dtype, count, actual);
    struct posenc__comparison comparison;

    posenc__comparison_init(&comparison, &sent, are_integers);
    posenc__compare(&comparison, 0, count, expected);
    posenc_memory_release(&memory);
    return posenc__comparison_end(&comparison);
}

static const double third[] = {1.0 / 3, -2.0 / 3, 0.123456789012345, 1};

Test(identify_fit, a_tensor_of_a_type_is_the_exact_numbers_rounded_once)
{
    static const enum posenc_dtype dtypes[] = {POSENC_FLOAT64, POSENC_FLOAT32, POSENC_FLOAT16,
                                               POSENC_BFLOAT16};

    for (size_t i = 0; i < sizeof(dtypes) / sizeof(*dtypes); i++) {
        const struct posenc__fit fit = compare(dtypes[i], false, 4, third, third);

        cr_expect_eq(fit.agreement, POSENC__AGREE_SAME);
        cr_expect_eq(fit.dtype, dtypes[i]);
        cr_expect_eq(fit.decimals, -1);
        cr_expect_eq(fit.first_different, SIZE_MAX);
    }
}

Test(identify_fit, an_ulp_beside_is_near_and_a_small_types_step_is_close)
{
    const double one[] = {1 + 1.5 * FLT_EPSILON, 0.333}, up[] = {1, 0.333};
    const double off[] = {1 + 0x1p-9, 1.0 / 3}, far[] = {1 + 0x1p-7, 1.0 / 3};
    const double right[] = {1, 1.0 / 3};
    const double beside[] = {1, 0.1 + 3e-7}, tenth[] = {1, 0.1}; /* twenty ulps of a tenth */
    struct posenc__fit fit = compare(POSENC_FLOAT32, false, 2, one, up);

    cr_expect_eq(fit.agreement, POSENC__AGREE_NEAR);
    fit = compare(POSENC_FLOAT32, false, 2, beside, tenth);
    cr_expect_eq(fit.agreement, POSENC__AGREE_CLOSE);
    fit = compare(POSENC_FLOAT32, false, 2, off, right);
    cr_expect_eq(fit.agreement, POSENC__AGREE_CLOSE);
    cr_expect_eq(fit.worst, 0);
    cr_expect_eq(fit.first_different, 0);
    cr_expect_eq(fit.max_difference, 0x1p-9);
    fit = compare(POSENC_FLOAT32, false, 2, far, right);
    cr_expect_eq(fit.agreement, POSENC__AGREE_NOT);
}

Test(identify_fit, printed_numbers_are_right_to_half_a_digit)
{
    static const double printed[] = {0.8415, -0.5403}, right[] = {0.84147098, -0.54030231},
                        wrong[] = {0.84156, -0.54030231};
    struct posenc__fit fit = compare(POSENC_FLOAT64, false, 2, printed, right);

    cr_expect_eq(fit.agreement, POSENC__AGREE_SAME);
    cr_expect_eq(fit.decimals, 4);
    fit = compare(POSENC_FLOAT64, false, 2, printed, wrong);
    cr_expect_gt(fit.agreement, POSENC__AGREE_NEAR);
}

/* Zeros print whatever is small. */
Test(identify_fit, a_print_without_digits_proves_nothing)
{
    static const double printed[] = {0, 0, -1}, wrong[] = {0.3, -0.4, -0.9};

    cr_expect_eq(compare(POSENC_FLOAT64, false, 3, printed, wrong).agreement, POSENC__AGREE_NOT);
}

Test(identify_fit, small_numbers_are_held_against_the_largest_of_the_tensor)
{
    const double small[] = {1.234567890123e-20, 2.345678901234e-20},
                 other[] = {1.234567890123e-20, 2.345778901234e-20};

    cr_expect_eq(compare(POSENC_FLOAT64, false, 2, small, small).agreement, POSENC__AGREE_SAME);
    cr_expect_gt(compare(POSENC_FLOAT64, false, 2, small, other).agreement, POSENC__AGREE_NEAR);
}

Test(identify_fit, masks_must_stand_where_they_are_expected)
{
    const double mask[] = {-INFINITY, 0.5, 1.25}, none[] = {0.25, 0.5, 1.25};
    struct posenc__fit fit = compare(POSENC_FLOAT32, false, 3, mask, mask);

    cr_expect_eq(fit.agreement, POSENC__AGREE_SAME);
    cr_expect_eq(fit.max_difference, 0);
    fit = compare(POSENC_FLOAT32, false, 3, mask, none);
    cr_expect_eq(fit.agreement, POSENC__AGREE_NOT);
    cr_expect(isinf(fit.max_difference));
    cr_expect_eq(compare(POSENC_FLOAT32, false, 3, none, mask).agreement, POSENC__AGREE_NOT);
    cr_expect(isfinite(fit.mean_difference)); /* so that one guess can be nearer than another */
    cr_expect_eq(fit.worst, 0);
}

Test(identify_fit, a_negative_zero_is_zero)
{
    const double minus[] = {-0.0, 1}, plus[] = {0.0, 1};

    cr_expect_eq(compare(POSENC_FLOAT64, false, 2, minus, plus).agreement, POSENC__AGREE_SAME);
}

Test(identify_fit, integers_are_the_same_or_not)
{
    const double buckets[] = {3, 17, 31}, other[] = {3, 16, 31}, fractions[] = {3, 17.001, 31};
    struct posenc__fit fit = compare(POSENC_FLOAT64, true, 3, buckets, buckets);

    cr_expect_eq(fit.agreement, POSENC__AGREE_SAME);
    cr_expect_eq(fit.dtype, POSENC_INT64);
    cr_expect_eq(compare(POSENC_FLOAT64, true, 3, buckets, other).agreement, POSENC__AGREE_NOT);
    cr_expect_eq(compare(POSENC_FLOAT64, true, 3, fractions, buckets).agreement, POSENC__AGREE_NOT);
}

/* A sum of blocks of any size is that of the whole. */
Test(identify_fit, runs_add_up)
{
    double actual[64], expected[64];
    struct posenc__comparison parts;

    draw_numbers(1, 64, actual);
    draw_numbers(2, 64, expected);
    const struct posenc__fit whole = compare(POSENC_FLOAT64, false, 64, actual, expected);
    const struct posenc__sent sent = send(POSENC_FLOAT64, 64, actual);

    posenc__comparison_init(&parts, &sent, false);
    for (size_t first = 0; first < 64; first += 16)
        posenc__compare(&parts, first, 16, expected + first);
    const struct posenc__fit fit = posenc__comparison_end(&parts);

    cr_expect_eq(fit.max_difference, whole.max_difference);
    cr_expect_float_eq(fit.mean_difference, whole.mean_difference, 1e-12);
    cr_expect_eq(fit.worst, whole.worst);
    cr_expect_eq(fit.first_different, whole.first_different);
    posenc_memory_release(&memory);
}

Test(identify_fit, the_better_agreement_comes_first_then_the_smaller_difference)
{
    const struct posenc__fit same = {.agreement = POSENC__AGREE_SAME, .mean_difference = 1};
    const struct posenc__fit near = {.agreement = POSENC__AGREE_NEAR, .mean_difference = 0.5};
    const struct posenc__fit far = {.agreement = POSENC__AGREE_NOT, .mean_difference = 0.2};
    const struct posenc__fit farther = {.agreement = POSENC__AGREE_NOT, .mean_difference = 0.3};

    cr_expect_lt(posenc__fit_order(&same, &near), 0);
    cr_expect_gt(posenc__fit_order(&far, &near), 0);
    cr_expect_lt(posenc__fit_order(&far, &farther), 0);
    cr_expect_eq(posenc__fit_order(&same, &same), 0);
}
