/*
 * A picture as what is to be drawn, and where: made by those who lay it out (picture_draw.h), read
 * by those who draw it (png.c, svg.c). Lengths are pixels of the PNG picture, of which two make one
 * of CSS; y grows downwards.
 */
#ifndef POSENC_PICTURE_SHAPES_H
#define POSENC_PICTURE_SHAPES_H

#include "colour.h"
#include "picture_font.h"
#include "posenc.h"

#define PICTURE_SHAPES_MAX 1024
#define PICTURE_PER_CSS    2 /* pixels */

enum picture_kind {
    PICTURE_RECTANGLE,
    PICTURE_TEXT,
    PICTURE_CELLS, /* equal rectangles, one colour each */
    PICTURE_CURVE, /* lines from point to point */
    PICTURE_DOT,   /* a disc */
};

enum picture_anchor {
    PICTURE_START,
    PICTURE_MIDDLE,
    PICTURE_END,
};

struct picture_shape {
    enum picture_kind kind;
    uint8_t colour;    /* a palette index; that of a text, curve or dot is the end of a ramp */
    int x, y;          /* left and top; of a text its anchor on the baseline; of a dot the middle */
    int width, height; /* of a rectangle, or of all cells; the width that a text keeps, or 0 */
    int size; /* of a text from line to line; the width of a curve's line; the radius of a dot */
    enum picture_anchor anchor;
    bool is_bold, is_upright; /* of a text; upright: read from below */
    const char *text;
    const uint8_t *cells; /* row by row */
    size_t columns, rows;
    const struct picture_point *points;
    size_t point_count;
};

/* Drawn in order on COLOUR_PAPER. All it points to lives in the memory. */
struct picture {
    struct posenc_memory *memory;
    int width, height;
    struct colour palette[COLOUR_COUNT];
    const char *title; /* for those who do not see */
    const char *description;
    size_t shape_count;
    struct picture_shape *shapes;
    bool failed; /* out of memory while it was made */
};

#endif
