#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "picture_font.h"

#define SIZE 100.0

/* The box around all strokes of a character. */
struct box {
    double left, right, top, bottom;
    size_t strokes;
};

static struct box box_of(char character)
{
    struct picture_point points[PICTURE_STROKE_MAX];
    struct box box = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0};
    const char *state = NULL;
    size_t count;

    for (; (count = picture_font_stroke(character, SIZE, &state, points)) > 0; box.strokes++) {
        cr_assert_leq(count, PICTURE_STROKE_MAX);
        for (size_t i = 0; i < count; i++) {
            box.left = fmin(box.left, points[i].x);
            box.right = fmax(box.right, points[i].x);
            box.top = fmin(box.top, points[i].y);
            box.bottom = fmax(box.bottom, points[i].y);
        }
    }
    return box;
}

Test(picture_font, draws_every_printable_character_inside_its_place)
{
    for (char c = '!'; c <= '~'; c++) {
        const struct box box = box_of(c);

        cr_assert_gt(box.strokes, 0, "%c", c);
        cr_expect_gt(box.left, 0, "%c", c);
        cr_expect_lt(box.right, picture_font_advance(c, SIZE), "%c", c);
        cr_expect_gt(box.top, -SIZE, "%c", c);
        cr_expect_lt(box.bottom, SIZE / 3, "%c", c);
    }
    cr_expect_eq(box_of(' ').strokes, 0);
    cr_expect_gt(picture_font_advance(' ', SIZE), SIZE / 5);
}

Test(picture_font, stands_capitals_and_digits_on_the_baseline)
{
    for (const char *c = "ABCDEFGHIJKLMNOPRSTUVWXYZ0123456789"; *c; c++) {
        const struct box box = box_of(*c);

        cr_expect_float_eq(box.bottom, 0, 1e-9, "%c", *c);
        cr_expect_float_eq(box.top, box_of('H').top, 1e-9, "%c", *c);
    }
    cr_expect_gt(box_of('g').bottom, SIZE / 10, "a descender");
    cr_expect_gt(box_of('x').top, box_of('X').top + SIZE / 10, "a small letter is smaller");
}

Test(picture_font, has_digits_of_one_width)
{
    for (char c = '0'; c <= '9'; c++)
        cr_expect_eq(picture_font_advance(c, SIZE), picture_font_advance('0', SIZE), "%c", c);
}

Test(picture_font, draws_a_question_mark_for_what_it_does_not_have)
{
    cr_expect_eq(box_of('\n').strokes, box_of('?').strokes);
    cr_expect_eq(box_of((char)0xC3).right, box_of('?').right);
    cr_expect_eq(picture_font_advance('\x7f', SIZE), picture_font_advance('?', SIZE));
}

Test(picture_font, measures_a_text_by_its_characters)
{
    cr_expect_float_eq(picture_font_width("a-0", 2, SIZE),
                       picture_font_advance('a', SIZE) + picture_font_advance('-', SIZE), 1e-9);
    cr_expect_float_eq(picture_font_width("length", 6, 2 * SIZE),
                       2 * picture_font_width("length", 6, SIZE), 1e-9);
}
