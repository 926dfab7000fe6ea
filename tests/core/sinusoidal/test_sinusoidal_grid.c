/*
 * Sinusoidal grids: each axis's columns are the rows of a one-dimensional table, which test_angle.c
 * and the golden values hold to be exact. Grids here are never square.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "exact.h"
#include "support.h"

/* One axis's columns, from a table of the encoding `sinusoidal` at these positions. */
struct line {
    struct asked asked;
    const double *rows;
    size_t width;
};

static struct line *line_of(struct line *line, size_t width, const char *more,
                            const double *positions, size_t count)
{
    const struct posenc_member list = {"positions", posenc_numbers(positions, count)};
    char query[200];

    (void)snprintf(query, sizeof(query), "dim=%zu&dtype=float64&%s", width, more);
    cr_assert_eq(ask_with(&line->asked, "sinusoidal/table", query, &list, 1), POSENC_OK);
    line->rows = asked_values(&line->asked, "encoding");
    line->width = width;
    return line;
}

static const double integers[] = {0, 1, 2, 3, 4, 5, 6, 7};

static void assert_block(const double *row, const struct line *line, size_t index, const char *what)
{
    for (size_t i = 0; i < line->width; i++)
        cr_assert_eq(row[i], line->rows[index * line->width + i], "%s, column %zu", what, i);
}

struct flat_grid {
    const char *query; /* of a grid 3 x 5 */
    size_t dim;
    const char *line;
    bool row_first;
    size_t prefix;
};

Test(sinusoidal_grid, a_block_of_columns_is_the_coordinate_s_row_in_both_orders)
{
    static const struct flat_grid grids[] = {
        {"dim=12&axis_order=xy", 12, "layout=sin_cos", false, 0},
        {"dim=12&axis_order=yx", 12, "layout=sin_cos", true, 0},
        {"dim=12&preset=mae&prefix_tokens=4", 12, "layout=sin_cos", false, 4},
        {"dim=20&axis_order=yx&pair_layout=interleaved&base=523.7", 20, "base=523.7", true, 0},
        {"dim=12&axis_order=xy&spacing=half_minus_1", 12, "layout=sin_cos&spacing=half_minus_1",
         false, 0},
        {"dim=4&axis_order=yx&spacing=half_minus_1_guarded", 4,
         "layout=sin_cos&spacing=half_minus_1_guarded", true, 0},
        {"dim=14&preset=tensor2tensor", 14, "layout=sin_cos&spacing=half_minus_1", true, 0},
        {"dim=12&preset=diffusers_2d&base_size=null", 12, "layout=sin_cos", false, 0},
    };
    uint64_t seed = 51;

    for (size_t g = 0; g < sizeof(grids) / sizeof(*grids); g++) {
        const struct flat_grid *grid = &grids[g];
        const size_t width = grid->dim / 4 * 2;
        char query[200];
        struct asked asked;
        struct line line;

        (void)snprintf(query, sizeof(query), "grid=3,5&dtype=float64&%s", grid->query);
        cr_assert_eq(ask(&asked, "sinusoidal_grid/table", query), POSENC_OK, "%s",
                     asked.problem.detail);
        cr_assert_eq(asked.result.tensors[0].shape[0], grid->prefix + 15);
        const double *values = asked_values(&asked, "encoding");

        line_of(&line, width, grid->line, integers, 8);
        for (size_t i = 0; i < grid->prefix * grid->dim; i++)
            cr_assert_eq(values[i], 0);
        for (size_t cell = 0; cell < 15; cell++) {
            const double *row = values + (grid->prefix + cell) * grid->dim;
            const size_t y = cell / 5, x = cell % 5;

            assert_block(row, &line, grid->row_first ? y : x, grid->query);
            assert_block(row + width, &line, grid->row_first ? x : y, grid->query);
            for (size_t i = 2 * width; i < grid->dim; i++)
                cr_assert_eq(row[i], 0);
        }
        assert_runs_agree(&asked, &seed);
        asked_release(&asked);
        asked_release(&line.asked);
    }
}

