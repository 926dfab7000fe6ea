/*
 * The inner loop of rotation: pairs of channels turned by given cosines and sines, in the dtype
 * that they are stored in. One body for all levels (rope_turn_kernel.h), the same bits on each.
 */
#ifndef POSENC_ROPE_TURN_H
#define POSENC_ROPE_TURN_H

#include "level.h"
#include "posenc.h"

/*
 * Pairs (a, b) that stand one after another, which become (a cos - b sin, b cos + a sin). Adjacent
 * ones stand as a, b, a, b, ... in `real`, and `imaginary` is NULL; others have their first
 * channels in `real` and their second ones in `imaginary`. Outputs alike, each by itself. An output
 * may be its input, where both stand in the same way and have the same dtype; else nothing
 * overlaps. A NaN among cosines and sines must have 0 in all bits of its payload but the first 7.
 */
struct posenc__pairs {
    const void *real, *imaginary;
    void *real_out, *imaginary_out;
    const double *cosines, *sines; /* [count] */
    size_t count;
};

/* What comes in, what goes out (no integers), and how. */
struct posenc__turn {
    enum posenc_dtype from, to;
    bool rounds_steps; /* the channels, the products and the sums each to float32, before `to` */
};

/*
 * Turns the pairs; every result is computed in double and rounded once to `to`, but for
 * rounds_steps. Where several NaN meet, which one's payload comes out is left open.
 */
void posenc__turn_pairs(const struct posenc__turn *turn, const struct posenc__pairs *pairs);

/* The same at a level of choice, which must run here: for tests and benchmarks. */
void posenc__turn_pairs_at(enum posenc__level level, const struct posenc__turn *turn,
                           const struct posenc__pairs *pairs);

#endif
