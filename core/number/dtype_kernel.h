/*
 * The kernels of posenc_round and posenc_widen, once for all levels: dtype.c compiles them for
 * each.
 *
 * By way of a float rounded to nearest, the 16-bit formats would be rounded twice: a double just
 * above a tie becomes the tie, and then goes to even. So that float is rounded to odd: it is cut
 * off, and its last bit set where something was lost (Boldo and Melquiond, "Emulation of FMA and
 * correctly rounded sums", 2008). Half as many bits as the double's make twice as fast a loop.
 */
#ifndef POSENC_DTYPE_KERNEL_H
#define POSENC_DTYPE_KERNEL_H

#include <math.h>
#include <string.h>

#include "level.h"
#include "posenc.h"

#define DTYPE_INFINITY INT64_C(0x7ff0000000000000)

/* A binary format of 16 bits: its fraction bits, and the bias of its exponent. */
struct dtype_short {
    int fraction, bias;
};

#define DTYPE_FLOAT16  ((struct dtype_short){10, 15})
#define DTYPE_BFLOAT16 ((struct dtype_short){7, 127})

POSENC__KERNEL int64_t dtype_bits(double value)
{
    int64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

POSENC__KERNEL double dtype_from_bits(int64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

POSENC__KERNEL int32_t dtype_bits32(float value)
{
    int32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

POSENC__KERNEL float dtype_float(int32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* All ones where the condition holds: a select that stays a select. */
POSENC__KERNEL int64_t dtype_choose(bool condition, int64_t yes, int64_t no)
{
    const int64_t mask = -(int64_t)condition;

    return (yes & mask) | (no & ~mask);
}

#define DTYPE_LOST ((INT64_C(1) << 29) - 1) /* bits of a double that a float does not have */

/* The bits of a float rounded to odd; where that is subnormal, rounded to nearest. */
POSENC__KERNEL int32_t dtype_float_bits(double value)
{
    const int64_t bits = dtype_bits(value);
    const int64_t odd = (bits | ((bits & DTYPE_LOST) + DTYPE_LOST)) & ~DTYPE_LOST;
    const float narrow = (float)dtype_from_bits(odd);

    return dtype_bits32(narrow);
}

/* `yes` where a < b, else `no`; without a bool, which compilers would carry in narrower vectors. */
POSENC__KERNEL int32_t dtype_where_less(int32_t a, int32_t b, int32_t yes, int32_t no)
{
    /* All ones or none: gcc and clang shift the sign in, and say so in their manuals. */
    const int32_t mask = (a - b) >> 31; /* cppcheck-suppress shiftTooManyBitsSigned */

    return no ^ ((yes ^ no) & mask);
}

/*
 * To nearest even. Normal results: half a unit less a bit, plus the bit that is kept last, carries
 * into the exponent as it should. Subnormal ones: adding a number whose last bit is worth the
 * format's smallest step makes the processor round there. bfloat16 has float's exponents, and so no
 * subnormals of its own; where the float is subnormal, dtype_mend_bfloat16 has the last word.
 */
POSENC__KERNEL uint16_t dtype_shorten(int32_t bits, struct dtype_short format)
{
    const int shift = 23 - format.fraction;
    const int32_t infinity = (2 * format.bias + 1) << format.fraction;
    const int32_t magnitude = bits & INT32_MAX;
    const int32_t sign = (int32_t)((uint32_t)bits >> 31 << 15);

    const int32_t last = (magnitude >> shift) & 1;
    const uint32_t carried = (uint32_t)magnitude + (1u << (shift - 1)) - 1 + (uint32_t)last;
    const int32_t normal = (int32_t)(carried >> shift) - ((127 - format.bias) << format.fraction);
    const int32_t payload = (magnitude >> shift) & ((1 << format.fraction) - 1);
    const int32_t quiet = infinity | 1 << (format.fraction - 1) | payload;
    int32_t result = normal;

    if (format.bias != 127) { /* constant for a format */
        const int32_t step_bits = (128 - format.bias + shift) << 23;
        const float step = dtype_float(step_bits);
        const int32_t subnormal = dtype_bits32(dtype_float(magnitude) + step) - step_bits;

        result = dtype_where_less(magnitude, (128 - format.bias) << 23, subnormal, result);
        result = dtype_where_less(infinity, result, infinity, result);
    }
    result = dtype_where_less(0x7f800000, magnitude, quiet, result);
    return (uint16_t)(result | sign);
}

/* Below 2^-126 the float was rounded to nearest already; these are rounded anew, as doubles. */
static inline void dtype_mend_bfloat16(const double *values, size_t count, uint16_t *out)
{
    const double step = 0x1p-81; /* its last bit is worth 2^-133, bfloat16's smallest step */

    for (size_t i = 0; i < count; i++) {
        const double magnitude = dtype_from_bits(dtype_bits(values[i]) & INT64_MAX);

        if (magnitude < 0x1p-126)
            out[i] =
                (uint16_t)((out[i] & 0x8000) | (dtype_bits(magnitude + step) - dtype_bits(step)));
    }
}

#define DTYPE_BLOCK 256 /* floats on the stack between the two halves of a rounding */

/* Loops of one width each vectorise better than one of three widths. */
POSENC__KERNEL void dtype_round_short(const double *values, size_t count, uint16_t *out,
                                      struct dtype_short format)
{
    int32_t bits[DTYPE_BLOCK];
    int32_t has_subnormals = 0;

    for (size_t done = 0; done < count; done += DTYPE_BLOCK) {
        const size_t left = count - done, part = left < DTYPE_BLOCK ? left : DTYPE_BLOCK;
        const double *const restrict from = values + done;
        uint16_t *const restrict to = out + done;

        for (size_t i = 0; i < part; i++)
            bits[i] = dtype_float_bits(from[i]);
        for (size_t i = 0; i < part; i++) {
            const int32_t magnitude = bits[i] & INT32_MAX;

            has_subnormals |= (magnitude - 0x00800000) & ~(magnitude - 1);
            to[i] = dtype_shorten(bits[i], format);
        }
    }
    if (has_subnormals < 0 && format.bias == DTYPE_BFLOAT16.bias)
        dtype_mend_bfloat16(values, count, out);
}

/* Exact. A subnormal is its integer times the format's smallest step. */
POSENC__KERNEL double dtype_lengthen(uint16_t element, struct dtype_short format)
{
    const int shift = 52 - format.fraction;
    const int64_t infinity = (int64_t)(2 * format.bias + 1) << format.fraction;
    const int64_t magnitude = element & 0x7fff;
    const int64_t sign = (int64_t)((uint64_t)(element >> 15) << 63);
    const double step = dtype_from_bits((int64_t)(1024 - format.bias - format.fraction) << 52);

    const int64_t rebias = (int64_t)(1023 - format.bias) << 52;
    const int64_t normal = (magnitude << shift) + rebias;
    const int64_t special = (magnitude << shift) | DTYPE_INFINITY |
                            dtype_choose(magnitude > infinity, (int64_t)1 << 51, 0);
    const int64_t subnormal = dtype_bits((double)(int32_t)magnitude * step);

    int64_t result = dtype_choose(magnitude < (int64_t)1 << format.fraction, subnormal, normal);

    result = dtype_choose(magnitude >= infinity, special, result);
    return dtype_from_bits(result | sign);
}

/* C leaves a conversion undefined where the integer has no room for the number. */
POSENC__KERNEL int64_t dtype_to_int64(double value)
{
    if (value >= 0x1p63)
        return INT64_MAX;
    if (value <= -0x1p63)
        return INT64_MIN;
    return isnan(value) ? 0 : (int64_t)value;
}

POSENC__KERNEL int32_t dtype_to_int32(double value)
{
    if (value >= INT32_MAX)
        return INT32_MAX;
    if (value <= INT32_MIN)
        return INT32_MIN;
    return isnan(value) ? 0 : (int32_t)value;
}

POSENC__KERNEL void dtype_round(enum posenc_dtype dtype, const double *values, size_t count,
                                void *out)
{
    switch (dtype) {
    case POSENC_FLOAT64:
        memmove(out, values, count * sizeof(double));
        break;
    case POSENC_FLOAT32:
        for (size_t i = 0; i < count; i++)
            ((float *restrict)out)[i] = (float)values[i];
        break;
    case POSENC_FLOAT16:
        dtype_round_short(values, count, out, DTYPE_FLOAT16);
        break;
    case POSENC_BFLOAT16:
        dtype_round_short(values, count, out, DTYPE_BFLOAT16);
        break;
    case POSENC_INT64:
        for (size_t i = 0; i < count; i++)
            ((int64_t *restrict)out)[i] = dtype_to_int64(values[i]);
        break;
    case POSENC_INT32:
        for (size_t i = 0; i < count; i++)
            ((int32_t *restrict)out)[i] = dtype_to_int32(values[i]);
        break;
    case POSENC_DTYPE_COUNT:
        break;
    }
}

POSENC__KERNEL void dtype_widen(enum posenc_dtype dtype, const void *elements, size_t count,
                                double *out)
{
    switch (dtype) {
    case POSENC_FLOAT64:
        memmove(out, elements, count * sizeof(double));
        break;
    case POSENC_FLOAT32:
        for (size_t i = 0; i < count; i++)
            out[i] = (double)((const float *)elements)[i];
        break;
    case POSENC_FLOAT16:
        for (size_t i = 0; i < count; i++)
            out[i] = dtype_lengthen(((const uint16_t *)elements)[i], DTYPE_FLOAT16);
        break;
    case POSENC_BFLOAT16:
        for (size_t i = 0; i < count; i++)
            out[i] = dtype_lengthen(((const uint16_t *)elements)[i], DTYPE_BFLOAT16);
        break;
    case POSENC_INT64:
        for (size_t i = 0; i < count; i++)
            out[i] = (double)((const int64_t *)elements)[i];
        break;
    case POSENC_INT32:
        for (size_t i = 0; i < count; i++)
            out[i] = (double)((const int32_t *)elements)[i];
        break;
    case POSENC_DTYPE_COUNT:
        break;
    }
}

#endif
