/* The logistic function, with the same bits on every machine. */
#ifndef POSENC_SIGMOID_H
#define POSENC_SIGMOID_H

#include "dd.h"

/* 1 / (1 + exp(-x)), relative error below 2^-98 where it is no subnormal; exactly 0 and 1 at the
 * infinities, NaN for NaN. */
struct posenc__dd posenc__sigmoid(double x);

#endif
