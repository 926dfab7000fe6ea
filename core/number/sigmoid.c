/* The logistic function. */
#include "sigmoid.h"

#include <math.h>

#define SATURATED 750.0 /* exp(-750) is below the smallest double */

struct posenc__dd posenc__sigmoid(double x)
{
    const struct posenc__dd one = {1, 0};

    if (isnan(x))
        return (struct posenc__dd){x, 0};
    if (fabs(x) > SATURATED)
        return (struct posenc__dd){x > 0 ? 1 : 0, 0};
    /* Of exp(x) and exp(-x) the one that cannot overflow; its own value never cancels. */
    const struct posenc__dd small = posenc__dd_exp((struct posenc__dd){-fabs(x), 0});
    const struct posenc__dd sum = posenc__dd_add(one, small);

    return posenc__dd_divide(x < 0 ? small : one, sum);
}
