/*
 * Double-double arithmetic (Dekker, 1971; the accurate variants whose bounds Joldes, Muller and
 * Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic",
 * 2017, prove).
 */
#include "dd.h"

#include <math.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* a fused a * b + c would break the error terms */
#endif

struct posenc__dd posenc__dd_sum(double a, double b)
{
    const double sum = a + b;
    const double b_part = sum - a;
    const double a_part = sum - b_part;

    return (struct posenc__dd){sum, (a - a_part) + (b - b_part)};
}

struct posenc__dd posenc__dd_product(double a, double b)
{
    const double product = a * b;

    return (struct posenc__dd){product, fma(a, b, -product)};
}

/* The exact sum of a large and a smaller part. */
static struct posenc__dd dd_join(double large, double small)
{
    const double sum = large + small;

    return (struct posenc__dd){sum, small - (sum - large)};
}

/* Relative error at most 2^-104: their algorithm 6. */
struct posenc__dd posenc__dd_add(struct posenc__dd a, struct posenc__dd b)
{
    const struct posenc__dd high = posenc__dd_sum(a.hi, b.hi);
    const struct posenc__dd low = posenc__dd_sum(a.lo, b.lo);
    const struct posenc__dd joined = dd_join(high.hi, high.lo + low.hi);

    return dd_join(joined.hi, low.lo + joined.lo);
}

/* Relative error at most 2^-104: their algorithm 12. */
struct posenc__dd posenc__dd_multiply(struct posenc__dd a, struct posenc__dd b)
{
    const struct posenc__dd high = posenc__dd_product(a.hi, b.hi);
    const double cross = fma(a.lo, b.hi, fma(a.hi, b.lo, a.lo * b.lo));

    return dd_join(high.hi, high.lo + cross);
}

/* Relative error at most 2^-102: their algorithm 18, division by Newton's step on 1 / b. */
struct posenc__dd posenc__dd_divide(struct posenc__dd a, struct posenc__dd b)
{
    const double inverse = 1.0 / b.hi;
    const double rest_high = fma(-b.hi, inverse, 1.0);
    const double rest_low = -b.lo * inverse;
    const struct posenc__dd rest = dd_join(rest_high, rest_low);
    const struct posenc__dd step = posenc__dd_multiply(rest, (struct posenc__dd){inverse, 0.0});
    const struct posenc__dd refined = posenc__dd_add((struct posenc__dd){inverse, 0.0}, step);

    return posenc__dd_multiply(a, refined);
}
