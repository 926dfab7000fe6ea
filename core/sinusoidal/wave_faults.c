/*
 * Wrong tables of waves, made from the right waves: w_0, w_1, ... radians per position, each r
 * times the one before, as base^(-2i / dim) gives them.
 *
 *   flat       sin p w_0, cos p w_0                      every exponent is 0
 *   inverse    sin p w_0^2 / w_i, cos alike              p w_0 divided by w_i / w_0
 *   late       sin p w_(i+1), cos alike                  pairs counted from 1
 *   columns    sin p w_0 r^i, cos p w_0 r^(i + 1/2)      the exponent is j / dim in column j
 *   doubled    sin p w_0 r^(2i), cos p w_0 r^(2i + 1)    the exponent is 2j / dim in column j
 *   exchanged  cos p w_i, sin p w_i                      in columns that alternate
 *
 * Columns are counted as they alternate, also where a table has its sines first.
 */
#include "wave_faults.h"

#include "additive.h"
#include "powers.h"
#include "waves.h"

struct wrong_table {
    struct posenc__wave_view view; /* the right ones */
    struct posenc__waves sines, cosines;
    bool is_exchanged;
    bool has_padding;
    double padding; /* the row of this position is 0 */
};

/* The wave that a column is of, counted from `start`; false where it is of none. */
static bool find_wave(size_t column, size_t start, size_t stride, size_t count, size_t *wave)
{
    if (column < start || (column - start) % stride != 0)
        return false;
    *wave = (column - start) / stride;
    return *wave < count;
}

static double wrong_element(const struct wrong_table *plan, size_t row, size_t column)
{
    const struct posenc__wave_view *view = &plan->view;
    const struct posenc__dd position = posenc__position_at(&view->positions, row);
    size_t wave;
    double value;

    if (plan->has_padding && position.hi == plan->padding && position.lo == 0)
        return 0;
    const bool is_sine =
        find_wave(column, view->sine_start, view->stride, plan->sines.count, &wave);

    if (!is_sine && !find_wave(column, view->cosine_start, view->stride, view->cosines, &wave))
        return 0;
    const struct posenc__waves *waves = is_sine ? &plan->sines : &plan->cosines;

    if (is_sine != plan->is_exchanged)
        posenc__sincos(waves, position, wave, 1, &value, NULL);
    else
        posenc__sincos(waves, position, wave, 1, NULL, &value);
    return view->amplitude * value;
}

static void wrong_values(const void *context, size_t first, size_t count, double *out)
{
    const struct wrong_table *plan = context;
    const size_t width = plan->view.width;

    for (size_t i = 0; i < count; i++)
        out[i] = wrong_element(plan, (first + i) / width, (first + i) % width);
}

static struct posenc__dd wave_at(const struct posenc__waves *waves, size_t index)
{
    return (struct posenc__dd){waves->hi[index], waves->lo[index]};
}

static void set_wave(struct posenc__waves *waves, size_t index, struct posenc__dd turns)
{
    waves->hi[index] = turns.hi;
    waves->lo[index] = turns.lo;
}

/* Sines w_0 r^(step i), cosines half a step further. */
static void step_by_columns(struct wrong_table *plan, double step)
{
    const struct posenc__dd first = wave_at(&plan->view.waves, 0);
    const struct posenc__dd ratio = posenc__dd_divide(wave_at(&plan->view.waves, 1), first);
    const struct posenc__dd half = posenc__dd_power(ratio, step, 2);
    struct posenc__powers powers;

    posenc__powers_begin(&powers, ratio, step, 1);
    for (size_t i = 0; i < plan->sines.count; i++) {
        const struct posenc__dd wave = posenc__dd_multiply(first, posenc__powers_next(&powers));

        set_wave(&plan->sines, i, wave);
        set_wave(&plan->cosines, i, posenc__dd_multiply(wave, half));
    }
}

/* What both waves of a pair are. */
static struct posenc__dd wrong_wave(const struct posenc__waves *right,
                                    enum posenc__wave_fault fault, size_t i)
{
    const struct posenc__dd first = wave_at(right, 0), own = wave_at(right, i);

    switch (fault) {
    case POSENC__WAVES_flat:
        return first;
    case POSENC__WAVES_inverse:
        return posenc__dd_divide(posenc__dd_multiply(first, first), own);
    case POSENC__WAVES_late:
        return posenc__dd_multiply(own, posenc__dd_divide(wave_at(right, 1), first));
    case POSENC__WAVES_columns:
    case POSENC__WAVES_doubled:
    case POSENC__WAVES_exchanged:
        break;
    }
    return own;
}

static enum posenc_status set_waves(struct wrong_table *plan, enum posenc__wave_fault fault,
                                    struct posenc_memory *memory, struct posenc_problem *problem)
{
    const struct posenc__waves *right = &plan->view.waves;
    enum posenc_status status;

