/* The tensor in question: its numbers, which types they fit, and whether anything can be said. */
#include <math.h>
#include <string.h>

#include "identify.h"

/* Numbers beyond this stand for minus infinity, in masks. */
#define MASK_MAGNITUDE 1e30

/* A double that was read from digits has so many at most when it was of the type. */
static int digits_of(enum posenc_dtype dtype)
{
    return dtype == POSENC_FLOAT32 ? 9 : dtype == POSENC_FLOAT16 ? 5 : 4;
}

#define DECIMALS_MAX 8
#define READ_NS      100 /* nanoseconds of an element, of digits at most */

/* How far a double that was read from digits may lie from them, once its last digit is scaled to
 * 1. */
#define DIGIT_ERROR  4e-6
#define HALF_A_DIGIT 0.5000001

/* Whether the number is its own rounding in the type. */
static bool holds(enum posenc_dtype dtype, double number)
{
    unsigned char element[sizeof(double)];
    double back;

    posenc_round(dtype, &number, 1, element);
    posenc_widen(dtype, element, 1, &back);
    return back == number || (isnan(back) && isnan(number));
}

static bool is_whole(double number)
{
    return fabs(number - nearbyint(number)) <= DIGIT_ERROR;
}

/* Whether the number is what one of the type prints: of no more digits than that takes, and no
 * farther from one than half of its own last digit. */
static bool is_printed(enum posenc_dtype dtype, double number)
{
    const double scale = pow(10, digits_of(dtype) - 1 - floor(log10(fabs(number))));
    const double digits = number * scale;
    unsigned char element[sizeof(double)];
    double rounded, last = HALF_A_DIGIT;

    if (!is_whole(digits))
        return false;
    for (long long left = llround(digits); left % 10 == 0 && left != 0; left /= 10)
        last *= 10;
    posenc_round(dtype, &number, 1, element);
    posenc_widen(dtype, element, 1, &rounded);
    return fabs(number - rounded) * scale <= last;
}

static bool holds_all(const struct posenc__sent *sent, enum posenc_dtype dtype)
{
    for (size_t i = 0; i < sent->count; i++)
        if (!holds(dtype, sent->values[i]))
            return false;
    return true;
}

static bool are_whole(const struct posenc__sent *sent)
{
    for (size_t i = 0; i < sent->count; i++)
        if (sent->values[i] != nearbyint(sent->values[i]) || isinf(sent->values[i]))
            return false;
    return true;
}

/* Whether all are numbers of the type, or were before they were written in digits. */
static bool could_be(const struct posenc__sent *sent, enum posenc_dtype dtype)
{
    if (sent->array.dtype != POSENC_FLOAT64)
        return dtype == sent->array.dtype || holds_all(sent, dtype);
    for (size_t i = 0; i < sent->count; i++)
        if (!holds(dtype, sent->values[i]) && !is_printed(dtype, sent->values[i]))
            return false;
    return true;
}

/* Decimals after which all numbers end, or -1. */
static int count_decimals(const struct posenc__sent *sent)
{
    int decimals = 0;
    double scale = 1;

    for (size_t i = 0; i < sent->count; i++) {
        const double number = sent->values[i];

        if (!isfinite(number) || fabs(number) > MASK_MAGNITUDE)
            continue;
        for (; !is_whole(number * scale); scale *= 10)
            if (++decimals > DECIMALS_MAX)
                return -1;
    }
    return decimals;
}

static void find_types(struct posenc__sent *sent)
{
    /* float16 behind bfloat16: where both hold all numbers, the finer of the two is named. */
    static const enum posenc_dtype types[] = {POSENC_FLOAT64, POSENC_FLOAT32, POSENC_BFLOAT16,
                                              POSENC_FLOAT16};

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        sent->could_be[types[i]] = could_be(sent, types[i]);
        if (sent->could_be[types[i]] && (types[i] == POSENC_FLOAT32 || holds_all(sent, types[i])))
            sent->coarsest = types[i];
    }
    sent->are_whole = are_whole(sent);
    sent->decimals = count_decimals(sent);
    for (size_t i = 0; i < sent->count; i++)
        if (fabs(sent->values[i]) < MASK_MAGNITUDE)
            sent->magnitude = fmax(sent->magnitude, fabs(sent->values[i]));
}

