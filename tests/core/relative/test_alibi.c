/* ALiBi's biases by a double loop, and sums with scores. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact.h"
#include "support.h"

struct bias_question {
    size_t heads, queries, keys;
    const char *form, *mask, *alignment;
    bool one_sided, has_right_slopes, has_attention_mask;
    double scale;
};

static const double right_slopes[] = {3, 0.125, 7, 0.3, 1, 2};
static const double key_mask[] = {0, 1, 1, 0, 1, 1, 1};

/* BLOOM: unmasked keys count from 0, masked ones stand at 0. */
static double key_position(const struct bias_question *question, size_t key)
{
    double seen = -1;

    if (!question->has_attention_mask)
        return (double)key;
    if (key_mask[key] == 0)
        return 0;
    for (size_t j = 0; j <= key; j++)
        seen += key_mask[j];
    return seen;
}

/* The bias by the words of the catalogue. */
static double naive_bias(const struct bias_question *question, const double *slopes, size_t h,
                         size_t i, size_t j)
{
    const double offset = strcmp(question->alignment, "bottom_right") == 0
                              ? (double)question->keys - (double)question->queries
                              : 0;
    const double ahead = (double)j - ((double)i + offset); /* key minus query */
    const double slope = ahead > 0 && question->has_right_slopes ? right_slopes[h] : slopes[h];
    const double key = key_position(question, j);

    if (strcmp(question->mask, "causal") == 0 && ahead > 0)
        return -INFINITY;
    if (question->one_sided && (h < question->heads / 2 ? ahead > 0 : ahead < 0))
        return -INFINITY;
    if (strcmp(question->form, "signed") == 0)
        return slope * ahead * question->scale;
    if (strcmp(question->form, "symmetric") == 0)
        return -slope * fabs(ahead) * question->scale;
    if (strcmp(question->form, "clamped") == 0)
        return slope * fmin(ahead, 0) * question->scale;
    if (strcmp(question->form, "key_index") == 0)
        return slope * key * question->scale;
    return slope * (key - key_position(question, question->keys - 1)) * question->scale;
}

static enum posenc_status ask_bias(struct asked *asked, const struct bias_question *question,
                                   const char *rest)
{
    char query[400];
    const struct posenc_member members[] = {
        {"attention_mask", posenc_numbers(key_mask, question->keys)},
        {"right_slopes", posenc_numbers(right_slopes, question->heads)},
    };

    (void)snprintf(query, sizeof(query),
                   "heads=%zu&query_length=%zu&key_length=%zu&form=%s&mask=%s&alignment=%s&"
                   "one_sided=%s&distance_scale=%.17g&%s",
                   question->heads, question->queries, question->keys, question->form,
                   question->mask, question->alignment, question->one_sided ? "true" : "false",
                   question->scale, rest);
    const size_t first = question->has_attention_mask ? 0 : 1;
    const size_t last = question->has_right_slopes ? 2 : 1;

    return ask_with(asked, "alibi/table", query, members + first, last - first);
}

/* Slope, distance, scale and product are each within half an ulp. */
#define BIAS_TOLERANCE 0x1p-51

static void check_bias(const struct bias_question *question)
{
    struct asked asked;

    cr_assert_eq(ask_bias(&asked, question, "dtype=float64"), POSENC_OK, "%s", question->form);
    const double *bias = asked_values(&asked, "bias"), *slopes = asked_values(&asked, "slopes");
    size_t at = 0;

    for (size_t h = 0; h < question->heads; h++)
        for (size_t i = 0; i < question->queries; i++)
            for (size_t j = 0; j < question->keys; j++, at++) {
                const double expected = naive_bias(question, slopes, h, i, j);

                if (isinf(expected))
                    cr_assert_eq(bias[at], expected, "%s %zu %zu %zu", question->form, h, i, j);
                else
                    cr_assert_float_eq(bias[at], expected, BIAS_TOLERANCE * fabs(expected),
                                       "%s %zu %zu %zu", question->form, h, i, j);
                cr_assert(!signbit(bias[at]) || bias[at] != 0, "a minus zero");
            }
    cr_assert_eq(asked.result.tensors[0].count, at);
    asked_release(&asked);
}