    if (!posenc__waves_init(&plan->sines, right->count, memory) ||
        !posenc__waves_init(&plan->cosines, right->count, memory))
        return posenc__no_memory(problem);
    if (fault == POSENC__WAVES_columns || fault == POSENC__WAVES_doubled)
        step_by_columns(plan, fault == POSENC__WAVES_columns ? 1 : 2);
    else
        for (size_t i = 0; i < right->count; i++) {
            set_wave(&plan->sines, i, wrong_wave(right, fault, i));
            set_wave(&plan->cosines, i, wrong_wave(right, fault, i));
        }
    status = posenc__check_angles(&plan->sines, &plan->view.positions, problem);
    return status == POSENC_OK
               ? posenc__check_angles(&plan->cosines, &plan->view.positions, problem)
               : status;
}

/* Whether a table shows the fault: exchanged halves are another layout. */
static enum posenc_status check_fault(const struct posenc__wave_view *view,
                                      enum posenc__wave_fault fault, struct posenc_problem *problem)
{
    if (view->waves.count < 2 || view->waves.hi[0] == 0 || view->waves.hi[1] == 0)
        return posenc__refuse(
            problem, POSENC_OUT_OF_RANGE, "dim",
            "Wrong frequencies show only where there are two, neither of them 0.");
    if (fault == POSENC__WAVES_exchanged && view->stride == 1)
        return posenc__refuse(problem, POSENC_CONFLICT, "layout",
                              "Sines and cosines in halves have a layout for either order.");
    return POSENC_OK;
}

static void read_padding(const struct posenc_arguments *arguments, struct wrong_table *plan)
{
    const struct posenc_argument *padding = posenc_find_argument(arguments, "padding_idx");

    plan->has_padding = padding && padding->value.kind == POSENC_NUMBER;
    if (plan->has_padding)
        plan->padding = padding->value.as.number;
}

static enum posenc_status make_wrong(enum posenc__wave_fault fault,
                                     const struct posenc__wave_view *view,
                                     const struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc__additive *table,
                                     struct posenc_problem *problem)
{
    struct wrong_table *plan = posenc_allocate(memory, 1, sizeof(*plan));
    const enum posenc_status status = check_fault(view, fault, problem);

    if (!plan)
        return posenc__no_memory(problem);
    if (status != POSENC_OK)
        return status;
    *plan = (struct wrong_table){.view = *view, .is_exchanged = fault == POSENC__WAVES_exchanged};
    read_padding(arguments, plan);
    *table = (struct posenc__additive){
        .rows = view->positions.count, .dim = view->width, .values = wrong_values, .plan = plan};
    return set_waves(plan, fault, memory, problem);
}

enum posenc_status posenc__add_wrong_waves(enum posenc__wave_fault fault,
                                           const struct posenc__wave_view *view,
                                           struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    struct posenc__additive table;
    const enum posenc_status status = make_wrong(fault, view, arguments, memory, &table, problem);

    return status == POSENC_OK
               ? posenc__additive_add_table(&table, arguments, memory, result, problem)
               : status;
}

static enum posenc_status plan_table(enum posenc__wave_fault fault,
                                     struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct posenc__wave_view view;
    const enum posenc_status status =
        result->encoding->waves->read(arguments, memory, result, &view, problem);

    return status == POSENC_OK
               ? posenc__add_wrong_waves(fault, &view, arguments, memory, result, problem)
               : status;
}

static enum posenc_status plan_apply(enum posenc__wave_fault fault,
                                     struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct posenc__positions positions; /* settled, for the waves to have them */
    struct posenc__wave_view view;
    struct posenc__additive table;
    struct posenc__axes axes;
    enum posenc_status status = posenc__additive_read_x(arguments, &axes, problem);

    if (status == POSENC_OK)
        status = posenc__read_positions(arguments, &axes.length, "x", &positions, problem);
    if (status == POSENC_OK)
        status = result->encoding->waves->read(arguments, memory, result, &view, problem);
    if (status == POSENC_OK)
        status = make_wrong(fault, &view, arguments, memory, &table, problem);
    return status == POSENC_OK
               ? posenc__additive_add_sum(&table, &axes, arguments, memory, result, problem)
               : status;
}

/* The plans of a fault, and their rows. */
#define PLANS(id, name, words)                                                                     \
    static enum posenc_status table_##id(                                                          \
        struct posenc_arguments *arguments, struct posenc_memory *memory,                          \
        struct posenc_result *result, struct posenc_problem *problem)                              \
    {                                                                                              \
        return plan_table(POSENC__WAVES_##id, arguments, memory, result, problem);                 \
    }                                                                                              \
    static enum posenc_status apply_##id(                                                          \
        struct posenc_arguments *arguments, struct posenc_memory *memory,                          \
        struct posenc_result *result, struct posenc_problem *problem)                              \
    {                                                                                              \
        return plan_apply(POSENC__WAVES_##id, arguments, memory, result, problem);                 \
    }
#define ROWS(id, name, words)                                                                      \
    {name, words, "table", table_##id}, {name, words, "apply", apply_##id},

POSENC__WAVE_FAULTS(PLANS)

const struct posenc__fault posenc__wave_faults[] = {POSENC__WAVE_FAULTS(ROWS){.name = NULL}};
