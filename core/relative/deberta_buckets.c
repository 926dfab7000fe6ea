/*
 * DeBERTa's buckets of distances, logarithmic in version 2 and 3 (He et al., 2021).
 *
 *   bucket(n) = n                                                        up to n = mid
 *             = mid + ceil(ln(n / mid) / ln((max - 1) / mid) * (mid - 1))  beyond
 *
 * with mid = position_buckets / 2, odd in n. So bucket mid + s + 1 starts behind
 *
 *   y = mid ((max - 1) / mid)^(s / (mid - 1)),   s = 0, 1, ...
 *
 * which is worked out in double-double and, where it lies next to an integer r, compared with it in
 * integers: y < r exactly when mid^(mid - 1 - s) (max - 1)^s < r^(mid - 1).
 */
#include <math.h>

#include "dd.h"
#include "deberta.h"

#define POWER_MAX (POSENC__DEBERTA_BUCKETS_MAX / 2) /* factors below 2^32 of a product */

/* A product of factors, least significant part first. */
struct product {
    size_t count;
    uint32_t parts[POWER_MAX];
};

static void product_multiply(struct product *product, uint32_t factor, size_t times)
{
    for (; times > 0; times--) {
        uint64_t carry = 0;

        for (size_t i = 0; i < product->count; i++) {
            carry += (uint64_t)product->parts[i] * factor;
            product->parts[i] = (uint32_t)carry;
            carry >>= 32;
        }
        if (carry > 0)
            product->parts[product->count++] = (uint32_t)carry;
    }
}

static bool product_is_below(const struct product *a, const struct product *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    for (size_t i = a->count; i-- > 0;)
        if (a->parts[i] != b->parts[i])
            return a->parts[i] < b->parts[i];
    return false;
}

static size_t common_divisor(size_t a, size_t b)
{
    while (b > 0) {
        const size_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Is low^(steps - s) high^s below r^steps? The exponents' common divisor changes nothing. */
static bool power_is_below(uint32_t low, uint32_t high, size_t s, size_t steps, uint32_t r)
{
    const size_t divisor = common_divisor(steps, s);
    struct product left = {1, {1}}, right = {1, {1}};

    product_multiply(&left, low, (steps - s) / divisor);
    product_multiply(&left, high, s / divisor);
    product_multiply(&right, r, steps / divisor);
    return product_is_below(&left, &right);
}

#define NEAR 0x1p-40 /* far above the error of y, which is below 2^-70 */

/* The largest integer that is at most y = low (high / low)^(s / steps). */
static int64_t floor_of_power(uint32_t low, uint32_t high, size_t s, size_t steps)
{
    const struct posenc__dd ratio =
        posenc__dd_divide((struct posenc__dd){high, 0}, (struct posenc__dd){low, 0});
    const struct posenc__dd y = posenc__dd_multiply(
        posenc__dd_power(ratio, (double)s, (double)steps), (struct posenc__dd){low, 0});
    const double nearest = rint(y.hi), beyond = (y.hi - nearest) + y.lo;
    const bool is_below =
        fabs(beyond) >= NEAR ? beyond < 0 : power_is_below(low, high, s, steps, (uint32_t)nearest);

    return (int64_t)nearest - (is_below ? 1 : 0);
}

static enum posenc_status set_starts(struct posenc__deberta_buckets *buckets, int64_t last,
                                     struct posenc_memory *memory, struct posenc_problem *problem)
{
    const size_t steps = (size_t)buckets->middle - 1;

    if (steps == 0) /* all distances beyond 1 share its bucket */
        return POSENC_OK;
    int64_t *starts = posenc_allocate(memory, steps + 1, sizeof(*starts));

    if (!starts)
        return posenc__no_memory(problem);
    for (size_t s = 0; s <= steps; s++)
        starts[s] = 1 + floor_of_power((uint32_t)buckets->middle, (uint32_t)last, s, steps);
    buckets->starts = starts;
    buckets->start_count = steps + 1;
    return POSENC_OK;
}

enum posenc_status posenc__read_deberta_buckets(const struct posenc_arguments *arguments,
                                                struct posenc__deberta_buckets *buckets,
                                                struct posenc_memory *memory,
                                                struct posenc_problem *problem)
{
    const size_t count = posenc__size(arguments, "position_buckets");
    const int64_t reach = (int64_t)posenc__size(arguments, "max_relative_positions");

    *buckets = (struct posenc__deberta_buckets){.span = reach, .middle = reach};
    if (count == 0)
        return POSENC_OK;
    if (count % 2 != 0)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "position_buckets",
                              "'position_buckets' must be even, half of them for single distances "
                              "and half logarithmic; it is %zu.",
                              count);
    *buckets =
        (struct posenc__deberta_buckets){.span = (int64_t)count, .middle = (int64_t)(count / 2)};
    if (reach - 1 <= buckets->middle)
        return posenc__refuse(problem, POSENC_CONFLICT, "max_relative_positions",
                              "'max_relative_positions' must be above position_buckets / 2 + 1 = "
                              "%zu, where the logarithmic buckets start; it is %lld.",
                              count / 2 + 1, (long long)reach);
    return set_starts(buckets, reach - 1, memory, problem);
}

/* How many starts lie at or before a distance. */
static size_t count_starts(const struct posenc__deberta_buckets *buckets, int64_t distance)
{
    size_t low = 0, high = buckets->start_count;

    while (low < high) {
        const size_t half = low + (high - low) / 2;

        if (buckets->starts[half] <= distance)
            low = half + 1;
        else
            high = half;
    }
    return low;
}

int64_t posenc__deberta_index(const struct posenc__deberta_buckets *buckets, int64_t distance)
{
    const int64_t size = distance < 0 ? -distance : distance;
    int64_t bucket = size;

    if (size > buckets->middle)
        bucket = buckets->middle + (int64_t)count_starts(buckets, size);
    const int64_t index = buckets->span + (distance < 0 ? -bucket : bucket);
    const int64_t last = 2 * buckets->span - 1;

    return index < 0 ? 0 : index > last ? last : index;
}

void posenc__deberta_ramp(const void *context, size_t head, int64_t first, size_t count,
                          double *out)
{
    (void)head;
    for (size_t i = 0; i < count; i++)
        out[i] = (double)posenc__deberta_index(context, -(first + (int64_t)i));
}
