#include "picture_heatmap.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "pictured.h"
#include "writing.h"

WRITING_SUITE(picture_heatmap);

static struct picture make(size_t rank, const size_t *shape, const double *values)
{
    return pictured_make(pictured_tensor(rank, shape, values), &memory);
}

/* Numbers at ticks: those of columns stand in the middle below, those of rows end left. */
static size_t count_numbers(const struct picture *picture, enum picture_anchor anchor,
                            const char *number)
{
    size_t count = 0;

    for (size_t i = 0; i < picture->shape_count; i++) {
        const struct picture_shape *const shape = &picture->shapes[i];

        count += shape->kind == PICTURE_TEXT && shape->anchor == anchor && shape->size == 23 &&
                 strcmp(shape->text, number) == 0;
    }
    return count;
}

static const struct picture_shape *find_number(const struct picture *picture,
                                               enum picture_anchor anchor, const char *number)
{
    for (size_t i = 0; i < picture->shape_count; i++) {
        const struct picture_shape *const shape = &picture->shapes[i];

        if (shape->kind == PICTURE_TEXT && shape->anchor == anchor &&
            strcmp(shape->text, number) == 0)
            return shape;
    }
    cr_assert_fail("%s", number);
    return NULL;
}

/* The longer side has at most 1024 pixels, 640 or 512 where panels share the picture; a side that
 * then were shorter than 448 pixels, 224 where it is shared, is stretched. */
Test(picture_heatmap, has_cells_of_whole_pixels_that_are_square_where_they_can_be)
{
    static const struct {
        size_t rank, shape[3];
        int cell_width, cell_height;
    } rows[] = {
        {2, {128, 128}, 8, 8},  {2, {512, 512}, 2, 2},    {2, {20, 10}, 51, 51},
        {2, {1, 1}, 448, 448},  {2, {2, 3}, 150, 224},    {2, {9, 1024}, 2, 50},
        {2, {10, 11}, 93, 93},  {2, {5, 5}, 96, 96},      {3, {2, 64, 64}, 10, 10},
        {3, {3, 64, 64}, 8, 8}, {3, {4, 2, 2}, 112, 112}, {3, {8, 100, 100}, 5, 5},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct picture picture = make(rows[i].rank, rows[i].shape, NULL);
        const struct picture_shape *const cells = pictured_shape(&picture, PICTURE_CELLS, 0);

        cr_expect_eq(cells->width, rows[i].cell_width * (int)cells->columns, "row %zu: %d of %zu",
                     i, cells->width, cells->columns);
        cr_expect_eq(cells->height, rows[i].cell_height * (int)cells->rows, "row %zu: %d of %zu", i,
                     cells->height, cells->rows);
    }
}

Test(picture_heatmap, has_a_panel_for_each_head_and_one_scale)
{
    const struct picture picture = make(3, (size_t[]){4, 10, 12}, NULL);

    cr_expect_eq(pictured_count(&picture, PICTURE_CELLS), 5);
    cr_expect(pictured_text(&picture, "head 0"));
    cr_expect(pictured_text(&picture, "head 3"));
    cr_expect(pictured_text(&picture, "key"));
    cr_assert(pictured_text(&picture, "query"));
    cr_expect(pictured_text(&picture, "query")->is_upright);
    for (size_t panel = 0; panel < 4; panel++)
        cr_expect_eq(pictured_shape(&picture, PICTURE_CELLS, panel)->cells -
                         pictured_shape(&picture, PICTURE_CELLS, 0)->cells,
                     (ptrdiff_t)(panel * 120));
}

/* Panels of one picture from left to right, then down; five of them stand three beside one another,
 * so that the third has nobody below. */
Test(picture_heatmap, has_numbers_left_of_each_line_and_below_each_column_of_panels)
{
    const struct picture picture = make(3, (size_t[]){5, 10, 10}, NULL);
    const struct picture_shape *panels[5];

    for (size_t i = 0; i < 5; i++)
        panels[i] = pictured_shape(&picture, PICTURE_CELLS, i);
    cr_expect(panels[0]->y == panels[2]->y && panels[3]->y == panels[4]->y);
    cr_expect(panels[0]->x == panels[3]->x && panels[1]->x == panels[4]->x);
    cr_expect_gt(panels[1]->x, panels[0]->x + panels[0]->width);
    cr_expect_gt(panels[2]->x, panels[1]->x + panels[1]->width);
    cr_expect_gt(panels[3]->y, panels[0]->y + panels[0]->height);
    cr_expect_eq(count_numbers(&picture, PICTURE_END, "0"), 2);
    cr_expect_eq(count_numbers(&picture, PICTURE_MIDDLE, "0"), 3);
}

