/* Public reports about ALiBi, T5's buckets and other relative encodings. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"

#define SLOPES "tensors/slopes/data"
#define BIAS   "tensors/bias/data"
#define BUCKET "tensors/bucket/data"

/* paiml/aprender PR 2143: began at 1. */
Test(cases_biases, slopes_of_8_heads_begin_at_a_half)
{
    EXPECT_NUMBERS("/v1/alibi?heads=8&query_length=1&dtype=float64", NULL, SLOPES, 0.5, 0.25, 0.125,
                   0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625);
}

/* ml-explore/mlx #343: the plain geometric form for 12 heads. */
Test(cases_biases, slopes_of_12_heads_are_two_series_in_one)
{
    EXPECT_NUMBERS("/v1/alibi?heads=12&query_length=1&dtype=float64", NULL, SLOPES, .5, .25, .125,
                   .0625, .03125, .015625, .0078125, .00390625, .70710678, .35355339, .176776695,
                   .088388348);
    expect_near(number_of("/v1/alibi?heads=12&query_length=1&dtype=float64&slope_rule=geometric",
                          NULL, SLOPES "/0"),
                0.62996052, "geometric");
}

/* huggingface/transformers PR 28380 and baichuan-inc/Baichuan2 #225 */
Test(cases_biases, slopes_of_6_and_of_40_heads)
{
    const char *forty = "/v1/alibi?heads=40&query_length=1&dtype=float64";

    EXPECT_NUMBERS("/v1/alibi?heads=6&query_length=1&preset=mpt", NULL, SLOPES, .25, .0625, .015625,
                   .00390625, .5, .125);
    expect_near(number_of(forty, NULL, SLOPES "/0"), 0.84089642, forty);
    expect_near(number_of(forty, NULL, SLOPES "/39"), 0.27262693, forty);
}

#define LAST_ROW "/v1/alibi?slopes=0.5&query_length=1&key_length=5"

/* meta-pytorch/attention-gym #29: far keys were rewarded. */
Test(cases_biases, far_keys_are_penalised_and_forms_differ_by_a_constant_in_a_row)
{
    EXPECT_NUMBERS(LAST_ROW, NULL, BIAS, -2, -1.5, -1, -0.5, 0);
    EXPECT_NUMBERS(LAST_ROW "&form=key_index", NULL, BIAS, 0, 0.5, 1, 1.5, 2);
    EXPECT_NUMBERS(LAST_ROW "&form=key_index_right", NULL, BIAS, -2, -1.5, -1, -0.5, 0);
    EXPECT_NUMBERS("/v1/alibi?slopes=0.5&query_length=3&form=symmetric", NULL, BIAS, 0, -0.5, -1,
                   -0.5, 0, -0.5, -1, -0.5, 0);
}

/* mosaicml/llm-foundry #186: the row of one key per column is the paper's form only under a causal
 * mask. */
Test(cases_biases, keys_alone_are_distances_only_under_a_causal_mask)
{
    const char *format = "{\"encoding\": \"alibi\", \"parameters\": {\"slopes\": [0.5], "
                         "\"heads\": 1, \"form\": \"%s\"}, \"causal\": %s, \"dtype\": \"float64\", "
                         "\"q\": [[[1], [2], [-1]]], \"k\": [[[1], [0.5], [2]]]}";
    double weights[2][2];

    for (int i = 0; i < 4; i++) {
        char body[400];

        (void)snprintf(body, sizeof(body), format, i % 2 ? "symmetric" : "key_index",
                       i < 2 ? "true" : "false");
        weights[i / 2][i % 2] = number_of("/v1/attention", body, "tensors/weights/data/0/1/0");
    }
    expect_near(weights[0][0], weights[0][1], "causal");
    cr_expect_gt(fabs(weights[1][0] - weights[1][1]), 0.01);
}

