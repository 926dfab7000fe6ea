/*
 * Learned absolute positions: rows of a table (Gehring et al., 2017; Devlin et al., 2018;
 * Dosovitskiy et al., 2020).
 *
 *   out[i] = table[position_i + position_offset],   a zero row where that is padding_idx
 *
 * A position without a row is refused. Frameworks differ in what they do then: they raise, wrap,
 * clamp, fill with NaN, or end the process.
 */
#include <math.h>
#include <stdio.h>

#include "additive.h"
#include "learned.h"
#include "positions.h"

/* Which row of the source stands in which row of the result. */
struct learned {
    struct posenc__source source;
    struct posenc__positions positions;
    double position_offset;
    bool has_padding;
    size_t padding;
};

static size_t learned_row(const struct learned *plan, size_t row)
{
    return (size_t)(posenc__position_at(&plan->positions, row).hi + plan->position_offset);
}

/* Consecutive rows without a zero row among them are one run of the table. */
static bool is_one_run(const struct learned *plan)
{
    return !plan->positions.list && plan->positions.step == 1 && !plan->has_padding;
}

static void learned_values(const void *context, size_t first, size_t count, double *out)
{
    const struct learned *plan = context;
    const struct posenc__source *source = &plan->source;

    if (count > 0 && is_one_run(plan)) {
        source->values(source->plan, learned_row(plan, 0) * source->dim + first, count, out);
        return;
    }
    for (size_t done = 0; done < count;) {
        const size_t row = learned_row(plan, (first + done) / source->dim);
        const size_t column = (first + done) % source->dim;
        const size_t rest = source->dim - column;
        const size_t part = rest < count - done ? rest : count - done;

        if (plan->has_padding && row == plan->padding)
            for (size_t i = 0; i < part; i++)
                out[done + i] = 0;
        else
            source->values(source->plan, row * source->dim + column, part, out + done);
        done += part;
    }
}

static enum posenc_status refuse_position(const struct learned *plan, const char *parameter,
                                          double position, struct posenc_problem *problem)
{
    const double last = (double)plan->source.rows - 1 - plan->position_offset;

    if (position != floor(position))
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, parameter,
                              "Rows of a table have whole numbers; there is no row %.17g.",
                              position);
    if (position < 0)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, parameter,
                              "There is no row before position 0, and none is wrapped; this asks "
                              "for %.17g.",
                              position);
    if (last < 0)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, parameter,
                              "The table has %zu rows, so that no position has a row with "
                              "position_offset %.17g.",
                              plan->source.rows, plan->position_offset);
    return posenc__refuse(problem, POSENC_OUT_OF_RANGE, parameter,
                          "The last row of the table is %zu, so the last position is %.17g; this "
                          "asks for %.17g.",
                          plan->source.rows - 1, last, position);
}

static bool has_row(const struct learned *plan, double position)
{
    return position >= 0 && position == floor(position) &&
           position + plan->position_offset < (double)plan->source.rows;
}

static enum posenc_status check_list(const struct learned *plan, struct posenc_problem *problem)
{
    for (size_t i = 0; i < plan->positions.count; i++) {
        const double position = plan->positions.list[i];
        char path[POSENC_PATH_MAX];

        if (has_row(plan, position))
            continue;
        (void)snprintf(path, sizeof(path), "positions.%zu", i); /* always fits */
        return refuse_position(plan, path, position, problem);
    }
    return POSENC_OK;
}

/* Positions that walk from the first to the last: all have rows when these two have. */
static enum posenc_status check_walk(const struct learned *plan, struct posenc_problem *problem)
{
    const struct posenc__positions *positions = &plan->positions;

    if (positions->count == 0)
        return POSENC_OK;
    const double first = positions->offset;
    const double last = first + (double)(positions->count - 1) * positions->step;

    if (!has_row(plan, first))
        return refuse_position(plan, first == 0 ? "position_offset" : "offset", first, problem);
    if (!has_row(plan, last))
        return refuse_position(plan, "length", last, problem);
    return POSENC_OK;
}

/* Walking needs whole numbers, also where only one position is asked for. */
static enum posenc_status check_whole(const struct posenc_arguments *arguments,
                                      struct posenc_problem *problem)
{
    static const char *const names[] = {"offset", "step"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        const double number = posenc__real(arguments, names[i]);

        if (number != floor(number))
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE, names[i],
                                  "'%s' must be a whole number here: rows of a table have no "
                                  "values between them; it is %.17g.",
                                  names[i], number);
    }
    return POSENC_OK;
}

/* Without a length, the walk goes on to the table's last row, or, backwards, to its first position.
 */
static enum posenc_status default_length(const struct learned *plan,
                                         struct posenc_arguments *arguments,
                                         struct posenc_problem *problem)
{
    const double first = posenc__real(arguments, "offset"), step = posenc__real(arguments, "step");
    const double last = (double)plan->source.rows - 1 - plan->position_offset;

    if (!has_row(plan, first))
        return refuse_position(plan, first == 0 ? "position_offset" : "offset", first, problem);
    if (step == 0)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "length",
                              "'length' is required where 'step' is 0: no last row is reached.");
    const double steps = step > 0 ? floor((last - first) / step) : floor(first / -step);

    posenc__resolve(arguments, "length", posenc_number(steps + 1));
    return POSENC_OK;
}

