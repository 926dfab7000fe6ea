/* Where a learned table comes from. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "learned.h"
#include "support.h"

static const double numbers[] = {1, 2, 3, 4, 5, 6};

static enum posenc_status ask_given(struct asked *asked, const char *query, size_t rank,
                                    const size_t *shape)
{
    const struct posenc_member members[] = {{"table", support_array(numbers, rank, shape)}};

    return ask_with(asked, "learned/table", query, members, 1);
}

Test(learned_source, a_given_table_takes_no_parameters_of_a_generated_one)
{
    static const char *const queries[] = {"init=normal", "mean=0",          "std=1",
                                          "low=0",       "high=1",          "seed=1",
                                          "skip=0",      "generator=torch", "draw_dtype=float32"};

    for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
        const size_t length = strcspn(queries[i], "=");
        struct asked asked;

        cr_expect_eq(ask_given(&asked, queries[i], 2, (size_t[]){3, 2}), POSENC_CONFLICT);
        cr_expect_eq(strlen(asked.problem.parameter), length);
        cr_expect_eq(strncmp(asked.problem.parameter, queries[i], length), 0, "%s", queries[i]);
        asked_release(&asked);
    }
}

Test(learned_source, a_given_table_is_a_matrix_with_rows)
{
    struct asked asked;

    cr_expect_eq(ask_given(&asked, "", 1, (size_t[]){6}), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "table");
    asked_release(&asked);
    cr_expect_eq(ask_given(&asked, "", 3, (size_t[]){1, 3, 2}), POSENC_WRONG_SHAPE);
    asked_release(&asked);
    cr_expect_eq(ask_given(&asked, "", 2, (size_t[]){0, 2}), POSENC_WRONG_SHAPE);
    asked_release(&asked);
    cr_expect_eq(ask_given(&asked, "", 2, (size_t[]){3, 0}), POSENC_OK);
    cr_expect_eq(asked.result.tensors[0].count, 0);
    asked_release(&asked);
}

/* A float16 table reaches the reply without another rounding. */
Test(learned_source, a_given_table_may_have_any_dtype)
{
    uint16_t halves[6];
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT16, .rank = 2, .shape = {3, 2}, .data = halves};
    const struct posenc_member members[] = {{"table", posenc_nested(&array)}};
    struct asked asked;

    posenc_round(POSENC_FLOAT16, (const double[]){0.1, 1, 2, 3, 4, 65504}, 6, halves);
    cr_assert_eq(ask_with(&asked, "learned/table", "dtype=float64", members, 1), POSENC_OK);
    cr_expect_eq(asked_values(&asked, "encoding")[0], 0.0999755859375);
    cr_expect_eq(asked_values(&asked, "encoding")[5], 65504.0);
    asked_release(&asked);
}

struct missing {
    const char *query, *parameter;
};

static const struct missing missings[] = {
    {"length=2&dim=4", "rows"}, {"", "rows"}, {"rows=2", "dim"}, {"rows=2&init=zeros", "dim"},
    {"rows=2&dim=4", "init"},
};

Test(learned_source, a_generated_table_needs_rows_dim_and_init)
{
    for (size_t i = 0; i < sizeof(missings) / sizeof(*missings); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "learned/table", missings[i].query), POSENC_MISSING_PARAMETER);
        cr_expect_str_eq(asked.problem.parameter, missings[i].parameter, "%s", missings[i].query);
        cr_expect_not_null(strstr(asked.problem.detail, "'table'"));
        asked_release(&asked);
    }
}

Test(learned_source, a_generated_table_has_a_limit_of_cells_but_zeros_have_none)
{
    char query[80];
    struct asked asked;

    (void)snprintf(query, sizeof(query), "rows=%zu&dim=64&init=normal&length=1",
                   POSENC__GENERATED_CELLS_MAX / 64 + 1);
    cr_expect_eq(ask(&asked, "learned/table", query), POSENC_TOO_LARGE);
    cr_expect_str_eq(asked.problem.parameter, "rows");
    asked_release(&asked);
    cr_expect_eq(ask(&asked, "learned/table", "rows=9007199254740991&dim=1048576&init=normal"),
                 POSENC_TOO_LARGE);
    asked_release(&asked);
    cr_expect_eq(ask(&asked, "learned/table", "rows=9007199254740991&dim=64&init=zeros&length=3"),
                 POSENC_OK);
    cr_expect_eq(asked_values(&asked, "encoding")[191], 0.0);
    asked_release(&asked);
}

Test(learned_source, apply_tells_a_generated_table_its_width)
{
    const struct posenc_member members[] = {{"x", support_array(numbers, 2, (size_t[]){3, 2})}};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "learned/apply", "rows=5&init=zeros", members, 1), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "dim"), 2.0);
    cr_expect_eq(echoed_number(&asked.result, "length"), 3.0);
    cr_expect_eq(asked_values(&asked, "x")[5], 6.0);
    asked_release(&asked);
}

Test(learned_source, a_file_that_nobody_has_read_is_refused)
{
    struct asked asked;

    cr_expect_eq(ask_with(&asked, "learned/table", "table_file=a.npy", NULL, 0),
                 POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.parameter, "table_file");
    asked_release(&asked);
}

Test(learned_source, a_name_of_a_tensor_needs_one_of_a_file)
{
    struct asked asked;

    cr_expect_eq(ask_given(&asked, "table_tensor=wpe", 2, (size_t[]){3, 2}),
                 POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "table_file");
    asked_release(&asked);
    cr_expect_eq(ask_given(&asked, "table_tensor=wpe&table_file=a.npy", 2, (size_t[]){3, 2}),
                 POSENC_OK);
    asked_release(&asked);
}

/* What came from a file is refused under the name that the request has. */
Test(learned_source, a_table_from_a_file_that_does_not_fit_names_the_file)
{
    struct asked asked;

    cr_expect_eq(ask_given(&asked, "table_file=a.npy", 1, (size_t[]){6}), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "table_file");
    asked_release(&asked);
    cr_expect_eq(ask_given(&asked, "table_file=a.npy&seed=1", 2, (size_t[]){3, 2}),
                 POSENC_CONFLICT);
    cr_expect_not_null(strstr(asked.problem.detail, "'table_file' gives one"));
    asked_release(&asked);
}
