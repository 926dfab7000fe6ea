#include "png_canvas.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 60 /* of a canvas */

static uint8_t pixels[SIDE][SIDE];

/* Draws shapes, one over the other, on an empty canvas. */
static void draw(const struct picture_shape *shapes, size_t count)
{
    struct png_canvas canvas = {SIDE, SIDE, pixels[0]};
    const struct picture picture = {.shape_count = count, .shapes = (struct picture_shape *)shapes};

    memset(pixels, COLOUR_PAPER, sizeof pixels);
    png_canvas_draw(&canvas, &picture);
}

static size_t count_pixels(uint8_t colour)
{
    size_t count = 0;

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            count += pixels[y][x] == colour;
    return count;
}

/* How much of the ink lies at x in [left, right), in whole pixels. */
static double ink_between(int left, int right)
{
    double ink = 0;

    for (int y = 0; y < SIDE; y++)
        for (int x = left; x < right; x++)
            ink += pixels[y][x] / 15.0;
    return ink;
}

Test(png_canvas, fills_the_pixels_of_a_rectangle_and_no_others)
{
    draw((struct picture_shape[]){{.kind = PICTURE_RECTANGLE,
                                   .colour = COLOUR_NAN,
                                   .x = 7,
                                   .y = 50,
                                   .width = 3,
                                   .height = 2}},
         1);
    cr_expect_eq(count_pixels(COLOUR_NAN), 6);
    cr_expect(pixels[50][7] == COLOUR_NAN && pixels[51][9] == COLOUR_NAN);
}

Test(png_canvas, leaves_out_what_lies_beyond_it)
{
    static const struct picture_point far[] = {{-1000, 30}, {1000, 30}};

    draw((struct picture_shape[]){{.kind = PICTURE_RECTANGLE,
                                   .colour = COLOUR_NAN,
                                   .x = -10,
                                   .y = SIDE - 2,
                                   .width = 12,
                                   .height = 100},
                                  {.kind = PICTURE_RECTANGLE,
                                   .colour = COLOUR_NAN,
                                   .x = SIDE + 5,
                                   .y = -9,
                                   .width = 4,
                                   .height = 4},
                                  {.kind = PICTURE_DOT, .colour = COLOUR_INK, .x = -50, .size = 3},
                                  {.kind = PICTURE_CURVE,
                                   .colour = COLOUR_INK,
                                   .size = 2,
                                   .points = far,
                                   .point_count = 2}},
         4);
    cr_expect_eq(count_pixels(COLOUR_NAN), 4);
    cr_expect_eq(count_pixels(COLOUR_INK), 2 * SIDE);
}

/* 50 pixels for 7 columns: the edges are floor(50 i / 7). */
Test(png_canvas, draws_cells_that_meet_without_gaps)
{
    static const int edges[] = {0, 7, 14, 21, 28, 35, 42, 50};
    static const uint8_t cells[14] = {40, 41, 42, 43, 44, 45, 46, 50, 51, 52, 53, 54, 55, 56};

    draw((struct picture_shape[]){{.kind = PICTURE_CELLS,
                                   .x = 3,
                                   .y = 4,
                                   .width = 50,
                                   .height = 5,
                                   .cells = cells,
                                   .columns = 7,
                                   .rows = 2}},
         1);
    cr_expect_eq(count_pixels(COLOUR_PAPER), SIDE * SIDE - 250);
    for (int column = 0; column < 7; column++)
        for (int x = edges[column]; x < edges[column + 1]; x++) {
            cr_expect_eq(pixels[4][3 + x], 40 + column);
            cr_expect_eq(pixels[4 + 1][3 + x], 40 + column);
            cr_expect_eq(pixels[4 + 2][3 + x], 50 + column);
            cr_expect_eq(pixels[4 + 4][3 + x], 50 + column);
        }
}

/* A line from y = 29 to 31 covers two rows of pixels; one from 28.5 to 31.5, as its width of 3
 * gives it, half a row on each side too. */
Test(png_canvas, draws_a_pixel_as_dark_as_it_lies_inside_a_line)
{
    static const struct picture_point points[] = {{10, 30}, {50, 30}};
    struct picture_shape line = {
        .kind = PICTURE_CURVE, .colour = COLOUR_INK, .size = 2, .points = points, .point_count = 2};

    draw(&line, 1);
    cr_expect_eq(pixels[28][30], COLOUR_PAPER);
    cr_expect_eq(pixels[29][30], COLOUR_INK);
    cr_expect_eq(pixels[30][30], COLOUR_INK);
    cr_expect_eq(pixels[31][30], COLOUR_PAPER);
    line.size = 3;
    line.colour = COLOUR_CURVE;
    draw(&line, 1);
    cr_expect_eq(pixels[29][30], COLOUR_CURVE);
    cr_expect_eq(pixels[28][30], COLOUR_CURVE - 7, "half of 15 levels, rounded up");
    cr_expect_eq(pixels[31][30], COLOUR_CURVE - 7);
    cr_expect_eq(pixels[27][30], COLOUR_PAPER);
}

