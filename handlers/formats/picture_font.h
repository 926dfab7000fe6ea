/*
 * A small font for pictures made of pixels: printable ASCII, drawn here stroke by stroke, so that
 * it is sharp at any size. Its widths are also what both kinds of pictures measure text by.
 */
#ifndef POSENC_PICTURE_FONT_H
#define POSENC_PICTURE_FONT_H

#include <stddef.h>

/* A place in pixels; y grows downwards. */
struct picture_point {
    double x, y;
};

#define PICTURE_STROKE_MAX 64 /* points of one stroke as it is drawn */

/*
 * Walks the strokes of a character whose baseline starts at (0, 0), for a font of `size` pixels
 * from line to line: writes the corners of the next one and returns their number, at least 1; 0
 * past the last. *state starts as NULL. What is not printable ASCII is drawn as a question mark.
 */
size_t picture_font_stroke(char character, double size, const char **state,
                           struct picture_point points[PICTURE_STROKE_MAX]);

/* From one character's start to the next one's, in pixels. */
double picture_font_advance(char character, double size);

/* The width of the first `count` bytes of a text. */
double picture_font_width(const char *text, size_t count, double size);

#endif
