/* Public reports about tables, positions and slopes that were computed in narrow numbers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"

/* EleutherAI/gpt-neox #1003: the table was built in half precision, where the frequency of pair 1
 * is 0.5625 and the angle 1045. */
Test(cases_precision, an_angle_in_half_precision_is_off_by_a_radian)
{
    const char *exact = "/v1/rope?dim=32&positions=1857&dtype=float64";
    const char *narrow = "/v1/analysis/precision?encoding=rope&dim=4&inv_freq=1,0.5625"
                         "&positions=1857&step=angle&step_dtype=float16&dtype=float64";

    expect_near(1857 * number_of(exact, NULL, "tensors/inv_freq/data/1"), 1044.26784088, exact);
    expect_near(number_of(exact, NULL, "tensors/cos/data/0/1"), 0.306692810, exact);
    expect_near(number_of(narrow, NULL, "tensors/table/data/0/1"), -0.408164621, narrow);
}

/* huggingface/candle PR 3520: positions were cast to bfloat16, where 15962 is 15936. */
Test(cases_precision, a_bfloat16_position_lies_26_off_at_15962)
{
    const char *exact = "/v1/rope?dim=2&positions=15962&dtype=float64";
    const char *narrow = "/v1/analysis/precision?encoding=rope&dim=2&positions=15962"
                         "&step=position&step_dtype=bfloat16&dtype=float64";

    expect_near(number_of(exact, NULL, "tensors/cos/data/0/0"), -0.908015901, exact);
    expect_near(number_of(narrow, NULL, "tensors/table/data/0/0"), -0.267950071, narrow);
}

static double first_collision(const char *step_dtype, double offset)
{
    char target[300];

    (void)snprintf(target, sizeof(target),
                   "/v1/analysis/precision?encoding=rope&dim=2&offset=%.0f&length=100"
                   "&step=position&step_dtype=%s",
                   offset, step_dtype);
    return number_of(target, NULL, "derived/first_collision");
}

/* openvinotoolkit/openvino PR 33214: above 4096 float16 holds multiples of 4. */
Test(cases_precision, positions_collide_at_2049_257_and_16777217)
{
    const char *exact = "/v1/rope?dim=2&positions=4097&dtype=float64";
    const char *narrow = "/v1/analysis/precision?encoding=rope&dim=2&positions=4097"
                         "&step=position&step_dtype=float16&dtype=float64";

    expect_near(number_of(exact, NULL, "tensors/cos/data/0/0"), 0.934771961, exact);
    expect_near(number_of(narrow, NULL, "tensors/table/data/0/0"), 0.803990614, narrow);
    cr_expect_eq(first_collision("float16", 2000), 2049);
    cr_expect_eq(first_collision("bfloat16", 200), 257);
    cr_expect_eq(first_collision("float32", 16777200), 16777217);
}

/* Positions grow, so equal ones stand together. */
static size_t count_distinct_rows(const char *target, const char *path)
{
    struct answer answer = ask_case(target, NULL);
    const json_t *rows = found_at(&answer, path);
    size_t count = 1;

    for (size_t i = 1; i < json_array_size(rows); i++)
        count += !json_equal(json_array_get(rows, i), json_array_get(rows, i - 1));
    answer_release(&answer);
    return count;
}

/* deepspeedai/DeepSpeed #4932: arange in a 16-bit default dtype. */
Test(cases_precision, bfloat16_has_769_of_the_first_4096_positions)
{
    cr_expect_eq(count_distinct_rows("/v1/analysis/precision?encoding=rope&dim=2&length=4096"
                                     "&step=position&step_dtype=bfloat16&dtype=float64",
                                     "tensors/table/data"),
                 769);
    cr_expect_eq(count_distinct_rows("/v1/analysis/precision?encoding=rope&dim=2&length=2048"
                                     "&step=position&step_dtype=bfloat16&dtype=float64",
                                     "tensors/table/data"),
                 641);
    cr_expect_eq(
        count_distinct_rows("/v1/rope?dim=2&length=4096&dtype=float64", "tensors/cos/data"), 4096);
}

/* How far a float32 chain's cosine and frequency of a pair are off, the frequency relatively. */
static void errors_of(const struct answer *exact, const struct answer *chain, size_t pair,
                      double *cosine, double *frequency)
{
    const json_t *cosines = found_at(exact, "tensors/cos/data/0");
    const json_t *rounded = found_at(chain, "tensors/cos/data/0");
    const double w =
        json_number_value(json_array_get(found_at(exact, "tensors/inv_freq/data"), pair));
    const double v =
        json_number_value(json_array_get(found_at(chain, "tensors/inv_freq/data"), pair));

    *cosine = fabs(json_number_value(json_array_get(rounded, pair)) -
                   json_number_value(json_array_get(cosines, pair)));
    *frequency = fabs(v / w - 1);
}

/* huggingface/diffusers PR 12665: float64 was demanded; this is what float32 costs. How the power
 * is rounded moves the worst pair, but not this one. */
Test(cases_precision, an_all_float32_chain_is_off_by_thousandths_at_131071)
{
    struct answer exact =
        ask_case("/v1/rope?dim=128&base=500000&positions=131071&dtype=float64", NULL);
    struct answer chain = ask_case(
        "/v1/rope?dim=128&base=500000&positions=131071&dtype=float64&arithmetic=float32", NULL);
    double cosine, frequency;

    for (size_t pair = 0; pair < 64; pair++) {
        errors_of(&exact, &chain, pair, &cosine, &frequency);
        cr_expect_leq(frequency, 1.07e-7);
        cr_expect_lt(cosine, 4e-3);
        if (pair == 8)
            cr_expect_float_eq(cosine, 1.9e-3, 0.05e-3, "%g", cosine);
    }
    answer_release(&exact);
    answer_release(&chain);
}

/* Dao-AILab/flash-attention #845: slopes cast with the module. */
Test(cases_precision, bfloat16_slopes_and_distances_are_rounded)
{
    const char *exact = "/v1/alibi?heads=12&query_length=1&dtype=float64";
    const char *narrow = "/v1/alibi?heads=12&query_length=1&dtype=float64&arithmetic=bfloat16";
    const char *far = "/v1/alibi?slopes=0.5&query_length=1&key_length=4096&dtype=float64";
    const char *far_narrow =
        "/v1/alibi?slopes=0.5&query_length=1&key_length=4096&arithmetic=bfloat16";

    expect_near(number_of(exact, NULL, "tensors/slopes/data/8"), 0.70710678, exact);
    cr_expect_eq(number_of(narrow, NULL, "tensors/slopes/data/8"), 0.70703125);
    cr_expect_eq(number_of(far, NULL, "tensors/bias/data/0/0/0"), -2047.5);
    cr_expect_eq(number_of(far_narrow, NULL, "tensors/bias/data/0/0/0"), -2048);
}