struct deep_grid {
    const char *query; /* of a grid 2 x 3 x 4 */
    size_t dim, widths[3];
    size_t axes[3]; /* of the blocks: 0 frames, 1 rows, 2 columns */
};

Test(sinusoidal_grid, frames_are_outermost_and_have_the_first_columns)
{
    static const struct deep_grid grids[] = {
        {"dim=32&preset=diffusers_3d", 32, {8, 12, 12}, {0, 2, 1}},
        {"dim=32&axis_order=yx", 32, {8, 12, 12}, {0, 1, 2}},
        {"dim=18&axis_order=xy&split=equal", 18, {6, 6, 6}, {0, 2, 1}},
        {"dim=16&axis_order=yx&split=equal&leftover=zero_pad", 16, {4, 4, 4}, {0, 1, 2}},
    };

    for (size_t g = 0; g < sizeof(grids) / sizeof(*grids); g++) {
        const struct deep_grid *grid = &grids[g];
        char query[200];
        struct asked asked;

        (void)snprintf(query, sizeof(query), "grid=2,3,4&dtype=float64&%s", grid->query);
        cr_assert_eq(ask(&asked, "sinusoidal_grid/table", query), POSENC_OK, "%s",
                     asked.problem.detail);
        const double *row = asked_values(&asked, "encoding");

        for (size_t cell = 0; cell < 24; cell++, row += grid->dim) {
            const size_t coordinates[] = {cell / 12, cell / 4 % 3, cell % 4};
            size_t column = 0;

            for (size_t block = 0; block < 3; column += grid->widths[block++]) {
                struct line line;

                line_of(&line, grid->widths[block], "layout=sin_cos", integers, 8);
                assert_block(row + column, &line, coordinates[grid->axes[block]], grid->query);
                asked_release(&line.asked);
            }
            for (; column < grid->dim; column++)
                cr_assert_eq(row[column], 0);
        }
        asked_release(&asked);
    }
}

Test(sinusoidal_grid, scales_divide_coordinates_and_frames_have_their_own)
{
    static const double halves[] = {0, 0.5, 1, 1.5, 2}, thirds[] = {0, 2, 4},
                        columns[] = {0, 1.25, 2.5, 3.75}, fourths[] = {0.25, 0.5, 0.75, 1};
    struct asked asked;
    struct line x, y;

    /* base_size 10: columns 10 / 4 / 2 apart, rows 10 / 5 / 2 apart. */
    cr_assert_eq(ask(&asked, "sinusoidal_grid/table",
                     "grid=5,4&dim=8&preset=diffusers_2d&base_size=10&interpolation_scale=2&"
                     "dtype=float64"),
                 POSENC_OK);
    line_of(&x, 4, "layout=sin_cos", columns, 4);
    line_of(&y, 4, "layout=sin_cos", integers, 5);
    for (size_t cell = 0; cell < 20; cell++) {
        assert_block(asked_values(&asked, "encoding") + 8 * cell, &x, cell % 4, "x");
        assert_block(asked_values(&asked, "encoding") + 8 * cell + 4, &y, cell / 4, "y");
    }
    asked_release(&asked), asked_release(&x.asked), asked_release(&y.asked);

    cr_assert_eq(ask(&asked, "sinusoidal_grid/table",
                     "grid=3,5,1&dim=16&preset=diffusers_3d&interpolation_scale=2&"
                     "temporal_interpolation_scale=0.5&dtype=float64"),
                 POSENC_OK);
    line_of(&x, 4, "layout=sin_cos", thirds, 3);
    line_of(&y, 6, "layout=sin_cos", halves, 5);
    for (size_t cell = 0; cell < 15; cell++) {
        assert_block(asked_values(&asked, "encoding") + 16 * cell, &x, cell / 5, "frame");
        assert_block(asked_values(&asked, "encoding") + 16 * cell + 10, &y, cell % 5, "row");
    }
    asked_release(&asked), asked_release(&x.asked), asked_release(&y.asked);

    cr_assert_eq(ask(&asked, "sinusoidal_grid/table",
                     "grid=4,4&dim=8&axis_order=yx&coordinate_start=1&coordinate_scale=0.25&"
                     "dtype=float64"),
                 POSENC_OK);
    line_of(&y, 4, "layout=sin_cos", fourths, 4);
    for (size_t cell = 0; cell < 16; cell++)
        assert_block(asked_values(&asked, "encoding") + 8 * cell, &y, cell / 4, "scaled");
    asked_release(&asked), asked_release(&y.asked);
}

