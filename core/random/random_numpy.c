/* NumPy's draws: RandomState on MT19937 with Marsaglia's polar method (Marsaglia and Bray, 1964),
 * Generator on PCG64 with the ziggurat. */
#include "random_numpy.h"

#include <math.h>

#include "dd.h"
#include "random.h"
#include "random_ziggurat.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

static void legacy_start(const struct posenc__stream *stream, struct posenc__mt19937 *generator)
{
    posenc__mt19937_seed(generator, stream->seed);
    for (size_t i = 0; i < stream->skip; i++)
        (void)posenc__mt19937_next(generator); /* thrown away on purpose */
}

/* [0, 1) in steps of 2^-53: 27 bits of one word, 26 of the next. */
static double legacy_unit(struct posenc__mt19937 *generator)
{
    const double upper = (double)(posenc__mt19937_next(generator) >> 5);

    return (upper * 0x1p26 + (double)(posenc__mt19937_next(generator) >> 6)) * 0x1p-53;
}

/* Points of the unit disc give two numbers each, of which the second coordinate's comes first. */
static double legacy_normal_one(struct posenc__mt19937 *generator)
{
    double first, second, square;

    if (generator->has_cached) {
        generator->has_cached = false;
        return generator->cached;
    }
    do {
        first = 2.0 * legacy_unit(generator) - 1.0;
        second = 2.0 * legacy_unit(generator) - 1.0;
        square = first * first + second * second;
    } while (square >= 1.0 || square == 0.0);
    const double scale = sqrt(-2.0 * posenc__log(square) / square);

    generator->cached = scale * first;
    generator->has_cached = true;
    return scale * second;
}

void posenc__numpy_legacy_uniform(const struct posenc__stream *stream, double low, double high,
                                  size_t count, double *out)
{
    struct posenc__mt19937 generator = {.next = 0};

    legacy_start(stream, &generator);
    for (size_t i = 0; i < count; i++)
        out[i] = low + (high - low) * legacy_unit(&generator);
}

void posenc__numpy_legacy_normal(const struct posenc__stream *stream, double mean, double std,
                                 size_t count, double *out)
{
    struct posenc__mt19937 generator = {.next = 0};

    legacy_start(stream, &generator);
    for (size_t i = 0; i < count; i++)
        out[i] = mean + std * legacy_normal_one(&generator);
}

static void numpy_start(const struct posenc__stream *stream, struct posenc__pcg64 *generator)
{
    posenc__pcg64_seed(generator, stream->seed);
    for (size_t i = 0; i < stream->skip; i++)
        (void)posenc__pcg64_next(generator); /* thrown away on purpose */
}

/* unit * scale + shift in the arithmetic of the draw; low and scale are rounded to it first. */
static double numpy_place(enum posenc_dtype draw, double unit, double scale, double shift)
{
    if (draw == POSENC_FLOAT64)
        return shift + scale * unit;
    const float scaled = (float)unit * (float)scale;

    return (double)(scaled + (float)shift);
}

void posenc__numpy_uniform(const struct posenc__stream *stream, double low, double high,
                           size_t count, double *out)
{
    struct posenc__pcg64 generator;

    numpy_start(stream, &generator);
    for (size_t i = 0; i < count; i++) {
        const double unit = stream->draw == POSENC_FLOAT32 ? posenc__pcg64_unit32(&generator)
                                                           : posenc__pcg64_unit(&generator);

        out[i] = numpy_place(stream->draw, unit, high - low, low);
    }
}

void posenc__numpy_normal(const struct posenc__stream *stream, double mean, double std,
                          size_t count, double *out)
{
    struct posenc__pcg64 generator;
    struct posenc__ziggurat ziggurat;

    posenc__ziggurat_init(&ziggurat, stream->draw);
    numpy_start(stream, &generator);
    for (size_t i = 0; i < count; i++)
        out[i] = numpy_place(stream->draw, posenc__ziggurat_next(&ziggurat, &generator), std, mean);
}
