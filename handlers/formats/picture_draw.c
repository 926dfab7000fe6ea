/* Shapes that do not fit any more are left out: layouts ask for far fewer. */
#include "picture_draw.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct picture_shape *add_shape(struct picture *picture, struct picture_shape shape)
{
    struct picture_shape *const place =
        &picture->shapes[picture->shape_count < PICTURE_SHAPES_MAX ? picture->shape_count++
                                                                   : PICTURE_SHAPES_MAX - 1];

    assert(picture->shape_count < PICTURE_SHAPES_MAX);
    *place = shape;
    return place;
}

void picture_rectangle(struct picture *picture, int x, int y, int width, int height, uint8_t colour)
{
    (void)add_shape(picture, (struct picture_shape){.kind = PICTURE_RECTANGLE,
                                                    .colour = colour,
                                                    .x = x,
                                                    .y = y,
                                                    .width = width,
                                                    .height = height});
}

void picture_frame(struct picture *picture, int x, int y, int width, int height)
{
    const int thin = PICTURE_THIN;

    picture_rectangle(picture, x - thin, y - thin, width + 2 * thin, thin, COLOUR_INK);
    picture_rectangle(picture, x - thin, y + height, width + 2 * thin, thin, COLOUR_INK);
    picture_rectangle(picture, x - thin, y, thin, height, COLOUR_INK);
    picture_rectangle(picture, x + width, y, thin, height, COLOUR_INK);
}

struct picture_shape *picture_text(struct picture *picture, int x, int y, int size,
                                   enum picture_anchor anchor, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *const copy = posenc_allocate(picture->memory, bytes, 1);

    picture->failed = picture->failed || !copy;
    if (copy)
        memcpy(copy, text, bytes);
    return add_shape(picture, (struct picture_shape){.kind = PICTURE_TEXT,
                                                     .colour = COLOUR_INK,
                                                     .x = x,
                                                     .y = y,
                                                     .size = size,
                                                     .anchor = anchor,
                                                     .text = copy ? copy : ""});
}

void picture_cells(struct picture *picture, struct picture_shape cells)
{
    cells.kind = PICTURE_CELLS;
    (void)add_shape(picture, cells);
}

void picture_curve(struct picture *picture, const struct picture_point *points, size_t count,
                   int width)
{
    (void)add_shape(picture, (struct picture_shape){.kind = PICTURE_CURVE,
                                                    .colour = COLOUR_CURVE,
                                                    .size = width,
                                                    .points = points,
                                                    .point_count = count});
}

void picture_dot(struct picture *picture, struct picture_point middle, int radius)
{
    (void)add_shape(picture, (struct picture_shape){.kind = PICTURE_DOT,
                                                    .colour = COLOUR_CURVE,
                                                    .x = (int)lround(middle.x),
                                                    .y = (int)lround(middle.y),
                                                    .size = radius});
}

void picture_tick_left(struct picture *picture, int x, int y, const char *label)
{
    picture_rectangle(picture, x - PICTURE_TICK, y - PICTURE_THIN / 2, PICTURE_TICK, PICTURE_THIN,
                      COLOUR_INK);
    (void)picture_text(picture, x - PICTURE_TICK - PICTURE_GAP, y + PICTURE_CAP(PICTURE_SMALL) / 2,
                       PICTURE_SMALL, PICTURE_END, label);
}

void picture_tick_right(struct picture *picture, int x, int y, const char *label)
{
    picture_rectangle(picture, x, y - PICTURE_THIN / 2, PICTURE_TICK, PICTURE_THIN, COLOUR_INK);
    (void)picture_text(picture, x + PICTURE_TICK + PICTURE_GAP, y + PICTURE_CAP(PICTURE_SMALL) / 2,
                       PICTURE_SMALL, PICTURE_START, label);
}

void picture_tick_below(struct picture *picture, int x, int y, const char *label)
{
    picture_rectangle(picture, x - PICTURE_THIN / 2, y, PICTURE_THIN, PICTURE_TICK, COLOUR_INK);
    (void)picture_text(picture, x, y + PICTURE_TICK + PICTURE_GAP + PICTURE_CAP(PICTURE_SMALL),
                       PICTURE_SMALL, PICTURE_MIDDLE, label);
}

/* A line of the caption: as wide as it is here in whatever font it comes to be drawn. */
static struct picture_shape *add_line(struct picture *picture, int y, int size, const char *line)
{
    struct picture_shape *const shape =
        picture_text(picture, PICTURE_MARGIN, y, size, PICTURE_START, line);

    shape->width = (int)lround(picture_font_width(line, strlen(line), size));
    return shape;
}

/* With the meaning in parentheses where there is room for it. */
static void print_title(const struct picture_caption *caption, double width,
                        char line[PICTURE_CAPTION_MAX])
{
    (void)picture_caption_line(caption->title, PICTURE_MEDIUM, width, true, line);
    const size_t length = strlen(line), meaning = strlen(caption->meaning);

    if (meaning == 0 || length + meaning + sizeof " ()" > PICTURE_CAPTION_MAX)
        return;
    if (picture_font_width(line, length, PICTURE_MEDIUM) +
            picture_font_width(caption->meaning, meaning, PICTURE_MEDIUM) +
            picture_font_width(" ()", 3, PICTURE_MEDIUM) <=
        width)
        (void)snprintf(line + length, PICTURE_CAPTION_MAX - length, " (%s)", caption->meaning);
}

void picture_finish(struct picture *picture, int y, const struct picture_caption *caption)
{
    char line[PICTURE_CAPTION_MAX];
    const double width = (picture->width - 2 * PICTURE_MARGIN) * PICTURE_TEXT_SAFETY;
    const char *rest = caption->text;

    print_title(caption, width, line);
    struct picture_shape *const title = add_line(picture, y, PICTURE_MEDIUM, line);

    title->is_bold = true;
    picture->title = title->text;
    picture->description = rest;
    for (size_t i = 1; i < PICTURE_CAPTION_LINES && *rest; i++) {
        const bool is_last = i + 1 == PICTURE_CAPTION_LINES;

        rest = picture_caption_line(rest, PICTURE_SMALL, width, is_last, line);
        y += PICTURE_LINE;
        (void)add_line(picture, y, PICTURE_SMALL, line);
    }
    picture->height = y + PICTURE_MARGIN;
}