/* sin(y / (last + epsilon) 2 pi) */
static double exact_sine(double y, double last, double epsilon)
{
    mpfr_t angle, divisor;

    mpfr_inits2(EXACT_BITS, angle, divisor, NULL);
    mpfr_const_pi(angle, MPFR_RNDN);
    mpfr_mul_d(angle, angle, 2 * y, MPFR_RNDN);
    mpfr_set_d(divisor, epsilon, MPFR_RNDN);
    mpfr_add_d(divisor, divisor, last, MPFR_RNDN);
    mpfr_div(angle, angle, divisor, MPFR_RNDN);
    mpfr_sin(angle, angle, MPFR_RNDN);
    const double result = mpfr_get_d(angle, MPFR_RNDN);

    mpfr_clears(angle, divisor, NULL);
    return result;
}

#define ULPS 0x1.8p-53 /* relative: a sine is within 0.85 ulp, coordinates are exact */

Test(sinusoidal_grid, detr_divides_by_the_last_coordinate_of_each_line)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "sinusoidal_grid/table",
                     "grid=3,70&dim=4&preset=detr&base_size=null&interpolation_scale=1&"
                     "dtype=float64"),
                 POSENC_OK);
    const double *values = asked_values(&asked, "encoding");

    for (size_t cell = 0; cell < 210; cell++) {
        const double y = exact_sine((double)(cell / 70) + 1, 3, 1e-6);
        const double x = exact_sine((double)(cell % 70) + 1, 70, 1e-6);

        cr_assert_float_eq(values[4 * cell], y, ULPS * fabs(y), "%zu", cell);
        cr_assert_float_eq(values[4 * cell + 2], x, ULPS * fabs(x), "%zu", cell);
    }
    asked_release(&asked);
}

/* 3 x 4: a hole, a padded last column and a padded last row. */
static const double holes[] = {1, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0};

Test(sinusoidal_grid, a_mask_counts_the_cells_that_are_valid)
{
    static const double x_counts[] = {1, 1, 2, 2, 1, 2, 3, 3, 0, 0, 0, 0},
                        y_counts[] = {1, 0, 1, 0, 2, 1, 2, 0, 2, 1, 2, 0};
    const size_t shape[] = {3, 4};
    const struct posenc_member mask = {"mask", support_array(holes, 2, shape)};
    uint64_t seed = 52;
    struct asked asked;
    struct line line;

    cr_assert_eq(ask_with(&asked, "sinusoidal_grid/table",
                          "grid=3,4&dim=8&preset=detr&normalize=false&dtype=float64", &mask, 1),
                 POSENC_OK);
    line_of(&line, 4, "layout=interleaved", integers, 8);
    for (size_t cell = 0; cell < 12; cell++) {
        const double *row = asked_values(&asked, "encoding") + 8 * cell;

        assert_block(row, &line, (size_t)y_counts[cell], "y");
        assert_block(row + 4, &line, (size_t)x_counts[cell], "x");
    }
    assert_runs_agree(&asked, &seed);
    asked_release(&asked), asked_release(&line.asked);

    cr_assert_eq(ask_with(&asked, "sinusoidal_grid/table",
                          "grid=3,4&dim=4&preset=detr&dtype=float64", &mask, 1),
                 POSENC_OK);
    for (size_t cell = 0; cell < 12; cell++) {
        const double last = x_counts[cell / 4 * 4 + 3];
        const double x = exact_sine(x_counts[cell], last, 1e-6);

        cr_expect_float_eq(asked_values(&asked, "encoding")[4 * cell + 2], x, ULPS * fabs(x));
    }
    asked_release(&asked);
}

