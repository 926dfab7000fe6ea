/*
 * Sinusoidal positions of the cells of a grid (the 2-D and 3-D relatives of Vaswani et al., 2017,
 * section 3.5, as in MAE, DETR, tensor2tensor and diffusers).
 *
 * Each axis has a block of columns, the sines and cosines of h waves at the cell's coordinate y:
 *
 *   angle of pair i:  y base^(-i / h), or y base^(-i / (h - 1))
 *
 * Cells run row-major, frames outermost. Blocks: of frames, if there are any; then of the column
 * (x) and of the row (y), or the other way round.
 */
#include "sinusoidal_grid.h"

#include <string.h>

#include "additive.h"
#include "powers.h"

/* An axis and its columns. */
struct block {
    struct posenc__grid_axis axis;
    struct posenc__waves waves;
    size_t first_column;
    const double *columns; /* [axis.length][2 * waves.count], computed beforehand; or NULL */
};

struct grid {
    size_t axes, lengths[POSENC__GRID_AXES_MAX];
    size_t cells, prefix, rows, dim;
    enum posenc__column_order order;
    struct block blocks[POSENC__GRID_AXES_MAX]; /* in the order of their columns */
};

/* Values of one block that are worth computing beforehand: 1 MiB, and some milliseconds. */
#define BLOCK_VALUES_MAX ((size_t)1 << 17)

static enum posenc_status settle_grid(const struct posenc_arguments *arguments, struct grid *plan,
                                      struct posenc_problem *problem)
{
    const struct posenc_array *list = posenc__array(arguments, "grid");
    const double *lengths = list->data;

    if (list->shape[0] < 2 || list->shape[0] > POSENC__GRID_AXES_MAX)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "grid",
                              "'grid' has %zu numbers; it needs rows and columns, or frames, rows "
                              "and columns.",
                              list->shape[0]);
    plan->axes = list->shape[0];
    for (size_t i = 0; i < plan->axes; i++)
        plan->lengths[i] = (size_t)lengths[i];
    plan->prefix = posenc__size(arguments, "prefix_tokens");
    if (!posenc_shape_count(plan->axes, plan->lengths, &plan->cells) ||
        __builtin_add_overflow(plan->cells, plan->prefix, &plan->rows))
        return posenc__refuse(problem, POSENC_TOO_LARGE, "grid",
                              "The cells of this grid are more than can be counted.");
    return POSENC_OK;
}

/* How many pairs each block has: spatial ones, and frames where they have another share. */
static enum posenc_status settle_pairs(struct posenc_arguments *arguments, struct grid *plan,
                                       struct posenc_problem *problem)
{
    const bool has_frames = plan->axes == POSENC__GRID_AXES_MAX;

    if (!posenc__present(arguments, "split"))
        posenc__resolve(arguments, "split", posenc_text(has_frames ? "quarter" : "equal"));
    const bool is_quarter = posenc__choice(arguments, "split") == POSENC__GRID_SPLIT_QUARTER;
    const size_t unit = is_quarter ? 16 : 2 * plan->axes;
    const size_t units = plan->dim / unit, rest = plan->dim % unit;

    if (is_quarter && !has_frames)
        return posenc__refuse(problem, POSENC_CONFLICT, "split",
                              "'split' quarter is for grids with frames, rows and columns.");
    if (units == 0 || (rest != 0 && (is_quarter || posenc__choice(arguments, "leftover") ==
                                                       POSENC__GRID_LEFTOVER_REJECT)))
        return posenc__refuse(
            problem, POSENC_OUT_OF_RANGE, "dim",
            "'dim' is %zu; each of the %zu axes needs sines and as many cosines: a multiple of "
            "%zu, or with 'leftover' zero_pad and equal shares at least that.",
            plan->dim, plan->axes, unit);
    for (size_t i = 0; i < plan->axes; i++)
        plan->blocks[i].waves.count = !is_quarter            ? units
                                      : has_frames && i == 0 ? 2 * units
                                                             : 3 * units;
    return POSENC_OK;
}

/* Which axis of the grid the block at a place belongs to. */
static size_t axis_of_block(const struct posenc_arguments *arguments, const struct grid *plan,
                            size_t place)
{
    const size_t rows = plan->axes - 2, columns = plan->axes - 1;

    if (place + 2 < plan->axes)
        return 0; /* frames */
    if (posenc__choice(arguments, "axis_order") == POSENC__GRID_XY)
        return place == rows ? columns : rows;
    return place;
}

static enum posenc_status settle_axes(const struct posenc_arguments *arguments, struct grid *plan,
                                      struct posenc_problem *problem)
{
    size_t column = 0;

