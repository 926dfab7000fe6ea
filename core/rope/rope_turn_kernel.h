/*
 * The kernels of rope_turn.c, once for all levels.
 *
 * Products and sums are those of double, so that a level may not fuse them. The way from double to
 * 16 bits goes by a float rounded to odd, as in dtype_kernel.h.
 */
#ifndef POSENC_ROPE_TURN_KERNEL_H
#define POSENC_ROPE_TURN_KERNEL_H

#include <string.h>

#include "dtype_kernel.h"
#include "level.h"
#include "rope_turn.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

POSENC__KERNEL double turn_channel(double value, bool rounds)
{
    return rounds ? (double)(float)value : value;
}

POSENC__KERNEL double turn_sum(double straight, double crossed, bool rounds)
{
    if (rounds)
        return (double)(float)((double)(float)straight + (double)(float)crossed);
    return straight + crossed;
}

POSENC__KERNEL double turn_real(double a, double b, double cosine, double sine, bool rounds)
{
    return turn_sum(a * cosine, -b * sine, rounds);
}

POSENC__KERNEL double turn_imaginary(double a, double b, double cosine, double sine, bool rounds)
{
    return turn_sum(b * cosine, a * sine, rounds);
}

/* float32 and float64: the same loop, over another type. */
#define TURN_WIDE(name, type)                                                                      \
    POSENC__KERNEL void name##_at(const struct posenc__pairs *pairs, bool rounds, size_t step_in,  \
                                  size_t step_out)                                                 \
    {                                                                                              \
        const type *const a = pairs->real, *const b = step_in == 2 ? a + 1 : pairs->imaginary;     \
        type *const real = pairs->real_out;                                                        \
        type *const imaginary = step_out == 2 ? real + 1 : pairs->imaginary_out;                   \
        const double *const cosines = pairs->cosines, *const sines = pairs->sines;                 \
        const size_t count = pairs->count;                                                         \
                                                                                                   \
        POSENC__INDEPENDENT                                                                        \
        for (size_t i = 0; i < count; i++) {                                                       \
            const double x = turn_channel((double)a[i * step_in], rounds);                         \
            const double y = turn_channel((double)b[i * step_in], rounds);                         \
                                                                                                   \
            real[i * step_out] = (type)turn_real(x, y, cosines[i], sines[i], rounds);              \
            imaginary[i * step_out] = (type)turn_imaginary(x, y, cosines[i], sines[i], rounds);    \
        }                                                                                          \
    }                                                                                              \
    POSENC__KERNEL void name(const struct posenc__pairs *pairs, bool rounds)                       \
    {                                                                                              \
        if (pairs->imaginary && pairs->imaginary_out)                                              \
            name##_at(pairs, rounds, 1, 1);                                                        \
        else if (pairs->imaginary)                                                                 \
            name##_at(pairs, rounds, 1, 2);                                                        \
        else if (pairs->imaginary_out)                                                             \
            name##_at(pairs, rounds, 2, 1);                                                        \
        else                                                                                       \
            name##_at(pairs, rounds, 2, 2);                                                        \
    }

TURN_WIDE(turn_float64, double)
TURN_WIDE(turn_float32, float)

/* float16 and bfloat16. */

/* gcc's analyzer loses count of what unrolled loops write; zeros first would cost a third. */
#ifdef ANALYZING
#define TURN_UNWRITTEN = {0}
#else
#define TURN_UNWRITTEN
#endif

#define TURN_CHUNK ((size_t)64) /* pairs at a time, on the stack */
#define TURN_PIECE ((size_t)16) /* of what is left behind whole chunks */

/* Conversions of a count of elements that is a multiple of TURN_PIECE. */
struct turn_short {
    void (*widen)(const uint16_t *elements, size_t count, float *out);
    void (*narrow)(const float *values, size_t count, uint16_t *out);
    bool is_bfloat16; /* which has numbers where floats are subnormal */
};

POSENC__KERNEL uint32_t turn_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

POSENC__KERNEL float turn_from_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

POSENC__KERNEL void turn_widen_bfloat16(const uint16_t *elements, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = turn_from_bits((uint32_t)elements[i] << 16);
}

/* The result is the upper half. A NaN's lower half is 0, as rope_turn.h asks for, so that nothing
 * carries. */
POSENC__KERNEL uint32_t turn_round_half(float value)
{
    const uint32_t bits = turn_bits(value);

    return bits + 0x7fff + (bits >> 16 & 1);
}

