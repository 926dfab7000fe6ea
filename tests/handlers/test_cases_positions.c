/* Public reports about axes, offsets, caches, padding and the ends of tables. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"

#define POSITIONS "/v1/positions"
#define DATA      "tensors/positions/data"

#define AT_5_7_9                                                                                   \
    "{\"dim\": 128, \"base\": 1000000, \"positions\": [[5], [7], [9]], \"dtype\": \"float64\", "

static void expect_angle(const char *body, const char *pair, double angle)
{
    char path[80];

    (void)snprintf(path, sizeof(path), "tensors/cos/data/0/%s", pair);
    expect_near(number_of("/v1/rope", body, path), cos(angle), body);
    (void)snprintf(path, sizeof(path), "tensors/sin/data/0/%s", pair);
    expect_near(number_of("/v1/rope", body, path), sin(angle), body);
}

/* alibaba/MNN PR 4133: text alone hides which order it is. */
Test(cases_positions, axes_are_dealt_in_chunks_or_in_turns)
{
    const char *chunked = AT_5_7_9 "\"mrope_section\": [16, 24, 24], \"mrope_order\": \"chunked\"}";
    const char *turns =
        AT_5_7_9 "\"mrope_section\": [24, 20, 20], \"mrope_order\": \"interleaved\"}";

    expect_angle(chunked, "0", 5);
    expect_angle(chunked, "16", 0.2213594362);
    expect_angle(chunked, "40", 0.001600451469);
    expect_angle(turns, "0", 5);
    expect_angle(turns, "1", 5.640895314);
    expect_angle(turns, "2", 5.844434684);
}

/* The same: h at 1, 4, ..., 58, w at 2, 5, ..., 59, t elsewhere. */
Test(cases_positions, axes_in_turns_end_in_the_first_one)
{
    struct answer answer = ask_case(
        "/v1/rope", AT_5_7_9 "\"mrope_section\": [24, 20, 20], \"mrope_order\": \"interleaved\"}");
    const char *axes = json_string_value(found_at(&answer, "derived/axis_per_pair"));

    for (size_t i = 0; i < 64; i++)
        cr_expect_eq(axes[i], i < 60 && i % 3 ? (i % 3 == 1 ? 'H' : 'W') : 'T', "pair %zu", i);
    answer_release(&answer);
}

/* Blaizzy/mlx-vlm #1983: every decoding step had position 0. */
Test(cases_positions, decoding_goes_on_behind_the_prompt)
{
    const char *prompt = "{\"rule\": \"mrope_qwen2_vl\", \"token_ids\": [[1, 2, 3, 4, 5, 6, 7, 8, "
                         "9, 10]]}";

    EXPECT_NUMBERS(POSITIONS, prompt, "tensors/deltas/data", 0); /* added to the cache's length */
    EXPECT_NUMBERS(POSITIONS, "{\"rule\": \"plain\", \"token_ids\": [[7]], \"past_length\": 10}",
                   DATA, 10);
}

/* ml-explore/mlx-lm PR 1768: a type "default" that has sections all the same. */
Test(cases_positions, sections_make_several_axes_whatever_the_type_says)
{
    const char *config = "{\"model_type\": \"qwen3_vl_text\", \"head_dim\": 128, "
                         "\"hidden_size\": 4096, \"num_attention_heads\": 32, "
                         "\"num_hidden_layers\": 1, \"rope_theta\": 1000000, \"rope_scaling\": "
                         "{\"rope_type\": \"default\", \"mrope_section\": [24, 20, 20]}}";
    const char *body = AT_5_7_9 "\"mrope_order\": \"interleaved\", \"scaling\": {\"rope_type\": "
                                "\"default\", \"mrope_section\": [24, 20, 20]}}";

    EXPECT_NUMBERS("/v1/resolve", config, "uses/0/parameters/mrope_section", 24, 20, 20);
    expect_angle(body, "1", 5.640895314);
    expect_refused("/v1/rope",
                   AT_5_7_9 "\"mrope_order\": \"interleaved\", \"mrope_section\": [24, 20, 21]}",
                   "mrope_section");
}

/* RobertCsordas/moeut PR 6: counted one too many. */
Test(cases_positions, the_first_token_behind_nine_has_position_9)
{
    EXPECT_NUMBERS(POSITIONS, "{\"rule\": \"plain\", \"token_ids\": [[7]], \"past_length\": 9}",
                   DATA, 9);
    EXPECT_NUMBERS("/v1/rope?dim=2&length=1&offset=9&dtype=float64", NULL, "tensors/cos/data",
                   -0.911130262);
}

