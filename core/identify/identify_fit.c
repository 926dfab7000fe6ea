/* Holding numbers against the tensor in question. */
#include <float.h>
#include <math.h>

#include "identify.h"

/* What is left of a double after the best arithmetic: two ulp of the largest number. */
#define FLOAT64_ULPS 2

/* Units in the last place that count as near. */
#define NEAR_ULPS 2

/* Of the magnitude: below it, numbers are held against it and not against themselves. */
#define NEAR_FLOOR 0.25

/* Of the magnitude: as far as a step in bfloat16 leads away, with its 8 bits. */
#define CLOSE 0.00390625

/* Of the magnitude: the last decimal of a print that says something. */
#define PRINTED 0.02

/* Of the magnitude: what an infinity counts in a mean where none is, as far off as numbers can be.
 */
#define MISPLACED_MASK 2

#define BLOCK      256
#define PART       65536 /* elements between two questions whether to go on */
#define COMPARE_NS 20    /* nanoseconds of an element, with all types */

/* Half of what lies between 1 and the next number. */
static double half_ulp(enum posenc_dtype dtype)
{
    switch (dtype) {
    case POSENC_FLOAT32:
        return FLT_EPSILON / 2;
    case POSENC_FLOAT16:
        return 0x1p-11;
    case POSENC_BFLOAT16:
        return 0x1p-8;
    case POSENC_FLOAT64:
    case POSENC_INT64:
    case POSENC_INT32:
    case POSENC_DTYPE_COUNT:
        break;
    }
    return DBL_EPSILON / 2;
}

/* The type whose ulps count: numbers that came of float32 and were worked on are no better. */
static enum posenc_dtype near_type(const struct posenc__sent *sent)
{
    return sent->coarsest == POSENC_FLOAT64 ? POSENC_FLOAT32 : sent->coarsest;
}

/* The largest half ulp of the types that the tensor could be of. */
static double coarsest_half_ulp(const struct posenc__sent *sent)
{
    double most = half_ulp(near_type(sent));

    for (size_t dtype = 0; dtype < POSENC_DTYPE_COUNT; dtype++)
        if (sent->could_be[dtype])
            most = fmax(most, half_ulp((enum posenc_dtype)dtype));
    return most;
}

void posenc__comparison_init(struct posenc__comparison *comparison, const struct posenc__sent *sent,
                             bool are_integers)
{
    const double printed = pow(10, -sent->decimals);

    *comparison =
        (struct posenc__comparison){.sent = sent,
                                    .are_integers = are_integers,
                                    .same_decimals = sent->decimals >= 0 && !are_integers &&
                                                     printed <= PRINTED * sent->magnitude,
                                    .near = true};
    for (size_t i = 0; i < POSENC_DTYPE_COUNT; i++)
        comparison->same[i] =
            are_integers ? i == POSENC_INT64 && sent->are_whole : sent->could_be[i];
    comparison->fit.first_different = SIZE_MAX;
}

static double difference(double actual, double expected)
{
    if (actual == expected)
        return 0;
    return isfinite(actual) && isfinite(expected) ? fabs(actual - expected) : (double)INFINITY;
}

/* Whether a block is the same in a type, once both are rounded to it. */
static bool is_same(enum posenc_dtype dtype, size_t count, const double *actual,
                    const double *expected, double magnitude)
{
    const double allowed = FLOAT64_ULPS * DBL_EPSILON * magnitude;
    double a[BLOCK], e[BLOCK];
    unsigned char elements[BLOCK * sizeof(double)];

    posenc_round(dtype, actual, count, elements);
    posenc_widen(dtype, elements, count, a);
    posenc_round(dtype, expected, count, elements);
    posenc_widen(dtype, elements, count, e);
    for (size_t i = 0; i < count; i++)
        if (a[i] != e[i] &&
            !(dtype == POSENC_FLOAT64 && difference(actual[i], expected[i]) <= allowed))
            return false;
    return true;
}

