/* Resized tables against exact values, and what must hold of every resize. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "exact.h"
#include "support.h"

/* 2^-51 of the magnitudes in play: weights above 1 times values up to 12. */
#define SIXTEENTHS (0x1p-51 * 16)

static const double column[] = {0, 1, 2, 3, 4, 6, 8, 11, 5, 3, 2, 1, 9, 9, 7, 0}; /* [16, 1] */
static const double pairs[] = {0, 10, 1, 12, 4, 9, 9, 7};                         /* [4, 2] */

static struct posenc_value grid_of(const double grid[2])
{
    return posenc_numbers(grid, 2);
}

static enum posenc_status ask_resize(struct asked *asked, const char *query, const double *table,
                                     const size_t shape[2], const struct posenc_member *members,
                                     size_t count)
{
    const struct posenc_member all[] = {{"table", support_array(table, 2, shape)},
                                        {"resize", posenc_object(members, count)}};

    return ask_with(asked, "learned/table", query, all, 2);
}

static void expect_values(struct asked *asked, const double *expected, size_t count, double error)
{
    const double *values = asked_values(asked, "encoding");

    cr_assert_eq(asked->result.tensors[0].count, count);
    for (size_t i = 0; i < count; i++)
        cr_expect_float_eq(values[i], expected[i], error, "element %zu: %.17g", i, values[i]);
}

Test(learned_resize, along_one_axis_draws_straight_lines)
{
    static const double halves[] = {0,    10,        5.0 / 14, 75.0 / 7,   13.0 / 14, 83.0 / 7, 2.5,
                                    10.5, 61.0 / 14, 62.0 / 7, 101.0 / 14, 54.0 / 7,  9,        7};
    static const double aligned[] = {0, 10, 0.5, 11, 1, 12, 2.5, 10.5, 4, 9, 6.5, 8, 9, 7};
    const struct posenc_member members[] = {{"length", posenc_number(7)},
                                            {"mode", posenc_text("linear")},
                                            {"align_corners", posenc_boolean(true)}};
    uint64_t seed = 1;
    struct asked asked;

    cr_assert_eq(ask_resize(&asked, "dtype=float64", pairs, (size_t[]){4, 2}, members, 2),
                 POSENC_OK, "%s", asked.problem.detail);
    expect_values(&asked, halves, 14, SIXTEENTHS);
    assert_runs_agree(&asked, &seed);
    asked_release(&asked);
    cr_assert_eq(ask_resize(&asked, "dtype=float64", pairs, (size_t[]){4, 2}, members, 3),
                 POSENC_OK);
    expect_values(&asked, aligned, 14, SIXTEENTHS);
    asked_release(&asked);
}

/* 60-digit values of a 4 by 4 grid to 3 by 5, antialias. */
Test(learned_resize, of_a_grid_weights_both_axes)
{
    static const double expected[] = {0.867485917972188, 1.8919826384228606, 3.101258581235698,
                                      4.410788980079443, 5.623756820982221,  4.501523126657825,
                                      4.434034103888433, 4.667699353448276,  5.435540878978833,
                                      6.372264588859417, 8.099938391128322,  7.685615913374027,
                                      6.697225400457666, 3.67125589691314,   -0.5735675937334976};
    const double grid[] = {4, 4}, to[] = {3, 5};
    const struct posenc_member members[] = {{"grid", grid_of(grid)},
                                            {"to", grid_of(to)},
                                            {"mode", posenc_text("bicubic")},
                                            {"antialias", posenc_boolean(true)}};
    uint64_t seed = 2;
    struct asked asked;

    cr_assert_eq(ask_resize(&asked, "dtype=float64", column, (size_t[]){16, 1}, members, 4),
                 POSENC_OK, "%s", asked.problem.detail);
    expect_values(&asked, expected, 15, SIXTEENTHS);
    assert_runs_agree(&asked, &seed);
    asked_release(&asked);
    cr_assert_eq(ask_resize(&asked, "", column, (size_t[]){16, 1}, members, 4), POSENC_OK);
    for (size_t i = 0; i < 15; i++)
        cr_expect_eq(asked_values(&asked, "encoding")[i], (double)(float)expected[i]);
    asked_release(&asked);
}

struct preset_row {
    const char *preset;
    size_t index;
    double expected; /* element of the 6 by 6 grid after one row in front */
};

/* 60-digit values of the same 4 by 4 grid to 6 by 6. */
static const struct preset_row preset_rows[] = {
    {"vit", 0, -0.42649257330246915},
    {"vit", 4, 1.9779730902777777},
    {"deit", 0, -0.42649257330246915},
    {"vit_jax", 1, 0.6},
    {"vit_jax", 34, 4.2},
    {"dinov2", 0, -0.43457001191855915},
    {"dinov2", 3, 1.2471080038439104},
};

