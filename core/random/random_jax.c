/*
 * JAX's draws. The upper bits of a random word become the mantissa of a number in [1, 2); normal
 * numbers are sqrt(2) erf_inverse(u) of a uniform u in (-1, 1).
 */
#include "random_jax.h"

#include <assert.h>
#include <math.h>

#include "dd.h"
#include "erf.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

struct pair {
    uint32_t first, second;
};

static uint32_t jax_rotate(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

static struct pair jax_threefry(struct pair key, struct pair counter)
{
    static const unsigned rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    const uint32_t keys[3] = {key.first, key.second, key.first ^ key.second ^ UINT32_C(0x1bd11bda)};
    struct pair x = {counter.first + keys[0], counter.second + keys[1]};

    for (uint32_t group = 0; group < 5; group++) {
        for (size_t i = 0; i < 4; i++) {
            x.first += x.second;
            x.second = x.first ^ jax_rotate(x.second, rotations[group % 2][i]);
        }
        x.first += keys[(group + 1) % 3];
        x.second += keys[(group + 2) % 3] + group + 1;
    }
    return x;
}

/* Random bits of element i of n, 32 or 64 of them; n words or 2n words are drawn in all. */
typedef uint64_t bits_of(struct pair key, bool is_long, size_t i, size_t n);

/* Element i has counter (upper half, lower half) of i. */
static uint64_t jax_bits(struct pair key, bool is_long, size_t i, size_t n)
{
    const struct pair counter = {(uint32_t)((uint64_t)i >> 32), (uint32_t)i};
    const struct pair x = jax_threefry(key, counter);

    (void)n;
    return is_long ? (uint64_t)x.first << 32 | x.second : x.first ^ x.second;
}

/* Word i of n: the counters 0 to n - 1, and a zero where n is odd, are cut in halves whose elements
 * go together. */
static uint32_t jax_original_word(struct pair key, size_t i, size_t n)
{
    const size_t half = (n + 1) / 2, left = i < half ? i : i - half, right = left + half;
    const struct pair counter = {(uint32_t)left, right < n ? (uint32_t)right : 0};
    const struct pair x = jax_threefry(key, counter);

    return i < half ? x.first : x.second;
}

static uint64_t jax_original_bits(struct pair key, bool is_long, size_t i, size_t n)
{
    if (!is_long)
        return jax_original_word(key, i, n);
    return (uint64_t)jax_original_word(key, i, 2 * n) << 32 | jax_original_word(key, n + i, 2 * n);
}

/* XLA on a CPU fuses the multiplication that places a number with the addition. */
static double jax_place(enum posenc_dtype draw, double unit, double width, double from)
{
    return draw == POSENC_FLOAT32 ? (double)fmaf((float)unit, (float)width, (float)from)
                                  : fma(unit, width, from);
}

static double jax_fit(enum posenc_dtype draw, double x)
{
    return draw == POSENC_FLOAT32 ? (double)(float)x : x;
}

/* [0, 1) in steps of 2^-23 or 2^-52. */
static double jax_unit(bool is_long, uint64_t bits)
{
    return is_long ? (double)(bits >> 12) * 0x1p-52 : (double)(bits >> 9) * 0x1p-23;
}

/*
 * Giles's polynomials of single precision ("Approximating the erfinv function", 2010, table 5) with
 * every step in float32. x^2 is rounded before 1 - x^2, which near the ends costs 6e-6: JAX's
 * normal numbers have that error, so these have it, too.
 */
double posenc__jax_erf_inverse32(double x)
{
    static const float middle[] = {2.81022636e-08F,  3.43273939e-07F, -3.5233877e-06F,
                                   -4.39150654e-06F, 0.00021858087F,  -0.00125372503F,
                                   -0.00417768164F,  0.246640727F,    1.50140941F};
    static const float tail[] = {-0.000200214257F, 0.000100950558F, 0.00134934322F,
                                 -0.00367342844F,  0.00573950773F,  -0.0076224613F,
                                 0.00943887047F,   1.00167406F,     2.83297682F};
    const float y = (float)x, square = y * y;

    if (fabsf(y) >= 1.0F)
        return posenc__erf_inverse(x);
    const float w = (float)-posenc__log(1.0 - (double)square);
    const float t = w < 5.0F ? w - 2.5F : sqrtf(w) - 3.0F;
    const float *const coefficients = w < 5.0F ? middle : tail;
    float value = coefficients[0];

    for (size_t i = 1; i < sizeof(middle) / sizeof(*middle); i++)
        value = fmaf(value, t, coefficients[i]);
    return (double)(value * y);
}

static void jax_draw_uniform(bits_of *bits, const struct posenc__stream *stream, double low,
                             double high, size_t count, double *out)
{
    const enum posenc_dtype draw = stream->draw;
    const bool is_long = draw == POSENC_FLOAT64;
    const struct pair key = {(uint32_t)(stream->seed >> 32), (uint32_t)stream->seed};
    const double from = jax_fit(draw, low), width = jax_fit(draw, jax_fit(draw, high) - from);

    assert(stream->skip == 0);
    for (size_t i = 0; i < count; i++) {
        const double unit = jax_unit(is_long, bits(key, is_long, i, count));
        const double placed = jax_place(draw, unit, width, from);

        out[i] = placed > from ? placed : from;
    }
}

static void jax_draw_normal(bits_of *bits, const struct posenc__stream *stream, double mean,
                            double std, size_t count, double *out)
{
    const enum posenc_dtype draw = stream->draw;
    const double lowest = draw == POSENC_FLOAT32 ? -(1.0 - 0x1p-24) : -(1.0 - 0x1p-53);
    const double root_two = jax_fit(draw, 0x1.6a09e667f3bcdp+0);
    const double scale = jax_fit(draw, std), shift = jax_fit(draw, mean);

    jax_draw_uniform(bits, stream, lowest, 1.0, count, out);
    for (size_t i = 0; i < count; i++) {
        const double inverse = draw == POSENC_FLOAT32 ? posenc__jax_erf_inverse32(out[i])
                                                      : posenc__erf_inverse(out[i]);
        const double normal = jax_fit(draw, root_two * inverse);

        out[i] = jax_fit(draw, jax_fit(draw, normal * scale) + shift);
    }
}

void posenc__jax_uniform(const struct posenc__stream *stream, double low, double high, size_t count,
                         double *out)
{
    jax_draw_uniform(jax_bits, stream, low, high, count, out);
}

void posenc__jax_normal(const struct posenc__stream *stream, double mean, double std, size_t count,
                        double *out)
{
    jax_draw_normal(jax_bits, stream, mean, std, count, out);
}

void posenc__jax_original_uniform(const struct posenc__stream *stream, double low, double high,
                                  size_t count, double *out)
{
    jax_draw_uniform(jax_original_bits, stream, low, high, count, out);
}

void posenc__jax_original_normal(const struct posenc__stream *stream, double mean, double std,
                                 size_t count, double *out)
{
    jax_draw_normal(jax_original_bits, stream, mean, std, count, out);
}
