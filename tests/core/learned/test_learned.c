/* Looking rows up: which one, where, and which are refused. */
#include <criterion/criterion.h>
#include <string.h>

#include "exact.h"
#include "support.h"

static const double table[] = {0, 10, 1, 12, 4, 9, 9, 7}; /* [4, 2] */

static enum posenc_status ask_table(struct asked *asked, const char *query)
{
    const struct posenc_member members[] = {{"table", support_array(table, 2, (size_t[]){4, 2})}};

    return ask_with(asked, "learned/table", query, members, 1);
}

struct row {
    const char *query;
    size_t count;
    double expected[8];
};

static const struct row rows[] = {
    {"", 4, {0, 10, 1, 12, 4, 9, 9, 7}},
    {"length=4", 4, {0, 10, 1, 12, 4, 9, 9, 7}},
    {"length=2&offset=1", 2, {1, 12, 4, 9}},
    {"offset=1", 3, {1, 12, 4, 9, 9, 7}},
    {"step=2", 2, {0, 10, 4, 9}},
    {"offset=1&step=3", 1, {1, 12}},
    {"offset=3&step=-1", 4, {9, 7, 4, 9, 1, 12, 0, 10}},
    {"offset=2&step=0&length=2", 2, {4, 9, 4, 9}},
    {"positions=3,0,0,2", 4, {9, 7, 0, 10, 0, 10, 4, 9}},
    {"position_offset=2", 2, {4, 9, 9, 7}},
    {"position_offset=2&length=1&offset=1", 1, {9, 7}},
    {"position_offset=1&positions=2,0", 2, {9, 7, 1, 12}},
    {"padding_idx=1", 4, {0, 10, 0, 0, 4, 9, 9, 7}},
    {"position_offset=2&padding_idx=3&positions=0,1", 2, {4, 9, 0, 0}},
    {"length=0", 0, {0}},
};

Test(learned, gives_the_rows_asked_for)
{
    uint64_t seed = 1;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_assert_eq(ask_table(&asked, rows[i].query), POSENC_OK, "%s: %s", rows[i].query,
                     asked.problem.detail);
        cr_assert_eq(asked.result.tensors[0].shape[0], rows[i].count, "%s", rows[i].query);
        cr_assert_eq(asked.result.tensors[0].shape[1], 2);
        cr_expect_arr_eq(asked_values(&asked, "encoding"), rows[i].expected,
                         rows[i].count * 2 * sizeof(double), "%s", rows[i].query);
        assert_runs_agree(&asked, &seed);
        asked_release(&asked);
    }
}

Test(learned, settles_sizes_in_the_echo)
{
    struct asked asked;

    cr_assert_eq(ask_table(&asked, "offset=1"), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "rows"), 4.0);
    cr_expect_eq(echoed_number(&asked.result, "dim"), 2.0);
    cr_expect_eq(echoed_number(&asked.result, "length"), 3.0);
    const struct posenc_value parameters =
        posenc_object(asked.result.parameters.items, asked.result.parameters.count);

    cr_expect_null(posenc_find_member(&parameters, "seed"));
    cr_expect_null(posenc_find_member(&parameters, "std"));
    asked_release(&asked);
}

struct refusal {
    const char *query;
    enum posenc_status status;
    const char *parameter;
    const char *word; /* of the sentence */
};

static const struct refusal refusals[] = {
    {"length=5", POSENC_OUT_OF_RANGE, "length", "last row of the table is 3"},
    {"length=2&offset=4", POSENC_OUT_OF_RANGE, "offset", "last row of the table is 3"},
    {"offset=4", POSENC_OUT_OF_RANGE, "offset", "last row of the table is 3"},
    {"length=3&position_offset=2", POSENC_OUT_OF_RANGE, "length", "last position is 1"},
    {"length=1&position_offset=4", POSENC_OUT_OF_RANGE, "position_offset", "no position"},
    {"position_offset=-1", POSENC_OUT_OF_RANGE, "position_offset", ""},
    {"positions=0,4", POSENC_OUT_OF_RANGE, "positions.1", "last row of the table is 3"},
    {"positions=-1", POSENC_OUT_OF_RANGE, "positions.0", "wrapped"},
    {"positions=0,1,0.5", POSENC_OUT_OF_RANGE, "positions.2", "whole"},
    {"positions=9007199254740992", POSENC_OUT_OF_RANGE, "positions.0", "last row"},
    {"offset=0.5", POSENC_OUT_OF_RANGE, "offset", "whole"},
    {"step=0.5&length=1", POSENC_OUT_OF_RANGE, "step", "whole"},
    {"offset=-1&length=2", POSENC_OUT_OF_RANGE, "offset", "wrapped"},
    {"offset=1&step=-1&length=3", POSENC_OUT_OF_RANGE, "length", "wrapped"},
    {"step=0", POSENC_MISSING_PARAMETER, "length", "step"},
    {"length=9007199254740991&step=9007199254740992", POSENC_OUT_OF_RANGE, "length", ""},
    {"positions=1&length=1", POSENC_CONFLICT, "positions", ""},
    {"padding_idx=4", POSENC_OUT_OF_RANGE, "padding_idx", "last row of the table is 3"},
    {"padding_idx=-1", POSENC_OUT_OF_RANGE, "padding_idx", ""},
    {"rows=3", POSENC_CONFLICT, "rows", ""},
    {"dim=3", POSENC_CONFLICT, "dim", ""},
    {"preset=bert", POSENC_OUT_OF_RANGE, "preset", ""},
    {"overflow=clamp", POSENC_UNKNOWN_PARAMETER, "overflow", ""},
};

