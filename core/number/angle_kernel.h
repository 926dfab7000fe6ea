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

/* A split product is scaled by this, so that its low bits stay normal even for the slowest waves.
 */
#define ANGLE_SCALE 0x1p400

/* The upper half of a double's bits (Veltkamp's splitting); products of halves are exact. */
POSENC__KERNEL double angle_upper(double x)
{
    const double spread = 0x1.0000002p27 * x; /* 2^27 + 1 */

    return spread - (spread - x);
}

/* a * b - product, exactly, where product is a * b rounded. */
POSENC__KERNEL double angle_product_error(double a, double b, double product, bool fused)
{
    if (fused)
        return __builtin_fma(a, b, -product);
    const double scaled = a * ANGLE_SCALE;
    const double a_upper = angle_upper(scaled), a_lower = scaled - a_upper;
    const double b_upper = angle_upper(b), b_lower = b - b_upper;
    const double high = product * ANGLE_SCALE - a_upper * b_upper;

    return (a_lower * b_lower - ((high - a_lower * b_upper) - a_upper * b_lower)) *
           (1.0 / ANGLE_SCALE);
}

/* a + b - sum, exactly, where sum is a + b rounded. */
POSENC__KERNEL double angle_sum_error(double a, double b, double sum)
{
    const double b_part = sum - a;

    return (a - (sum - b_part)) + (b - b_part);
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
    const double error = angle_product_error(position.hi, hi, product, fused);
    const double cross = position.hi * lo + position.lo * hi;
    const double rest = error + cross;
    const double near = product - ((product + ANGLE_TO_2_26) - ANGLE_TO_2_26);
    const double shifted = (near + rest) + ANGLE_TO_1;
    const double left = near - (shifted - ANGLE_TO_1);
    const double quarters = left + rest;
    const double quarters_lo =
        angle_sum_error(left, rest, quarters) + angle_sum_error(error, cross, rest);

    struct angle_remainder remainder;
    const double radians = quarters * ANGLE_QUARTER_HI;
    const double radians_error = angle_product_error(quarters, ANGLE_QUARTER_HI, radians, fused);

    remainder.hi = radians;
    remainder.lo = radians_error + (quarters * ANGLE_QUARTER_LO + quarters_lo * ANGLE_QUARTER_HI);
    memcpy(&remainder.quarter, &shifted, sizeof(shifted)); /* the low bits count quarters */
    return remainder;
}

/* c[0] + c[1] z + ... + c[5] z^5. */
POSENC__KERNEL double angle_series(const double c[6], double z)
{
    return c[0] + z * (c[1] + z * (c[2] + z * (c[3] + z * (c[4] + z * c[5]))));
}

/*
 * sin(y + y_lo) for |y| <= pi / 4: y + y z S(z) with a minimax S, relative error below 2^-57. The
 * low part is worth y_lo * cos(y), for which 1 - z / 2 is near enough.
 */
POSENC__KERNEL double angle_sine(double y, double y_lo, double z, double head)
{
    static const double terms[6] = {
        -0x1.5555555555549p-3, 0x1.111111110f8a6p-7,  -0x1.a01a019c1619dp-13,
        0x1.71de357b1bdf7p-19, -0x1.ae5e689ef233p-26, 0x1.5d93a871fdbd5p-33,
    };

    return y + ((y * z) * angle_series(terms, z) + y_lo * head);
}

/*
 * cos(y + y_lo) for |y| <= pi / 4: 1 - z / 2 + z^2 C(z) with a minimax C, absolute error below
 * 2^-63. What 1 - z / 2 loses in rounding is added back; the low part is worth -y_lo * sin(y).
 */
POSENC__KERNEL double angle_cosine(double y, double y_lo, double z, double half, double head)
{
    static const double terms[6] = {
        0x1.555555555554cp-5,   -0x1.6c16c16c1521fp-10, 0x1.a01a019cbf628p-16,
        -0x1.27e4f812b64d9p-22, 0x1.1ee9f1526d99ap-29,  -0x1.8fb12efdfe81cp-37,
    };

    return head + (((1.0 - head) - half) + ((z * z) * angle_series(terms, z) - y * y_lo));
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
        const double half = 0.5 * z;
        const double head = 1.0 - half;
        const double sine = angle_sine(rest.hi, rest.lo, z, head);
        const double cosine = angle_cosine(rest.hi, rest.lo, z, half, head);
        const uint64_t is_odd = rest.quarter & 1;
        const uint64_t sign = rest.quarter << 62; /* in bit 63: the third and fourth quarter */

        sines[i] = angle_pick(sine, cosine, 0 - is_odd, sign);
        cosines[i] = angle_pick(cosine, sine, 0 - is_odd, sign ^ (rest.quarter << 63));
    }
}

#endif