Test(sinusoidal_grid, columns_kept_beforehand_are_those_computed_when_filled)
{
    static const char *const queries[] = {
        "grid=2,3,4&dim=48&axis_order=xy&dtype=float64",
        "grid=2,3,4&dim=36&preset=detr&split=equal&dtype=float64",
    };
    double ones[24] = {0};
    const size_t shape[] = {2, 3, 4};
    const struct posenc_member mask = {"mask", support_array(ones, 3, shape)};

    for (size_t i = 0; i < 24; i++)
        ones[i] = 1;
    for (size_t q = 0; q < 2; q++) {
        struct asked kept, computed; /* a mask, though it hides nothing, forbids to keep columns */

        cr_assert_eq(ask(&kept, "sinusoidal_grid/table", queries[q]), POSENC_OK, "%s",
                     kept.problem.detail);
        cr_assert_eq(ask_with(&computed, "sinusoidal_grid/table", queries[q], &mask, 1), POSENC_OK);
        cr_expect_eq(memcmp(asked_values(&kept, "encoding"), asked_values(&computed, "encoding"),
                            kept.result.tensors[0].count * sizeof(double)),
                     0, "%s", queries[q]);
        asked_release(&kept);
        asked_release(&computed);
    }
}

Test(sinusoidal_grid, a_grid_beyond_memory_is_planned_and_its_last_cell_is_right)
{
    static const double last[] = {999999};
    struct asked asked;
    struct line line;
    double row[8];

    cr_assert_eq(ask(&asked, "sinusoidal_grid/table",
                     "grid=1000000,1000000&dim=8&axis_order=xy&dtype=float64"),
                 POSENC_OK);
    posenc_fill(&asked.result.tensors[0], 8 * 999999999999ull, 8, row);
    line_of(&line, 4, "layout=sin_cos", last, 1);
    assert_block(row, &line, 0, "x");
    assert_block(row + 4, &line, 0, "y");
    asked_release(&asked), asked_release(&line.asked);
}

Test(sinusoidal_grid, apply_adds_the_rows_behind_those_of_the_prefix)
{
    double x[2 * 7 * 8] = {0};
    const size_t shape[] = {2, 7, 8};
    const struct posenc_member member = {"x", support_array(x, 3, shape)};
    struct asked table, applied;

    for (size_t i = 0; i < 112; i++)
        x[i] = (double)(i % 13) / 4;
    cr_assert_eq(ask(&table, "sinusoidal_grid/table",
                     "grid=2,3&dim=8&preset=mae&prefix_tokens=1&dtype=float64"),
                 POSENC_OK);
    cr_assert_eq(ask_with(&applied, "sinusoidal_grid/apply",
                          "grid=2,3&preset=mae&prefix_tokens=1&dtype=float64", &member, 1),
                 POSENC_OK);
    cr_expect_eq(echoed_number(&applied.result, "dim"), 8);
    for (size_t i = 0; i < 112; i++)
        cr_assert_eq(asked_values(&applied, "x")[i],
                     x[i] + asked_values(&table, "encoding")[i % 56]);
    asked_release(&table);
    asked_release(&applied);
    cr_expect_eq(ask_with(&applied, "sinusoidal_grid/apply", "grid=2,3&preset=mae", &member, 1),
                 POSENC_CONFLICT);
    cr_expect_str_eq(applied.problem.parameter, "grid");
    asked_release(&applied);
}

struct refused {
    const char *query, *parameter;
    enum posenc_status status;
};

