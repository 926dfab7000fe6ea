/* Public reports about pairs of channels: which belong together, and what tables look like. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "cases.h"

#define APPLY "/v1/rope/apply"
#define X     "\"x\": [[1, 2, 3, 4]], \"positions\": [1], \"dtype\": \"float64\""

static const double of_half[] = {-1.984110649, 1.959900667, 2.462377902, 4.019799668};

/* karpathy/nanochat #264 */
Test(cases_layout, half_and_interleaved_are_both_rotations_of_different_pairs)
{
    expect_numbers(APPLY, "{" X ", \"layout\": \"half\"}", "tensors/x/data", of_half, 4);
    EXPECT_NUMBERS(APPLY, "{" X ", \"layout\": \"interleaved\"}", "tensors/x/data", -1.142639664,
                   1.922075597, 2.959850668, 4.029799502);
}

/* raiyanyahya/how-to-train-your-gpt #6: frequencies repeated pairwise, rotation split in the
 * middle. Two of four entries are right, which hides it; norms of pairs show it. */
Test(cases_layout, a_mixed_layout_agrees_in_two_entries_and_loses_norms)
{
    static const double wrong[] = {-1.984110649, -2.285279327, 3.009849835, 4.019799668};
    struct answer answer = ask_case(APPLY, "{" X ", \"layout\": \"half\"}");
    double y[4];

    for (size_t i = 0; i < 4; i++)
        y[i] = json_number_value(json_array_get(found_at(&answer, "tensors/x/data/0"), i));
    for (size_t pair = 0; pair < 2; pair++) {
        const double norm = hypot((double)pair + 1, (double)pair + 3);

        expect_near(hypot(y[pair], y[pair + 2]), norm, "norm");
        cr_expect_gt(fabs(hypot(wrong[pair], wrong[pair + 2]) - norm), 0.1);
    }
    expect_near(y[0], wrong[0], "hidden");
    expect_near(y[3], wrong[3], "hidden");
    cr_expect_gt(fabs(y[1] - wrong[1]), 1);
    answer_release(&answer);
}

#define SPLIT                                                                                      \
    "\"actual\": [[-1.984110649, -2.285279327, 3.009849835, 4.019799668]], "                       \
    "\"x\": [[1, 2, 3, 4]]"

Test(cases_layout, a_mixed_layout_is_named)
{
    const char *words = "repeated in a row (t0 t0 t1 t1)";

    expect_fault("{" SPLIT ", \"encoding\": \"rope\", \"parameters\": {\"positions\": [1], "
                 "\"layout\": \"half\"}}",
                 "split_repeated", words);
    expect_fault("{" SPLIT ", \"encoding\": \"rope\", \"parameters\": {\"positions\": [1], "
                 "\"layout\": \"interleaved\"}}",
                 "split_repeated", words);
    expect_fault("{" SPLIT ", \"parameters\": {\"positions\": [1]}}", "split_repeated", words);
}

/* facebookresearch/xformers #779 */
Test(cases_layout, a_full_table_repeats_all_pairs_or_each_pair)
{
    EXPECT_NUMBERS("/v1/rope?dim=4&positions=1&dtype=float64&table_layout=half", NULL,
                   "tensors/cos/data", 0.5403023059, 0.9999500004, 0.5403023059, 0.9999500004);
    EXPECT_NUMBERS("/v1/rope?dim=4&positions=1&dtype=float64&table_layout=interleaved", NULL,
                   "tensors/cos/data", 0.5403023059, 0.5403023059, 0.9999500004, 0.9999500004);
}

/* rasbt/LLMs-from-scratch #838: cos and sin swapped at one call site. */
Test(cases_layout, position_0_gives_the_input_back_unless_cos_and_sin_are_swapped)
{
    EXPECT_NUMBERS("/v1/rope?dim=4&positions=0", NULL, "tensors/cos/data", 1, 1);
    EXPECT_NUMBERS("/v1/rope?dim=4&positions=0", NULL, "tensors/sin/data", 0, 0);
    EXPECT_NUMBERS(APPLY, "{\"x\": [[1, 2, 3, 4]], \"positions\": [0], \"layout\": \"half\"}",
                   "tensors/x/data", 1, 2, 3, 4);
    EXPECT_NUMBERS(APPLY,
                   "{\"x\": [[1, 2, 3, 4]], \"positions\": [0], \"layout\": \"half\", "
                   "\"cos\": [[0, 0]], \"sin\": [[1, 1]]}",
                   "tensors/x/data", -3, -4, 1, 2);
}

#define EXCHANGED                                                                                  \
    "\"x\": [[1, 2, 3, 4], [1, 2, 3, 4]], \"actual\": [[-3, -4, 1, 2], "                           \
    "[-0.7794359328, -3.979800335, 3.06471526, 2.039899334]]"

Test(cases_layout, swapped_cos_and_sin_are_named)
{
    const char *words = "cosines and sines are exchanged";

    expect_fault("{" EXCHANGED ", \"encoding\": \"rope\", \"parameters\": {\"layout\": "
                 "\"half\"}}",
                 "exchanged_cos_sin", words);
    expect_fault("{" EXCHANGED ", \"encoding\": \"rope\"}", "exchanged_cos_sin", words);
    expect_fault("{" EXCHANGED "}", "exchanged_cos_sin", words);
}

