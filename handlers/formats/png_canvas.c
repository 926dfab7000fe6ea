/*
 * Lines, letters and dots are drawn alike: a pixel is as dark as it lies inside the stroke, which
 * its distance from the stroke's middle tells. Crossing strokes are not added up.
 */
#include "png_canvas.h"

#include <math.h>
#include <string.h>

#define CANVAS_STROKE      0.088 /* width of a letter's stroke, of its size */
#define CANVAS_STROKE_BOLD 0.125
#define CANVAS_FAINT       5 /* levels of a ramp that leave other colours as they are */

/* How points of a letter become points of the canvas. */
struct pen {
    struct picture_point origin;
    bool is_upright;
    double width; /* of the stroke */
    uint8_t colour;
};

static int within(double value, int last)
{
    return (int)fmin(fmax(value, 0), last);
}

static double distance_to_line(struct picture_point at, struct picture_point a,
                               struct picture_point b)
{
    const double x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
    const double along =
        square > 0 ? fmin(fmax(((at.x - a.x) * x + (at.y - a.y) * y) / square, 0), 1) : 0;

    return hypot(at.x - a.x - along * x, at.y - a.y - along * y);
}

/* Covers a part of a pixel, in [0, 1], by the colour that ends a ramp. */
static void cover(uint8_t *pixel, uint8_t colour, double part)
{
    const int paper = colour - (COLOUR_RAMP_LEVELS - 1);
    const int level = (int)lround(part * (COLOUR_RAMP_LEVELS - 1));
    const bool is_of_ramp = *pixel >= paper && *pixel <= colour;
    const int before = is_of_ramp ? *pixel - paper : *pixel == COLOUR_PAPER ? 0 : CANVAS_FAINT;

    if (level > before)
        *pixel = (uint8_t)(paper + level);
}

static void draw_line(struct png_canvas *canvas, struct picture_point a, struct picture_point b,
                      double width, uint8_t colour)
{
    const double reach = width / 2 + 1;
    const int left = within(fmin(a.x, b.x) - reach, canvas->width - 1);
    const int right = within(fmax(a.x, b.x) + reach, canvas->width - 1);
    const int top = within(fmin(a.y, b.y) - reach, canvas->height - 1);
    const int bottom = within(fmax(a.y, b.y) + reach, canvas->height - 1);

    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++) {
            const struct picture_point middle = {x + 0.5, y + 0.5};
            const double inside = width / 2 + 0.5 - distance_to_line(middle, a, b);

            if (inside > 0)
                cover(&canvas->pixels[(size_t)y * (size_t)canvas->width + (size_t)x], colour,
                      fmin(inside, 1));
        }
    }
}

static void draw_lines(struct png_canvas *canvas, const struct picture_point *points, size_t count,
                       double width, uint8_t colour)
{
    if (count == 1)
        draw_line(canvas, points[0], points[0], width, colour);
    for (size_t i = 1; i < count; i++)
        draw_line(canvas, points[i - 1], points[i], width, colour);
}

static void draw_character(struct png_canvas *canvas, const struct pen *pen, char character,
                           double size)
{
    struct picture_point points[PICTURE_STROKE_MAX];
    const char *state = NULL;
    size_t count;

    while ((count = picture_font_stroke(character, size, &state, points)) > 0) {
        for (size_t i = 0; i < count; i++) {
            const struct picture_point point = points[i];

            points[i].x = pen->origin.x + (pen->is_upright ? point.y : point.x);
            points[i].y = pen->origin.y + (pen->is_upright ? -point.x : point.y);
        }
        draw_lines(canvas, points, count, pen->width, pen->colour);
    }
}

static void draw_text(struct png_canvas *canvas, const struct picture_shape *shape)
{
    const double width = picture_font_width(shape->text, strlen(shape->text), shape->size);
    const double back = shape->anchor == PICTURE_START    ? 0
                        : shape->anchor == PICTURE_MIDDLE ? width / 2
                                                          : width;
    struct pen pen = {.origin = {shape->x, shape->y},
                      .is_upright = shape->is_upright,
                      .width = shape->size * (shape->is_bold ? CANVAS_STROKE_BOLD : CANVAS_STROKE),
                      .colour = shape->colour};
    double *const along = shape->is_upright ? &pen.origin.y : &pen.origin.x;
    const double step = shape->is_upright ? -1 : 1;

    *along -= step * back;
    for (const char *at = shape->text; *at; at++) {
        draw_character(canvas, &pen, *at, shape->size);
        *along += step * picture_font_advance(*at, shape->size);
    }
}

static void draw_rectangle(struct png_canvas *canvas, int x, int y, int width, int height,
                           uint8_t colour)
{
    const int left = within(x, canvas->width), right = within(x + width, canvas->width);
    const int top = within(y, canvas->height), bottom = within(y + height, canvas->height);

    for (int row = top; row < bottom; row++)
        memset(canvas->pixels + (size_t)row * (size_t)canvas->width + (size_t)left, colour,
               (size_t)(right - left));
}

/* The edge before cell `index` of `count` that measure `length` together. */
static int edge(size_t index, size_t count, int length)
{
    return (int)(index * (size_t)length / count);
}

void png_canvas_draw_cells(struct png_canvas *canvas, const struct picture_shape *shape)
{
    for (size_t row = 0; row < shape->rows; row++) {
        const int top = edge(row, shape->rows, shape->height);
        const int bottom = edge(row + 1, shape->rows, shape->height);

        for (size_t column = 0; column < shape->columns; column++) {
            const int left = edge(column, shape->columns, shape->width);
            const int right = edge(column + 1, shape->columns, shape->width);

            draw_rectangle(canvas, shape->x + left, shape->y + top, right - left, bottom - top,
                           shape->cells[row * shape->columns + column]);
        }
    }
}

void png_canvas_draw(struct png_canvas *canvas, const struct picture *picture)
{
    for (size_t i = 0; i < picture->shape_count; i++) {
        const struct picture_shape *const shape = &picture->shapes[i];
        const struct picture_point place = {shape->x, shape->y};

        switch (shape->kind) {
        case PICTURE_RECTANGLE:
            draw_rectangle(canvas, shape->x, shape->y, shape->width, shape->height, shape->colour);
            break;
        case PICTURE_TEXT:
            draw_text(canvas, shape);
            break;
        case PICTURE_CELLS:
            png_canvas_draw_cells(canvas, shape);
            break;
        case PICTURE_CURVE:
            draw_lines(canvas, shape->points, shape->point_count, shape->size, shape->colour);
            break;
        case PICTURE_DOT:
            draw_line(canvas, place, place, 2 * shape->size, shape->colour);
            break;
        }
    }
}
