/* Coordinates of a grid's cells along one axis, by hand and against MPFR. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "exact.h"
#include "sinusoidal_grid.h"
#include "support.h"

#define EXACT_ERROR (-104.0) /* log2, relative: some double-double operations */

/* A grid of 3 rows and 5 columns, of which this is the axis of columns, or that of rows. */
static struct posenc__grid_axis columns_of(const char *query, struct asked *asked)
{
    struct posenc__grid_axis axis = {.length = 5, .stride = 1};
    char all[200];

    (void)snprintf(all, sizeof(all), "grid=3,5&dim=8&axis_order=xy&%s", query);
    cr_assert_eq(ask(asked, "sinusoidal_grid/table", all), POSENC_OK, "%s", asked->problem.detail);
    cr_assert_eq(posenc__grid_axis_init(&axis, false, &asked->arguments, &asked->problem),
                 POSENC_OK);
    return axis;
}

static struct posenc__grid_axis rows_of(const char *query, struct asked *asked)
{
    struct posenc__grid_axis axis = columns_of(query, asked);

    axis.length = 3;
    axis.stride = 5;
    return axis;
}

Test(sinusoidal_grid_axis, a_cell_counts_by_its_place_on_the_axis)
{
    struct asked asked[2];
    const struct posenc__grid_axis x = columns_of("", &asked[0]),
                                   y = rows_of("coordinate_start=1", &asked[1]);

    for (size_t cell = 0; cell < 15; cell++) {
        cr_expect_eq(posenc__grid_coordinate(&x, cell).hi, (double)(cell % 5));
        cr_expect_eq(posenc__grid_coordinate(&y, cell).hi, (double)(cell / 5) + 1);
        cr_expect_eq(posenc__grid_coordinate(&x, cell).lo, 0);
    }
    asked_release(&asked[0]);
    asked_release(&asked[1]);
}

/* log2 of the relative error of y times a / (b c) d. */
static double plain_error(struct posenc__dd coordinate, double y, const double factors[4])
{
    mpfr_t exact;

    mpfr_init2(exact, EXACT_BITS);
    mpfr_set_d(exact, y, MPFR_RNDN);
    mpfr_mul_d(exact, exact, factors[0], MPFR_RNDN);
    mpfr_div_d(exact, exact, factors[1], MPFR_RNDN);
    mpfr_div_d(exact, exact, factors[2], MPFR_RNDN);
    mpfr_mul_d(exact, exact, factors[3], MPFR_RNDN);
    const double bits = exact_error_bits(coordinate, exact);

    mpfr_clear(exact);
    return bits;
}

struct scaled {
    const char *query;
    double start, factors[4]; /* base_size / (length interpolation_scale) coordinate_scale */
};

