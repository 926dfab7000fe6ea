/* Positions: which one stands in which row (the parameters of posenc__position_rows). */
#ifndef POSENC_POSITIONS_H
#define POSENC_POSITIONS_H

#include "angle.h"
#include "internal.h"

/* Row -> position: a list, or offset + row * step without rounding. */
struct posenc__positions {
    size_t count;
    const double *list; /* or NULL */
    double offset, step;
};

/*
 * Reads length, offset, step and positions; `length` positions are asked for when a tensor tells
 * their number
 * (`expected` not NULL), which must then agree. Drops what does not apply from the echo.
 */
enum posenc_status posenc__read_positions(struct posenc_arguments *arguments,
                                          const size_t *expected, const char *tensor,
                                          struct posenc__positions *positions,
                                          struct posenc_problem *problem);

/*
 * Takes one list of positions, which stands instead of length, offset and step: refuses those
 * beside it, another count than the tensor's, and more than one axis.
 */
enum posenc_status posenc__take_positions(struct posenc_arguments *arguments,
                                          const struct posenc_array *list, const size_t *expected,
                                          const char *tensor, struct posenc__positions *positions,
                                          struct posenc_problem *problem);

/* True when positions are 0, 1, ..., count - 1. */
bool posenc__positions_are_plain(const struct posenc__positions *positions);

/* The position of a row, which must be below count, without rounding. */
struct posenc__dd posenc__position_at(const struct posenc__positions *positions, size_t row);

#endif
