/*
 * Numbers that a tensor tells: of a row flagged POSENC_SEARCHED, found over all magnitudes.
 *
 * The first rows of a tensor change slowly with such a number, so that a coarse scan finds the
 * valley and a golden section its floor; the roundest number that is as good is the one that was
 * meant.
 */
#include <math.h>

#include "identify.h"

#define SCAN_FROM    1.01
#define SCAN_TO      1e13
#define SCAN_STEP    1.25
#define SCAN_ROWS    3 /* with small positions */
#define GOLDEN_STEPS 48
#define GOLDEN       0.61803398874989484820
#define DIGITS_MAX   12
#define ROUND_DIGITS 3 /* of numbers that people choose */

/* The number under search. */
struct scan {
    struct posenc__question *question; /* whose sample has the first rows only */
    struct posenc__guess guess;
    const char *name;
    struct posenc_member member;
    struct posenc__change change;
};

/* How far the sample is with the number; infinite where it cannot be. */
static enum posenc_status measure(struct scan *scan, double number, double *off)
{
    struct posenc__guess guess = scan->guess;
    bool fits;

    scan->member = (struct posenc_member){scan->name, posenc_number(number)};
    scan->change = (struct posenc__change){.sets = {&scan->member, 1}};
    guess.changes[guess.change_count++] = &scan->change;
    const enum posenc_status status = posenc__try(scan->question, &guess, &fits);

    *off = fits ? guess.fit.mean_difference : (double)INFINITY;
    return status;
}

/* The valley of a coarse scan; 0 where there is none. */
static enum posenc_status scan_magnitudes(struct scan *scan, double *best)
{
    double least = INFINITY, off;

    *best = 0;
    for (double number = SCAN_FROM; number < SCAN_TO; number *= SCAN_STEP) {
        const enum posenc_status status = measure(scan, number, &off);

        if (status != POSENC_OK)
            return status;
        if (off < least) {
            least = off;
            *best = number;
        }
    }
    return POSENC_OK;
}

/* Golden section on a logarithmic scale. */
static enum posenc_status descend(struct scan *scan, double *best)
{
    double low = log(*best / SCAN_STEP), high = log(*best * SCAN_STEP);
    double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
    double off_a, off_b;
    enum posenc_status status = measure(scan, exp(a), &off_a);

    if (status == POSENC_OK)
        status = measure(scan, exp(b), &off_b);
    for (size_t i = 0; i < GOLDEN_STEPS && status == POSENC_OK; i++) {
        if (off_a < off_b) {
            high = b;
            b = a;
            off_b = off_a;
            a = high - GOLDEN * (high - low);
            status = measure(scan, exp(a), &off_a);
        } else {
            low = a;
            a = b;
            off_a = off_b;
            b = low + GOLDEN * (high - low);
            status = measure(scan, exp(b), &off_b);
        }
    }
    *best = exp((low + high) / 2);
    return status;
}

static double round_to_digits(double number, int digits)
{
    const double scale = pow(10, digits - 1 - floor(log10(number)));

    /* A quotient where the scale is a fraction, so that a round number comes out round. */
    return scale >= 1 ? nearbyint(number * scale) / scale
                      : nearbyint(number * scale) * nearbyint(1 / scale);
}

/* Keeps the explanation with the number rounded to so many digits, where it is a good one; the last
 * one whatever it is worth. A number of many digits is less likely to have been meant. */
static enum posenc_status keep_number(struct scan *scan, struct posenc__question *question,
                                      double best, int digits, bool *done)
{
    const struct posenc_value *was = posenc__current(scan->guess.context, scan->name);
    struct posenc__change *change = posenc_allocate(question->memory, 1, sizeof(*change));
    struct posenc_member *member = posenc_allocate(question->memory, 1, sizeof(*member));
    struct posenc__guess guess = scan->guess;
    const double number = round_to_digits(best, digits);
    bool fits;

    if (!change || !member)
        return posenc__no_memory(question->problem);
    *member = (struct posenc_member){scan->name, posenc_number(number)};
    *change = (struct posenc__change){.parameter = scan->name,
                                      .was = was ? *was : posenc_null(),
                                      .is = member->value,
                                      .sets = {member, 1},
                                      .cost = 1 + (unsigned)digits / ROUND_DIGITS};
    change->words = posenc__change_words(question->memory, scan->name, was, &change->is);
    if (!change->words)
        return posenc__no_memory(question->problem);
    guess.changes[guess.change_count++] = change;
    guess.cost += change->cost;
    const enum posenc_status status = posenc__try(question, &guess, &fits);

    *done = fits && (digits == DIGITS_MAX || guess.fit.agreement <= POSENC__AGREE_NEAR);
    if (status == POSENC_OK && *done)
        posenc__keep(question, &guess);
    return status;
}

static enum posenc_status search_row(struct posenc__question *question,
                                     struct posenc__context *context, struct posenc__change *flip,
                                     const char *name)
{
    struct posenc__question *first_rows = posenc_allocate(question->memory, 1, sizeof(*first_rows));
    struct scan scan = {.question = first_rows,
                        .guess = {.context = context,
                                  .changes = {flip},
                                  .change_count = flip ? 1 : 0,
                                  .cost = flip ? flip->cost : 0},
                        .name = name};
    bool done = false;
    double best;

    if (!first_rows)
        return posenc__no_memory(question->problem);
    *first_rows = *question;
    if (first_rows->sent.sample_row_count > SCAN_ROWS)
        first_rows->sent.sample_row_count = SCAN_ROWS;
    enum posenc_status status = scan_magnitudes(&scan, &best);

    if (status == POSENC_OK && best > 0)
        status = descend(&scan, &best);
    question->trials = first_rows->trials;
    for (int digits = 1; digits <= DIGITS_MAX && status == POSENC_OK && best > 0 && !done; digits++)
        status = keep_number(&scan, question, best, digits, &done);
    return status;
}

enum posenc_status posenc__scan(struct posenc__question *question, struct posenc__context *context,
                                struct posenc__change *flip)
{
    const struct posenc_parameter *const *group = context->operation->groups;
    enum posenc_status status = POSENC_OK;

    for (; *group && status == POSENC_OK; group++)
        for (const struct posenc_parameter *row = *group; row->name && status == POSENC_OK; row++)
            if (row->flags & POSENC_SEARCHED)
                status = search_row(question, context, flip, row->name);
    return status;
}