Test(sinusoidal_grid_axis, plain_coordinates_are_scaled_without_rounding_worth_mentioning)
{
    static const struct scaled rows[] = {
        {"interpolation_scale=1.7", 0, {1, 1, 1.7, 1}},
        {"base_size=16&interpolation_scale=1.7", 0, {16, 5, 1.7, 1}},
        {"base_size=16&coordinate_scale=0.3", 0, {16, 5, 1, 0.3}},
        {"coordinate_start=0.5&interpolation_scale=1.7&coordinate_scale=0.3",
         0.5,
         {1, 1, 1.7, 0.3}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;
        const struct posenc__grid_axis x = columns_of(rows[i].query, &asked);

        for (size_t cell = 1; cell < 5; cell++)
            cr_expect_leq(plain_error(posenc__grid_coordinate(&x, cell),
                                      (double)cell + rows[i].start, rows[i].factors),
                          EXACT_ERROR, "%s", rows[i].query);
        asked_release(&asked);
    }
}

/* Frames are not divided by length / base_size, and have a scale of their own. */
Test(sinusoidal_grid_axis, frames_have_their_own_scale)
{
    static const double factors[] = {1, 1, 0.7, 1};
    struct posenc__grid_axis frames = {.length = 4, .stride = 15};
    struct asked asked;

    cr_assert_eq(ask(&asked, "sinusoidal_grid/table",
                     "grid=4,3,5&dim=16&axis_order=xy&base_size=16&interpolation_scale=1.7&"
                     "temporal_interpolation_scale=0.7"),
                 POSENC_OK);
    cr_assert_eq(posenc__grid_axis_init(&frames, true, &asked.arguments, &asked.problem),
                 POSENC_OK);
    for (size_t cell = 15; cell < 60; cell++)
        cr_expect_leq(
            plain_error(posenc__grid_coordinate(&frames, cell), (double)(cell / 15), factors),
            EXACT_ERROR);
    asked_release(&asked);
}

Test(sinusoidal_grid_axis, normalised_coordinates_end_below_the_scale_or_two_pi)
{
    struct asked asked;
    const struct posenc__grid_axis x =
        columns_of("normalize=true&coordinate_start=1&epsilon=0.5&coordinate_scale=11", &asked);
    mpfr_t two_pi;

    /* 1 to 5 over 5.5, times 11. */
    for (size_t cell = 0; cell < 15; cell++)
        cr_expect_eq(posenc__grid_coordinate(&x, cell).hi, 2 * (double)(cell % 5 + 1));
    asked_release(&asked);
    const struct posenc__grid_axis turn =
        columns_of("normalize=true&coordinate_start=1&epsilon=1e-300", &asked);

    mpfr_init2(two_pi, EXACT_BITS);
    mpfr_const_pi(two_pi, MPFR_RNDN);
    mpfr_mul_ui(two_pi, two_pi, 2, MPFR_RNDN);
    cr_expect_leq(exact_error_bits(posenc__grid_coordinate(&turn, 4), two_pi), EXACT_ERROR);
    mpfr_clear(two_pi);
    asked_release(&asked);
}

/* Rows of the mask:  1 0 1 1 0,  0 0 0 0 0,  1 1 1 1 1. */
static const double holes[] = {1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1};

Test(sinusoidal_grid_axis, a_mask_counts_what_is_valid_along_its_axis)
{
    static const double along_x[] = {1, 1, 2, 3, 3, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5},
                        along_y[] = {1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 2, 1, 2, 2, 1};
    const struct posenc_array mask = {
        .dtype = POSENC_FLOAT64, .rank = 2, .shape = {3, 5}, .data = holes};
    struct asked asked[2];
    struct posenc__grid_axis x = columns_of("coordinate_start=1", &asked[0]),
                             y = rows_of("coordinate_start=1", &asked[1]);

    cr_assert(posenc__grid_axis_count(&x, &mask, 15, &asked[0].memory));
    cr_assert(posenc__grid_axis_count(&y, &mask, 15, &asked[1].memory));
    for (size_t cell = 0; cell < 15; cell++) {
        cr_expect_eq(posenc__grid_coordinate(&x, cell).hi, along_x[cell], "%zu", cell);
        cr_expect_eq(posenc__grid_coordinate(&y, cell).hi, along_y[cell], "%zu", cell);
    }
    asked_release(&asked[0]);
    asked_release(&asked[1]);
}

/* What limits the angles: no cell of any axis lies further out, and one lies there. */
Test(sinusoidal_grid_axis, no_coordinate_is_larger_than_the_largest)
{
    static const char *const queries[] = {
        "coordinate_start=0",
        "coordinate_start=-9",
        "coordinate_start=2.5&coordinate_scale=-3",
        "base_size=2&interpolation_scale=0.1",
        "normalize=true&coordinate_start=1&epsilon=0.25",
    };
    const struct posenc_array mask = {
        .dtype = POSENC_FLOAT64, .rank = 2, .shape = {3, 5}, .data = holes};

    for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++)
        for (int masked = 0; masked < 2; masked++) {
            struct asked asked;
            struct posenc__grid_axis x = columns_of(queries[i], &asked);
            double largest = 0;

            if (masked)
                cr_assert(posenc__grid_axis_count(&x, &mask, 15, &asked.memory));
            for (size_t cell = 0; cell < 15; cell++)
                if (!masked || !x.normalize || cell / 5 != 1) /* normalised, 0 / 0 counts nothing */
                    largest = fmax(largest, fabs(posenc__grid_coordinate(&x, cell).hi));
            cr_expect_leq(largest, posenc__grid_coordinate_max(&x), "%s", queries[i]);
            cr_expect_geq(largest, 0.7 * posenc__grid_coordinate_max(&x), "%s", queries[i]);
            asked_release(&asked);
        }
}

struct refused {
    const char *query, *parameter;
};

Test(sinusoidal_grid_axis, normalising_goes_with_no_other_scale_and_no_line_that_ends_below_zero)
{
    static const struct refused rows[] = {
        {"normalize=true&base_size=16", "normalize"},
        {"normalize=true&interpolation_scale=2", "normalize"},
        {"normalize=true&temporal_interpolation_scale=2", "normalize"},
        {"normalize=true&coordinate_start=-0.5", "coordinate_start"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;
        char all[200];

        (void)snprintf(all, sizeof(all), "grid=3,5&dim=8&axis_order=xy&%s", rows[i].query);
        cr_expect_eq(ask(&asked, "sinusoidal_grid/table", all), POSENC_CONFLICT, "%s",
                     rows[i].query);
        cr_expect_str_eq(asked.problem.parameter, rows[i].parameter, "%s", rows[i].query);
        asked_release(&asked);
    }
}
