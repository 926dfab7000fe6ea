/*
 * Triple-double arithmetic: about 150 bits, for what must be better than double-double on the way
 * to a double-double (an exponent near 700 multiplies its relative error by 700).
 *
 * Not tight: relative errors stay below 2^-140, which is far more than anything here needs.
 */
#ifndef POSENC_TD_H
#define POSENC_TD_H

#include "dd.h"

/* The sum high + middle + low, each at most about an ulp of the part before it. */
struct posenc__td {
    double high, middle, low;
};

struct posenc__td posenc__td_from(struct posenc__dd x);
struct posenc__dd posenc__td_round(struct posenc__td x); /* to nearest, nearly */

struct posenc__td posenc__td_add(struct posenc__td a, struct posenc__td b);
struct posenc__td posenc__td_multiply(struct posenc__td a, struct posenc__td b);
struct posenc__td posenc__td_divide(struct posenc__td a, struct posenc__td b);

/* log and exp, as exact as their series in double-double leave them: absolute errors below 2^-116
 * and relative ones below 2^-113. Special values as posenc__dd_log and posenc__dd_exp. */
struct posenc__td posenc__td_log(struct posenc__dd x);
struct posenc__td posenc__td_exp(struct posenc__td x);

#endif
