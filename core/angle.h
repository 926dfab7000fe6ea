/*
 * Exact angles: frequencies as turns in double-double, positions up to 2^53, one rounding at the
 * end.
 *
 * An angle p * w of tens of thousands of radians loses its low bits in a double, and a frequency
 * that is rounded before the product loses more. So a frequency is kept as turns per position, t =
 * w / (2 pi), in double-double (about 100 bits); the product's whole turns fall away without error,
 * and what is left is small.
 */
#ifndef POSENC_ANGLE_H
#define POSENC_ANGLE_H

#include "posenc.h"

/* An unevaluated sum hi + lo with |lo| <= ulp(hi) / 2: about 106 bits. */
struct posenc__dd {
    double hi, lo;
};

/* Exact: a + b and a * b of doubles. */
struct posenc__dd posenc__dd_sum(double a, double b);
struct posenc__dd posenc__dd_product(double a, double b);

/* Relative error at most 2^-102. */
struct posenc__dd posenc__dd_add(struct posenc__dd a, struct posenc__dd b);
struct posenc__dd posenc__dd_multiply(struct posenc__dd a, struct posenc__dd b);
struct posenc__dd posenc__dd_divide(struct posenc__dd a, struct posenc__dd b);

/* Relative error at most 2^-98 for arguments and results that are normal doubles away from the
 * range's ends. */
struct posenc__dd posenc__dd_log(struct posenc__dd x);
struct posenc__dd posenc__dd_exp(struct posenc__dd x);
/* base^(numerator / denominator), base > 0; exact 1 for a base of 1 or an exponent of 0. */
struct posenc__dd posenc__dd_power(struct posenc__dd base, double numerator, double denominator);

/* Frequencies of `count` waves, as turns per position. */
struct posenc__waves {
    size_t count;
    double *hi, *lo;
};

/* Room for count waves; false when memory is out. */
bool posenc__waves_init(struct posenc__waves *waves, size_t count, struct posenc_memory *memory);

/* Sets one wave from radians per position (0 is allowed: an angle that stays 0). */
void posenc__waves_set(struct posenc__waves *waves, size_t index, struct posenc__dd radians);

/* The wave's frequency in radians per position, rounded once. */
double posenc__waves_radians(const struct posenc__waves *waves, size_t index);

/*
 * sin and cos of position * wave for waves [first, first + count): within 2^-52 absolutely, right
 * to 0.6 ulp of double for results that are not tiny, at every |position| <= 2^53. The position may
 * carry a low part (offset + row * step without rounding). Either output may be NULL.
 */
void posenc__sincos(const struct posenc__waves *waves, struct posenc__dd position, size_t first,
                    size_t count, double *sines, double *cosines);

#endif
