/*
 * What people make of T5's buckets, where no parameter makes it.
 *
 * The published rule for a distance n, with e distances that have buckets of their own, s buckets
 * after those, and m = max_distance, is e + floor(s log(n / e) / log(m / e)). In bfloat16, with 8
 * bits of precision, each step is rounded, and many distances reach the next bucket too early or
 * too late. Every step rises with n, so that buckets still start somewhere.
 */
#include <math.h>

#include "dd.h"
#include "t5.h"

#define REACH 4 /* times max_distance: there the last bucket has started, whatever was rounded */

static double to_bfloat16(double value)
{
    uint16_t bits;
    double rounded;

    posenc_round(POSENC_BFLOAT16, &value, 1, &bits);
    posenc_widen(POSENC_BFLOAT16, &bits, 1, &rounded);
    return rounded;
}

/* How many buckets a distance lies beyond `exact`; `rounds_divisor`: log(m / e) is bfloat16, too.
 */
static double rounded_index(const struct posenc__t5_scale *scale, int64_t distance,
                            bool rounds_divisor)
{
    const double exact = (double)scale->exact;
    const double share = to_bfloat16(to_bfloat16((double)distance) / exact);
    const double divisor = posenc__log((double)scale->max_distance / exact);
    const double logarithm = to_bfloat16(posenc__log(share));
    const double quotient =
        to_bfloat16(logarithm / (rounds_divisor ? to_bfloat16(divisor) : divisor));

    return to_bfloat16(quotient * (double)scale->spread);
}

/* The smallest distance whose rounded index is the index, or beyond it. */
static int64_t rounded_start(const struct posenc__t5_scale *scale, size_t index,
                             bool rounds_divisor)
{
    int64_t low = scale->exact, high = REACH * scale->max_distance;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (rounded_index(scale, middle, rounds_divisor) >= (double)index)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int64_t start_in_bfloat16(const struct posenc__t5_scale *scale, size_t index)
{
    return rounded_start(scale, index, true);
}

/* As PyTorch divides a tensor by a Python number: that one stays as it is. */
static int64_t start_in_bfloat16_tensors(const struct posenc__t5_scale *scale, size_t index)
{
    return rounded_start(scale, index, false);
}

static const struct posenc__t5_rule in_bfloat16 = {start_in_bfloat16, 1};
static const struct posenc__t5_rule in_bfloat16_tensors = {start_in_bfloat16_tensors, 1};
static const struct posenc__t5_rule reversed = {posenc__t5_start, -1};

/* The plans by a rule, as its rows want them. */
#define PLANS(rule)                                                                                \
    static enum posenc_status table_##rule(                                                        \
        struct posenc_arguments *arguments, struct posenc_memory *memory,                          \
        struct posenc_result *result, struct posenc_problem *problem)                              \
    {                                                                                              \
        return posenc__t5_plan_table(&(rule), arguments, memory, result, problem);                 \
    }                                                                                              \
    static enum posenc_status make_##rule(struct posenc_arguments *arguments,                      \
                                          struct posenc_memory *memory, struct posenc__bias *bias, \
                                          struct posenc_problem *problem)                          \
    {                                                                                              \
        return posenc__t5_make(&(rule), arguments, memory, bias, problem);                         \
    }                                                                                              \
    static enum posenc_status apply_##rule(                                                        \
        struct posenc_arguments *arguments, struct posenc_memory *memory,                          \
        struct posenc_result *result, struct posenc_problem *problem)                              \
    {                                                                                              \
        static const struct posenc__bias_source source = {"table", make_##rule};                   \
                                                                                                   \
        return posenc__plan_bias_sum(&source, arguments, memory, result, problem);                 \
    }

PLANS(in_bfloat16)
PLANS(in_bfloat16_tensors)
PLANS(reversed)

#define ROWS(rule, name, words)                                                                    \
    {name, words, "table", table_##rule},                                                          \
    {                                                                                              \
        name, words, "apply", apply_##rule                                                         \
    }

const struct posenc__fault posenc__t5_faults[] = {
    ROWS(in_bfloat16, "logarithm_in_bfloat16",
         "the logarithm of distances is computed in bfloat16"),
    ROWS(in_bfloat16_tensors, "logarithm_in_bfloat16_tensors",
         "the logarithm of distances is computed in bfloat16, and divided by one that is not"),
    ROWS(reversed, "query_minus_key", "distances are query minus key, not key minus query"),
    {.name = NULL},
};
