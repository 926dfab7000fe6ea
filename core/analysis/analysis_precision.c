/*
 * What a table loses when one named step of its computation is done in a small type, and all others
 * exactly: frequencies w rounded, positions p rounded, the angle p w rounded, or sines and cosines
 * rounded.
 */
#include <math.h>
#include <string.h>

#include "analysis.h"
#include "waves.h"

#define CELL_NS 50 /* of one number, in the steps of a framework and exactly, about */

enum step { STEP_INV_FREQ, STEP_POSITION, STEP_ANGLE, STEP_COS_SIN };

static const struct posenc_parameter precision_rows[] = {
    {.name = "step",
     .type = POSENC_TYPE_CHOICE,
     .choices = POSENC__NAMES("inv_freq", "position", "angle", "cos_sin"),
     .meaning = "the step that is rounded: frequencies, positions, their product, or the sines and "
                "cosines"},
    {.name = "step_dtype",
     .type = POSENC_TYPE_CHOICE,
     .choices = POSENC__NAMES("float32", "float16", "bfloat16"),
     .meaning = "the type that it is rounded to"},
    {.name = NULL},
};

struct precision {
    struct posenc__wave_view view;
    struct posenc__waves rounded; /* frequencies rounded; the exact ones for other steps */
    enum step step;
    enum posenc_dtype dtype;
    struct posenc__wave_row row;
    double *exact; /* [width] one row */
    double *table; /* [rows][width] */
    double max_error;
};

static double round_to(enum posenc_dtype dtype, double value)
{
    float bits = 0; /* room for the widest type of a step */
    double rounded;

    posenc_round(dtype, &value, 1, &bits);
    posenc_widen(dtype, &bits, 1, &rounded);
    return rounded;
}

static enum posenc_status round_waves(struct precision *plan, struct posenc_memory *memory,
                                      struct posenc_problem *problem)
{
    plan->rounded = plan->view.waves;
    if (plan->step != STEP_INV_FREQ)
        return POSENC_OK;
    if (!posenc__waves_init(&plan->rounded, plan->view.waves.count, memory))
        return posenc__no_memory(problem);
    for (size_t i = 0; i < plan->rounded.count; i++) {
        const double radians = round_to(plan->dtype, posenc__waves_radians(&plan->view.waves, i));

        if (!isfinite(radians))
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "step_dtype",
                                  "The frequency of pair %zu is too large for this type.", i);
        posenc__waves_set(&plan->rounded, i, (struct posenc__dd){radians, 0});
    }
    return POSENC_OK;
}

static void no_numbers(struct precision *plan, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        plan->row.sines[i] = plan->row.cosines[i] = (double)NAN;
}

static const struct posenc__dd angle_per_turn = {0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52};

/* Sines and cosines of angles in radians that were rounded before. */
static void turn_rounded_angles(struct precision *plan, struct posenc__dd position)
{
    double hi, lo;
    struct posenc__waves radian = {1, &hi, &lo};

    posenc__waves_set(&radian, 0, (struct posenc__dd){1, 0});
    for (size_t i = 0; i < plan->view.waves.count; i++) {
        const struct posenc__dd wave = {plan->view.waves.hi[i], plan->view.waves.lo[i]};
        const struct posenc__dd turns = posenc__dd_multiply(wave, position);
        const double angle = round_to(plan->dtype, posenc__dd_multiply(turns, angle_per_turn).hi);

        if (isfinite(angle))
            posenc__sincos(&radian, (struct posenc__dd){angle, 0}, 0, 1, &plan->row.sines[i],
                           &plan->row.cosines[i]);
        else
            no_numbers(plan, i, 1);
    }
}

/* The row's sines and cosines with the step rounded. */
static void turn_rounded(struct precision *plan, struct posenc__dd position)
{
    const size_t count = plan->view.waves.count;

    if (plan->step == STEP_ANGLE) {
        turn_rounded_angles(plan, position);
        return;
    }
    if (plan->step == STEP_POSITION)
        position = (struct posenc__dd){round_to(plan->dtype, position.hi), 0};
    if (!isfinite(position.hi)) {
        no_numbers(plan, 0, count);
        return;
    }
    posenc__sincos(&plan->rounded, position, 0, count, plan->row.sines, plan->row.cosines);
    for (size_t i = 0; i < count && plan->step == STEP_COS_SIN; i++) {
        plan->row.sines[i] = round_to(plan->dtype, plan->row.sines[i]);
        plan->row.cosines[i] = round_to(plan->dtype, plan->row.cosines[i]);
    }
}

/* Computes a row with the step rounded and without, and keeps the largest difference. */
static void compute_row(struct precision *plan, size_t row)
{
    const struct posenc__dd position = posenc__position_at(&plan->view.positions, row);
    double *out = plan->table + row * plan->view.width;

    posenc__sincos(&plan->view.waves, position, 0, plan->view.waves.count, plan->row.sines,
                   plan->row.cosines);
    posenc__wave_view_place(&plan->view, &plan->row, plan->exact);
    turn_rounded(plan, position);
    posenc__wave_view_place(&plan->view, &plan->row, out);
    for (size_t i = 0; i < plan->view.width; i++) {
        const double error = fabs(out[i] - plan->exact[i]);

        plan->max_error = isnan(error) ? (double)INFINITY : fmax(plan->max_error, error);
    }
}

