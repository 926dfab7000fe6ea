/* Where an axis has its numbers: round ones, in steps of 1, 2 or 5 times a power of ten. */
#ifndef POSENC_PICTURE_TICKS_H
#define POSENC_PICTURE_TICKS_H

#include <stdbool.h>
#include <stddef.h>

#define PICTURE_TICKS_MAX      16
#define PICTURE_TICK_LABEL_MAX 48 /* bytes, with the end */

struct picture_tick {
    double value;
    char label[PICTURE_TICK_LABEL_MAX];
};

/*
 * Writes the ticks in [low, high], low <= high, rising; returns their number, about `wanted` and at
 * most PICTURE_TICKS_MAX. Integral ticks are whole numbers.
 */
size_t picture_ticks(double low, double high, size_t wanted, bool integral,
                     struct picture_tick ticks[PICTURE_TICKS_MAX]);

/* The same for a logarithmic axis between two powers of ten: low and high are exponents, and each
 * tick's value is one. */
size_t picture_ticks_of_powers(double low, double high, size_t wanted,
                               struct picture_tick ticks[PICTURE_TICKS_MAX]);

#endif
