/* The gradient of a lookup. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "exact.h"
#include "support.h"

#define OPERATION "learned/gradient"

static const double two_rows[] = {1, 2, 3, 4};

/* Asks with a gradient [rows, columns] and indices [count]. */
static enum posenc_status ask_gradient(struct asked *asked, const char *query,
                                       const double *gradient, const size_t shape[2],
                                       const double *indices, size_t count)
{
    const struct posenc_member members[] = {{"gradient", support_array(gradient, 2, shape)},
                                            {"indices", posenc_numbers(indices, count)}};

    return ask_with(asked, OPERATION, query, members, 2);
}

struct row {
    const char *query;
    double indices[4];
    double expected[8]; /* [4, 2] */
};

static const double gradient[] = {1, 2, 3, 4, 10, 20, 100, 200};

static const struct row rows[] = {
    {"rows=4&dtype=float64", {2, 0, 2, 2}, {3, 4, 0, 0, 111, 222, 0, 0}},
    {"rows=4&dtype=float32", {3, 3, 1, 0}, {100, 200, 10, 20, 0, 0, 4, 6}},
    {"rows=4&dtype=float64&padding_idx=1", {2, 1, 2, 1}, {0, 0, 0, 0, 11, 22, 0, 0}},
    {"rows=4&dtype=float64&scale_grad_by_freq=true", {2, 0, 2, 2}, {3, 4, 0, 0, 37, 74, 0, 0}},
    {"rows=4&dtype=float64&scale_grad_by_freq=true&padding_idx=3",
     {3, 3, 1, 1},
     {0, 0, 55, 110, 0, 0, 0, 0}},
};

Test(learned_gradient, adds_up_what_was_looked_up)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_assert_eq(
            ask_gradient(&asked, rows[i].query, gradient, (size_t[]){4, 2}, rows[i].indices, 4),
            POSENC_OK, "%s", asked.problem.detail);
        cr_expect_arr_eq(asked_values(&asked, "table_gradient"), rows[i].expected,
                         sizeof(rows[i].expected), "row %zu", i);
        asked_release(&asked);
    }
}

/* A plain sum would lose the ones beside 2^53. */
Test(learned_gradient, loses_nothing_between_large_and_small)
{
    static const double values[] = {0x1p53, 1, 1, 1, 1, -0x1p53};
    static const double indices[] = {0, 0, 0, 0, 0, 0};
    struct asked asked;

    cr_assert_eq(ask_gradient(&asked, "rows=1&dtype=float64", values, (size_t[]){6, 1}, indices, 6),
                 POSENC_OK);
    cr_expect_eq(asked_values(&asked, "table_gradient")[0], 4.0);
    asked_release(&asked);
}

Test(learned_gradient, passes_infinities_on)
{
    static const double values[] = {INFINITY, 1, NAN, -INFINITY};
    static const double indices[] = {0, 0, 1, 2};
    struct asked asked;

    cr_assert_eq(ask_gradient(&asked, "rows=3&dtype=float64", values, (size_t[]){4, 1}, indices, 4),
                 POSENC_OK);
    const double *out = asked_values(&asked, "table_gradient");

    cr_expect_eq(out[0], INFINITY);
    cr_expect(isnan(out[1]));
    cr_expect_eq(out[2], -INFINITY);
    asked_release(&asked);
}

enum { LOOKUPS = 700, WIDTH = 300, TABLE_ROWS = 97 };

struct large {
    double gradient[LOOKUPS * WIDTH], indices[LOOKUPS], sums[TABLE_ROWS * WIDTH];
};

/* Integers, whose sums are exact in any order. */
static void fill_large(struct large *large, uint64_t *seed)
{
    memset(large->sums, 0, sizeof(large->sums));
    for (size_t i = 0; i < LOOKUPS; i++) {
        const size_t index = exact_bits(seed) % TABLE_ROWS;

        large->indices[i] = (double)index;
        for (size_t k = 0; k < WIDTH; k++) {
            large->gradient[i * WIDTH + k] = (double)(exact_bits(seed) % 1000) - 500.0;
            large->sums[index * WIDTH + k] += large->gradient[i * WIDTH + k];
        }
    }
}

