/*
 * JAX's draws: threefry2x32 (Salmon, Moraes, Dror and Shaw, 2011) with 20 rounds. Each element has
 * a counter of its own, which the two streams lay out differently.
 */
#ifndef POSENC_RANDOM_JAX_H
#define POSENC_RANDOM_JAX_H

#include "random_stream.h"

/* jax.random.uniform(jax.random.key(seed), [count], minval=low, maxval=high) with
 * jax_threefry_partitionable, the default since JAX 0.5; the stream's skip must be 0. */
void posenc__jax_uniform(const struct posenc__stream *stream, double low, double high, size_t count,
                         double *out);

/* jax.random.normal(...) * std + mean: within 3 float32 steps of XLA on a CPU and equal to it in 99
 * of 100 numbers; float64 draws within 2e-13 of it, since there XLA's own error is larger than
 * ours. */
void posenc__jax_normal(const struct posenc__stream *stream, double mean, double std, size_t count,
                        double *out);

/* The same without jax_threefry_partitionable. */
void posenc__jax_original_uniform(const struct posenc__stream *stream, double low, double high,
                                  size_t count, double *out);
void posenc__jax_original_normal(const struct posenc__stream *stream, double mean, double std,
                                 size_t count, double *out);

/* XLA's float32 erf_inv of a float32 number in a double. */
double posenc__jax_erf_inverse32(double x);

#endif