static const char *const forms[] = {"signed", "symmetric", "clamped", "key_index",
                                    "key_index_right"};
static const char *const masks[] = {"none", "causal"};
static const char *const alignments[] = {"bottom_right", "top_left"};

Test(alibi, every_form_mask_and_alignment_by_a_double_loop)
{
    static const size_t lengths[][2] = {{5, 5}, {2, 7}, {6, 3}, {1, 1}};

    for (size_t k = 0; k < 5 * 2 * 2 * 4 * 2 * 2 * 2; k++) {
        const struct bias_question question = {
            .heads = 6,
            .form = forms[k % 5],
            .mask = masks[k / 5 % 2],
            .alignment = alignments[k / 10 % 2],
            .queries = lengths[k / 20 % 4][0],
            .keys = lengths[k / 20 % 4][1],
            .has_right_slopes = k / 80 % 2,
            .one_sided = k / 160 % 2 && k / 5 % 2 == 0,
            .scale = k / 320 % 2 ? 0.3 : 1,
            .has_attention_mask = k % 5 >= 3 && k / 80 % 2,
        };

        check_bias(&question);
    }
}

Test(alibi, any_runs_agree)
{
    uint64_t seed = 11;

    for (size_t k = 0; k < 5 * 2; k++) {
        const struct bias_question question = {.heads = 6,
                                               .queries = 17,
                                               .keys = 23,
                                               .form = forms[k % 5],
                                               .mask = masks[k / 5],
                                               .alignment = "bottom_right",
                                               .has_right_slopes = true,
                                               .scale = 1};
        struct asked asked;

        cr_assert_eq(ask_bias(&asked, &question, "dtype=bfloat16"), POSENC_OK, "%s",
                     asked.problem.detail);
        for (int i = 0; i < 10; i++)
            assert_runs_agree(&asked, &seed);
        asked_release(&asked);
    }
}

Test(alibi, the_mask_is_causal_for_the_form_signed_only)
{
    for (size_t i = 0; i < 5; i++) {
        struct asked asked;
        char query[80];

        (void)snprintf(query, sizeof(query), "heads=2&query_length=3&form=%s", forms[i]);
        cr_assert_eq(ask(&asked, "alibi/table", query), POSENC_OK);
        cr_expect_str_eq(echoed_text(&asked.result, "mask"), i == 0 ? "causal" : "none");
        cr_expect_eq(echoed_number(&asked.result, "key_length"), 3);
        asked_release(&asked);
    }
}

struct dtype_case {
    const char *name;
    double lowest;
};

Test(alibi, masked_entries_are_minus_infinity_or_the_dtypes_lowest)
{
    static const struct dtype_case cases[] = {{"float64", -DBL_MAX},
                                              {"float32", -(double)FLT_MAX},
                                              {"float16", -65504},
                                              {"bfloat16", -0x1.fep127}};

    for (size_t i = 0; i < 4; i++) {
        struct asked asked;
        char query[120];

        (void)snprintf(query, sizeof(query), "heads=1&query_length=2&masked=finfo_min&dtype=%s",
                       cases[i].name);
        cr_assert_eq(ask(&asked, "alibi/table", query), POSENC_OK);
        cr_expect_eq(asked_values(&asked, "bias")[1], cases[i].lowest, "%s", cases[i].name);
        asked_release(&asked);
        (void)snprintf(query, sizeof(query), "heads=1&query_length=2&dtype=%s", cases[i].name);
        cr_assert_eq(ask(&asked, "alibi/table", query), POSENC_OK);
        cr_expect_eq(asked_values(&asked, "bias")[1], -INFINITY, "%s", cases[i].name);
        asked_release(&asked);
    }
}