Test(learned_gradient, of_many_lookups_is_their_scattered_sum_in_any_run)
{
    static struct large large;
    uint64_t seed = 5;
    struct asked asked;

    fill_large(&large, &seed);
    cr_assert_eq(ask_gradient(&asked, "rows=97&dtype=float64", large.gradient,
                              (size_t[]){LOOKUPS, WIDTH}, large.indices, LOOKUPS),
                 POSENC_OK);
    cr_expect_arr_eq(asked_values(&asked, "table_gradient"), large.sums, sizeof(large.sums));
    assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

/* Rows that nobody looked up cost nothing: 2^40 of them are planned, and the last one is filled. */
Test(learned_gradient, of_a_huge_table_is_lazy)
{
    static const double indices[] = {7, 1099511627775};
    struct asked asked;
    double last[2];

    cr_assert_eq(ask_gradient(&asked, "rows=1099511627776&dtype=float64", two_rows,
                              (size_t[]){2, 2}, indices, 2),
                 POSENC_OK);
    posenc_fill(&asked.result.tensors[0], asked.result.tensors[0].count - 2, 2, last);
    cr_expect_eq(last[0], 3.0);
    cr_expect_eq(last[1], 4.0);
    asked_release(&asked);
}

Test(learned_gradient, of_no_lookups_is_zero)
{
    struct asked asked;

    cr_assert_eq(
        ask_gradient(&asked, "rows=2&dtype=float64", two_rows, (size_t[]){0, 2}, two_rows, 0),
        POSENC_OK);
    cr_expect_eq(asked.result.tensors[0].count, 4);
    cr_expect_eq(asked_values(&asked, "table_gradient")[3], 0.0);
    asked_release(&asked);
}

struct refusal {
    const char *query;
    double indices[3];
    size_t count;
    enum posenc_status status;
    const char *parameter;
};

static const struct refusal refusals[] = {
    {"rows=4", {0, 4}, 2, POSENC_OUT_OF_RANGE, "indices.1"},
    {"rows=4", {-1, 0}, 2, POSENC_OUT_OF_RANGE, "indices.0"},
    {"rows=4", {0, 0.5}, 2, POSENC_OUT_OF_RANGE, "indices.1"},
    {"rows=4", {NAN, 0}, 2, POSENC_OUT_OF_RANGE, "indices.0"},
    {"rows=4", {0, 1, 2}, 3, POSENC_WRONG_SHAPE, "indices"},
    {"rows=4&padding_idx=4", {0, 1}, 2, POSENC_OUT_OF_RANGE, "padding_idx"},
    {"rows=4&padding_idx=-1", {0, 1}, 2, POSENC_OUT_OF_RANGE, "padding_idx"},
    {"rows=0", {0, 1}, 2, POSENC_OUT_OF_RANGE, "rows"},
    {"", {0, 1}, 2, POSENC_MISSING_PARAMETER, "rows"},
    {"rows=9007199254740991", {0, 1}, 2, POSENC_OK, ""},
};

Test(learned_gradient, refuses_what_has_no_row)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        struct asked asked;

        memset(&asked.problem, 0, sizeof(asked.problem));
        cr_expect_eq(ask_gradient(&asked, refusals[i].query, two_rows, (size_t[]){2, 2},
                                  refusals[i].indices, refusals[i].count),
                     refusals[i].status, "row %zu: %s", i, asked.problem.detail);
        cr_expect_str_eq(asked.problem.parameter, refusals[i].parameter, "row %zu", i);
        asked_release(&asked);
    }
}

Test(learned_gradient, refuses_tensors_of_other_ranks)
{
    const struct posenc_member flat[] = {{"gradient", posenc_numbers(two_rows, 2)},
                                         {"indices", posenc_numbers(two_rows, 2)}};
    const struct posenc_member square[] = {
        {"gradient", support_array(two_rows, 2, (size_t[]){2, 2})},
        {"indices", support_array(two_rows, 2, (size_t[]){2, 1})}};
    struct asked asked;

    cr_expect_eq(ask_with(&asked, OPERATION, "rows=9", flat, 2), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "gradient");
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, OPERATION, "rows=9", square, 2), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "indices");
    asked_release(&asked);
}

Test(learned_gradient, ends_well_without_memory)
{
    const struct posenc_member members[] = {
        {"gradient", support_array(two_rows, 2, (size_t[]){2, 2})},
        {"indices", posenc_numbers(two_rows, 2)}};

    cr_expect_gt(assert_memory_ends_well(OPERATION, "rows=9", members, 2), 0);
}
