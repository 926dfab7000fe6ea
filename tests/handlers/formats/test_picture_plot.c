#include "picture_plot.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "pictured.h"
#include "writing.h"

WRITING_SUITE(picture_plot);

static struct picture make(size_t count, const double *values)
{
    return pictured_make(pictured_tensor(1, &count, values), &memory);
}

static const struct picture_shape *curve(const struct picture *picture)
{
    return pictured_shape(picture, PICTURE_CURVE, 0);
}

/* The frame measures 1120 by 560 pixels inside; 24 of them on each side are kept free. */
Test(picture_plot, spreads_its_points_over_the_frame)
{
    static const double values[] = {-3, 1, 0, 5};
    const struct picture picture = make(4, values);
    const struct picture_point *const points = curve(&picture)->points;

    cr_assert_eq(curve(&picture)->point_count, 4);
    cr_expect_float_eq(points[3].x - points[0].x, 1120 - 2 * 24, 1e-9);
    cr_expect_float_eq(points[1].x - points[0].x, (1120 - 2 * 24) / 3.0, 1e-9);
    cr_expect_float_eq(points[0].y - points[3].y, 560 - 2 * 24, 1e-9, "y grows downwards");
    cr_expect_float_eq(points[0].y - points[1].y, (560 - 2 * 24) / 2.0, 1e-9);
}

Test(picture_plot, has_numbers_at_the_height_of_their_values)
{
    static const double values[] = {0, 10};
    const struct picture picture = make(2, values);
    const struct picture_point *const points = curve(&picture)->points;

    static const struct {
        const char *number;
        double part; /* of the way up */
    } ticks[] = {{"0", 0}, {"4", 0.4}, {"10", 1}};

    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        const struct picture_shape *const text = pictured_text(&picture, ticks[i].number);

        cr_assert(text, "%s", ticks[i].number);
        cr_expect_float_eq(text->y - 8, points[0].y + ticks[i].part * (points[1].y - points[0].y),
                           0.5);
    }
}

/* Zero belongs to the axis when the values are nearer to it than to one another. */
Test(picture_plot, begins_at_zero_where_that_is_near)
{
    static const struct {
        double values[2];
        bool has_zero;
    } rows[] = {{{1, 4}, true},    {{3, 4}, false}, {{-4, -1}, true},
                {{-4, -3}, false}, {{-1, 1}, true}, {{2, 4}, false}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct picture picture = make(2, rows[i].values);
        size_t zeros = 0;

        for (size_t j = 0; j < picture.shape_count; j++)
            zeros += picture.shapes[j].kind == PICTURE_TEXT &&
                     picture.shapes[j].anchor == PICTURE_END &&
                     strcmp(picture.shapes[j].text, "0") == 0;
        cr_expect_eq(zeros, rows[i].has_zero, "row %zu", i);
    }
}

Test(picture_plot, breaks_its_curve_at_what_is_not_finite)
{
    static const double numbers[] = {1, 2, NAN, 3, INFINITY, INFINITY, 2, 1, -1};
    const struct picture picture = make(9, numbers);

    cr_expect_eq(pictured_count(&picture, PICTURE_CURVE), 3);
    cr_expect_eq(pictured_shape(&picture, PICTURE_CURVE, 0)->point_count, 2);
    cr_expect_eq(pictured_shape(&picture, PICTURE_CURVE, 1)->point_count, 1);
    cr_expect_eq(pictured_shape(&picture, PICTURE_CURVE, 2)->point_count, 3);
    cr_expect_eq(pictured_count(&picture, PICTURE_DOT), 6);
    cr_expect_eq(strncmp(picture.description, "Not finite, and left out: 3. ", 29), 0);
}

Test(picture_plot, has_dots_where_elements_are_few)
{
    const struct picture few = make(48, NULL), many = make(49, NULL);

    cr_expect_eq(pictured_count(&few, PICTURE_DOT), 48);
    cr_expect_eq(pictured_count(&many, PICTURE_DOT), 0);
    cr_expect_eq(pictured_count(&many, PICTURE_CURVE), 1);
}

Test(picture_plot, has_a_logarithmic_axis_for_positive_values_over_decades)
{
    static const double numbers[] = {1, 0.1, 0.01, 0.001, 0};
    const struct picture decades = make(4, numbers), two = make(3, numbers),
                         with_zero = make(5, numbers);
    const struct picture_point *const points = curve(&decades)->points;

    cr_expect(pictured_text(&decades, "bias (logarithmic)"));
    cr_expect(pictured_text(&decades, "0.001"));
    cr_expect_float_eq(points[1].y - points[0].y, points[3].y - points[2].y, 1e-6,
                       "decades are equally long");
    cr_expect(pictured_text(&two, "bias"));
    cr_expect(pictured_text(&with_zero, "bias"), "zero has no logarithm");
}

/* Neither the range nor what lies in the middle of it may overflow. */
Test(picture_plot, shows_the_largest_doubles_of_both_signs)
{
    static const double numbers[] = {-1.7e308, 0, 1.7e308};
    const struct picture picture = make(3, numbers);
    const struct picture_point *const points = curve(&picture)->points;

    cr_expect_float_eq(points[0].y - points[2].y, 560 - 2 * 24, 1e-6);
    cr_expect_float_eq(points[1].y - points[2].y, (560 - 2 * 24) / 2.0, 1e-6);
}

Test(picture_plot, puts_a_lone_element_into_the_middle)
{
    const struct picture picture = make(1, NULL);
    const struct picture_shape *const dot = pictured_shape(&picture, PICTURE_DOT, 0);
    const struct picture_shape *const name = pictured_text(&picture, "index");

    cr_assert(name);
    cr_expect_eq(dot->x, name->x, "below which the axis's name stands");
}

Test(picture_plot, says_that_there_is_nothing_to_show)
{
    static const double numbers[] = {NAN, INFINITY};
    const struct picture none = make(0, NULL), odd = make(2, numbers);

    cr_expect(pictured_text(&none, "no elements"));
    cr_expect(pictured_text(&odd, "no finite element"));
    cr_expect_eq(pictured_count(&odd, PICTURE_CURVE), 0);
}