Test(sinusoidal_grid, refuses_grids_without_a_rule_and_what_contradicts)
{
    static const struct refused rows[] = {
        {"dim=8&axis_order=xy", "grid", POSENC_MISSING_PARAMETER},
        {"grid=2,3&axis_order=xy", "dim", POSENC_MISSING_PARAMETER},
        {"grid=2,3&dim=8", "axis_order", POSENC_MISSING_PARAMETER},
        {"grid=3&dim=8&axis_order=xy", "grid", POSENC_WRONG_SHAPE},
        {"grid=2,2,2,2&dim=8&axis_order=xy", "grid", POSENC_WRONG_SHAPE},
        {"grid=0,3&dim=8&axis_order=xy", "grid.0", POSENC_OUT_OF_RANGE},
        {"grid=9007199254740991,9007199254740991&dim=8&axis_order=xy", "grid", POSENC_TOO_LARGE},
        {"grid=2,3&dim=6&axis_order=xy", "dim", POSENC_OUT_OF_RANGE},
        {"grid=2,3&dim=3&preset=tensor2tensor", "dim", POSENC_OUT_OF_RANGE},
        {"grid=2,3&dim=4&preset=tensor2tensor", "dim", POSENC_OUT_OF_RANGE},
        {"grid=2,3,4&dim=24&axis_order=xy", "dim", POSENC_OUT_OF_RANGE},
        {"grid=2,3&dim=16&preset=diffusers_3d", "split", POSENC_CONFLICT},
        {"grid=2,3&dim=8&axis_order=xy&base=1e-300&coordinate_start=1e9", "base",
         POSENC_OUT_OF_RANGE},
        {"grid=2,3&dim=8&preset=detr&base_size=16", "normalize", POSENC_CONFLICT},
        {"grid=2,3&dim=8&preset=detr&coordinate_start=-1", "coordinate_start", POSENC_CONFLICT},
        {"grid=2,3&dim=8&preset=detr&epsilon=0", "epsilon", POSENC_OUT_OF_RANGE},
        {"grid=2,3&dim=8&axis_order=xy&prefix_tokens=-1", "prefix_tokens", POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "sinusoidal_grid/table", rows[i].query), rows[i].status, "%s",
                     rows[i].query);
        cr_expect_str_eq(asked.problem.parameter, rows[i].parameter, "%s", rows[i].query);
        asked_release(&asked);
    }
}

Test(sinusoidal_grid, refuses_masks_of_another_shape_and_other_numbers)
{
    static const double numbers[] = {1, 1, 1, 1, 0.5, 1};
    const size_t turned[] = {3, 2}, flat[] = {6}, shape[] = {2, 3};
    const struct posenc_value masks[] = {support_array(numbers, 2, turned),
                                         support_array(numbers, 1, flat),
                                         support_array(numbers, 2, shape)};
    const enum posenc_status statuses[] = {POSENC_WRONG_SHAPE, POSENC_WRONG_SHAPE,
                                           POSENC_OUT_OF_RANGE};
    struct asked asked;

    for (size_t i = 0; i < 3; i++) {
        const struct posenc_member mask = {"mask", masks[i]};

        cr_expect_eq(
            ask_with(&asked, "sinusoidal_grid/table", "grid=2,3&dim=8&preset=detr", &mask, 1),
            statuses[i]);
        cr_expect_str_eq(asked.problem.parameter, "mask");
        asked_release(&asked);
    }
    const struct posenc_member mask = {"mask", masks[2]};

    cr_expect_eq(ask_with(&asked, "sinusoidal_grid/table",
                          "grid=2,3&dim=8&preset=detr&coordinate_start=0.5", &mask, 1),
                 POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "coordinate_start");
    asked_release(&asked);
}

Test(sinusoidal_grid, ends_well_without_memory)
{
    const size_t shape[] = {3, 4};
    const struct posenc_member mask = {"mask", support_array(holes, 2, shape)};

    cr_expect_gt(
        assert_memory_ends_well("sinusoidal_grid/table", "grid=3,4&dim=8&preset=detr", &mask, 1),
        0);
    cr_expect_gt(
        assert_memory_ends_well("sinusoidal_grid/table", "grid=3,4&dim=8&preset=mae", NULL, 0), 0);
}