    for (size_t place = 0; place < plan->axes; place++) {
        struct block *block = &plan->blocks[place];
        const size_t axis = axis_of_block(arguments, plan, place);

        block->axis.length = plan->lengths[axis];
        block->axis.stride = 1;
        for (size_t i = axis + 1; i < plan->axes; i++)
            block->axis.stride *= plan->lengths[i];
        block->first_column = column;
        column += 2 * block->waves.count;
        const enum posenc_status status =
            posenc__grid_axis_init(&block->axis, axis + 2 < plan->axes, arguments, problem);

        if (status != POSENC_OK)
            return status;
    }
    return POSENC_OK;
}

static enum posenc_status check_mask(const struct posenc_array *mask, const struct grid *plan,
                                     struct posenc_problem *problem)
{
    bool fits = mask->rank == plan->axes;

    for (size_t i = 0; i < plan->axes && fits; i++)
        fits = mask->shape[i] == plan->lengths[i];
    if (!fits)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "mask",
                              "'mask' must have the shape of 'grid': a number for each cell.");
    for (size_t cell = 0; cell < plan->cells; cell++) {
        double valid;

        posenc__read_array(mask, cell, 1, &valid);
        if (valid != 0 && valid != 1)
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "mask",
                                  "'mask' holds 1 for cells that count and 0 for padding; cell %zu "
                                  "has %g.",
                                  cell, valid);
    }
    return POSENC_OK;
}

static enum posenc_status settle_mask(const struct posenc_arguments *arguments, struct grid *plan,
                                      struct posenc_memory *memory, struct posenc_problem *problem)
{
    const struct posenc_array *mask = posenc__array(arguments, "mask");
    const enum posenc_status status = mask ? check_mask(mask, plan, problem) : POSENC_OK;

    for (size_t i = 0; mask && status == POSENC_OK && i < plan->axes; i++)
        if (!posenc__grid_axis_count(&plan->blocks[i].axis, mask, plan->cells, memory))
            return posenc__no_memory(problem);
    return status;
}

/* Denominator of the exponents of a block; 0 when there is none. */
static double exponent_denominator(const struct posenc_arguments *arguments, size_t pairs)
{
    const size_t spacing = posenc__choice(arguments, "spacing");

    if (spacing == POSENC__SPACING_DIM)
        return (double)pairs;
    return pairs > 1 || spacing == POSENC__SPACING_HALF_MINUS_1 ? (double)pairs - 1 : 1;
}

static enum posenc_status set_waves(const struct posenc_arguments *arguments, struct block *block,
                                    struct posenc_memory *memory, struct posenc_problem *problem)
{
    const size_t pairs = block->waves.count;
    const struct posenc__dd base = {posenc__real(arguments, "base"), 0};
    const double denominator = exponent_denominator(arguments, pairs);
    const struct posenc__positions largest = {.count = 1,
                                              .offset = posenc__grid_coordinate_max(&block->axis)};
    struct posenc__powers powers;

    if (denominator == 0)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "dim",
                              "'dim' leaves one pair for an axis, and h - 1 = 0 as a denominator; "
                              "spacing 'half_minus_1_guarded' divides by 1 instead.");
    const enum posenc_status status = posenc__make_waves(&block->waves, pairs, memory, problem);

    if (status != POSENC_OK)
        return status;
    posenc__powers_begin(&powers, base, -1, denominator);
    for (size_t i = 0; i < pairs; i++)
        posenc__waves_set(&block->waves, i, posenc__powers_next(&powers));
    return posenc__check_angles(&block->waves, &largest, problem);
}

/* Without a mask a block of columns depends on one index: cells share the blocks of each. */
static enum posenc_status fill_columns(struct block *block, enum posenc__column_order order,
                                       struct posenc_memory *memory, struct posenc_problem *problem)
{
    const size_t width = 2 * block->waves.count;

    if (block->axis.counts || block->axis.length > BLOCK_VALUES_MAX / width)
        return POSENC_OK;
    double *columns = posenc_allocate(memory, block->axis.length * width, sizeof(*columns));

    if (!columns)
        return posenc__no_memory(problem);
    for (size_t index = 0; index < block->axis.length; index++)
        posenc__wave_columns(&block->waves, order,
                             posenc__grid_coordinate(&block->axis, index * block->axis.stride), 0,
                             width, columns + index * width);
    block->columns = columns;
    return POSENC_OK;
}

static enum posenc_status settle_blocks(const struct posenc_arguments *arguments, struct grid *plan,
                                        struct posenc_memory *memory,
                                        struct posenc_problem *problem)
{
    enum posenc_status status = POSENC_OK;

    plan->order = posenc__choice(arguments, "pair_layout") == POSENC__GRID_INTERLEAVED
                      ? POSENC__INTERLEAVED
                      : POSENC__SIN_COS;
    for (size_t i = 0; i < plan->axes && status == POSENC_OK; i++) {
        status = set_waves(arguments, &plan->blocks[i], memory, problem);
        if (status == POSENC_OK)
            status = fill_columns(&plan->blocks[i], plan->order, memory, problem);
    }
    return status;
}

