/* Which position stands in which row. */
#include "positions.h"

#include <criterion/criterion.h>
#include <string.h>

#include "exact.h"
#include "support.h"

/* Binds the position rows and reads them. */
static enum posenc_status read(struct asked *asked, const char *query, const size_t *expected,
                               struct posenc__positions *positions)
{
    static const struct posenc_parameter *const groups[] = {posenc__position_rows, NULL};
    const struct posenc_schema schema = {.groups = groups};

    asked_init(asked);
    const struct posenc_value input = support_object(&asked->memory, query, NULL, 0);

    cr_assert_eq(posenc_bind(&schema, &input, &asked->memory, &asked->arguments, &asked->problem),
                 POSENC_OK, "%s", query);
    return posenc__read_positions(&asked->arguments, expected, "x", positions, &asked->problem);
}

Test(positions, walk_from_the_offset_by_the_step)
{
    struct posenc__positions positions;
    struct asked asked;

    cr_assert_eq(read(&asked, "length=5&offset=-1.5&step=0.25", NULL, &positions), POSENC_OK);
    cr_expect_eq(positions.count, 5);
    for (size_t row = 0; row < 5; row++)
        cr_expect_eq(posenc__position_at(&positions, row).hi, -1.5 + 0.25 * (double)row);
    asked_release(&asked);
}

Test(positions, are_listed_in_any_order)
{
    struct posenc__positions positions;
    struct asked asked;

    cr_assert_eq(read(&asked, "positions=7,-3,0.5,7", NULL, &positions), POSENC_OK);
    cr_expect_eq(positions.count, 4);
    cr_expect_eq(posenc__position_at(&positions, 1).hi, -3);
    cr_expect_eq(posenc__position_at(&positions, 2).hi, 0.5);
    cr_expect_eq(posenc__position_at(&positions, 3).lo, 0);
    cr_expect_not(posenc__present(&asked.arguments, "offset"));
    cr_expect_eq(posenc_find_argument(&asked.arguments, "step")->origin, POSENC_ABSENT);
    asked_release(&asked);
}

Test(positions, are_exact_where_no_double_is)
{
    uint64_t seed = 4;
    mpfr_t exact, got;

    mpfr_inits2(EXACT_BITS, exact, got, (mpfr_ptr)NULL);
    for (int i = 0; i < 2000; i++) {
        const struct posenc__positions positions = {.count = 1,
                                                    .offset = exact_between(&seed, -1e6, 1e6),
                                                    .step = exact_between(&seed, -3, 3)};
        const size_t row = exact_bits(&seed) % 100000000;

        mpfr_set_d(exact, positions.step, MPFR_RNDN);
        mpfr_mul_ui(exact, exact, row, MPFR_RNDN);
        mpfr_add_d(exact, exact, positions.offset, MPFR_RNDN);
        exact_set(got, posenc__position_at(&positions, row));
        mpfr_sub(got, got, exact, MPFR_RNDN);
        cr_assert_leq(fabs(mpfr_get_d(got, MPFR_RNDN)), 1e9 * 0x1p-102); /* dd.h's bound */
    }
    mpfr_clears(exact, got, (mpfr_ptr)NULL);
}

struct plain_case {
    const char *query;
    bool is_plain;
};

Test(positions, plain_ones_count_from_zero)
{
    static const struct plain_case cases[] = {
        {"length=4", true},           {"length=0", true},          {"length=4&offset=1", false},
        {"length=4&step=2", false},   {"positions=0,1,2", true},   {"positions=0,2,1", false},
        {"positions=0,1,2.5", false}, {"length=4&step=-1", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct posenc__positions positions;
        struct asked asked;

        cr_assert_eq(read(&asked, cases[i].query, NULL, &positions), POSENC_OK);
        cr_expect_eq(posenc__positions_are_plain(&positions), cases[i].is_plain, "%s",
                     cases[i].query);
        asked_release(&asked);
    }
}

struct refusal {
    const char *query;
    enum posenc_status status;
    const char *parameter;
};

static const struct refusal refusals[] = {
    {"", POSENC_MISSING_PARAMETER, "length"},
    {"offset=3", POSENC_MISSING_PARAMETER, "length"},
    {"positions=1&length=1", POSENC_CONFLICT, "positions"},
    {"positions=1&offset=0", POSENC_CONFLICT, "positions"},
    {"positions=1&step=1", POSENC_CONFLICT, "positions"},
    {"length=2&offset=9007199254740992", POSENC_OUT_OF_RANGE, "length"}, /* 2^53 + 1 */
    {"length=2&offset=-9007199254740992&step=-1", POSENC_OUT_OF_RANGE, "length"},
    {"length=3&step=9007199254740992", POSENC_OUT_OF_RANGE, "length"},
    {"length=9007199254740991&step=9007199254740992", POSENC_OUT_OF_RANGE, "length"},
};

Test(positions, refuses_what_contradicts_or_lies_beyond_2_to_the_53)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        const struct refusal *row = &refusals[i];
        struct posenc__positions positions;
        struct asked asked;

        cr_expect_eq(read(&asked, row->query, NULL, &positions), row->status, "%s", row->query);
        cr_expect_str_eq(asked.problem.parameter, row->parameter, "%s", row->query);
        asked_release(&asked);
    }
}

Test(positions, reaches_2_to_the_53_itself)
{
    static const char *const queries[] = {
        "length=1&offset=9007199254740992",
        "length=2&offset=9007199254740991",
        "length=2&step=9007199254740992",
        "length=2&step=-9007199254740992",
        "length=3&offset=-9007199254740992&step=9007199254740992",
        "length=0&offset=9007199254740992",
    };

    for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
        struct posenc__positions positions;
        struct asked asked;

        cr_expect_eq(read(&asked, queries[i], NULL, &positions), POSENC_OK, "%s", queries[i]);
        asked_release(&asked);
    }
}

Test(positions, a_tensor_tells_how_many_and_must_agree)
{
    const size_t expected = 3;
    struct posenc__positions positions;
    struct asked asked;

    cr_assert_eq(read(&asked, "offset=5", &expected, &positions), POSENC_OK);
    cr_expect_eq(positions.count, 3);
    cr_expect_eq(posenc__size(&asked.arguments, "length"), 3);
    asked_release(&asked);
    cr_assert_eq(read(&asked, "length=3", &expected, &positions), POSENC_OK);
    asked_release(&asked);
    cr_assert_eq(read(&asked, "length=4", &expected, &positions), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "length");
    asked_release(&asked);
    cr_assert_eq(read(&asked, "positions=1,2", &expected, &positions), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "positions");
    cr_expect_not_null(strstr(asked.problem.detail, "'x'"));
    asked_release(&asked);
}

Test(positions, lists_per_axis_need_an_encoding_with_axes)
{
    const double numbers[] = {0, 1, 2, 3};
    const struct posenc_member member = {"positions",
                                         support_array(numbers, 2, (const size_t[]){2, 2})};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "sinusoidal/table", "dim=2", &member, 1), POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "positions");
    asked_release(&asked);
}
