/* Offsets between the tokens of a window, and the table's bias. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "exact.h"
#include "support.h"
#include "swin.h"

struct golden {
    const char *query;
    size_t count;
    int index[36];
};

static const struct golden rows[] = {
    {"window=2,2", 16, {4, 3, 1, 0, 5, 4, 2, 1, 7, 6, 4, 3, 8, 7, 5, 4}},
    {"window=2,3&version=1", 36, {7,  6,  5,  2, 1, 0, 8,  7,  6,  3, 2, 1, 9,  8,  7,  4, 3, 2,
                                  12, 11, 10, 7, 6, 5, 13, 12, 11, 8, 7, 6, 14, 13, 12, 9, 8, 7}},
    {"window=1,2&class_token=true", 9, {5, 3, 3, 4, 1, 0, 4, 2, 1}},
    {"window=1,1&version=2", 1, {0}},
};

Test(swin, has_the_golden_index)
{
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        struct asked asked;

        cr_assert_eq(ask(&asked, "swin/table", rows[r].query), POSENC_OK);
        const double *index = asked_values(&asked, "index");

        cr_assert_eq(asked.result.tensors[0].dtype, POSENC_INT32);
        cr_assert_eq(asked.result.tensors[0].count, rows[r].count);
        for (size_t i = 0; i < rows[r].count; i++)
            cr_assert_eq(index[i], rows[r].index[i], "%s at %zu", rows[r].query, i);
        asked_release(&asked);
    }
}

/* Two pairs of tokens share an index exactly when they share both offsets. */
Test(swin, an_index_names_one_pair_of_offsets)
{
    enum { HEIGHT = 4, WIDTH = 5, TOKENS = HEIGHT * WIDTH, ROWS = 7 * 9 };
    int row_offset[ROWS], column_offset[ROWS];
    bool seen[ROWS] = {false};
    struct asked asked;
    size_t named = 0;

    cr_assert_eq(ask(&asked, "swin/table", "window=4,5"), POSENC_OK);
    const double *index = asked_values(&asked, "index");

    for (int a = 0; a < TOKENS; a++)
        for (int b = 0; b < TOKENS; b++) {
            const size_t at = (size_t)index[a * TOKENS + b];
            const int down = a / WIDTH - b / WIDTH, right = a % WIDTH - b % WIDTH;

            cr_assert_lt(at, ROWS);
            if (!seen[at]) {
                seen[at] = true;
                named++;
                row_offset[at] = down;
                column_offset[at] = right;
            }
            cr_assert_eq(row_offset[at], down);
            cr_assert_eq(column_offset[at], right);
        }
    cr_assert_eq(named, ROWS);
    asked_release(&asked);
}

#define HEADS 3

static void fill_numbers(double *numbers, size_t count, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = exact_between(seed, -2, 2);
}