/* Columns [begin, end) of a block, counted from its first. */
static void block_values(const struct grid *plan, const struct block *block, size_t cell,
                         size_t begin, size_t end, double *out)
{
    const size_t index = cell / block->axis.stride % block->axis.length;

    if (block->columns)
        memcpy(out, block->columns + index * 2 * block->waves.count + begin,
               (end - begin) * sizeof(*out));
    else
        posenc__wave_columns(&block->waves, plan->order,
                             posenc__grid_coordinate(&block->axis, cell), begin, end, out);
}

/* Columns [begin, end) of a cell's row; those that no block has are zero. */
static void cell_values(const struct grid *plan, size_t cell, size_t begin, size_t end, double *out)
{
    for (size_t i = 0; i < plan->axes; i++) {
        const struct block *block = &plan->blocks[i];
        const size_t low = block->first_column, high = low + 2 * block->waves.count;
        const size_t from = begin > low ? begin : low, to = end < high ? end : high;

        if (from < to)
            block_values(plan, block, cell, from - low, to - low, out + (from - begin));
    }
    const struct block *last = &plan->blocks[plan->axes - 1];
    const size_t used = last->first_column + 2 * last->waves.count;

    for (size_t column = used > begin ? used : begin; column < end; column++)
        out[column - begin] = 0;
}

static void grid_values(const void *context, size_t first, size_t count, double *out)
{
    const struct grid *plan = context;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / plan->dim, begin = (first + done) % plan->dim;
        const size_t left = plan->dim - begin, part = left < count - done ? left : count - done;

        if (row >= plan->prefix)
            cell_values(plan, row - plan->prefix, begin, begin + part, out + done);
        else
            for (size_t i = done; i < done + part; i++)
                out[i] = 0;
        done += part;
    }
}

static enum posenc_status grid_prepare(struct posenc_arguments *arguments,
                                       struct posenc_memory *memory, struct grid **prepared,
                                       struct posenc_problem *problem)
{
    struct grid *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    *plan = (struct grid){.dim = posenc__size(arguments, "dim")};
    *prepared = plan;
    enum posenc_status status = settle_grid(arguments, plan, problem);

    if (status == POSENC_OK)
        status = settle_pairs(arguments, plan, problem);
    if (status == POSENC_OK)
        status = settle_axes(arguments, plan, problem);
    if (status == POSENC_OK)
        status = settle_mask(arguments, plan, memory, problem);
    if (status == POSENC_OK)
        status = settle_blocks(arguments, plan, memory, problem);
    return status;
}

static enum posenc_status grid_make(struct posenc_arguments *arguments, const size_t *expected,
                                    struct posenc_memory *memory, struct posenc__additive *table,
                                    struct posenc_problem *problem)
{
    struct grid *plan = NULL;
    const enum posenc_status status = grid_prepare(arguments, memory, &plan, problem);

    if (status != POSENC_OK)
        return status;
    if (expected && plan->rows != *expected)
        return posenc__refuse(problem, POSENC_CONFLICT, "grid",
                              "'grid' has %zu cells and 'prefix_tokens' is %zu, but the sequence "
                              "axis of 'x' has %zu.",
                              plan->cells, plan->prefix, *expected);
    *table = (struct posenc__additive){
        .rows = plan->rows, .dim = plan->dim, .values = grid_values, .plan = plan};
    return POSENC_OK;
}

static const struct posenc__additive_source grid_table = {.make = grid_make};

#define GROUPS posenc__sinusoidal_grid_rows, posenc__dtype_rows, posenc__preset_rows

static const struct posenc_operation grid_operations[] = {
    {.name = "table",
     .summary = "the table of all cells, row by row, frames outermost",
     .groups = POSENC__GROUPS(GROUPS),
     .tensors = POSENC__TENSORS({"encoding", "[prefix_tokens + cells, dim]",
                                 "zeros for the prefix, then one row per cell"}),
     .plan = posenc__plan_additive_table},
    {POSENC__ADDITIVE_APPLY(GROUPS)},
    {.name = NULL},
};

const struct posenc_encoding posenc__sinusoidal_grid = {
    .name = "sinusoidal_grid",
    .summary = "sine and cosine waves of the coordinates of a grid's cells, in two or three axes",
    .source = "He et al., Masked Autoencoders Are Scalable Vision Learners, 2022 (arXiv "
              "2111.06377) and Carion et al., End-to-End Object Detection with Transformers, 2020 "
              "(arXiv 2005.12872), released code",
    .convention = "cells row-major, frames outermost; axis_order xy gives the first columns to the "
                  "column's coordinate, yx to the row's; an axis's columns stand together, its "
                  "sines first or alternating with its cosines",
    .operations = grid_operations,
    .presets = posenc__sinusoidal_grid_presets,
    .additive = &grid_table,
};
