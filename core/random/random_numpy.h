/*
 * NumPy's draws, as the methods of RandomState and Generator make them. Uniform numbers are NumPy's
 * bit for bit. So are normal ones, but for those where NumPy's logarithm is not the rounded one: an
 * ulp or two in one of 4000 legacy numbers and in one of a million others.
 */
#ifndef POSENC_RANDOM_NUMPY_H
#define POSENC_RANDOM_NUMPY_H

#include "random_stream.h"

/*
 * numpy.random.seed(seed), then uniform(low, high, count) or normal(mean, std, count); float64
 * draws, a seed below 2^32, skipped words of 32 bits.
 */
void posenc__numpy_legacy_uniform(const struct posenc__stream *stream, double low, double high,
                                  size_t count, double *out);
void posenc__numpy_legacy_normal(const struct posenc__stream *stream, double mean, double std,
                                 size_t count, double *out);

/*
 * numpy.random.default_rng(seed), then uniform(low, high, count) or normal(mean, std, count), with
 * float32 draws random(count, float32) * (high - low) + low or standard_normal(count, float32) *
 * std + mean in float32; skipped words of 64 bits.
 */
void posenc__numpy_uniform(const struct posenc__stream *stream, double low, double high,
                           size_t count, double *out);
void posenc__numpy_normal(const struct posenc__stream *stream, double mean, double std,
                          size_t count, double *out);

#endif
