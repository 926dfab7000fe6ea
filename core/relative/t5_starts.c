/*
 * Where T5's buckets start, as integers: the published rule floors a quotient of logarithms, which
 * is an integer itself at powers of the ratio, and there one ulp decides. Double-double says where
 * a start lies, unless that is next to an integer; then integers of any length compare the powers.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "dd.h"
#include "t5.h"

#define CLOSE 0x1p-90 /* relative: far above the error of a double-double, far below all else */

/*
 * n^K = m^k e^(K - k) with k / K in lowest terms makes m / e, in lowest terms, a K-th power of a
 * fraction; with m < 2^53 that ends at K = 52.
 */
#define EQUAL_EXPONENT_MAX 52

/* Integers below 2^(52 * 53), in bytes: a byte times a factor below 2^53 leaves room for a carry.
 */
#define INTEGER_BYTES 346

struct integer {
    uint8_t bytes[INTEGER_BYTES]; /* the lowest first */
};

static void multiply_power(struct integer *integer, uint64_t factor, size_t exponent)
{
    for (; exponent > 0; exponent--) {
        uint64_t carry = 0;

        for (size_t i = 0; i < INTEGER_BYTES; i++) {
            carry += integer->bytes[i] * factor;
            integer->bytes[i] = (uint8_t)(carry & 0xff);
            carry >>= 8;
        }
    }
}

static bool is_below(const struct integer *a, const struct integer *b)
{
    for (size_t i = INTEGER_BYTES; i-- > 0;)
        if (a->bytes[i] != b->bytes[i])
            return a->bytes[i] < b->bytes[i];
    return false;
}

static size_t greatest_divisor(size_t a, size_t b)
{
    while (b != 0) {
        const size_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* n^total >= max_distance^index exact^(total - index), for a total of at most EQUAL_EXPONENT_MAX.
 */
static bool reaches(const struct posenc__t5_scale *scale, double n, size_t index, size_t total)
{
    struct integer reached = {{1}}, wanted = {{1}};

    multiply_power(&reached, (uint64_t)n, total);
    multiply_power(&wanted, (uint64_t)scale->max_distance, index);
    multiply_power(&wanted, (uint64_t)scale->exact, total - index);
    return !is_below(&reached, &wanted);
}

int64_t posenc__t5_start(const struct posenc__t5_scale *scale, size_t index)
{
    const size_t divisor = greatest_divisor(scale->spread, index);
    const size_t k = index / divisor, total = scale->spread / divisor;
    const struct posenc__dd exact = {(double)scale->exact, 0};
    const struct posenc__dd ratio =
        posenc__dd_divide((struct posenc__dd){(double)scale->max_distance, 0}, exact);
    const struct posenc__dd start =
        posenc__dd_multiply(posenc__dd_power(ratio, (double)k, (double)total), exact);
    const double nearest = rint(start.hi);
    const double beyond = (start.hi - nearest) + start.lo;

    if (fabs(beyond) > start.hi * CLOSE || total > EQUAL_EXPONENT_MAX)
        return (int64_t)nearest + (int64_t)ceil(beyond);
    return (int64_t)nearest + (reaches(scale, nearest, k, total) ? 0 : 1);
}
