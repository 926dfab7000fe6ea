/*
 * Numbers that a tensor tells: those of rows flagged POSENC_SEARCHED, found over all magnitudes,
 * and others among those that people choose.
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
#define ROUND_DIGITS 3  /* of numbers that people choose */
#define COST_CHOSEN  2  /* of a number that people choose */
#define WORTH        4  /* how many times nearer a valley must lead */
#define SMALL_PROBES 16 /* integers */
#define WIDE_PROBES  5
#define ALIKE        1e-9 /* of a difference: no other number */

/* The number under search. */
struct scan {
    struct posenc__question *question;   /* the request's own */
    struct posenc_memory memory;         /* of the scan alone */
    struct posenc__question *first_rows; /* the request, whose sample has the first rows only */
    struct posenc__guess guess;
    const struct posenc__number *number;
    struct posenc_member member;
    struct posenc__change change;
};

/* How a number does on the first rows; not `fits` where it cannot be. */
static enum posenc_status try_number(struct scan *scan, double number, bool *fits,
                                     struct posenc__fit *fit)
{
    struct posenc__guess guess = scan->guess;

    posenc__set_number(scan->number, number, &scan->member);
    scan->change = (struct posenc__change){.sets = {&scan->member, 1}};
    guess.changes[guess.change_count++] = &scan->change;
    const enum posenc_status status = posenc__try(scan->first_rows, &guess, fits);

    *fit = guess.fit;
    return status;
}

/* How far the first rows are with the number; infinite where it cannot be. */
static enum posenc_status measure(struct scan *scan, double number, double *off)
{
    struct posenc__fit fit;
    bool fits;
    const enum posenc_status status = try_number(scan, number, &fits, &fit);

    *off = fits ? fit.mean_difference : (double)INFINITY;
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

/* Golden section on a logarithmic scale, between two positive numbers. */
static enum posenc_status descend(struct scan *scan, double from, double to, double *best)
{
    double low = log(from), high = log(to);
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

/* A change to the number that lasts; NULL when memory is out. */
static struct posenc__change *make_change(const struct scan *scan, double value, unsigned cost)
{
    struct posenc_memory *memory = scan->question->memory;
    struct posenc__change *change = posenc_allocate(memory, 1, sizeof(*change));
    struct posenc_member *member = posenc_allocate(memory, 1, sizeof(*member));
    const struct posenc_value *was = scan->number->was;
    struct posenc__number number;

    if (!change || !member || !posenc__copy_number(scan->number, memory, &number))
        return NULL;
    posenc__set_number(&number, value, member);
    *change = (struct posenc__change){.parameter = number.path,
                                      .was = was ? *was : posenc_null(),
                                      .is = posenc_number(value),
                                      .sets = {member, 1},
                                      .cost = cost};
    change->words = posenc__change_words(memory, number.path, was, &change->is);
    return change->words ? change : NULL;
}

/* Keeps the explanation with a number where it is a good one, or where `anyway`. */
static enum posenc_status keep_number(const struct scan *scan, double value, unsigned cost,
                                      bool anyway, bool *done)
{
    struct posenc__change *change = make_change(scan, value, cost);
    struct posenc__guess guess = scan->guess;
    bool fits;

    if (!change)
        return posenc__no_memory(scan->question->problem);
    guess.changes[guess.change_count++] = change;
    guess.cost += change->cost;
    const enum posenc_status status = posenc__try(scan->question, &guess, &fits);

    *done = fits && (anyway || guess.fit.agreement <= POSENC__AGREE_NEAR);
    if (status == POSENC_OK && *done)
        posenc__keep(scan->question, &guess);
    return status;
}

/* Keeps the roundest number that does as well; the last one whatever it is worth. A number of many
 * digits is less likely to have been meant. */
static enum posenc_status keep_roundest(const struct scan *scan, double best)
{
    enum posenc_status status = POSENC_OK;
    bool done = false;

