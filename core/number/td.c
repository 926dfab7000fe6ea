/* Triple-double arithmetic, written with the exact sums and products of doubles. */
#include "td.h"

#include <math.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

/* Three parts that may overlap, largest first, as three that do not. */
static struct posenc__td td_settle(double a, double b, double c)
{
    const struct posenc__dd tail = posenc__dd_sum(b, c);
    const struct posenc__dd head = posenc__dd_sum(a, tail.hi);
    const struct posenc__dd rest = posenc__dd_sum(head.lo, tail.lo);

    return (struct posenc__td){head.hi, rest.hi, rest.lo};
}

struct posenc__td posenc__td_from(struct posenc__dd x)
{
    return (struct posenc__td){x.hi, x.lo, 0.0};
}

struct posenc__dd posenc__td_round(struct posenc__td x)
{
    return posenc__dd_sum(x.high, x.middle + x.low);
}

struct posenc__td posenc__td_add(struct posenc__td a, struct posenc__td b)
{
    const struct posenc__dd high = posenc__dd_sum(a.high, b.high);
    const struct posenc__dd middle = posenc__dd_sum(a.middle, b.middle);
    const struct posenc__dd joined = posenc__dd_sum(high.lo, middle.hi);

    return td_settle(high.hi, joined.hi, joined.lo + middle.lo + (a.low + b.low));
}

struct posenc__td posenc__td_multiply(struct posenc__td a, struct posenc__td b)
{
    const struct posenc__dd high = posenc__dd_product(a.high, b.high);
    const struct posenc__dd left = posenc__dd_product(a.high, b.middle);
    const struct posenc__dd right = posenc__dd_product(a.middle, b.high);
    const struct posenc__dd cross = posenc__dd_sum(left.hi, right.hi);
    const struct posenc__dd middle = posenc__dd_sum(cross.hi, high.lo);
    const double small = fma(a.high, b.low, fma(a.low, b.high, a.middle * b.middle));

    return td_settle(high.hi, middle.hi, small + (left.lo + right.lo) + (cross.lo + middle.lo));
}

static struct posenc__td td_scale(struct posenc__td a, double factor)
{
    const struct posenc__dd high = posenc__dd_product(a.high, factor);
    const struct posenc__dd middle = posenc__dd_product(a.middle, factor);
    const struct posenc__dd joined = posenc__dd_sum(middle.hi, high.lo);

    return td_settle(high.hi, joined.hi, fma(a.low, factor, middle.lo) + joined.lo);
}

/* Long division: each digit of the quotient is a double. */
struct posenc__td posenc__td_divide(struct posenc__td a, struct posenc__td b)
{
    double digits[3];
    struct posenc__td rest = a;

    for (int i = 0; i < 3; i++) {
        digits[i] = rest.high / b.high;
        if (i < 2)
            rest = posenc__td_add(rest, td_scale(b, -digits[i]));
    }
    return td_settle(digits[0], digits[1], digits[2]);
}