/* The grid after a class token, which is copied. */
Test(learned_resize, presets_say_how_each_model_does_it)
{
    const double grid[] = {4, 4}, to[] = {6, 6};
    const struct posenc_member members[] = {{"grid", grid_of(grid)}, {"to", grid_of(to)}};
    double table[17] = {100};

    memcpy(table + 1, column, sizeof(column));
    for (size_t i = 0; i < sizeof(preset_rows) / sizeof(*preset_rows); i++) {
        char query[64] = "dtype=float64&preset=";
        struct asked asked;

        strcat(query, preset_rows[i].preset);
        cr_assert_eq(ask_resize(&asked, query, table, (size_t[]){17, 1}, members, 2), POSENC_OK,
                     "%s", asked.problem.detail);
        cr_assert_eq(asked.result.tensors[0].shape[0], 37);
        cr_expect_eq(asked_values(&asked, "encoding")[0], 100.0);
        cr_expect_float_eq(asked_values(&asked, "encoding")[1 + preset_rows[i].index],
                           preset_rows[i].expected, SIXTEENTHS, "%s", query);
        asked_release(&asked);
    }
}

Test(learned_resize, a_preset_with_registers_is_bicubic_with_antialias)
{
    const double grid[] = {4, 4}, to[] = {6, 6};
    const struct posenc_member preset[] = {
        {"grid", grid_of(grid)}, {"to", grid_of(to)}, {"prefix_tokens", posenc_number(0)}};
    const struct posenc_member members[] = {{"grid", grid_of(grid)},
                                            {"to", grid_of(to)},
                                            {"mode", posenc_text("bicubic")},
                                            {"antialias", posenc_boolean(true)}};
    struct asked one, other;

    cr_assert_eq(ask_resize(&one, "preset=dinov2_reg", column, (size_t[]){16, 1}, preset, 3),
                 POSENC_OK);
    cr_assert_eq(ask_resize(&other, "", column, (size_t[]){16, 1}, members, 4), POSENC_OK);
    cr_expect_arr_eq(asked_values(&one, "encoding"), asked_values(&other, "encoding"),
                     36 * sizeof(double));
    asked_release(&one);
    asked_release(&other);
}

Test(learned_resize, a_preset_alone_leaves_the_table_as_it_is)
{
    const struct posenc_member members[] = {{"table", support_array(pairs, 2, (size_t[]){4, 2})}};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "learned/table", "preset=dinov2", members, 1), POSENC_OK);
    cr_expect_arr_eq(asked_values(&asked, "encoding"), pairs, sizeof(pairs));
    asked_release(&asked);
}

/* Also where the table holds values that a weight of 0 would turn into NaN. */
Test(learned_resize, to_the_same_size_is_the_identity_unless_an_offset_moves_it)
{
    static const double table[] = {1, -2.5, INFINITY, 3, 0.1, 7, -INFINITY, 1e300, 5};
    const double grid[] = {3, 3};
    struct posenc_member members[] = {{"grid", grid_of(grid)},
                                      {"to", grid_of(grid)},
                                      {"mode", posenc_text("bicubic")},
                                      {"antialias", posenc_boolean(false)},
                                      {"align_corners", posenc_boolean(false)},
                                      {"interpolate_offset", posenc_number(0)}};
    struct asked asked;

    for (int kind = 0; kind < 3; kind++) {
        members[3].value = posenc_boolean(kind == 1);
        members[4].value = posenc_boolean(kind == 2);
        cr_assert_eq(ask_resize(&asked, "dtype=float64", table, (size_t[]){9, 1}, members, 6),
                     POSENC_OK);
        cr_expect_arr_eq(asked_values(&asked, "encoding"), table, sizeof(table), "kind %d", kind);
        asked_release(&asked);
    }
    members[4].value = posenc_boolean(false);
    members[5].value = posenc_number(0.1);
    cr_assert_eq(ask_resize(&asked, "dtype=float64", column, (size_t[]){9, 1}, members, 6),
                 POSENC_OK);
    cr_expect_neq(asked_values(&asked, "encoding")[4], column[4]);
    asked_release(&asked);
}

enum { WIDE = 600 };

