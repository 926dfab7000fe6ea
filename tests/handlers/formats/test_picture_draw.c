#include "picture_draw.h"

#include <criterion/criterion.h>
#include <string.h>

#include "pictured.h"
#include "writing.h"

static struct picture picture;

static void set_up(void)
{
    writing_begin();
    picture = (struct picture){
        .memory = &memory,
        .width = 1000,
        .shapes = posenc_allocate(&memory, PICTURE_SHAPES_MAX, sizeof *picture.shapes)};
}

TestSuite(picture_draw, .init = set_up, .fini = writing_end);

static bool covers(const struct picture_shape *shape, int x, int y)
{
    return x >= shape->x && x < shape->x + shape->width && y >= shape->y &&
           y < shape->y + shape->height;
}

Test(picture_draw, keeps_shapes_in_their_order_with_all_that_is_said_of_them)
{
    static const struct picture_point points[] = {{1, 2}, {3, 4}};
    static const uint8_t cells[] = {COLOUR_SCALE};

    picture_rectangle(&picture, 1, 2, 3, 4, COLOUR_GRID);
    picture_cells(&picture,
                  (struct picture_shape){.x = 5, .cells = cells, .columns = 1, .rows = 1});
    picture_curve(&picture, points, 2, 6);
    picture_dot(&picture, (struct picture_point){7.4, 8.5}, 9);
    cr_assert_eq(picture.shape_count, 4);
    cr_expect_eq(picture.shapes[0].kind, PICTURE_RECTANGLE);
    cr_expect_eq(picture.shapes[0].colour, COLOUR_GRID);
    cr_expect(covers(&picture.shapes[0], 3, 5) && !covers(&picture.shapes[0], 4, 5));
    cr_expect_eq(picture.shapes[1].kind, PICTURE_CELLS);
    cr_expect_eq(picture.shapes[1].cells, cells);
    cr_expect_eq(picture.shapes[2].kind, PICTURE_CURVE);
    cr_expect_eq(picture.shapes[2].points, points);
    cr_expect_eq(picture.shapes[2].point_count, 2);
    cr_expect_eq(picture.shapes[2].size, 6);
    cr_expect_eq(picture.shapes[3].kind, PICTURE_DOT);
    cr_expect(picture.shapes[3].x == 7 && picture.shapes[3].y == 9, "at the nearest pixel");
    cr_expect_eq(picture.shapes[3].size, 9);
}

Test(picture_draw, copies_texts)
{
    char text[] = "before";
    struct picture_shape *const shape = picture_text(&picture, 1, 2, 23, PICTURE_END, text);

    strcpy(text, "after");
    cr_expect_str_eq(shape->text, "before");
    cr_expect_eq(shape->anchor, PICTURE_END);
    cr_expect_eq(shape->colour, COLOUR_INK);
    cr_expect_eq(pictured_text(&picture, "before"), shape);
}

Test(picture_draw, notes_when_there_is_no_memory_for_a_text)
{
    picture_rectangle(&picture, 0, 0, 1, 1, COLOUR_INK);
    cr_expect_not(picture.failed);
    memory.limit = memory.used;
    cr_expect_str_eq(picture_text(&picture, 0, 0, 23, PICTURE_START, "lost")->text, "");
    cr_expect(picture.failed);
    memory.limit = POSENC_MEMORY_DEFAULT;
    (void)picture_text(&picture, 0, 0, 23, PICTURE_START, "kept");
    cr_expect(picture.failed, "that a later one has room does not mend it");
}

/* Around the place 10 to 14, 20 to 25: two pixels on each side, corners included. */
Test(picture_draw, frames_a_place_from_outside)
{
    picture_frame(&picture, 10, 20, 5, 6);
    for (int y = 10; y < 40; y++)
        for (int x = 0; x < 30; x++) {
            const bool is_inside = x >= 10 && x < 15 && y >= 20 && y < 26;
            const bool is_near = x >= 8 && x < 17 && y >= 18 && y < 28;
            bool is_covered = false;

            for (size_t i = 0; i < picture.shape_count; i++)
                is_covered = is_covered || covers(&picture.shapes[i], x, y);
            cr_assert_eq(is_covered, is_near && !is_inside, "%d, %d", x, y);
        }
}

