/*
 * The generators of PyTorch's CPU backend: MT19937, its uniform numbers, and its two ways to normal
 * ones.
 */
#include "random.h"

#include <assert.h>
#include <math.h>

#include "angle.h"
#include "dd.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define WORDS  POSENC__MT19937_WORDS
#define MIDDLE 397
#define BLOCK  16 /* normal values that are made together */

void posenc__mt19937_seed(struct posenc__mt19937 *generator, uint64_t seed)
{
    uint32_t *const state = generator->state;

    state[0] = (uint32_t)seed;
    for (uint32_t i = 1; i < WORDS; i++)
        state[i] = UINT32_C(1812433253) * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
    generator->next = WORDS;
    generator->has_cached = false;
    generator->cached = 0.0;
}

static void random_refill(struct posenc__mt19937 *generator)
{
    uint32_t *const state = generator->state;

    for (size_t i = 0; i < WORDS; i++) {
        const uint32_t joined =
            (state[i] & UINT32_C(0x80000000)) | (state[(i + 1) % WORDS] & UINT32_C(0x7fffffff));
        const uint32_t twist = joined & 1 ? UINT32_C(0x9908b0df) : 0;

        state[i] = state[(i + MIDDLE) % WORDS] ^ (joined >> 1) ^ twist;
    }
    generator->next = 0;
}

uint32_t posenc__mt19937_next(struct posenc__mt19937 *generator)
{
    if (generator->next >= WORDS)
        random_refill(generator);
    uint32_t word = generator->state[generator->next++];

    word ^= word >> 11;
    word ^= (word << 7) & UINT32_C(0x9d2c5680);
    word ^= (word << 15) & UINT32_C(0xefc60000);
    return word ^ (word >> 18);
}

/* [0, 1) in steps of 2^-53; the first word is the upper one. */
static double random_unit64(struct posenc__mt19937 *generator)
{
    const uint64_t upper = posenc__mt19937_next(generator);
    const uint64_t both = upper << 32 | posenc__mt19937_next(generator);

    return (double)(both & ((UINT64_C(1) << 53) - 1)) * 0x1p-53;
}

/* [0, 1) in steps of 2^-24, or of 2^-53. */
static double random_unit(struct posenc__mt19937 *generator, enum posenc_dtype draw)
{
    if (draw == POSENC_FLOAT64)
        return random_unit64(generator);
    return (double)(posenc__mt19937_next(generator) & UINT32_C(0xffffff)) * 0x1p-24;
}

/* x rounded to the type of the draw. A float32 operation is the double one rounded: for + - * /
 * and sqrt of float32 values a double has bits to spare. */
static double random_fit(enum posenc_dtype draw, double x)
{
    return draw == POSENC_FLOAT32 ? (double)(float)x : x;
}

void posenc__torch_uniform(struct posenc__mt19937 *generator, enum posenc_dtype draw, double low,
                           double high, size_t count, double *out)
{
    assert(draw == POSENC_FLOAT32 || draw == POSENC_FLOAT64);
    const double from = random_fit(draw, low);
    const double width = random_fit(draw, random_fit(draw, high) - from);

    for (size_t i = 0; i < count; i++)
        out[i] = random_fit(draw, random_fit(draw, random_unit(generator, draw) * width) + from);
}

/*
 * sin and cos of up to eight angles in radians. As positions times turns the two factors may change
 * places: here the angles stand for the waves, and the position is one radian in turns.
 */
static void random_sincos(double *angles, size_t count, double *sines, double *cosines)
{
    double low_parts[BLOCK / 2] = {0.0};
    const struct posenc__dd turns_per_radian = {0x1.45f306dc9c883p-3, -0x1.6b01ec5417056p-57};
    const struct posenc__waves waves = {.count = count, .hi = angles, .lo = low_parts};

    assert(count <= BLOCK / 2);
    posenc__sincos(&waves, turns_per_radian, 0, count, sines, cosines);
}

struct normal {
    double mean, std;
};

/*
 * Box-Muller over a block of 16 uniform numbers, every step rounded to the type of the draw: the
 * first eight give the radii, the last eight the angles. In float32 torch's vector code fuses the
 * last multiplication and addition; in float64 there is no such code.
 */
static void random_normal_block(enum posenc_dtype draw, struct normal normal, double *block)
{
    enum { HALF = BLOCK / 2 };
    const double turn = random_fit(draw, 0x1.921fb54442d18p+2);
    double angles[HALF], waves[2][HALF];

    for (size_t i = 0; i < HALF; i++)
        angles[i] = random_fit(draw, turn * block[HALF + i]);
    random_sincos(angles, HALF, waves[1], waves[0]);
    for (size_t i = 0; i < HALF; i++) {
        const double log_unit = random_fit(draw, posenc__log(1.0 - block[i]));
        const double radius = random_fit(draw, sqrt(-2.0 * log_unit));

        for (size_t k = 0; k < 2; k++) {
            const double unit = random_fit(draw, radius * random_fit(draw, waves[k][i]));

            block[k * HALF + i] =
                draw == POSENC_FLOAT32
                    ? (double)fmaf((float)unit, (float)normal.std, (float)normal.mean)
                    : unit * normal.std + normal.mean;
        }
    }
}

static void random_draw_units(struct posenc__mt19937 *generator, enum posenc_dtype draw,
                              size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = random_unit(generator, draw);
}

/* A rest of less than 16 draws the last 16 places anew, over values already made. */
static void random_normal_blocks(struct posenc__mt19937 *generator, enum posenc_dtype draw,
                                 struct normal normal, size_t count, double *out)
{
    random_draw_units(generator, draw, count, out);
    for (size_t i = 0; i + BLOCK <= count; i += BLOCK)
        random_normal_block(draw, normal, out + i);
    if (count % BLOCK != 0) {
        random_draw_units(generator, draw, BLOCK, out + count - BLOCK);
        random_normal_block(draw, normal, out + count - BLOCK);
    }
}

/* One value of mean 0 and deviation 1; every second call uses the value the one before left. */
static double random_normal_one(struct posenc__mt19937 *generator)
{
    if (generator->has_cached) {
        generator->has_cached = false;
        return generator->cached;
    }
    const double first = random_unit64(generator);
    const double second = random_unit64(generator);
    const double radius = sqrt(-2.0 * posenc__log(1.0 - second)); /* the difference is exact */
    double angle = 0x1.921fb54442d18p+2 * first;
    double sine, cosine;

    random_sincos(&angle, 1, &sine, &cosine);
    generator->cached = radius * sine;
    generator->has_cached = true;
    return radius * cosine;
}

void posenc__torch_normal(struct posenc__mt19937 *generator, enum posenc_dtype draw, double mean,
                          double std, size_t count, double *out)
{
    assert(draw == POSENC_FLOAT32 || draw == POSENC_FLOAT64);
    if (count >= BLOCK) {
        random_normal_blocks(generator, draw, (struct normal){mean, std}, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = random_fit(draw, random_normal_one(generator) * std + mean);
}