static void check_bias(const char *query, size_t table_rows, size_t tokens)
{
    double table[64 * HEADS];
    uint64_t seed = 8;
    struct asked asked;

    fill_numbers(table, table_rows * HEADS, &seed);
    const struct posenc_member member = {
        "table", support_array(table, 2, (const size_t[]){table_rows, HEADS})};

    cr_assert_eq(ask_with(&asked, "swin/table", query, &member, 1), POSENC_OK, "%s",
                 asked.problem.detail);
    const double *bias = asked_values(&asked, "bias"), *index = asked_values(&asked, "index");
    const struct posenc_tensor *tensor = posenc_find_tensor(&asked.result, "bias");

    cr_assert_eq(tensor->shape[0], HEADS);
    cr_assert_eq(tensor->shape[1], tokens);
    for (size_t h = 0; h < HEADS; h++)
        for (size_t i = 0; i < tokens * tokens; i++)
            cr_assert_eq(bias[h * tokens * tokens + i], table[(size_t)index[i] * HEADS + h]);
    for (int i = 0; i < 10; i++)
        assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

Test(swin, the_bias_is_the_tables_column_for_each_head)
{
    check_bias("window=3,4&dtype=float64", 5 * 7, 12);
    check_bias("window=3,4&class_token=true&dtype=float64", 5 * 7 + 3, 13);
}

Test(swin, apply_adds_the_bias_to_every_batch)
{
    double table[9 * HEADS], scores[2 * HEADS * 16];
    uint64_t seed = 9;
    struct asked asked, alone;

    fill_numbers(table, 9 * HEADS, &seed);
    fill_numbers(scores, 2 * HEADS * 16, &seed);
    const struct posenc_member members[] = {
        {"table", support_array(table, 2, (const size_t[]){9, HEADS})},
        {"scores", support_array(scores, 4, (const size_t[]){2, HEADS, 4, 4})}};

    cr_assert_eq(ask_with(&asked, "swin/apply", "window=2,2&dtype=float64", members, 2), POSENC_OK);
    cr_assert_eq(ask_with(&alone, "swin/table", "window=2,2&dtype=float64", members, 1), POSENC_OK);
    const double *sums = asked_values(&asked, "scores"), *bias = asked_values(&alone, "bias");

    for (size_t i = 0; i < 2 * HEADS * 16; i++)
        cr_assert_eq(sums[i], scores[i] + bias[i % (HEADS * 16)]);
    asked_release(&asked);
    asked_release(&alone);
}

static const double zeros[128];

struct shape_case {
    const char *operation, *query, *name;
    size_t rank, shape[3];
    enum posenc_status status;
    const char *parameter;
};

Test(swin, refuses_what_does_not_fit)
{
    static const struct shape_case cases[] = {
        {"table", "", NULL, 0, {0}, POSENC_MISSING_PARAMETER, "window"},
        {"table", "windows=2,2", NULL, 0, {0}, POSENC_UNKNOWN_PARAMETER, "windows"},
        {"table", "window=0,2", NULL, 0, {0}, POSENC_OUT_OF_RANGE, "window.0"},
        {"table", "window=2,16385", NULL, 0, {0}, POSENC_OUT_OF_RANGE, "window.1"},
        {"table", "window=2,2,2", NULL, 0, {0}, POSENC_WRONG_SHAPE, "window"},
        {"table", "window=2", NULL, 0, {0}, POSENC_WRONG_SHAPE, "window"},
        {"table", "window=2,2&version=3", NULL, 0, {0}, POSENC_OUT_OF_RANGE, "version"},
        {"table",
         "window=2,2&pretrained_window=4,4",
         NULL,
         0,
         {0},
         POSENC_CONFLICT,
         "pretrained_window"},
        {"table",
         "window=2,2&version=2&pretrained_window=4",
         NULL,
         0,
         {0},
         POSENC_WRONG_SHAPE,
         "pretrained_window"},
        {"table",
         "window=2,2&version=2&class_token=true",
         NULL,
         0,
         {0},
         POSENC_CONFLICT,
         "class_token"},
        {"table", "window=2,2", "table", 2, {8, 1}, POSENC_WRONG_SHAPE, "table"},
        {"table", "window=2,2", "table", 1, {9}, POSENC_WRONG_SHAPE, "table"},
        {"table", "window=2,2&class_token=true", "table", 2, {9, 1}, POSENC_WRONG_SHAPE, "table"},
        {"table", "window=2,2&version=2", "table", 2, {9, 1}, POSENC_CONFLICT, "table"},
        {"table", "window=2,2", "mlp_output", 2, {9, 1}, POSENC_CONFLICT, "mlp_output"},
        {"table",
         "window=2,2&version=2",
         "mlp_output",
         2,
         {12, 1},
         POSENC_WRONG_SHAPE,
         "mlp_output"},
        {"apply", "window=2,2", "scores", 3, {1, 4, 4}, POSENC_MISSING_PARAMETER, "table"},
        {"apply",
         "window=2,2&version=2",
         "scores",
         3,
         {1, 4, 4},
         POSENC_MISSING_PARAMETER,
         "mlp_output"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;
        char operation[20];
        struct posenc_member member = {0};

        if (cases[i].name)
            member = (struct posenc_member){cases[i].name,
                                            support_array(zeros, cases[i].rank, cases[i].shape)};
        (void)snprintf(operation, sizeof(operation), "swin/%s", cases[i].operation);
        cr_expect_eq(ask_with(&asked, operation, cases[i].query, &member, cases[i].name ? 1 : 0),
                     cases[i].status, "%zu", i);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%zu", i);
        asked_release(&asked);
    }
}

Test(swin, apply_refuses_scores_of_other_heads_or_tokens)
{
    static const size_t shapes[][3] = {{2, 4, 4}, {1, 3, 4}, {1, 4, 3}};

    for (size_t i = 0; i < 3; i++) {
        const struct posenc_member members[] = {
            {"table", support_array(zeros, 2, (const size_t[]){9, 1})},
            {"scores", support_array(zeros, 3, shapes[i])}};
        struct asked asked;

        cr_expect_eq(ask_with(&asked, "swin/apply", "window=2,2", members, 2), POSENC_WRONG_SHAPE);
        cr_expect_str_eq(asked.problem.parameter, "scores");
        asked_release(&asked);
    }
}