/* Rows wider than a block, and a constant table, which every rule keeps. */
Test(learned_resize, keeps_a_constant_in_rows_of_any_width)
{
    static double table[25 * WIDE];
    const double grid[] = {6, 4}, to[] = {3, 7};
    const struct posenc_member members[] = {{"grid", grid_of(grid)},
                                            {"to", grid_of(to)},
                                            {"mode", posenc_text("bicubic")},
                                            {"antialias", posenc_boolean(true)},
                                            {"prefix_tokens", posenc_number(1)}};
    uint64_t seed = 3;
    struct asked asked;

    for (size_t i = 0; i < 25 * WIDE; i++)
        table[i] = 0.7;
    cr_assert_eq(ask_resize(&asked, "dtype=float64", table, (size_t[]){25, WIDE}, members, 5),
                 POSENC_OK);
    const double *values = asked_values(&asked, "encoding");

    for (size_t i = 0; i < 22 * WIDE; i++)
        cr_assert_float_eq(values[i], 0.7, 0x1p-51);
    asked_release(&asked);
    for (size_t i = 0; i < 25 * WIDE; i++)
        table[i] = exact_between(&seed, -1, 1);
    cr_assert_eq(ask_resize(&asked, "", table, (size_t[]){25, WIDE}, members, 5), POSENC_OK);
    assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

Test(learned_resize, positions_and_padding_count_the_new_rows)
{
    const struct posenc_member members[] = {{"length", posenc_number(7)},
                                            {"mode", posenc_text("linear")},
                                            {"align_corners", posenc_boolean(true)}};
    static const double expected[] = {9, 7, 0, 0, 0.5, 11};
    struct asked asked;

    cr_assert_eq(ask_resize(&asked, "dtype=float64&positions=6,5,1&padding_idx=5", pairs,
                            (size_t[]){4, 2}, members, 3),
                 POSENC_OK);
    expect_values(&asked, expected, 6, SIXTEENTHS);
    asked_release(&asked);
    cr_expect_eq(ask_resize(&asked, "length=8", pairs, (size_t[]){4, 2}, members, 3),
                 POSENC_OUT_OF_RANGE);
    cr_expect_not_null(strstr(asked.problem.detail, "last row of the table is 6"));
    asked_release(&asked);
}

Test(learned_resize, takes_a_generated_table)
{
    const double grid[] = {3, 4}, to[] = {4, 4};
    const struct posenc_member resize[] = {
        {"grid", grid_of(grid)}, {"to", grid_of(to)}, {"mode", posenc_text("linear")}};
    const struct posenc_member members[] = {{"resize", posenc_object(resize, 3)}};
    struct asked small, large;

    cr_assert_eq(ask(&small, "learned/table", "rows=12&dim=2&init=normal&dtype=float64"),
                 POSENC_OK);
    cr_assert_eq(
        ask_with(&large, "learned/table", "rows=12&dim=2&init=normal&dtype=float64", members, 1),
        POSENC_OK);
    cr_assert_eq(large.result.tensors[0].shape[0], 16);
    cr_expect_arr_eq(asked_values(&large, "encoding"), asked_values(&small, "encoding"),
                     8 * sizeof(double)); /* the first grid row is clamped to itself */
    asked_release(&small);
    asked_release(&large);
}

struct refusal {
    struct posenc_member members[5];
    size_t count;
    enum posenc_status status;
    const char *parameter;
};

#define LINEAR                                                                                     \
    {                                                                                              \
        "mode",                                                                                    \
        {                                                                                          \
            .kind = POSENC_TEXT, .as.text = "linear"                                               \
        }                                                                                          \
    }
#define NUMBER(name, x)                                                                            \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            .kind = POSENC_NUMBER, .as.number = (x)                                                \
        }                                                                                          \
    }
#define TRUTH(name)                                                                                \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            .kind = POSENC_BOOLEAN, .as.boolean = true                                             \
        }                                                                                          \
    }
#define PAIR(name, list, length)                                                                   \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            .kind = POSENC_ARRAY, .as.array = {                                                    \
                .dtype = POSENC_FLOAT64,                                                           \
                .rank = 1,                                                                         \
                .shape = {length},                                                                 \
                .data = (list)                                                                     \
            }                                                                                      \
        }                                                                                          \
    }

static const double two_by_two[] = {2, 2}, two_by_three[] = {2, 3, 1}, zero[] = {0, 2},
                    million[] = {1048576, 1048577};

