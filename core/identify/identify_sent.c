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

#define DECIMALS_MAX 9
#define READ_NS      100   /* nanoseconds of an element, of digits at most */
#define PART         16384 /* elements between two questions whether to go on */

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

/* float16 behind bfloat16: where both hold all numbers, the finer of the two is named. */
static const enum posenc_dtype types[] = {POSENC_FLOAT64, POSENC_FLOAT32, POSENC_BFLOAT16,
                                          POSENC_FLOAT16};
#define TYPES (sizeof(types) / sizeof(*types))

/* What the numbers read so far leave possible. */
struct reading {
    bool holds[TYPES];    /* all are numbers of the type */
    bool could_be[TYPES]; /* or were before they were written in digits */
    double scale;         /* 10 to the decimals that were needed */
};

static void read_types(const struct posenc__sent *sent, size_t first, size_t count,
                       struct reading *reading)
{
    const bool are_digits = sent->array.dtype == POSENC_FLOAT64;

    for (size_t type = 0; type < TYPES; type++)
        for (size_t i = first; i < first + count && reading->could_be[type]; i++) {
            if (holds(types[type], sent->values[i]))
                continue;
            reading->holds[type] = false;
            reading->could_be[type] = are_digits && is_printed(types[type], sent->values[i]);
        }
}

/* Integers, decimals and the largest number; masks have no magnitude. */
static void read_sizes(struct posenc__sent *sent, size_t first, size_t count,
                       struct reading *reading)
{
    for (size_t i = first; i < first + count; i++) {
        const double number = sent->values[i];

        if (number != nearbyint(number) || isinf(number))
            sent->are_whole = false;
        if (!(fabs(number) <= MASK_MAGNITUDE))
            continue;
        sent->magnitude = fmax(sent->magnitude, fabs(number));
        for (; sent->decimals >= 0 && !is_whole(number * reading->scale); reading->scale *= 10)
            sent->decimals = sent->decimals == DECIMALS_MAX ? -1 : sent->decimals + 1;
    }
}

/* Reads the numbers, in parts, and what they are. */
static enum posenc_status read_numbers(struct posenc__sent *sent, double *values,
                                       const struct posenc_memory *memory,
                                       struct posenc_problem *problem)
{
    struct reading reading = {.scale = 1};

    for (size_t type = 0; type < TYPES; type++)
        reading.holds[type] = reading.could_be[type] = true;
    sent->are_whole = true;
    for (size_t done = 0; done < sent->count; done += PART) {
        const size_t part = sent->count - done < PART ? sent->count - done : PART;

        if (!posenc_may_work(memory, READ_NS * part))
            return posenc__cancelled(problem);
        posenc__read_array(&sent->array, done, part, values + done);
        read_types(sent, done, part, &reading);
        read_sizes(sent, done, part, &reading);
    }
    for (size_t type = 0; type < TYPES; type++) {
        sent->could_be[types[type]] = types[type] == sent->array.dtype || reading.could_be[type];
        if (reading.could_be[type] && (types[type] == POSENC_FLOAT32 || reading.holds[type]))
            sent->coarsest = types[type];
    }
    return POSENC_OK;
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
    sent->values = values;
    const enum posenc_status status = read_numbers(sent, values, memory, problem);

    if (status != POSENC_OK || sent->count == 0)
        return status;
    sent->width = array->rank > 0 ? array->shape[array->rank - 1] : 1;
    sent->rows = sent->count / sent->width;
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