Test(alibi, falcon_rounds_distances_and_products_to_bfloat16)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "alibi/table",
                     "slopes=1,0.7071067811865475&query_length=1&key_length=600&preset=falcon&"
                     "dtype=float64"),
                 POSENC_OK);
    const double *bias = asked_values(&asked, "bias");

    cr_expect_eq(bias[256], 256);
    cr_expect_eq(bias[257], 256);
    cr_expect_eq(bias[258], 258);
    cr_expect_eq(bias[259], 260);
    cr_expect_eq(bias[513], 512);
    cr_expect_eq(bias[515], 516);
    cr_expect_eq(bias[600 + 3], 0x1.1p1); /* 3 * 0x1.6ap-1 = 0x1.0f8p1 */
    for (size_t j = 0; j < 1200; j++) {
        uint16_t pattern;
        double back;

        posenc_round(POSENC_BFLOAT16, &bias[j], 1, &pattern);
        posenc_widen(POSENC_BFLOAT16, &pattern, 1, &back);
        cr_assert_eq(bias[j], back);
    }
    asked_release(&asked);
}

/* Scores [2][heads][query][key] of quarters. */
static struct posenc_value scores(double *numbers, size_t heads, size_t queries, size_t keys)
{
    const size_t shape[] = {2, heads, queries, keys};

    for (size_t i = 0; i < 2 * heads * queries * keys; i++)
        numbers[i] = (double)(i % 13) / 4 - 1;
    return support_array(numbers, 4, shape);
}

Test(alibi, apply_adds_the_bias_to_every_batch)
{
    double numbers[2 * 6 * 3 * 7];
    const struct posenc_member member = {"scores", scores(numbers, 6, 3, 7)};
    struct asked applied, table;

    cr_assert_eq(ask_with(&applied, "alibi/apply", "dtype=float64", &member, 1), POSENC_OK);
    cr_assert_eq(ask(&table, "alibi/table", "heads=6&query_length=3&key_length=7&dtype=float64"),
                 POSENC_OK);
    const double *sums = asked_values(&applied, "scores"), *bias = asked_values(&table, "bias");
    uint64_t seed = 12;

    for (size_t i = 0; i < 2 * 6 * 3 * 7; i++)
        cr_assert_eq(sums[i], numbers[i] + bias[i % (6 * 3 * 7)], "%zu", i);
    cr_expect_eq(echoed_number(&applied.result, "heads"), 6);
    for (int i = 0; i < 10; i++)
        assert_runs_agree(&applied, &seed);
    asked_release(&applied);
    asked_release(&table);
}

Test(alibi, inside_the_scale_the_bias_is_divided_by_the_root_of_dim)
{
    double numbers[2 * 2 * 3 * 3];
    const struct posenc_member member = {"scores", scores(numbers, 2, 3, 3)};
    struct asked applied;

    cr_assert_eq(ask_with(&applied, "alibi/apply",
                          "dtype=float64&form=symmetric&inside_scale=true&dim=16", &member, 1),
                 POSENC_OK);
    const double *sums = asked_values(&applied, "scores");

    cr_expect_eq(sums[1], numbers[1] - 0.0625 / 4);
    asked_release(&applied);
    cr_assert_eq(ask_with(&applied, "alibi/apply", "dtype=float64&preset=falcon", &member, 1),
                 POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(applied.problem.parameter, "dim");
    asked_release(&applied);
}

Test(alibi, sums_with_the_lowest_number_stay_there_or_fall_to_infinity_as_dtypes_do)
{
    const double numbers[] = {0, -20, 0, 0};
    const struct posenc_member member = {"scores",
                                         support_array(numbers, 3, (const size_t[]){1, 2, 2})};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "alibi/apply", "dtype=float16&masked=finfo_min", &member, 1),
                 POSENC_OK);
    cr_expect_eq(asked_values(&asked, "scores")[1], -INFINITY); /* 65504 + 20 passes 65520 */
    asked_release(&asked);
    cr_assert_eq(ask_with(&asked, "alibi/apply", "dtype=float32&masked=finfo_min", &member, 1),
                 POSENC_OK);
    cr_expect_eq(asked_values(&asked, "scores")[1], -(double)FLT_MAX);
    asked_release(&asked);
}

struct limit_case {
    const char *query;
    enum posenc_status status;
    const char *parameter;
};

