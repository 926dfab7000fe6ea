#include "rope_float32.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * Rounding to odd first: a double that is not exact gets an odd last bit, so that it never looks
 * like the middle between two floats (Boldo and Melquiond, "Emulation of a FMA and correctly
 * rounded sums", 2008).
 */
float posenc__float_round(struct posenc__dd x)
{
    double head = x.hi;
    uint64_t bits;

    if (x.lo == 0.0 || isinf(head))
        return (float)head;
    if ((x.lo < 0.0) == (head > 0.0))
        head = nextafter(head, 0.0);
    memcpy(&bits, &head, sizeof(bits));
    bits |= 1u;
    memcpy(&head, &bits, sizeof(head));
    return (float)head;
}

float posenc__float_power(float base, float exponent)
{
    if (exponent == 0.0f)
        return 1.0f;
    if (base == 0.0f || isinf(base))
        return (base == 0.0f) == (exponent > 0.0f) ? 0.0f : INFINITY;
    return posenc__float_round(posenc__dd_power((struct posenc__dd){base, 0.0}, exponent, 1.0));
}

float posenc__float_log(float x)
{
    return posenc__float_round(posenc__dd_log((struct posenc__dd){x, 0.0}));
}

float posenc__float_exp(float x)
{
    return posenc__float_round(posenc__dd_exp((struct posenc__dd){x, 0.0}));
}

float posenc__float_period(double base, size_t pair, size_t dim)
{
    return posenc__float_power((float)base, (float)(2 * pair) / (float)dim);
}
