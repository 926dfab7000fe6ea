/* Clipped distances, the table's rows, and scores by a double loop. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "exact.h"
#include "support.h"

struct golden {
    const char *query;
    size_t count;
    int index[32];
};

static const struct golden rows[] = {
    {"query_length=1&key_length=5&max_relative_position=2", 5, {0, 0, 0, 1, 2}},
    {"query_length=5&max_relative_position=1", 25, {1, 2, 2, 2, 2, 0, 1, 2, 2, 2, 0, 0, 1,
                                                    2, 2, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1}},
    {"query_length=2&key_length=3&query_offset=0&max_relative_position=4", 6, {4, 5, 6, 3, 4, 5}},
    {"query_length=2&max_relative_position=0", 4, {0, 0, 0, 0}},
};

Test(shaw, is_key_minus_query_clipped_and_moved)
{
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        struct asked asked;

        cr_assert_eq(ask(&asked, "shaw/table", rows[r].query), POSENC_OK);
        const double *index = asked_values(&asked, "index");

        cr_assert_eq(asked.result.tensor_count, 1);
        cr_assert_eq(asked.result.tensors[0].dtype, POSENC_INT32);
        cr_assert_eq(asked.result.tensors[0].count, rows[r].count);
        for (size_t i = 0; i < rows[r].count; i++)
            cr_assert_eq(index[i], rows[r].index[i], "%s at %zu", rows[r].query, i);
        asked_release(&asked);
    }
}

#define CLIP 3
#define DIM  5

/* Distinct numbers with fractions. */
static void fill_numbers(double *numbers, size_t count, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = exact_between(seed, -2, 2);
}

static size_t naive_index(long query, long key)
{
    const long distance = key - query;

    return (size_t)((distance < -CLIP ? -CLIP : distance > CLIP ? CLIP : distance) + CLIP);
}