/* ml-explore/mlx #3494: only row 0 of a batch of single tokens was rotated. */
Test(cases_positions, every_row_of_a_batch_is_rotated)
{
    struct answer answer =
        ask_case("/v1/rope/apply", "{\"x\": [[[[1, 2, 3, 4]]], [[[1, 2, 3, 4]]]], \"offset\": 5, "
                                   "\"layout\": \"half\", \"dtype\": \"float64\"}");
    const json_t *first = found_at(&answer, "tensors/x/data/0");

    cr_expect(json_equal(first, found_at(&answer, "tensors/x/data/1")));
    expect_near(json_number_value(found_at(&answer, "tensors/x/data/0/0/0/0")),
                cos(5.0) - 3 * sin(5.0), "row 0");
    answer_release(&answer);
}

/* unslothai/unsloth #3699: positions counted over the padding. */
Test(cases_positions, left_padding_does_not_count)
{
    EXPECT_NUMBERS(POSITIONS,
                   "{\"rule\": \"gpt2_generate\", \"attention_mask\": [[0, 0, 1, 1, 1]]}", DATA, 1,
                   1, 0, 1, 2);
    EXPECT_NUMBERS(POSITIONS, "{\"rule\": \"bloom\", \"attention_mask\": [[0, 0, 1, 1, 1]]}", DATA,
                   0, 0, 0, 1, 2);
}

/* bojone/rerope #17: the last row's distances were those of the longest text of the batch. */
Test(cases_positions, distances_are_counted_from_each_texts_own_end)
{
    EXPECT_NUMBERS("/v1/alibi?slopes=1&query_length=1&key_length=3", NULL, "tensors/bias/data", -2,
                   -1, 0);
    EXPECT_NUMBERS("/v1/alibi?slopes=1&query_length=1&key_length=5", NULL, "tensors/bias/data", -4,
                   -3, -2, -1, 0);
}

/* microsoft/onnxruntime #28205 */
Test(cases_positions, a_position_past_the_table_is_refused_and_the_last_one_named)
{
    const char *target = "/v1/learned?rows=1024&dim=2&init=zeros&positions=1024";
    struct answer answer = ask("GET", target, NULL);

    cr_expect_eq(answer.status, 422);
    cr_expect(strstr(answer_text(&answer, "detail"), "1023"), "%s", answer.body);
    answer_release(&answer);
    EXPECT_NUMBERS("/v1/learned?rows=1024&dim=2&init=zeros&positions=1023", NULL,
                   "tensors/encoding/data", 0, 0);
}

/* neuralmagic/sparseml PR 1826: a table folded to the 512 rows of a trace. */
Test(cases_positions, a_table_goes_on_behind_row_511)
{
    const char *target = "/v1/rope?dim=64&length=600&dtype=float64";

    expect_near(number_of(target, NULL, "tensors/cos/data/512/1"), 0.782869744, target);
}

/* lucidrains/x-transformers PR 103: with a memory there are more keys than queries. */
Test(cases_positions, queries_stand_at_the_end_of_the_keys)
{
    EXPECT_NUMBERS("/v1/alibi?slopes=1&query_length=2&key_length=5&mask=none", NULL,
                   "tensors/bias/data", -3, -2, -1, 0, 1, -4, -3, -2, -1, 0);
}

#define LEARNED "/v1/learned?rows=514&dim=1&init=zeros&position_offset=2&length="

/* huggingface/transformers #5285: two more rows, and a text of 512 at most. */
Test(cases_positions, roberta_counts_from_2_and_bart_counts_padding_too)
{
    EXPECT_NUMBERS(POSITIONS,
                   "{\"rule\": \"roberta\", \"token_ids\": [[0, 5, 6, 2, 1, 1]], \"padding_idx\": "
                   "1}",
                   DATA, 2, 3, 4, 5, 1, 1);
    EXPECT_NUMBERS(POSITIONS, "{\"rule\": \"bart\", \"token_ids\": [[0, 5, 6, 2, 1, 1]]}", DATA, 2,
                   3, 4, 5, 6, 7);
    cr_expect_eq(number_of(LEARNED "512", NULL, "tensors/encoding/shape/0"), 512);
    expect_refused(LEARNED "513", NULL, "length");
}
