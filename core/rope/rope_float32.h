/*
 * Elementary functions of float32, correctly rounded, so that a dialect that works in float32 has
 * the same bits on every machine. A program whose libm is not correctly rounded may differ by one
 * ulp.
 */
#ifndef POSENC_ROPE_FLOAT32_H
#define POSENC_ROPE_FLOAT32_H

#include <stddef.h>

#include "dd.h"

/* The nearest float, ties to even; no double rounding on the way. */
float posenc__float_round(struct posenc__dd x);

/* base^exponent for base >= 0, infinity included. */
float posenc__float_power(float base, float exponent);

float posenc__float_log(float x); /* x > 0 */
float posenc__float_exp(float x);

/* base^(2 pair / dim) as torch computes it: the base and the exponent rounded first. */
float posenc__float_period(double base, size_t pair, size_t dim);

#endif
