/*
 * YaRN's correction range: between which pairs a scheme passes from one table to the other, told by
 * how many turns a pair makes over the trained length.
 */
#ifndef POSENC_ROPE_CORRECTION_H
#define POSENC_ROPE_CORRECTION_H

#include "rope_scheme.h"

struct posenc__rope_bounds {
    double original;   /* trained length L, positions */
    double fast, slow; /* turns over L, fast >= slow > 0 */
    bool truncate;     /* round the range outwards to whole pairs */
};

/* low <= high are pair indices, not whole ones without truncation. */
struct posenc__rope_correction {
    struct posenc__dd low, high;
    double raw[2]; /* before rounding and clamping */
};

/*
 *   corr(r) = d ln(L / (2 pi r)) / (2 ln base),  low = max(corr(fast), 0),  high = min(corr(slow),
 *   d - 1), and 0.001 wide where they are equal.
 *
 * Refuses a base of at most 1, an L of less than `slow` turns, and a range beyond the last pair.
 */
enum posenc_status posenc__rope_correct(const struct posenc__rope_work *work,
                                        const struct posenc__rope_bounds *bounds,
                                        struct posenc__rope_correction *correction);

/* 0 up to low, 1 from high on. */
struct posenc__dd posenc__rope_ramp(const struct posenc__rope_correction *correction, size_t pair);

/* The same in float32, as transformers does it. */
float posenc__rope_ramp_float(const struct posenc__rope_correction *correction, size_t pair);

/* The pair that makes `turns` over the trained length, by ggml's float32. */
float posenc__rope_correction_float(const struct posenc__rope_work *work, float original,
                                    float turns);

#endif
