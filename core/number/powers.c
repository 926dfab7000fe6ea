/* Powers one after another. */
#include "powers.h"

#include <math.h>
#include <stdbool.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

void posenc__powers_begin(struct posenc__powers *powers, struct posenc__dd base, double numerator,
                          double denominator)
{
    const struct posenc__td quotient = posenc__td_divide(
        (struct posenc__td){numerator, 0.0, 0.0}, (struct posenc__td){denominator, 0.0, 0.0});

    powers->exponent = posenc__td_multiply(quotient, posenc__td_log(base));
    powers->ratio = posenc__td_exp(powers->exponent);
    powers->index = 0;
}

/* Products of two such numbers keep all three of their parts. */
static bool is_moderate(struct posenc__td x)
{
    return x.high > 0x1p-400 && x.high < 0x1p400;
}

struct posenc__dd posenc__powers_next(struct posenc__powers *powers)
{
    const struct posenc__td index = {(double)powers->index, 0.0, 0.0};

    if (powers->index % POSENC__POWERS_RUN == 0 || !is_moderate(powers->value) ||
        !is_moderate(powers->ratio))
        powers->value = posenc__td_exp(posenc__td_multiply(powers->exponent, index));
    else
        powers->value = posenc__td_multiply(powers->value, powers->ratio);
    powers->index++;
    if (powers->value.high == (double)INFINITY)
        return (struct posenc__dd){INFINITY, 0.0};
    return posenc__td_round(powers->value);
}
