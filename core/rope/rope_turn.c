/* Rotation's inner loop at each level, and between dtypes that have no loop of their own. */
#include "rope_turn.h"

#include <assert.h>

#include "rope_turn_kernel.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

typedef void turn_run(const struct posenc__pairs *pairs);

static const struct turn_short turn_bfloat16_format = {turn_widen_bfloat16, turn_narrow_bfloat16,
                                                       true};
static const struct turn_short turn_float16_format = {turn_widen_float16, turn_narrow_float16,
                                                      false};

#ifdef __x86_64__
#define TURN_LANES ((size_t)8) /* elements that the processor converts at a time */

POSENC__FOR_AVX2 static inline void turn_widen_f16c(const uint16_t *elements, size_t count,
                                                    float *out)
{
    for (size_t i = 0; i < count; i += TURN_LANES)
        _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(elements + i))));
}

POSENC__FOR_AVX2 static inline void turn_narrow_f16c(const float *values, size_t count,
                                                     uint16_t *out)
{
    for (size_t i = 0; i < count; i += TURN_LANES)
        _mm_storeu_si128((void *)(out + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(values + i), _MM_FROUND_TO_NEAREST_INT));
}

static const struct turn_short turn_f16c_format = {turn_widen_f16c, turn_narrow_f16c, false};
#endif

/* The attribute of each level. */
#define TURN_FOR_plain
#define TURN_FOR_avx2   POSENC__FOR_AVX2
#define TURN_FOR_avx512 POSENC__FOR_AVX512

/* A run of one dtype, with and without rounded steps. */
#define TURN_RUNS(level, dtype, call)                                                              \
    TURN_FOR_##level static void turn_##dtype##_##level(const struct posenc__pairs *pairs)         \
    {                                                                                              \
        call(pairs, false);                                                                        \
    }                                                                                              \
    TURN_FOR_##level static void turn_##dtype##_steps_##level(const struct posenc__pairs *pairs)   \
    {                                                                                              \
        call(pairs, true);                                                                         \
    }

/* All runs of a level; `halves` converts float16. */
#define TURN_LEVEL(level, halves)                                                                  \
    POSENC__KERNEL void turn_float16_##level##_any(const struct posenc__pairs *pairs, bool rounds) \
    {                                                                                              \
        turn_short(pairs, &(halves), rounds);                                                      \
    }                                                                                              \
    POSENC__KERNEL void turn_bfloat16_##level##_any(const struct posenc__pairs *pairs,             \
                                                    bool rounds)                                   \
    {                                                                                              \
        turn_short(pairs, &turn_bfloat16_format, rounds);                                          \
    }                                                                                              \
    TURN_RUNS(level, float64, turn_float64)                                                        \
    TURN_RUNS(level, float32, turn_float32)                                                        \
    TURN_RUNS(level, float16, turn_float16_##level##_any)                                          \
    TURN_RUNS(level, bfloat16, turn_bfloat16_##level##_any)

#define TURN_ROW(level)                                                                            \
    {                                                                                              \
        [POSENC_FLOAT64] = {turn_float64_##level, turn_float64_steps_##level},                     \
        [POSENC_FLOAT32] = {turn_float32_##level, turn_float32_steps_##level},                     \
        [POSENC_FLOAT16] = {turn_float16_##level, turn_float16_steps_##level},                     \
        [POSENC_BFLOAT16] = {turn_bfloat16_##level, turn_bfloat16_steps_##level},                  \
    }

TURN_LEVEL(plain, turn_float16_format)
#ifdef __x86_64__
TURN_LEVEL(avx2, turn_f16c_format)
TURN_LEVEL(avx512, turn_f16c_format)
#endif

static turn_run *const turn_runs[POSENC__LEVEL_COUNT][POSENC_DTYPE_COUNT][2] = {
    [POSENC__PLAIN] = TURN_ROW(plain),
#ifdef __x86_64__
    [POSENC__AVX2] = TURN_ROW(avx2),
    [POSENC__AVX512] = TURN_ROW(avx512),
#endif
};

/* Between dtypes: by way of doubles. */

#define TURN_BLOCK ((size_t)64) /* pairs on the stack at a time */

struct turn_block {
    double in[2 * TURN_BLOCK], out[2 * TURN_BLOCK];
};

static const void *turn_at(const void *elements, size_t index, enum posenc_dtype dtype)
{
    return (const char *)elements + index * posenc_dtype_size(dtype);
}

static void *turn_out_at(void *elements, size_t index, enum posenc_dtype dtype)
{
    return (char *)elements + index * posenc_dtype_size(dtype);
}

static void turn_widen(const struct posenc__pairs *pairs, size_t at, size_t count,
                       enum posenc_dtype from, double *out)
{
    if (!pairs->imaginary) {
        posenc_widen(from, turn_at(pairs->real, 2 * at, from), 2 * count, out);
        return;
    }
    posenc_widen(from, turn_at(pairs->real, at, from), count, out);
    posenc_widen(from, turn_at(pairs->imaginary, at, from), count, out + TURN_BLOCK);
}

static void turn_round(const struct posenc__pairs *pairs, size_t at, size_t count,
                       enum posenc_dtype to, const double *values)
{
    if (!pairs->imaginary_out) {
        posenc_round(to, values, 2 * count, turn_out_at(pairs->real_out, 2 * at, to));
        return;
    }
    posenc_round(to, values, count, turn_out_at(pairs->real_out, at, to));
    posenc_round(to, values + TURN_BLOCK, count, turn_out_at(pairs->imaginary_out, at, to));
}

static void turn_between(const struct posenc__turn *turn, const struct posenc__pairs *pairs,
                         turn_run *run)
{
    struct turn_block block;

    for (size_t at = 0; at < pairs->count; at += TURN_BLOCK) {
        const size_t left = pairs->count - at, count = left < TURN_BLOCK ? left : TURN_BLOCK;
        const struct posenc__pairs part = {
            .real = block.in,
            .imaginary = pairs->imaginary ? block.in + TURN_BLOCK : NULL,
            .real_out = block.out,
            .imaginary_out = pairs->imaginary_out ? block.out + TURN_BLOCK : NULL,
            .cosines = pairs->cosines + at,
            .sines = pairs->sines + at,
            .count = count};

        turn_widen(pairs, at, count, turn->from, block.in);
        run(&part);
        turn_round(pairs, at, count, turn->to, block.out);
    }
}

void posenc__turn_pairs_at(enum posenc__level level, const struct posenc__turn *turn,
                           const struct posenc__pairs *pairs)
{
    if (turn->from == turn->to) {
        assert(turn->from != POSENC_INT64 && turn->from != POSENC_INT32);
        turn_runs[level][turn->from][turn->rounds_steps](pairs);
    } else {
        turn_between(turn, pairs, turn_runs[level][POSENC_FLOAT64][turn->rounds_steps]);
    }
}

void posenc__turn_pairs(const struct posenc__turn *turn, const struct posenc__pairs *pairs)
{
    posenc__turn_pairs_at(posenc__level_best(), turn, pairs);
}
