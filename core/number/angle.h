/*
 * Exact angles: frequencies as turns in double-double, positions up to 2^53, one rounding at the
 * end.
 *
 * An angle p * w of tens of thousands of radians loses its low bits in a double, and a frequency
 * that is rounded before the product loses more. So a frequency is kept as turns per position, t =
 * w / (2 pi), in double-double (about 107 bits); the product's whole turns fall away without error,
 * and what is left is small.
 */
#ifndef POSENC_ANGLE_H
#define POSENC_ANGLE_H

#include "dd.h"
#include "level.h"
#include "posenc.h"

/* Frequencies of `count` waves, as turns per position. */
struct posenc__waves {
    size_t count;
    double *hi, *lo;
};

/* Room for count waves; false when memory is out. */
bool posenc__waves_init(struct posenc__waves *waves, size_t count, struct posenc_memory *memory);

/*
 * Sets one wave from radians per position: 0 (an angle that stays 0), or less than 2^22 in
 * magnitude. Rounds to turns with a relative error below 2^-106.
 */
void posenc__waves_set(struct posenc__waves *waves, size_t index, struct posenc__dd radians);

/* The wave's frequency in radians per position, rounded once. */
double posenc__waves_radians(const struct posenc__waves *waves, size_t index);

/*
 * sin and cos of position * wave for waves [first, first + count), at every |position| <= 2^53. The
 * position may carry a low part (offset + row * step without rounding). Either output may be NULL;
 * they must not overlap.
 *
 * Where a wave is at most 1 radian per position and as exact as posenc__dd_power gives it, results
 * are within 3e-16 absolutely at 2^53 and within 1.2e-16 up to 2^48; up to 2^40 those above 2^-10
 * in magnitude are within 0.85 ulp. The same bits on every processor.
 */
void posenc__sincos(const struct posenc__waves *waves, struct posenc__dd position, size_t first,
                    size_t count, double *sines, double *cosines);

/* The same at a level of choice, which must run here: for tests and benchmarks. */
void posenc__sincos_at(enum posenc__level level, const struct posenc__waves *waves,
                       struct posenc__dd position, size_t first, size_t count, double *sines,
                       double *cosines);

#endif