    for (int digits = 1; digits <= DIGITS_MAX && status == POSENC_OK && !done; digits++)
        status = keep_number(scan, round_to_digits(best, digits),
                             1 + (unsigned)digits / ROUND_DIGITS, digits == DIGITS_MAX, &done);
    return status;
}

/* A scan of the first rows only, where they differ from all; to be ended. */
static enum posenc_status begin(struct posenc__question *question, struct posenc__context *context,
                                struct posenc__change *flip, const struct posenc__number *number,
                                struct scan *scan)
{
    *scan = (struct scan){.question = question,
                          .memory = posenc__trial_memory(question),
                          .guess = {.context = context,
                                    .changes = {flip},
                                    .change_count = flip ? 1 : 0,
                                    .cost = flip ? flip->cost : 0},
                          .number = number};
    scan->first_rows = posenc_allocate(&scan->memory, 1, sizeof(*scan->first_rows));
    if (!scan->first_rows)
        return posenc__no_memory(question->problem);
    *scan->first_rows = *question;
    if (question->sent.sample_row_count > SCAN_ROWS)
        scan->first_rows->sent.sample_row_count = SCAN_ROWS;
    return POSENC_OK;
}

static enum posenc_status end(struct scan *scan, enum posenc_status status)
{
    posenc_memory_release(&scan->memory);
    return status;
}

static enum posenc_status search_number(struct posenc__question *question,
                                        struct posenc__context *context,
                                        struct posenc__change *flip,
                                        const struct posenc__number *number)
{
    struct scan scan;
    double best;

    if (!(number->row->flags & POSENC_SEARCHED))
        return POSENC_OK;
    enum posenc_status status = begin(question, context, flip, number, &scan);

    if (status != POSENC_OK)
        return end(&scan, status);
    status = scan_magnitudes(&scan, &best);
    if (status == POSENC_OK && best > 0)
        status = descend(&scan, best / SCAN_STEP, best * SCAN_STEP, &best);
    question->trials = scan.first_rows->trials;
    if (status == POSENC_OK && best > 0)
        status = keep_roundest(&scan, best);
    return end(&scan, status);
}

enum posenc_status posenc__scan(struct posenc__question *question, struct posenc__context *context,
                                struct posenc__change *flip)
{
    return posenc__visit_numbers(question, context, flip, search_number);
}

/* What came of climbing a ladder: the best rung, and how the expected number does, or none. */
struct climb {
    double rungs[POSENC__IDENTIFY_LADDER_MAX];
    size_t count, best;
    double least, usual;
};

/* The rung that is tried as the probe of that number: small integers, then some all over the
 * ladder. No rung: SIZE_MAX. */
static size_t choose_probe(const struct scan *scan, const struct climb *climb, size_t probe)
{
    const bool is_integer = scan->number->row->type == POSENC_TYPE_INTEGER;
    const size_t first = is_integer && climb->count > SMALL_PROBES ? SMALL_PROBES : 0;

    if (probe < first)
        return probe;
    return probe - first < WIDE_PROBES
               ? (probe - first + 1) * (climb->count - 1) / (WIDE_PROBES + 1)
               : SIZE_MAX;
}

static bool is_another(const struct posenc__fit *a, const struct posenc__fit *b)
{
    return !(fabs(a->mean_difference - b->mean_difference) <= ALIKE * b->mean_difference);
}

/* Whether the number makes a difference: some rungs are tried before all are. */
static enum posenc_status find_out_if_it_matters(struct scan *scan, struct climb *climb,
                                                 bool *matters)
{
    struct posenc__guess guess = scan->guess;
    struct posenc__fit fit;
    bool fits, other_fits;
    enum posenc_status status = posenc__try(scan->first_rows, &guess, &fits);

    *matters = status == POSENC_OK && !fits; /* any that fits is one more than there are */
    climb->usual = fits ? guess.fit.mean_difference : (double)INFINITY;
    for (size_t i = 0; status == POSENC_OK && !*matters; i++) {
        const size_t rung = choose_probe(scan, climb, i);

        if (rung == SIZE_MAX)
            break;
        status = try_number(scan, climb->rungs[rung], &other_fits, &fit);
        *matters = other_fits && (!fits || is_another(&fit, &guess.fit));
    }
    return status;
}

/* Tries all rungs; a good one is kept. */
static enum posenc_status try_rungs(struct scan *scan, struct climb *climb, bool *done)
{
    enum posenc_status status = POSENC_OK;
    struct posenc__fit fit;
    bool fits;

    climb->least = INFINITY;
    climb->best = 0;
    for (size_t i = 0; i < climb->count && status == POSENC_OK && !*done; i++) {
        status = try_number(scan, climb->rungs[i], &fits, &fit);
        if (status != POSENC_OK || !fits)
            continue;
        if (fit.mean_difference < climb->least) {
            climb->least = fit.mean_difference;
            climb->best = i;
        }
        if (fit.agreement <= POSENC__AGREE_NEAR)
            status = keep_number(scan, climb->rungs[i], COST_CHOSEN, false, done);
    }
    return status;
}

/* Between the rungs beside the best one, where that one leads nearer. */
static enum posenc_status descend_from(struct scan *scan, const struct climb *climb)
{
    const size_t below = climb->best > 0 ? climb->best - 1 : 0;
    const size_t above = climb->best + 1 < climb->count ? climb->best + 1 : climb->best;
    double best;

    if (scan->number->row->type != POSENC_TYPE_REAL || climb->rungs[below] <= 0 ||
        (scan->number->row->flags & POSENC_SEARCHED) || !(climb->least * WORTH < climb->usual))
        return POSENC_OK;
    const enum posenc_status status =
        descend(scan, climb->rungs[below], climb->rungs[above], &best);

    return status == POSENC_OK ? keep_roundest(scan, best) : status;
}

static enum posenc_status climb(struct scan *scan, struct climb *climb)
{
    bool matters, done = false;
    enum posenc_status status;

    climb->count = posenc__list_ladder(scan->guess.context, scan->number, climb->rungs);
    if (climb->count == 0)
        return POSENC_OK;
    status = find_out_if_it_matters(scan, climb, &matters);
    if (status == POSENC_OK && matters)
        status = try_rungs(scan, climb, &done);
    if (status == POSENC_OK && matters && !done)
        status = descend_from(scan, climb);
    return status;
}

static enum posenc_status climb_number(struct posenc__question *question,
                                       struct posenc__context *context, struct posenc__change *flip,
                                       const struct posenc__number *number)
{
    struct climb *ladder;
    struct scan scan;
    enum posenc_status status;

    if (posenc__is_explained(question))
        return POSENC_OK;
    status = begin(question, context, flip, number, &scan);
    ladder = posenc_allocate(&scan.memory, 1, sizeof(*ladder));
    if (status != POSENC_OK || !ladder)
        return end(&scan, posenc__no_memory(question->problem));
    status = climb(&scan, ladder);
    question->trials = scan.first_rows->trials;
    return end(&scan, status);
}

enum posenc_status posenc__climb(struct posenc__question *question, struct posenc__context *context,
                                 struct posenc__change *flip)
{
    return posenc__visit_numbers(question, context, flip, climb_number);
}