POSENC__KERNEL void turn_narrow_bfloat16(const float *values, size_t count, uint16_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (uint16_t)(turn_round_half(values[i]) >> 16);
}

/* float16 without the processor's help: exponents differ by 112, fractions by 13 bits. */
POSENC__KERNEL void turn_widen_float16(const uint16_t *elements, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t magnitude = (uint32_t)(elements[i] & 0x7fff) << 13;
        const uint32_t sign = (uint32_t)(elements[i] & 0x8000) << 16;
        const uint32_t special = 0U - (uint32_t)(magnitude >= 0x7c00U << 13);
        const uint32_t small = 0U - (uint32_t)(magnitude < 0x0400U << 13);
        const uint32_t normal = magnitude + (112U << 23) + (special & (112U << 23));
        const float step = turn_from_bits(magnitude + (113U << 23)) - turn_from_bits(113U << 23);

        out[i] = turn_from_bits((normal & ~small) | (turn_bits(step) & small) | sign);
    }
}

POSENC__KERNEL void turn_narrow_float16(const float *values, size_t count, uint16_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = dtype_shorten(dtype_bits32(values[i]), DTYPE_FLOAT16);
}

/* A chunk, taken apart and widened; and its results. */
struct turn_chunk {
    float a[TURN_CHUNK], b[TURN_CHUNK];
    float real[TURN_CHUNK], imaginary[TURN_CHUNK];
};

/* Adjacent elements: of bfloat16 two halves of 32 bits, each of which is a float's upper half. */
POSENC__KERNEL void turn_load_adjacent(const uint16_t *elements, const struct turn_short *dtype,
                                       size_t count, struct turn_chunk *chunk)
{
    float both[2 * TURN_CHUNK] TURN_UNWRITTEN;

    if (!dtype->is_bfloat16) {
        dtype->widen(elements, 2 * count, both);
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t halves;

        memcpy(&halves, elements + 2 * i, sizeof(halves));
        chunk->a[i] = dtype->is_bfloat16 ? turn_from_bits(halves << 16) : both[2 * i];
        chunk->b[i] = dtype->is_bfloat16 ? turn_from_bits(halves & 0xffff0000) : both[2 * i + 1];
    }
}

POSENC__KERNEL void turn_store_adjacent(const struct turn_chunk *chunk,
                                        const struct turn_short *dtype, size_t count,
                                        uint16_t *elements)
{
    float both[2 * TURN_CHUNK] TURN_UNWRITTEN;

    for (size_t i = 0; i < count; i++) {
        const uint32_t halves = turn_round_half(chunk->real[i]) >> 16 |
                                (turn_round_half(chunk->imaginary[i]) & 0xffff0000);

        if (dtype->is_bfloat16)
            memcpy(elements + 2 * i, &halves, sizeof(halves));
        both[2 * i] = chunk->real[i];
        both[2 * i + 1] = chunk->imaginary[i];
    }
    if (!dtype->is_bfloat16) {
        dtype->narrow(both, 2 * count, elements);
    }
}

POSENC__KERNEL void turn_chunk(const double *cosines, const double *sines, bool rounds,
                               size_t count, struct turn_chunk *chunk)
{
    POSENC__INDEPENDENT
    for (size_t i = 0; i < count; i++) {
        const double x = chunk->a[i], y = chunk->b[i];

        chunk->real[i] =
            dtype_float(dtype_float_bits(turn_real(x, y, cosines[i], sines[i], rounds)));
        chunk->imaginary[i] =
            dtype_float(dtype_float_bits(turn_imaginary(x, y, cosines[i], sines[i], rounds)));
    }
}

/* Subnormal floats have fewer bits, so that odd ones were rounded once more among them. */
POSENC__KERNEL bool turn_has_subnormal(const struct turn_chunk *chunk, size_t count)
{
    uint32_t least = UINT32_MAX;

    for (size_t i = 0; i < count; i++) {
        const uint32_t real = (turn_bits(chunk->real[i]) & 0x7fffffff) - 1; /* 0: the largest */
        const uint32_t imaginary = (turn_bits(chunk->imaginary[i]) & 0x7fffffff) - 1;
        const uint32_t both = real < imaginary ? real : imaginary;

        least = both < least ? both : least;
    }
    return least < 0x7fffff;
}

