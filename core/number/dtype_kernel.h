/*
 * The kernels of posenc_round and posenc_widen, once for all levels: dtype.c compiles them for
 * each.
 *
 * The 16-bit formats are made from the double's bits directly. By way of float they would be
 * rounded twice: a double just above a tie becomes the tie, and then goes to even.
 */
#ifndef POSENC_DTYPE_KERNEL_H
#define POSENC_DTYPE_KERNEL_H

#include <string.h>

#include "level.h"
#include "posenc.h"

#define DTYPE_MAGNITUDE INT64_C(0x7fffffffffffffff) /* all bits but the sign */
#define DTYPE_INFINITY  INT64_C(0x7ff0000000000000)

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

/* All ones where the condition holds: a select that stays a select. */
POSENC__KERNEL int64_t dtype_choose(bool condition, int64_t yes, int64_t no)
{
    const int64_t mask = -(int64_t)condition;

    return (yes & mask) | (no & ~mask);
}

/*
 * To nearest even. Normal results: half a unit less a bit, plus the bit that is kept last, carries
 * into the exponent as it should. Subnormal ones: adding a number whose last bit is worth the
 * format's smallest step makes the processor round there.
 */
POSENC__KERNEL uint16_t dtype_shorten(double value, struct dtype_short format)
{
    const int shift = 52 - format.fraction;
    const int64_t infinity = (int64_t)(2 * format.bias + 1) << format.fraction;
    const int64_t least_normal = (int64_t)(1024 - format.bias) << 52;
    const int64_t step_bits = (int64_t)(1024 - format.bias + shift) << 52;
    const int64_t bits = dtype_bits(value);
    const int64_t magnitude = bits & DTYPE_MAGNITUDE;

    const int64_t last = (magnitude >> shift) & 1;
    const int64_t half = ((int64_t)1 << (shift - 1)) - 1;
    const int64_t normal =
        ((magnitude + half + last) >> shift) - ((int64_t)(1023 - format.bias) << format.fraction);
    const double stepped = dtype_from_bits(magnitude) + dtype_from_bits(step_bits);
    const int64_t subnormal = dtype_bits(stepped) - step_bits;
    const int64_t payload = (magnitude >> shift) & (((int64_t)1 << format.fraction) - 1);
    const int64_t quiet = infinity | (int64_t)1 << (format.fraction - 1) | payload;

    int64_t result = dtype_choose(magnitude < least_normal, subnormal, normal);

    result = dtype_choose(result > infinity, infinity, result);
    result = dtype_choose(magnitude > DTYPE_INFINITY, quiet, result);
    return (uint16_t)(result | (int64_t)((uint64_t)bits >> 63 << 15));
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
        for (size_t i = 0; i < count; i++)
            ((uint16_t *restrict)out)[i] = dtype_shorten(values[i], DTYPE_FLOAT16);
        break;
    case POSENC_BFLOAT16:
        for (size_t i = 0; i < count; i++)
            ((uint16_t *restrict)out)[i] = dtype_shorten(values[i], DTYPE_BFLOAT16);
        break;
    case POSENC_INT64:
        for (size_t i = 0; i < count; i++)
            ((int64_t *restrict)out)[i] = (int64_t)values[i];
        break;
    case POSENC_INT32:
        for (size_t i = 0; i < count; i++)
            ((int32_t *restrict)out)[i] = (int32_t)values[i];
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