/* The first rows, where positions are small, then rows all over the tensor, the last one too. */
static void choose_sample(struct posenc__sent *sent)
{
    const size_t most = sizeof(sent->sample_rows) / sizeof(*sent->sample_rows), first = 4;
    const size_t fit =
        POSENC__IDENTIFY_SAMPLE_MAX /
        (sent->width < POSENC__IDENTIFY_SAMPLE_MAX ? sent->width : POSENC__IDENTIFY_SAMPLE_MAX);
    const size_t count = fit < most ? fit : most;

    sent->sample_width =
        sent->width < POSENC__IDENTIFY_SAMPLE_MAX ? sent->width : POSENC__IDENTIFY_SAMPLE_MAX;
    sent->sample_row_count = sent->rows < count ? sent->rows : count;
    for (size_t i = 0; i < sent->sample_row_count; i++) {
        const size_t left = sent->sample_row_count - 1 - i;

        if (sent->rows <= count || (i < first && left > 0))
            sent->sample_rows[i] = i;
        else if (left == 0)
            sent->sample_rows[i] = sent->rows - 1;
        else
            sent->sample_rows[i] =
                sent->rows - 1 - left * (sent->rows - 1 - first) / (count - 1 - first);
    }
}

enum posenc_status posenc__read_sent(const struct posenc_array *array, struct posenc_memory *memory,
                                     struct posenc__sent *sent, struct posenc_problem *problem)
{
    double *values;

    *sent = (struct posenc__sent){.array = *array};
    if (!posenc_shape_count(array->rank, array->shape, &sent->count) ||
        sent->count > POSENC__IDENTIFY_NUMBERS_MAX)
        return posenc__refuse(problem, POSENC_TOO_LARGE, "actual",
                              "'actual' has more than %zu elements; send fewer rows of it, far "
                              "ones among them, and say which by parameters.positions.",
                              POSENC__IDENTIFY_NUMBERS_MAX);
    values = posenc_allocate(memory, sent->count, sizeof(*values));
    if (!values)
        return posenc__no_memory(problem);
    if (!posenc_may_work(memory, READ_NS * sent->count))
        return posenc__cancelled(problem);
    posenc__read_array(array, 0, sent->count, values);
    sent->values = values;
    if (sent->count == 0)
        return POSENC_OK;
    sent->width = array->rank > 0 ? array->shape[array->rank - 1] : 1;
    sent->rows = sent->count / sent->width;
    find_types(sent);
    choose_sample(sent);
    return POSENC_OK;
}

const char *posenc__not_comparable(const struct posenc__sent *sent, struct posenc_memory *memory)
{
    size_t unequal = 0;

    if (sent->count == 0)
        return posenc__format(memory, "Not comparable: the tensor has no elements.");
    for (size_t i = 0; i < sent->count; i++) {
        if (isnan(sent->values[i]))
            return posenc__format(memory,
                                  "Not comparable: it holds NaN, first in row %zu, column %zu, and "
                                  "no encoding gives that.",
                                  i / sent->width, i % sent->width);
        unequal += sent->values[i] != sent->values[0];
    }
    if (unequal > 0)
        return NULL;
    if (sent->values[0] == 0)
        return posenc__format(memory, "Not comparable: all its elements are zero, as position 0 "
                                      "gives under many rules; send other positions, too.");
    return posenc__format(memory,
                          "Not comparable: it is constant, all its elements are %.17g, which many "
                          "rules give at one position; send others, too.",
                          sent->values[0]);
}