/* Five cells of 96 pixels across, four of 112 down. */
Test(picture_heatmap, has_its_numbers_at_the_middles_of_cells)
{
    const struct picture picture = make(2, (size_t[]){4, 5}, NULL);
    const struct picture_shape *const cells = pictured_shape(&picture, PICTURE_CELLS, 0);

    cr_assert(cells->width == 480 && cells->height == 448);
    cr_expect_eq(find_number(&picture, PICTURE_MIDDLE, "0")->x, cells->x + 48);
    cr_expect_eq(find_number(&picture, PICTURE_MIDDLE, "4")->x, cells->x + 4 * 96 + 48);
    cr_expect_eq(find_number(&picture, PICTURE_END, "3")->y - 8, cells->y + 3 * 112 + 56);
}

/* 2000 columns are shown at a stride of 5: element 1000 is the 200th of 400 cells. */
Test(picture_heatmap, numbers_elements_not_cells)
{
    const struct picture picture = make(2, (size_t[]){1, 2000}, NULL);
    const struct picture_shape *const cells = pictured_shape(&picture, PICTURE_CELLS, 0);

    cr_assert_eq(cells->columns, 400);
    cr_expect_eq(find_number(&picture, PICTURE_MIDDLE, "1000")->x, cells->x + 401);
}

Test(picture_heatmap, puts_zero_in_the_middle_of_signed_values_only)
{
    static const double numbers[] = {-1, 0, 4, -INFINITY, 2, NAN};
    const struct picture around = make(2, (size_t[]){2, 3}, numbers);
    const struct picture positive = make(2, (size_t[]){1, 2}, numbers + 1);
    const uint8_t *const cells = pictured_shape(&around, PICTURE_CELLS, 0)->cells;
    const uint8_t *const others = pictured_shape(&positive, PICTURE_CELLS, 0)->cells;

    cr_expect_eq(cells[0], COLOUR_SCALE + 75, "a quarter of the way down to -4");
    cr_expect_eq(cells[1], COLOUR_SCALE + 100);
    cr_expect_eq(cells[2], COLOUR_SCALE + 200);
    cr_expect_eq(cells[3], COLOUR_MINUS_INFINITY);
    cr_expect_eq(cells[5], COLOUR_NAN);
    cr_expect_eq(others[0], COLOUR_SCALE);
    cr_expect_eq(others[1], COLOUR_SCALE + 200);
}

/* Numbers beside the scale: 0 at its middle, 4 at its top, where the highest level is. */
Test(picture_heatmap, has_numbers_beside_the_scale_where_their_colours_are)
{
    static const double numbers[] = {-4, 1};
    const struct picture picture = make(2, (size_t[]){1, 2}, numbers);
    const struct picture_shape *const bar = pictured_shape(&picture, PICTURE_CELLS, 1);

    cr_assert(bar->columns == 1 && bar->rows == COLOUR_SCALE_LEVELS);
    cr_expect_eq(bar->cells[0], COLOUR_SCALE + 200);
    cr_expect_eq(bar->cells[200], COLOUR_SCALE);
    cr_expect_eq(find_number(&picture, PICTURE_START, "4")->y - 8, bar->y);
    cr_expect_eq(find_number(&picture, PICTURE_START, "0")->y - 8, bar->y + bar->height / 2);
    cr_expect_eq(find_number(&picture, PICTURE_START, "-4")->y - 8, bar->y + bar->height);
}

Test(picture_heatmap, explains_the_colours_of_what_is_not_finite_where_there_is_some)
{
    static const double numbers[] = {1, 2, NAN, -INFINITY, INFINITY};
    const struct picture finite = make(2, (size_t[]){1, 2}, numbers);
    const struct picture some = make(2, (size_t[]){2, 2}, numbers);
    const struct picture all = make(2, (size_t[]){1, 5}, numbers);

    cr_expect_null(pictured_text(&finite, "NaN"));
    cr_expect_null(pictured_text(&finite, "-inf"));
    cr_expect(pictured_text(&some, "NaN"));
    cr_expect(pictured_text(&some, "-inf"));
    cr_expect_null(pictured_text(&some, "inf"));
    cr_expect(pictured_text(&all, "inf"));
}

Test(picture_heatmap, has_no_scale_where_nothing_is_finite)
{
    static const double numbers[] = {-INFINITY, -INFINITY};
    const struct picture picture = make(2, (size_t[]){2, 1}, numbers);

    cr_expect_eq(pictured_count(&picture, PICTURE_CELLS), 1);
    cr_expect_eq(pictured_shape(&picture, PICTURE_CELLS, 0)->cells[0], COLOUR_MINUS_INFINITY);
    cr_expect(pictured_text(&picture, "-inf"));
}

Test(picture_heatmap, says_that_a_tensor_is_empty)
{
    const struct picture picture = make(2, (size_t[]){0, 5}, NULL);

    cr_expect(pictured_text(&picture, "no elements"));
    cr_expect_eq(pictured_count(&picture, PICTURE_CELLS), 0);
}
