/*
 * The colours of a picture, as a palette of 256 that both kinds of pictures share: a colour is an
 * index. Ramps go from the white of the paper to full colour, for edges that are drawn softly.
 */
#ifndef POSENC_COLOUR_H
#define POSENC_COLOUR_H

#include <stdint.h>

struct colour {
    uint8_t red, green, blue; /* sRGB */
};

enum {
    COLOUR_PAPER = 0,
    COLOUR_RAMP_LEVELS = 16,
    COLOUR_INK = 15,   /* the end of the ramp from 0 on */
    COLOUR_CURVE = 31, /* the end of the ramp from 16 on */
    COLOUR_GRID = 32,  /* thin lines behind a curve */
    COLOUR_MINUS_INFINITY = 33,
    COLOUR_PLUS_INFINITY = 34,
    COLOUR_NAN = 35,
    COLOUR_SCALE = 40, /* the first of the levels that stand for values */
    COLOUR_SCALE_LEVELS = 201,
    COLOUR_COUNT = 256,
};

/* How values become colours. */
enum colour_scale {
    COLOUR_ONE_SIGNED,  /* dark to bright: blue, green, yellow */
    COLOUR_AROUND_ZERO, /* zero is nearly white; blue below, red above */
};

void colour_palette(enum colour_scale scale, struct colour palette[COLOUR_COUNT]);

/* The level of a value in [low, high], low < high, as a palette index; also of what is not finite.
 */
uint8_t colour_of(double value, double low, double high);

#endif