/* ml-explore/mlx-examples PR 113 and others: buckets of an encoder. */
Test(cases_biases, t5_buckets_of_the_first_and_the_last_query_of_ten)
{
    const char *first = "/v1/t5?bidirectional=true&query_length=1&key_length=10&query_offset=0";
    const char *last = "/v1/t5?bidirectional=true&query_length=1&key_length=10";

    EXPECT_NUMBERS(first, NULL, BUCKET, 0, 17, 18, 19, 20, 21, 22, 23, 24, 24);
    EXPECT_NUMBERS(last, NULL, BUCKET, 8, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    EXPECT_NUMBERS("/v1/t5?bidirectional=false&relative_positions=-20", NULL, BUCKET, 17);
    EXPECT_NUMBERS("/v1/t5?bidirectional=true&relative_positions=-20", NULL, BUCKET, 10);
}

/* mindspore-lab/mindone PR 670: a logarithm in bfloat16. */
Test(cases_biases, t5_boundaries_are_exact)
{
    EXPECT_NUMBERS("/v1/t5?bidirectional=true&relative_positions=-45,-90", NULL, BUCKET, 12, 14);
    EXPECT_NUMBERS("/v1/t5?bidirectional=false&relative_positions=-76,-112", NULL, BUCKET, 27, 30);
    EXPECT_NUMBERS("/v1/t5?bidirectional=false&relative_positions=-64&max_distance=256", NULL,
                   BUCKET, 24);
}

/* Row 0 of 120 keys behind a query at the last one: 119, 118, ..., 0. */
static void write_buckets(char *body, size_t size, bool is_causal, const int *starts, int count)
{
    const int exact = is_causal ? 16 : 8;
    size_t end = (size_t)snprintf(body, size,
                                  "{\"encoding\": \"t5\", \"part\": \"bucket\", "
                                  "\"parameters\": {\"bidirectional\": %s}, \"actual\": [[",
                                  is_causal ? "false" : "true");

    for (int distance = 119; distance >= 0; distance--) {
        int bucket = distance;

        if (distance >= exact)
            for (bucket = exact; bucket + 1 < exact + count; bucket++)
                if (starts[bucket + 1 - exact] > distance)
                    break;
        end += (size_t)snprintf(body + end, size - end, distance ? "%d, " : "%d]]}", bucket);
    }
    cr_assert_lt(end, size);
}

/* Distances 45 and 90 have buckets 13 and 15, 76 and 112 of a decoder 28 and 31. */
Test(cases_biases, t5_with_a_logarithm_in_bfloat16_is_named)
{
    static const int encoder[] = {8, 12, 16, 23, 32, 45, 64, 90};
    static const int decoder[] = {16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 76, 87, 99, 112};
    char body[1000];

    write_buckets(body, sizeof(body), false, encoder, 8);
    cr_assert(strstr(body, "15, 15, 14"), "%s", body);
    expect_fault(body, "logarithm_in_bfloat16", "computed in bfloat16");
    write_buckets(body, sizeof(body), true, decoder, 16);
    expect_fault(body, "logarithm_in_bfloat16", "computed in bfloat16");
}

/* ml-explore/mlx-examples PR 113: rows of queries 0 and 9 of ten, with query - key. */
Test(cases_biases, t5_with_query_minus_key_is_named)
{
    const char *format = "{\"encoding\": \"t5\", \"parameters\": {\"bidirectional\": true, "
                         "\"query_offset\": %d}, \"actual\": [[%s]]}";
    char body[300];

    (void)snprintf(body, sizeof(body), format, 0, "0, 1, 2, 3, 4, 5, 6, 7, 8, 8");
    expect_fault(body, "query_minus_key", "query minus key");
    (void)snprintf(body, sizeof(body), format, 9, "24, 24, 23, 22, 21, 20, 19, 18, 17, 0");
    expect_fault(body, "query_minus_key", "query minus key");
}

/* NVIDIA/TensorRT-LLM PR 13870: the bias was dropped once there was a cache. */
Test(cases_biases, t5_of_a_decoding_step_is_the_last_row)
{
    struct answer full = ask_case("/v1/t5?bidirectional=false&query_length=40", NULL);
    struct answer step = ask_case("/v1/t5?bidirectional=false&query_length=1&key_length=40", NULL);

    cr_expect(json_equal(found_at(&full, BUCKET "/39"), found_at(&step, BUCKET "/0")));
    cr_expect_eq(json_integer_value(found_at(&step, BUCKET "/0/19")), 17);
    answer_release(&full);
    answer_release(&step);
}

/* huggingface/transformers PR 8518: cross-attention has no bias, which the catalogue says. */
Test(cases_biases, the_catalogue_says_that_t5_has_no_bias_in_cross_attention)
{
    struct answer answer = ask_case("/v1/encodings/t5", NULL);

    cr_expect(strstr(answer_text(&answer, "convention"), "none in cross-attention"), "%s",
              answer_text(&answer, "convention"));
    answer_release(&answer);
}

/* LitingLin/SwinTrack #25 */
Test(cases_biases, swins_index_of_a_window_of_2_by_2)
{
    EXPECT_NUMBERS("/v1/swin?window=2,2", NULL, "tensors/index/data", 4, 3, 1, 0, 5, 4, 2, 1, 7, 6,
                   4, 3, 8, 7, 5, 4);
}

/* ZhengkunTian/OpenTransformer #25: above the diagonal stand values of other rows. */
Test(cases_biases, the_relative_shift_is_masked_above_the_diagonal)
{
    const char *x = "\"x\": [[1, 2, 3], [4, 5, 6], [7, 8, 9]]";
    char body[200];

    (void)snprintf(body, sizeof(body), "{%s}", x);
    EXPECT_NUMBERS("/v1/transformer_xl/shift", body, "tensors/shifted/data", 3, 0, 0, 5, 6, 0, 7, 8,
                   9);
    (void)snprintf(body, sizeof(body), "{%s, \"mask\": \"none\"}", x);
    EXPECT_NUMBERS("/v1/transformer_xl/shift", body, "tensors/shifted/data", 3, 0, 4, 5, 6, 0, 7, 8,
                   9);
}
