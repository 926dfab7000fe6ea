/*
 * The kernel of posenc__sincos, once for all levels: angle.c compiles it for each.
 *
 * Only + - *, comparisons, selects and the exact error of a product, so that every level gives the
 * same bits: no fma but for that error, which is a double and can be had without fma too. The loop
 * has no branches and vectorises.
 */
#ifndef POSENC_ANGLE_KERNEL_H
#define POSENC_ANGLE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dd.h"
#include "level.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

struct angle_waves {
    const double *restrict hi, *restrict lo; /* turns per position */
};

/* Adding and subtracting these rounds to multiples of 2^26 (below 2^77) and of 1 (below 2^51). */
#define ANGLE_TO_2_26 0x1.8p78
#define ANGLE_TO_1    0x1.8p52

/* pi / 2. */
#define ANGLE_QUARTER_HI 0x1.921fb54442d18p+0
#define ANGLE_QUARTER_LO 0x1.1a62633145c07p-54

/* Products below this leave out their error, which may be too small for a normal double. */
#define ANGLE_TINY 0x1p-900

/* The upper half of a double's bits (Veltkamp's splitting); products of halves are exact. */
POSENC__KERNEL double angle_upper(double x)
{
    const double spread = 0x1.0000002p27 * x; /* 2^27 + 1 */

    return spread - (spread - x);
}

/* a * b - product, exactly, where product is a * b rounded. */
POSENC__KERNEL double angle_error(double a, double b, double product, bool fused)
{
    if (fused)
        return __builtin_fma(a, b, -product);
    const double a_upper = angle_upper(a), a_lower = a - a_upper;
    const double b_upper = angle_upper(b), b_lower = b - b_upper;

    return a_lower * b_lower -
           (((product - a_upper * b_upper) - a_lower * b_upper) - a_upper * b_lower);
}

/* A remainder of at most about an eighth of a turn either side, and which quarter it stands in. */
struct angle_remainder {
    double hi, lo;    /* radians */
    uint64_t quarter; /* modulo 4 */
};

/*
 * position * turns, both in double-double and the position times 4, so that whole numbers are
 * quarter turns. What is removed is removed exactly: first multiples of 2^26 quarters from the high
 * product, then the nearest whole number.
 */
POSENC__KERNEL struct angle_remainder angle_reduce(struct posenc__dd position, double hi, double lo,
                                                   bool fused)
{
    const double product = position.hi * hi;
    const bool is_tiny = __builtin_fabs(product) < ANGLE_TINY;
    const double error = is_tiny ? 0.0 : angle_error(position.hi, hi, product, fused);
    const double rest = error + (position.hi * lo + position.lo * hi);
    const double near = product - ((product + ANGLE_TO_2_26) - ANGLE_TO_2_26);
    const double shifted = (near + rest) + ANGLE_TO_1;
    const double left = near - (shifted - ANGLE_TO_1);

    /* left + rest = quarters + quarters_lo, exactly. */
    const double quarters = left + rest;
    const double rest_part = quarters - left;
    const double quarters_lo = (left - (quarters - rest_part)) + (rest - rest_part);

    struct angle_remainder remainder;
    const double radians = quarters * ANGLE_QUARTER_HI;
    const double radians_error =
        is_tiny ? 0.0 : angle_error(quarters, ANGLE_QUARTER_HI, radians, fused);

    remainder.hi = radians;
    remainder.lo = radians_error + (quarters * ANGLE_QUARTER_LO + quarters_lo * ANGLE_QUARTER_HI);
    memcpy(&remainder.quarter, &shifted, sizeof(shifted)); /* the low bits count quarters */
    return remainder;
}

/* sin(y + y_lo) for |y| <= pi / 4: minimax, z^1 to z^6 of sin(y) / y, relative error below 2^-57.
 * The low part is worth y_lo * cos(y). */
POSENC__KERNEL double angle_sine(double y, double y_lo, double z)
{
    const double head = -0x1.5555555555549p-3;
    const double tail = z * (0x1.111111110f8a6p-7 +
                             z * (-0x1.a01a019c1619dp-13 +
                                  z * (0x1.71de357b1bdf7p-19 +
                                       z * (-0x1.ae5e689ef233p-26 + z * 0x1.5d93a871fdbd5p-33))));

    return y + ((y * z) * (head + tail) + (y_lo - 0.5 * z * y_lo));
}

/* cos(y + y_lo) for |y| <= pi / 4: minimax, absolute error below 2^-63. 1 - z / 2 is kept in two
 * parts; the low part is worth -y_lo * sin(y). */
POSENC__KERNEL double angle_cosine(double y, double y_lo, double z)
{
    const double half = 0.5 * z;
    const double head = 1.0 - half;
    const double series =
        z * (0x1.555555555554cp-5 +
             z * (-0x1.6c16c16c1521fp-10 +
                  z * (0x1.a01a019cbf628p-16 +
                       z * (-0x1.27e4f812b64d9p-22 +
                            z * (0x1.1ee9f1526d99ap-29 + z * -0x1.8fb12efdfe81cp-37)))));

    return head + (((1.0 - head) - half) + (z * series - y * y_lo));
}

/* `value`, or where `swap` is all ones `other`; then negated where `sign` has bit 63 set. */
POSENC__KERNEL double angle_pick(double value, double other, uint64_t swap, uint64_t sign)
{
    uint64_t bits, other_bits;

    memcpy(&bits, &value, sizeof(bits));
    memcpy(&other_bits, &other, sizeof(other_bits));
    bits ^= ((bits ^ other_bits) & swap) ^ (sign & UINT64_C(0x8000000000000000));
    memcpy(&value, &bits, sizeof(value));
    return value;
}

POSENC__KERNEL void angle_kernel(const struct angle_waves *waves, struct posenc__dd position,
                                 size_t count, double *restrict sines, double *restrict cosines,
                                 bool fused)
{
    const double *const restrict hi = waves->hi;
    const double *const restrict lo = waves->lo;
    const struct posenc__dd fourfold = {4.0 * position.hi, 4.0 * position.lo};

    for (size_t i = 0; i < count; i++) {
        const struct angle_remainder rest = angle_reduce(fourfold, hi[i], lo[i], fused);
        const double z = rest.hi * rest.hi;
        const double sine = angle_sine(rest.hi, rest.lo, z);
        const double cosine = angle_cosine(rest.hi, rest.lo, z);
        const uint64_t is_odd = rest.quarter & 1;

        sines[i] = angle_pick(sine, cosine, 0 - is_odd, rest.quarter << 62);
        cosines[i] = angle_pick(cosine, sine, 0 - is_odd, (rest.quarter + 1) << 62);
    }
}

#endif