static const struct refusal refusals[] = {
    {{NUMBER("length", 6)}, 1, POSENC_MISSING_PARAMETER, "resize.mode"},
    {{LINEAR}, 1, POSENC_MISSING_PARAMETER, "resize.grid"},
    {{LINEAR, PAIR("grid", two_by_two, 2)}, 2, POSENC_MISSING_PARAMETER, "resize.to"},
    {{LINEAR, PAIR("to", two_by_two, 2)}, 2, POSENC_MISSING_PARAMETER, "resize.grid"},
    {{LINEAR, PAIR("grid", two_by_three, 3), PAIR("to", two_by_two, 2)},
     3,
     POSENC_WRONG_SHAPE,
     "resize.grid"},
    {{LINEAR, PAIR("grid", two_by_two, 2), PAIR("to", two_by_three, 3)},
     3,
     POSENC_WRONG_SHAPE,
     "resize.to"},
    {{LINEAR, PAIR("grid", two_by_three, 2), PAIR("to", two_by_two, 2)},
     3,
     POSENC_CONFLICT,
     "resize.grid"},
    {{LINEAR, PAIR("grid", zero, 2), PAIR("to", two_by_two, 2)},
     3,
     POSENC_OUT_OF_RANGE,
     "resize.grid.0"},
    {{LINEAR, PAIR("grid", two_by_two, 2), PAIR("to", million, 2)},
     3,
     POSENC_OUT_OF_RANGE,
     "resize.to.1"},
    {{LINEAR, PAIR("grid", two_by_two, 2), PAIR("to", two_by_two, 2), NUMBER("prefix_tokens", 1)},
     4,
     POSENC_CONFLICT,
     "resize.grid"},
    {{LINEAR, PAIR("grid", two_by_two, 2), NUMBER("length", 3)},
     3,
     POSENC_CONFLICT,
     "resize.length"},
    {{LINEAR, NUMBER("length", 0)}, 2, POSENC_OUT_OF_RANGE, "resize.length"},
    {{LINEAR, NUMBER("length", 1048577)}, 2, POSENC_OUT_OF_RANGE, "resize.length"},
    {{LINEAR, NUMBER("length", 3), NUMBER("prefix_tokens", 4)},
     3,
     POSENC_CONFLICT,
     "resize.prefix_tokens"},
    {{LINEAR, NUMBER("length", 3), NUMBER("interpolate_offset", 1)},
     3,
     POSENC_OUT_OF_RANGE,
     "resize.interpolate_offset"},
    {{LINEAR, NUMBER("length", 3), TRUTH("align_corners"), TRUTH("antialias")},
     4,
     POSENC_CONFLICT,
     "resize.antialias"},
    {{LINEAR, NUMBER("length", 3), TRUTH("align_corners"), NUMBER("interpolate_offset", 0.1)},
     4,
     POSENC_CONFLICT,
     "resize.interpolate_offset"},
    {{LINEAR, NUMBER("length", 3), TRUTH("align_corner")},
     3,
     POSENC_UNKNOWN_PARAMETER,
     "resize.align_corner"},
};

Test(learned_resize, refuses_grids_that_do_not_fit_the_table)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        struct asked asked;

        cr_expect_eq(
            ask_resize(&asked, "", pairs, (size_t[]){4, 2}, refusals[i].members, refusals[i].count),
            refusals[i].status, "row %zu: %s", i, asked.problem.detail);
        cr_expect_str_eq(asked.problem.parameter, refusals[i].parameter, "row %zu", i);
        asked_release(&asked);
    }
}

Test(learned_resize, suggests_the_member_that_was_meant)
{
    const struct posenc_member members[] = {LINEAR, NUMBER("length", 3), TRUTH("align_corner")};
    struct asked asked;

    cr_expect_eq(ask_resize(&asked, "", pairs, (size_t[]){4, 2}, members, 3),
                 POSENC_UNKNOWN_PARAMETER);
    cr_expect_str_eq(asked.problem.suggestion, "align_corners");
    asked_release(&asked);
}

/* One new cell of a 65 by 65 grid would average 4225 old ones. */
Test(learned_resize, refuses_to_average_too_many_cells)
{
    static double table[65 * 65];
    const double grids[2][2] = {{65, 65}, {64, 64}}, to[] = {1, 1};

    for (size_t i = 0; i < 2; i++) {
        const struct posenc_member members[] = {
            LINEAR, {"grid", grid_of(grids[i])}, {"to", grid_of(to)}, TRUTH("antialias")};
        const size_t rows = (size_t)(grids[i][0] * grids[i][1]);
        struct asked asked;

        cr_expect_eq(ask_resize(&asked, "", table, (size_t[]){rows, 1}, members, 4),
                     i == 0 ? POSENC_TOO_LARGE : POSENC_OK);
        cr_expect(i == 1 || strcmp(asked.problem.parameter, "resize") == 0);
        asked_release(&asked);
    }
}

Test(learned_resize, ends_well_without_memory)
{
    const struct posenc_member resize[] = {LINEAR, NUMBER("length", 9)};
    const struct posenc_member members[] = {{"table", support_array(pairs, 2, (size_t[]){4, 2})},
                                            {"resize", posenc_object(resize, 2)}};

    cr_expect_gt(assert_memory_ends_well("learned/table", "", members, 2), 0);
}