Test(learned, refuses_positions_without_a_row)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        struct asked asked;

        cr_expect_eq(ask_table(&asked, refusals[i].query), refusals[i].status, "%s: %s",
                     refusals[i].query, asked.problem.detail);
        cr_expect_str_eq(asked.problem.parameter, refusals[i].parameter, "%s", refusals[i].query);
        cr_expect_not_null(strstr(asked.problem.detail, refusals[i].word), "%s",
                           asked.problem.detail);
        asked_release(&asked);
    }
}

static enum posenc_status ask_apply(struct asked *asked, const char *query, size_t rank,
                                    const size_t *shape)
{
    static const double x[] = {1, 1, 2, 2, 3, 3, 0.5, 0, 0, 0.5, 0, 0};
    const struct posenc_member members[] = {{"table", support_array(table, 2, (size_t[]){4, 2})},
                                            {"x", support_array(x, rank, shape)}};

    return ask_with(asked, "learned/apply", query, members, 2);
}

Test(learned, apply_adds_rows_along_the_sequence_axis)
{
    static const double expected[] = {1, 11, 3, 14, 7, 12, 0.5, 10, 1, 12.5, 4, 9};
    static const double turned[] = {1, 11, 2, 12, 3, 13, 1.5, 12, 1, 12.5, 1, 12};
    const size_t shape[] = {2, 3, 2};
    uint64_t seed = 3;
    struct asked asked;

    cr_assert_eq(ask_apply(&asked, "dtype=float64", 3, shape), POSENC_OK, "%s",
                 asked.problem.detail);
    cr_expect_arr_eq(asked_values(&asked, "x"), expected, sizeof(expected));
    assert_runs_agree(&asked, &seed);
    asked_release(&asked);
    cr_assert_eq(ask_apply(&asked, "dtype=float64&sequence_axis=-3", 3, shape), POSENC_OK);
    cr_expect_arr_eq(asked_values(&asked, "x"), turned, sizeof(turned));
    asked_release(&asked);
}

Test(learned, apply_reads_positions_in_place_of_the_first_rows)
{
    static const double expected[] = {10, 8, 2, 12, 12, 10, 9.5, 7, 0, 10.5, 9, 7};
    struct asked asked;

    cr_assert_eq(ask_apply(&asked, "dtype=float64&positions=3,0,3", 3, (size_t[]){2, 3, 2}),
                 POSENC_OK);
    cr_expect_arr_eq(asked_values(&asked, "x"), expected, sizeof(expected));
    asked_release(&asked);
}

Test(learned, apply_refuses_what_does_not_fit)
{
    struct asked asked;

    cr_expect_eq(ask_apply(&asked, "", 2, (size_t[]){4, 3}), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "x");
    asked_release(&asked);
    cr_expect_eq(ask_apply(&asked, "", 2, (size_t[]){6, 2}), POSENC_OUT_OF_RANGE);
    cr_expect_not_null(strstr(asked.problem.detail, "last row of the table is 3"));
    asked_release(&asked);
    cr_expect_eq(ask_apply(&asked, "dim=3", 2, (size_t[]){3, 2}), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "dim");
    asked_release(&asked);
}

Test(learned, ends_well_without_memory)
{
    const struct posenc_member members[] = {{"table", support_array(table, 2, (size_t[]){4, 2})}};

    cr_expect_gt(assert_memory_ends_well("learned/table", "padding_idx=1", members, 1), 0);
}
