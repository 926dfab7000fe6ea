/*
 * All powers base^(i numerator / denominator), i = 0, 1, 2, ...: the frequencies of a table.
 *
 * A power by itself costs a logarithm and an exponential. In a row each one is the last one times a
 * ratio, in triple-double; every POSENC__POWERS_RUN of them one is computed anew, so that the
 * ratio's error, 2^-113, is taken at most that many times.
 */
#ifndef POSENC_POWERS_H
#define POSENC_POWERS_H

#include <stddef.h>

#include "td.h"

#define POSENC__POWERS_RUN 64

struct posenc__powers {
    struct posenc__td exponent; /* of the ratio: numerator / denominator times log(base) */
    struct posenc__td ratio, value;
    size_t index; /* of the next power */
};

/* For base > 0 and denominator != 0, as posenc__dd_power. */
void posenc__powers_begin(struct posenc__powers *powers, struct posenc__dd base, double numerator,
                          double denominator);

/* The next power, relative error at most 2^-105. The same bits for the same index, always. */
struct posenc__dd posenc__powers_next(struct posenc__powers *powers);

#endif