/* bfloat16 from the doubles themselves, at any value. Goes back to floats, which then are exact. */
POSENC__KERNEL void turn_rare_chunk(const double *cosines, const double *sines, bool rounds,
                                    size_t count, struct turn_chunk *chunk)
{
    double real[TURN_CHUNK], imaginary[TURN_CHUNK];
    uint16_t elements[TURN_CHUNK];

    for (size_t i = 0; i < count; i++) {
        const double x = chunk->a[i], y = chunk->b[i];

        real[i] = turn_real(x, y, cosines[i], sines[i], rounds);
        imaginary[i] = turn_imaginary(x, y, cosines[i], sines[i], rounds);
    }
    dtype_round(POSENC_BFLOAT16, real, count, elements);
    turn_widen_bfloat16(elements, count, chunk->real);
    dtype_round(POSENC_BFLOAT16, imaginary, count, elements);
    turn_widen_bfloat16(elements, count, chunk->imaginary);
}

/* Turns `count` pairs, a multiple of TURN_PIECE and at most TURN_CHUNK. */
POSENC__KERNEL void turn_short_chunk(const struct posenc__pairs *pairs, size_t at, size_t count,
                                     const struct turn_short *dtype, bool rounds)
{
    const uint16_t *const real = pairs->real, *const imaginary = pairs->imaginary;
    uint16_t *const real_out = pairs->real_out, *const imaginary_out = pairs->imaginary_out;
    const double *const cosines = pairs->cosines + at, *const sines = pairs->sines + at;
    struct turn_chunk chunk TURN_UNWRITTEN;

    if (imaginary) {
        dtype->widen(real + at, count, chunk.a);
        dtype->widen(imaginary + at, count, chunk.b);
    } else {
        turn_load_adjacent(real + 2 * at, dtype, count, &chunk);
    }
    turn_chunk(cosines, sines, rounds, count, &chunk);
    if (dtype->is_bfloat16 && __builtin_expect(turn_has_subnormal(&chunk, count), false))
        turn_rare_chunk(cosines, sines, rounds, count, &chunk);
    if (imaginary_out) {
        dtype->narrow(chunk.real, count, real_out + at);
        dtype->narrow(chunk.imaginary, count, imaginary_out + at);
    } else {
        turn_store_adjacent(&chunk, dtype, count, real_out + 2 * at);
    }
}

/* Fewer than TURN_PIECE pairs, among as many zeros as it takes. */
POSENC__KERNEL void turn_short_rest(const struct posenc__pairs *pairs, size_t at,
                                    const struct turn_short *dtype, bool rounds)
{
    const size_t count = pairs->count - at;
    const size_t in = pairs->imaginary ? at : 2 * at, out = pairs->imaginary_out ? at : 2 * at;
    const size_t size = sizeof(uint16_t);
    uint16_t real[2 * TURN_PIECE] = {0}, imaginary[TURN_PIECE] = {0};
    double cosines[TURN_PIECE] = {0}, sines[TURN_PIECE] = {0};
    const struct posenc__pairs rest = {.real = real,
                                       .imaginary = pairs->imaginary ? imaginary : NULL,
                                       .real_out = real,
                                       .imaginary_out = pairs->imaginary_out ? imaginary : NULL,
                                       .cosines = cosines,
                                       .sines = sines};

    memcpy(real, (const uint16_t *)pairs->real + in, (pairs->imaginary ? 1 : 2) * count * size);
    if (pairs->imaginary)
        memcpy(imaginary, (const uint16_t *)pairs->imaginary + in, count * size);
    memcpy(cosines, pairs->cosines + at, count * sizeof(double));
    memcpy(sines, pairs->sines + at, count * sizeof(double));
    turn_short_chunk(&rest, 0, TURN_PIECE, dtype, rounds);
    memcpy((uint16_t *)pairs->real_out + out, real, (pairs->imaginary_out ? 1 : 2) * count * size);
    if (pairs->imaginary_out)
        memcpy((uint16_t *)pairs->imaginary_out + out, imaginary, count * size);
}

POSENC__KERNEL void turn_short(const struct posenc__pairs *pairs, const struct turn_short *dtype,
                               bool rounds)
{
    size_t at = 0;

    for (; pairs->count - at >= TURN_CHUNK; at += TURN_CHUNK)
        turn_short_chunk(pairs, at, TURN_CHUNK, dtype, rounds);
    for (; pairs->count - at >= TURN_PIECE; at += TURN_PIECE)
        turn_short_chunk(pairs, at, TURN_PIECE, dtype, rounds);
    if (at < pairs->count)
        turn_short_rest(pairs, at, dtype, rounds);
}

#endif