Test(shaw, keys_are_the_rows_of_the_table)
{
    double table[(2 * CLIP + 1) * DIM];
    uint64_t seed = 3;
    struct asked asked;

    fill_numbers(table, sizeof(table) / sizeof(*table), &seed);
    const struct posenc_member member = {
        "table", support_array(table, 2, (const size_t[]){2 * CLIP + 1, DIM})};

    cr_assert_eq(
        ask_with(&asked, "shaw/table", "query_length=4&key_length=9&dtype=float64", &member, 1),
        POSENC_OK);
    const double *keys = asked_values(&asked, "keys");

    cr_expect_eq(echoed_number(&asked.result, "max_relative_position"), CLIP);
    for (long i = 0; i < 4; i++)
        for (long j = 0; j < 9; j++)
            for (size_t c = 0; c < DIM; c++)
                cr_assert_eq(keys[(size_t)(i * 9 + j) * DIM + c],
                             table[naive_index(i + 5, j) * DIM + c]);
    for (int i = 0; i < 10; i++)
        assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

#define OUTER   2
#define QUERIES 4
#define KEYS    6

/* Products, sums and the root of a plain loop of five channels. */
#define LOOP_TOLERANCE 1e-14

Test(shaw, scores_add_the_tables_rows_to_the_keys)
{
    double q[OUTER * QUERIES * DIM], k[OUTER * KEYS * DIM], table[(2 * CLIP + 1) * DIM];
    uint64_t seed = 4;
    struct asked asked;

    fill_numbers(q, sizeof(q) / sizeof(*q), &seed);
    fill_numbers(k, sizeof(k) / sizeof(*k), &seed);
    fill_numbers(table, sizeof(table) / sizeof(*table), &seed);
    const struct posenc_member members[] = {
        {"q", support_array(q, 3, (const size_t[]){OUTER, QUERIES, DIM})},
        {"k", support_array(k, 3, (const size_t[]){OUTER, KEYS, DIM})},
        {"table", support_array(table, 2, (const size_t[]){2 * CLIP + 1, DIM})},
    };

    cr_assert_eq(ask_with(&asked, "shaw/apply", "dtype=float64", members, 3), POSENC_OK, "%s",
                 asked.problem.detail);
    const double *scores = asked_values(&asked, "scores");

    for (size_t o = 0; o < OUTER; o++)
        for (size_t i = 0; i < QUERIES; i++)
            for (size_t j = 0; j < KEYS; j++) {
                const double *row = &table[naive_index((long)(i + KEYS - QUERIES), (long)j) * DIM];
                double sum = 0;

                for (size_t c = 0; c < DIM; c++)
                    sum += q[(o * QUERIES + i) * DIM + c] * (k[(o * KEYS + j) * DIM + c] + row[c]);
                cr_assert_float_eq(scores[(o * QUERIES + i) * KEYS + j], sum / sqrt(DIM),
                                   LOOP_TOLERANCE);
            }
    for (int i = 0; i < 10; i++)
        assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

static const double zeros[64];

struct shape_case {
    const char *operation, *query;
    size_t q[2], k[2], table[2]; /* {0, 0}: not sent */
    enum posenc_status status;
    const char *parameter;
};

Test(shaw, refuses_what_does_not_fit)
{
    static const struct shape_case cases[] = {
        {.operation = "table",
         "query_length=2&key_length=2",
         .status = POSENC_MISSING_PARAMETER,
         .parameter = "max_relative_position"},
        {.operation = "table",
         "max_relative_position=2",
         .status = POSENC_MISSING_PARAMETER,
         .parameter = "query_length"},
        {.operation = "table",
         "query_length=2&max_relative_position=-1",
         .status = POSENC_OUT_OF_RANGE,
         .parameter = "max_relative_position"},
        {.operation = "table",
         "query_length=2&max_relative_position=1073741824",
         .status = POSENC_OUT_OF_RANGE,
         .parameter = "max_relative_position"},
        {.operation = "table",
         "query_length=2",
         .table = {4, 2},
         .status = POSENC_WRONG_SHAPE,
         .parameter = "table"},
        {.operation = "table",
         "query_length=2&max_relative_position=2",
         .table = {3, 2},
         .status = POSENC_CONFLICT,
         .parameter = "max_relative_position"},
        {.operation = "apply",
         "",
         .q = {2, 3},
         .k = {2, 4},
         .table = {3, 3},
         .status = POSENC_WRONG_SHAPE,
         .parameter = "k"},
        {.operation = "apply",
         "",
         .q = {2, 3},
         .k = {2, 3},
         .table = {3, 4},
         .status = POSENC_WRONG_SHAPE,
         .parameter = "table"},
        {.operation = "apply",
         "max_relative_position=2",
         .q = {2, 3},
         .k = {2, 3},
         .status = POSENC_MISSING_PARAMETER,
         .parameter = "table"},
        {.operation = "apply",
         "query_length=5",
         .q = {2, 3},
         .k = {2, 3},
         .table = {3, 3},
         .status = POSENC_CONFLICT,
         .parameter = "query_length"},
        {.operation = "apply",
         "key_length=5",
         .q = {2, 3},
         .k = {2, 3},
         .table = {3, 3},
         .status = POSENC_CONFLICT,
         .parameter = "key_length"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const size_t *shapes[] = {cases[i].q, cases[i].k, cases[i].table};
        static const char *const names[] = {"q", "k", "table"};
        struct posenc_member members[3];
        struct asked asked;
        char operation[20];
        size_t count = 0;

        for (size_t t = 0; t < 3; t++)
            if (shapes[t][0] > 0)
                members[count++] =
                    (struct posenc_member){names[t], support_array(zeros, 2, shapes[t])};
        (void)snprintf(operation, sizeof(operation), "shaw/%s", cases[i].operation);
        cr_expect_eq(ask_with(&asked, operation, cases[i].query, members, count), cases[i].status,
                     "%zu", i);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%zu", i);
        asked_release(&asked);
    }
}