Test(alibi, refuses_what_contradicts_itself)
{
    static const struct limit_case cases[] = {
        {"query_length=3", POSENC_MISSING_PARAMETER, "heads"},
        {"heads=2", POSENC_MISSING_PARAMETER, "query_length"},
        {"heads=0&query_length=3", POSENC_OUT_OF_RANGE, "heads"},
        {"heads=65537&query_length=3", POSENC_OUT_OF_RANGE, "heads"},
        {"heads=2&query_length=-1", POSENC_OUT_OF_RANGE, "query_length"},
        {"heads=2&query_length=3&bias_max=0", POSENC_OUT_OF_RANGE, "bias_max"},
        {"heads=2&query_length=3&bias_max=513", POSENC_OUT_OF_RANGE, "bias_max"},
        {"heads=3&query_length=3&one_sided=true&form=symmetric", POSENC_CONFLICT, "heads"},
        {"heads=2&query_length=3&one_sided=true", POSENC_CONFLICT, "one_sided"},
        {"heads=2&query_length=3&one_sided=true&form=symmetric&mask=causal", POSENC_CONFLICT,
         "one_sided"},
        {"heads=2&query_length=3&attention_mask=1,1,1", POSENC_CONFLICT, "attention_mask"},
        {"heads=2&query_length=3&preset=bloom&attention_mask=1,1", POSENC_CONFLICT,
         "attention_mask"},
        {"heads=2&query_length=3&preset=bloom&attention_mask=1,2,1", POSENC_OUT_OF_RANGE,
         "attention_mask.1"},
        {"heads=2&query_length=3&distance_scale=1e300", POSENC_OUT_OF_RANGE, "distance_scale"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "alibi/table", cases[i].query), cases[i].status, "%s",
                     cases[i].query);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%s", cases[i].query);
        asked_release(&asked);
    }
}

Test(alibi, apply_refuses_scores_that_do_not_fit)
{
    const double numbers[12] = {0};
    const struct posenc_member flat = {"scores", support_array(numbers, 2, (const size_t[]){3, 4})};
    const struct posenc_member cube = {"scores",
                                       support_array(numbers, 3, (const size_t[]){2, 2, 3})};
    static const struct limit_case cases[] = {
        {"heads=3", POSENC_CONFLICT, "heads"},
        {"query_length=3", POSENC_CONFLICT, "query_length"},
        {"key_length=2", POSENC_CONFLICT, "key_length"},
        {"slopes=1,2,3", POSENC_CONFLICT, "slopes"},
    };
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "alibi/apply", "", &flat, 1), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "scores");
    asked_release(&asked);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(ask_with(&asked, "alibi/apply", cases[i].query, &cube, 1), cases[i].status);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter);
        asked_release(&asked);
    }
}

Test(alibi, empty_lengths_give_empty_biases)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "alibi/table", "heads=2&query_length=0&key_length=3"), POSENC_OK);
    cr_expect_eq(posenc_find_tensor(&asked.result, "bias")->count, 0);
    cr_expect_eq(asked_values(&asked, "slopes")[1], 0.00390625);
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "alibi/table", "heads=2&query_length=3&key_length=0"), POSENC_OK);
    cr_expect_eq(posenc_find_tensor(&asked.result, "bias")->count, 0);
    asked_release(&asked);
}

/* The slope of one head is 1/256, of two 1/16 and 1/256: overflow from 256 * 65520 or 16 * 65520
 * on. */
Test(alibi, float16_warns_of_biases_that_it_cannot_hold)
{
    static const struct {
        const char *query;
        size_t warnings;
    } cases[] = {
        {"heads=2&query_length=1&key_length=1048321&dtype=float16", 1},
        {"heads=2&query_length=1&key_length=1048320&dtype=float16", 0},
        {"heads=2&query_length=1&key_length=1048321&dtype=bfloat16", 0},
        {"heads=2&query_length=1&key_length=1048321&dtype=float16&form=key_index", 1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct asked asked;

        cr_assert_eq(ask(&asked, "alibi/table", cases[i].query), POSENC_OK, "%s", cases[i].query);
        cr_expect_eq(asked.result.warning_count, cases[i].warnings, "%s", cases[i].query);
        if (asked.result.warning_count > 0)
            cr_expect_str_eq(asked.result.warnings[0].parameter, "dtype");
        asked_release(&asked);
    }
}