/* FNV-1a over the bytes of a row. */
static uint64_t hash_row(const struct precision *plan, size_t row)
{
    const unsigned char *bytes = (const unsigned char *)(plan->table + row * plan->view.width);
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < plan->view.width * sizeof(double); i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

static bool collide(const struct precision *plan, size_t a, size_t b)
{
    const struct posenc__dd one = posenc__position_at(&plan->view.positions, a);
    const struct posenc__dd other = posenc__position_at(&plan->view.positions, b);
    const size_t width = plan->view.width;

    return (one.hi != other.hi || one.lo != other.lo) &&
           memcmp(plan->table + a * width, plan->table + b * width, width * sizeof(double)) == 0;
}

/*
 * Derives the first position whose row is that of an earlier, other one. Rows are put into a hash
 * table of row numbers + 1, twice as large as they are many, in their order.
 */
static enum posenc_status derive_collision(const struct precision *plan,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    const size_t rows = plan->view.positions.count;
    struct posenc_value found = posenc_null();
    size_t slots = 2;

    while (slots < 2 * rows)
        slots *= 2;
    size_t *places = posenc_allocate(memory, slots, sizeof(*places));

    if (!places)
        return posenc__no_memory(problem);
    memset(places, 0, slots * sizeof(*places));
    for (size_t row = 0; row < rows && found.kind == POSENC_NULL; row++) {
        size_t slot = (size_t)hash_row(plan, row) & (slots - 1);

        for (; places[slot] != 0; slot = (slot + 1) & (slots - 1))
            if (collide(plan, places[slot] - 1, row))
                found = posenc_number(posenc__position_at(&plan->view.positions, row).hi);
        places[slot] = row + 1;
    }
    return posenc__derive(result, memory, problem, "first_collision", found);
}

static enum posenc_status compute(struct precision *plan, struct posenc_memory *memory,
                                  struct posenc_problem *problem)
{
    const size_t rows = plan->view.positions.count, width = plan->view.width;
    enum posenc_status status = posenc__analysis_limit(rows, width, "length", problem);

    if (status == POSENC_OK)
        status = round_waves(plan, memory, problem);
    if (status != POSENC_OK)
        return status;
    plan->table = posenc_allocate(memory, rows * width, sizeof(*plan->table));
    plan->exact = posenc_allocate(memory, width, sizeof(*plan->exact));
    if (!plan->table || !plan->exact || !posenc__wave_row_init(&plan->row, &plan->view, memory))
        return posenc__no_memory(problem);
    if (!posenc_may_work(memory, CELL_NS * rows * width))
        return posenc__cancelled(problem);
    for (size_t row = 0; row < rows; row++) {
        if (!posenc_may_work(memory, CELL_NS * width))
            return posenc__cancelled(problem);
        compute_row(plan, row);
    }
    return POSENC_OK;
}

static enum posenc_status plan_precision(struct posenc_arguments *arguments,
                                         struct posenc_memory *memory, struct posenc_result *result,
                                         struct posenc_problem *problem)
{
    struct precision plan = {.step = posenc__choice(arguments, "step")};
    enum posenc_status status =
        posenc__analysis_one_axis(arguments, memory, result, &plan.view, problem);

    if (status == POSENC_OK && !plan.view.has_positions)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "length",
                              "'length' is required: the number of positions; or give "
                              "'positions', a list of them.");
    (void)posenc_dtype_find(posenc_find_argument(arguments, "step_dtype")->value.as.text,
                            &plan.dtype); /* one of the row's choices */
    if (status == POSENC_OK)
        status = compute(&plan, memory, problem);
    if (status != POSENC_OK)
        return status;
    const size_t shape[] = {plan.view.positions.count, plan.view.width};

    status = posenc__add_tensor(result, memory, problem, "table", posenc__dtype(arguments), 2,
                                shape, posenc__kept_values, plan.table);
    if (status == POSENC_OK)
        status =
            posenc__derive(result, memory, problem, "max_error", posenc_number(plan.max_error));
    return status == POSENC_OK ? derive_collision(&plan, memory, result, problem) : status;
}

const struct posenc__quantity posenc__quantity_precision = {
    .operation = {.name = "precision",
                  .summary =
                      "the table with one step of its computation rounded to a small type, its "
                      "largest error (max_error), and the first position whose row another one has "
                      "already (first_collision)",
                  .asks_encoding = "table",
                  .groups = (const struct posenc_parameter *const[]){posenc__encoding_rows,
                                                                     precision_rows,
                                                                     posenc__dtype_rows, NULL},
                  .tensors = (const struct posenc_tensor_row[]){{"table", "[length, dim]",
                                                                 "NaN where the step overflows"},
                                                                {.name = NULL}},
                  .plan = plan_precision},
    .serves = posenc__has_waves,
    .needs = posenc__needs_all,
};