/* The area of a disc is pi r^2; soft edges count as what they cover. */
Test(png_canvas, draws_a_dot_as_a_disc)
{
    draw(
        (struct picture_shape[]){
            {.kind = PICTURE_DOT, .colour = COLOUR_INK, .x = 30, .y = 30, .size = 10}},
        1);
    cr_expect_float_eq(ink_between(0, SIDE), 3.14159265 * 100, 3.14159265 * 100 * 0.02);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            cr_assert_eq(pixels[y][x], pixels[SIDE - 1 - y][x]);
            cr_assert_eq(pixels[y][x], pixels[x][y]);
        }
}

Test(png_canvas, does_not_add_up_strokes_that_cross)
{
    static const struct picture_point points[] = {{5.25, 7.75}, {50.5, 40.25}};
    const struct picture_shape line = {
        .kind = PICTURE_CURVE, .colour = COLOUR_INK, .size = 3, .points = points, .point_count = 2};
    uint8_t once[SIDE][SIDE];

    draw(&line, 1);
    memcpy(once, pixels, sizeof once);
    draw((struct picture_shape[]){line, line}, 2);
    cr_expect_arr_eq(pixels, once, sizeof once);
}

/* Where little of a stroke covers a pixel of another colour, that stays. */
Test(png_canvas, covers_another_colour_by_the_dark_of_a_stroke_only)
{
    static const struct picture_point points[] = {{0, 30.75}, {60, 30.75}};

    draw(
        (struct picture_shape[]){
            {.kind = PICTURE_RECTANGLE, .colour = COLOUR_GRID, .width = SIDE, .height = SIDE},
            {.kind = PICTURE_CURVE,
             .colour = COLOUR_CURVE,
             .size = 2,
             .points = points,
             .point_count = 2}},
        2);
    /* The line reaches from 29.75 to 31.75: a quarter, all, and three quarters of three rows. */
    cr_expect_eq(pixels[28][30], COLOUR_GRID);
    cr_expect_eq(pixels[29][30], COLOUR_GRID);
    cr_expect_eq(pixels[30][30], COLOUR_CURVE);
    cr_expect_eq(pixels[31][30], COLOUR_CURVE - 4);
}

static struct picture_shape text_at(int x, int y, enum picture_anchor anchor)
{
    return (struct picture_shape){.kind = PICTURE_TEXT,
                                  .colour = COLOUR_INK,
                                  .x = x,
                                  .y = y,
                                  .size = 20,
                                  .anchor = anchor,
                                  .text = "Ag"};
}

Test(png_canvas, anchors_a_text_at_its_start_middle_or_end)
{
    const double width = picture_font_width("Ag", 2, 20);
    struct picture_shape text = text_at(30, 30, PICTURE_START);

    draw(&text, 1);
    cr_expect_eq(ink_between(0, 29), 0);
    cr_expect_eq(ink_between(30 + (int)width + 1, SIDE), 0);
    cr_expect_gt(ink_between(29, SIDE), 20);
    text.anchor = PICTURE_END;
    draw(&text, 1);
    cr_expect_eq(ink_between(31, SIDE), 0);
    cr_expect_eq(ink_between(0, 30 - (int)width - 2), 0);
    text.anchor = PICTURE_MIDDLE;
    draw(&text, 1);
    cr_expect_gt(ink_between(0, 30), 5);
    cr_expect_gt(ink_between(30, SIDE), 5);
    cr_expect_eq(ink_between(30 + (int)width / 2 + 2, SIDE), 0);
}

/* Turned by a quarter: what was right of the anchor is above it, what was below is right. */
Test(png_canvas, turns_an_upright_text_by_a_quarter)
{
    struct picture_shape text = text_at(30, 30, PICTURE_MIDDLE);
    uint8_t level[SIDE][SIDE];

    draw(&text, 1);
    memcpy(level, pixels, sizeof level);
    text.is_upright = true;
    draw(&text, 1);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            cr_assert_leq(abs(pixels[SIDE - 1 - x][y] - level[y][x]), 1, "%d, %d", x, y);
}

Test(png_canvas, has_more_ink_in_a_bold_text)
{
    struct picture_shape text = text_at(10, 30, PICTURE_START);

    draw(&text, 1);
    const double light = ink_between(0, SIDE);

    text.is_bold = true;
    draw(&text, 1);
    cr_expect_gt(ink_between(0, SIDE), 1.2 * light);
}