/* ggml-org/llama.cpp #2376: rows of keys permuted by heads / kv_heads groups. */
Test(cases_layout, rows_of_keys_are_permuted_by_their_own_number_of_heads)
{
    const char *target = "/v1/permutation?heads=32&kv_heads=4&dim=64&from=half&to=interleaved";
    struct answer answer = ask_case(target, NULL);
    const json_t *rows = found_at(&answer, "tensors/k_rows/data");

    cr_assert_eq(json_array_size(rows), 4 * 64);
    cr_assert_eq(json_array_size(found_at(&answer, "tensors/q_rows/data")), 32 * 64);
    for (size_t row = 0; row < 4 * 64; row += 2) {
        const json_int_t first = (json_int_t)(row - row % 64 / 2);

        cr_assert_eq(json_integer_value(json_array_get(rows, row)), first);
        cr_assert_eq(json_integer_value(json_array_get(rows, row + 1)), first + 32);
    }
    answer_release(&answer);
    expect_refused("/v1/permutation?heads=32&kv_heads=5&dim=64&from=half&to=interleaved", NULL,
                   "kv_heads");
}

/* ggml-org/llama.cpp PR 22611: rows a b c d become a c b d, whatever they are packed as. */
Test(cases_layout, an_interleaved_engine_takes_rows_in_the_order_a_c_b_d)
{
    EXPECT_NUMBERS("/v1/permutation?heads=1&dim=4&from=half&to=interleaved", NULL,
                   "tensors/k_rows/data", 0, 2, 1, 3);
}

/* huggingface/transformers #16288: a difference of 1e-2 passed the tests. */
Test(cases_layout, a_quarter_turn_of_ones_tells_the_pairs)
{
    static const char *const layouts[] = {"interleaved", "half"};
    static const double turned[2][4] = {{-1, 1, -1, 1}, {-1, -1, 1, 1}};

    for (size_t i = 0; i < 2; i++) {
        char body[200];

        (void)snprintf(body, sizeof(body),
                       "{\"x\": [[1, 1, 1, 1]], \"positions\": [1], \"inv_freq\": "
                       "[1.5707963267948966, 1.5707963267948966], \"layout\": \"%s\"}",
                       layouts[i]);
        expect_numbers(APPLY, body, "tensors/x/data", turned[i], 4);
    }
}

/* The channels of a vector of zeros and one 1 that are not zero after a rotation. */
static void expect_pair(const char *more, size_t dim, size_t one, size_t first, size_t second)
{
    char body[4000];
    int used = snprintf(body, sizeof(body), "{%s, \"x\": [[", more);

    for (size_t i = 0; i < dim; i++)
        used += snprintf(body + used, sizeof(body) - (size_t)used, "%s%d", i ? ", " : "", i == one);
    (void)snprintf(body + used, sizeof(body) - (size_t)used, "]]}");
    struct answer answer = ask_case(APPLY, body);
    const json_t *row = found_at(&answer, "tensors/x/data/0");

    cr_assert_eq(json_array_size(row), dim);
    for (size_t i = 0; i < dim; i++)
        cr_expect_eq(json_number_value(json_array_get(row, i)) != 0, i == first || i == second,
                     "%s: channel %zu", more, i);
    answer_release(&answer);
}

#define AXES                                                                                       \
    "\"base\": 1000000, \"positions\": [[5], [7], [9]], \"mrope_section\": [24, 20, 20], "         \
    "\"mrope_order\": \"interleaved\""

/* xLLM-AI/xllm PR 2120: axes dealt in turns are not channels paired in turns. */
Test(cases_layout, interleaved_axes_are_not_interleaved_pairs)
{
    expect_pair(AXES ", \"layout\": \"half\"", 128, 0, 0, 64);
    expect_pair(AXES ", \"layout\": \"interleaved\"", 128, 0, 0, 1);
    expect_refused("/v1/rope",
                   "{\"dim\": 128, \"positions\": [[5], [7], [9]], \"mrope_section\": [24, 20, "
                   "20]}",
                   "mrope_order");
}

/* pie-project/pie #602: pairs (i, i + 128) and exponents over the head. */
Test(cases_layout, partial_rotary_pairs_and_exponents_go_by_the_rotary_dim)
{
    expect_pair(
        "\"rotary_dim\": 64, \"base\": 10000000, \"positions\": [700], \"layout\": \"half\"", 256,
        1, 1, 33);
    const char *target = "/v1/rope?dim=256&rotary_dim=64&base=1e7&positions=700&dtype=float64";

    expect_near(number_of(target, NULL, "tensors/cos/data/0/1"), -0.446868000, target);
    expect_near(700 * number_of(target, NULL, "tensors/inv_freq/data/1"), 423.007473, target);
}

/* AI-Hypercomputer/maxtext #4616: the factor dropped on the path of several axes. */
Test(cases_layout, channels_beyond_the_partial_factor_pass_unchanged_with_several_axes_too)
{
    const char *body = "{\"x\": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]], "
                       "\"partial_rotary_factor\": 0.25, \"layout\": \"half\", \"positions\": "
                       "[[1], [1], [1]], \"mrope_section\": [2, 0, 0], \"mrope_order\": "
                       "\"chunked\", \"dtype\": \"float64\"}";

    EXPECT_NUMBERS(APPLY, body, "tensors/x/data", cos(1.0) - 3 * sin(1.0),
                   2 * cos(0.01) - 4 * sin(0.01), 3 * cos(1.0) + sin(1.0),
                   4 * cos(0.01) + 2 * sin(0.01), 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    EXPECT_NUMBERS("/v1/rope?dim=16&partial_rotary_factor=0.25&length=1", NULL,
                   "tensors/inv_freq/data", 1, 0.01);
    expect_refused("/v1/rope",
                   "{\"dim\": 256, \"positions\": [[1], [1], [1]], \"mrope_section\": [11, 11, "
                   "10], \"mrope_order\": \"interleaved\"}",
                   "mrope_section");
}