/* A tick begins at the frame; its number stands behind it, as the frame's side has it. */
Test(picture_draw, puts_numbers_behind_their_ticks)
{
    picture_tick_left(&picture, 100, 50, "left");
    picture_tick_right(&picture, 100, 50, "right");
    picture_tick_below(&picture, 100, 50, "below");
    cr_assert_eq(picture.shape_count, 6);

    const struct picture_shape *const shapes = picture.shapes;

    cr_expect(covers(&shapes[0], 99, 50) && covers(&shapes[0], 92, 49) &&
              !covers(&shapes[0], 91, 50));
    cr_expect(shapes[1].anchor == PICTURE_END && shapes[1].x == 82, "ten pixels left of the tick");
    cr_expect_eq(shapes[1].y, 58, "its capitals, 16 pixels high, have their middle at the tick");
    cr_expect(covers(&shapes[2], 100, 50) && covers(&shapes[2], 107, 49) &&
              !covers(&shapes[2], 108, 50));
    cr_expect(shapes[3].anchor == PICTURE_START && shapes[3].x == 118 && shapes[3].y == 58);
    cr_expect(covers(&shapes[4], 100, 50) && covers(&shapes[4], 99, 57) &&
              !covers(&shapes[4], 100, 58));
    cr_expect(shapes[5].anchor == PICTURE_MIDDLE && shapes[5].x == 100);
    cr_expect_eq(shapes[5].y - 16, 68, "the tops of its capitals lie ten pixels below the tick");
}

Test(picture_draw, ends_a_picture_with_its_caption)
{
    static const struct picture_caption caption = {"alibi table: bias", "what is added",
                                                   "two words"};

    picture_finish(&picture, 500, &caption);
    cr_assert_eq(picture.shape_count, 2);
    cr_expect_str_eq(picture.shapes[0].text, "alibi table: bias (what is added)");
    cr_expect(picture.shapes[0].is_bold);
    cr_expect_eq(picture.shapes[0].y, 500);
    cr_expect_str_eq(picture.shapes[1].text, "two words");
    cr_expect_not(picture.shapes[1].is_bold);
    cr_expect_eq(picture.height - picture.shapes[1].y, PICTURE_MARGIN);
    cr_expect_str_eq(picture.title, "alibi table: bias (what is added)");
    cr_expect_str_eq(picture.description, "two words");
}

/* What the lines have no room for is in the description, for those who do not see the picture. */
Test(picture_draw, breaks_a_long_caption_and_cuts_its_last_line)
{
    static struct picture_caption caption = {"title", "", ""};
    const double width = (1000 - 2 * PICTURE_MARGIN);

    for (int i = 0; i < 60; i++)
        strcat(caption.text, i ? " word" : "word");
    memset(caption.meaning, 'm', 200);
    picture_finish(&picture, 500, &caption);
    cr_assert_eq(picture.shape_count, PICTURE_CAPTION_LINES);
    cr_expect_str_eq(picture.shapes[0].text, "title", "its meaning has no room");
    for (size_t i = 1; i < picture.shape_count; i++) {
        const struct picture_shape *const line = &picture.shapes[i];

        cr_expect_eq(line->y - picture.shapes[i - 1].y, PICTURE_LINE);
        cr_expect_leq(picture_font_width(line->text, strlen(line->text), line->size), width);
        cr_expect_float_eq(line->width,
                           picture_font_width(line->text, strlen(line->text), line->size), 0.5);
        cr_expect_eq(strncmp(line->text, "word word", 9), 0);
    }
    const char *const last = picture.shapes[picture.shape_count - 1].text;

    cr_expect_str_eq(last + strlen(last) - 3, "...");
    cr_expect_eq(strlen(picture.description), 60 * 5 - 1);
}