static enum posenc_status read_rows(struct learned *plan, struct posenc_arguments *arguments,
                                    const size_t *expected, struct posenc_problem *problem)
{
    const bool is_walk = !posenc__present(arguments, "positions");
    enum posenc_status status = is_walk ? check_whole(arguments, problem) : POSENC_OK;

    if (status == POSENC_OK && is_walk && !expected && !posenc__present(arguments, "length"))
        status = default_length(plan, arguments, problem);
    if (status == POSENC_OK)
        status = posenc__read_positions(arguments, expected, "x", &plan->positions, problem);
    if (status != POSENC_OK)
        return status;
    return is_walk ? check_walk(plan, problem) : check_list(plan, problem);
}

static enum posenc_status read_padding(struct learned *plan,
                                       const struct posenc_arguments *arguments,
                                       struct posenc_problem *problem)
{
    plan->has_padding = posenc__present(arguments, "padding_idx");
    if (!plan->has_padding)
        return POSENC_OK;
    plan->padding = posenc__size(arguments, "padding_idx");
    if (plan->padding >= plan->source.rows)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "padding_idx",
                              "'padding_idx' is %zu, but the last row of the table is %zu.",
                              plan->padding, plan->source.rows - 1);
    return POSENC_OK;
}

#define DRAW_NS 60 /* of one number of a normal distribution, about */
#define SKIP_NS 8  /* of one that is thrown away */

static uint64_t draw_ns(const struct posenc_arguments *arguments)
{
    const uint64_t drawn =
        (uint64_t)posenc__size(arguments, "rows") * posenc__size(arguments, "dim");

    return DRAW_NS * drawn + SKIP_NS * (uint64_t)posenc__size(arguments, "skip");
}

/* Draws last: whatever can be refused is refused before. */
static enum posenc_status learned_prepare(struct posenc_arguments *arguments,
                                          const size_t *expected, struct posenc_memory *memory,
                                          struct learned *plan, struct posenc_problem *problem)
{
    double *undrawn = NULL;

    *plan = (struct learned){.position_offset = posenc__real(arguments, "position_offset")};
    enum posenc_status status =
        posenc__learned_source(arguments, memory, &plan->source, &undrawn, problem);

    if (status == POSENC_OK)
        status = posenc__learned_resize(arguments, memory, &plan->source, problem);
    if (status == POSENC_OK)
        status = read_padding(plan, arguments, problem);
    if (status == POSENC_OK)
        status = read_rows(plan, arguments, expected, problem);
    if (status == POSENC_OK && undrawn && !posenc_may_work(memory, draw_ns(arguments)))
        return posenc__cancelled(problem);
    if (status == POSENC_OK && undrawn)
        status = posenc__learned_draw(arguments, undrawn, problem);
    return status;
}

/* A table that was sent is as wide as x; a generated one takes its width from x. */
static enum posenc_status check_width(const struct posenc_arguments *arguments,
                                      struct posenc_problem *problem)
{
    const struct posenc_array *table = posenc__array(arguments, "table");
    const size_t width = posenc__size(arguments, "dim");

    if (table && table->rank == 2 && table->shape[1] != width)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "x",
                              "'x' is %zu wide, but 'table' is %zu wide.", width, table->shape[1]);
    return POSENC_OK;
}

static enum posenc_status learned_make(struct posenc_arguments *arguments, const size_t *expected,
                                       struct posenc_memory *memory, struct posenc__additive *table,
                                       struct posenc_problem *problem)
{
    struct learned *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    enum posenc_status status = expected ? check_width(arguments, problem) : POSENC_OK;

    if (status == POSENC_OK)
        status = learned_prepare(arguments, expected, memory, plan, problem);
    if (status != POSENC_OK)
        return status;
    *table = (struct posenc__additive){.rows = plan->positions.count,
                                       .dim = plan->source.dim,
                                       .values = learned_values,
                                       .plan = plan,
                                       .element_ns = plan->source.element_ns};
    return POSENC_OK;
}

static const struct posenc__additive_source learned_table = {.make = learned_make};

#define GROUPS posenc__position_rows, posenc__learned_rows, posenc__dtype_rows, posenc__preset_rows

static const struct posenc_operation learned_operations[] = {
    {POSENC__ADDITIVE_TABLE(GROUPS), .summary = "the table's rows of all positions asked for"},
    {POSENC__ADDITIVE_APPLY(GROUPS)},
    {.name = "gradient",
     .summary = "the table's gradient from the gradient of the rows that were looked up",
     .takes_tensors = true,
     .groups = POSENC__GROUPS(posenc__learned_gradient_rows, posenc__dtype_rows),
     .tensors =
         POSENC__TENSORS({"table_gradient", "[rows, dim]", "sum over the lookups of each row"}),
     .plan = posenc__learned_plan_gradient},
    {.name = NULL},
};

const struct posenc_encoding posenc__learned = {
    .name = "learned",
    .summary = "rows of a trained or generated table, looked up, resized, or differentiated",
    .source = "Gehring et al., Convolutional Sequence to Sequence Learning, 2017 (arXiv "
              "1705.03122); Dosovitskiy et al., 2020 (arXiv 2010.11929) for resizing",
    .convention =
        "position p reads row p + position_offset; a position past the last row is refused",
    .aliases = POSENC__NAMES("learnable"),
    .operations = learned_operations,
    .presets = posenc__learned_presets,
    .additive = &learned_table,
};