static void compare_block(struct posenc__comparison *comparison, size_t first, size_t count,
                          const double *expected)
{
    const struct posenc__sent *sent = comparison->sent;
    const double *actual = sent->values + first;
    const double ulps = comparison->are_integers ? 0 : 2 * NEAR_ULPS * half_ulp(near_type(sent));
    const double coarse = comparison->are_integers ? 0 : 2 * NEAR_ULPS * coarsest_half_ulp(sent);
    const double printed = sent->decimals >= 0 ? 0.5000001 * pow(10, -sent->decimals) : 0;
    struct posenc__fit *fit = &comparison->fit;

    for (size_t i = 0; i < count; i++) {
        const double off = difference(actual[i], expected[i]);

        comparison->sum += fmin(off, MISPLACED_MASK * fmax(sent->magnitude, DBL_MIN));
        if (off > fit->max_difference || (comparison->count == 0 && i == 0)) {
            fit->max_difference = off;
            fit->worst = first + i;
        }
        comparison->same_decimals = comparison->same_decimals && off <= printed;
        /* Nothing is near to an infinity. */
        const double scale =
            isfinite(expected[i]) ? fmax(fabs(expected[i]), NEAR_FLOOR * sent->magnitude) : 0;

        comparison->near = comparison->near && off <= ulps * scale;
        if (!(off <= coarse * scale) && off > printed && first + i < fit->first_different)
            fit->first_different = first + i;
    }
    for (size_t dtype = 0; dtype < POSENC_DTYPE_COUNT; dtype++)
        comparison->same[dtype] =
            comparison->same[dtype] &&
            is_same((enum posenc_dtype)dtype, count, actual, expected, sent->magnitude);
    comparison->count += count;
}

void posenc__compare(struct posenc__comparison *comparison, size_t first, size_t count,
                     const double *expected)
{
    for (size_t done = 0; done < count; done += BLOCK)
        compare_block(comparison, first + done, count - done < BLOCK ? count - done : BLOCK,
                      expected + done);
}

enum posenc_status posenc__compare_whole(struct posenc__comparison *comparison,
                                         const double *expected, const struct posenc_memory *memory,
                                         struct posenc_problem *problem)
{
    const size_t count = comparison->sent->count;

    for (size_t done = 0; done < count; done += PART) {
        const size_t part = count - done < PART ? count - done : PART;

        if (!posenc_may_work(memory, COMPARE_NS * part))
            return posenc__cancelled(problem);
        posenc__compare(comparison, done, part, expected + done);
    }
    return POSENC_OK;
}

/* The type that is the same: the sent one rather than another, a finer rather than a coarser. */
static bool find_same(const struct posenc__comparison *comparison, enum posenc_dtype *dtype)
{
    static const enum posenc_dtype types[] = {POSENC_INT64, POSENC_FLOAT64, POSENC_FLOAT32,
                                              POSENC_FLOAT16, POSENC_BFLOAT16};

    *dtype = comparison->sent->array.dtype;
    if (comparison->same[*dtype])
        return true;
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (comparison->same[types[i]]) {
            *dtype = types[i];
            return true;
        }
    return false;
}

struct posenc__fit posenc__comparison_end(const struct posenc__comparison *comparison)
{
    struct posenc__fit fit = comparison->fit;

    fit.decimals = -1;
    fit.mean_difference = comparison->sum / (double)comparison->count;
    if (find_same(comparison, &fit.dtype)) {
        fit.agreement = POSENC__AGREE_SAME;
        fit.first_different = SIZE_MAX;
        /* Few digits are rather a print of the numbers than numbers of a small type. */
        if (comparison->same_decimals && comparison->sent->array.dtype == POSENC_FLOAT64 &&
            half_ulp(fit.dtype) > half_ulp(near_type(comparison->sent)))
            fit.decimals = comparison->sent->decimals;
        return fit;
    }
    fit.dtype = near_type(comparison->sent);
    if (comparison->same_decimals) {
        fit.agreement = POSENC__AGREE_SAME;
        fit.first_different = SIZE_MAX;
        fit.decimals = comparison->sent->decimals;
    } else if (comparison->near) {
        fit.agreement = POSENC__AGREE_NEAR;
    } else if (!comparison->are_integers &&
               fit.max_difference <= CLOSE * comparison->sent->magnitude) {
        fit.agreement = POSENC__AGREE_CLOSE;
    } else {
        fit.agreement = POSENC__AGREE_NOT;
    }
    return fit;
}

int posenc__fit_order(const struct posenc__fit *a, const struct posenc__fit *b)
{
    if (a->agreement != b->agreement)
        return a->agreement < b->agreement ? -1 : 1;
    if (a->agreement <= POSENC__AGREE_NEAR || a->mean_difference == b->mean_difference)
        return 0;
    return a->mean_difference < b->mean_difference ? -1 : 1;
}
