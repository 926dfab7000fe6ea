/* Exact values for tests of numbers: MPFR with 320 bits, and a seeded source of arguments. */
#ifndef TESTS_EXACT_H
#define TESTS_EXACT_H

#include <math.h>
#include <mpfr.h>
#include <stdint.h>

#include "dd.h"

#define EXACT_BITS 320

/* SplitMix64 (Steele, Lea and Flood, 2014): any seed will do. */
static inline uint64_t exact_bits(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static inline double exact_between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * ((double)(exact_bits(seed) >> 11) * 0x1p-53);
}

/* x with random bits below it too: a double-double that is no double. */
static inline struct posenc__dd exact_widen(uint64_t *seed, double x)
{
    return posenc__dd_sum(x, x * exact_between(seed, -0x1p-54, 0x1p-54));
}

static inline void exact_set(mpfr_t number, struct posenc__dd x)
{
    mpfr_set_d(number, x.hi, MPFR_RNDN);
    mpfr_add_d(number, number, x.lo, MPFR_RNDN);
}

/* log2 of |x / exact - 1|; -infinity when they are equal. */
static inline double exact_error_bits(struct posenc__dd x, const mpfr_t exact)
{
    mpfr_t error;

    mpfr_init2(error, EXACT_BITS);
    exact_set(error, x);
    mpfr_div(error, error, exact, MPFR_RNDN);
    mpfr_sub_ui(error, error, 1, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
    mpfr_log2(error, error, MPFR_RNDN);
    const double bits = mpfr_get_d(error, MPFR_RNDN);

    mpfr_clear(error);
    return bits;
}

#endif
