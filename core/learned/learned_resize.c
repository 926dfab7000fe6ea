/*
 * Resized tables: rows in front are copied, the others stand for a grid whose two axes are
 * resampled
 *
 *   out[y][x] = sum over i, j of rows_weight[y][i] columns_weight[x][j] table[i][j]
 *
 * Rows are computed when they are asked for; only the weights are kept. A table along one axis is a
 * grid one column wide.
 */
#include <math.h>
#include <string.h>

#include "learned.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* a fused a * b + c would break the error terms */
#endif

/* What `resize` says. */
struct resize {
    size_t height, width, to_height, to_width, prefix;
    bool is_cubic, align_corners, antialias;
    double extra_length;
    bool has_length; /* along one axis */
};

struct resized {
    struct posenc__source source;
    size_t prefix, width, to_width; /* rows in front; columns of the old and the new grid */
    struct posenc__bands rows, columns;
};

#define TAP_NS       4   /* of one old element in the sum of a new one, about */
#define RESIZE_BLOCK 256 /* doubles of a row that are summed together */

/* A sum with what its roundings lost. */
struct sums {
    double sum[RESIZE_BLOCK], lost[RESIZE_BLOCK];
};

static void resize_add(struct sums *sums, double weight, const double *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double term = weight * row[i], sum = sums->sum[i] + term;
        const double term_part = sum - sums->sum[i], sum_part = sum - term_part;

        sums->lost[i] += (sums->sum[i] - sum_part) + (term - term_part);
        sums->sum[i] = sum;
    }
}

/* Columns [column, column + count) of one cell of the new grid. */
static void resize_cell(const struct resized *plan, size_t cell, size_t column, size_t count,
                        double *out)
{
    const struct posenc__bands *rows = &plan->rows, *columns = &plan->columns;
    const size_t y = cell / plan->to_width, x = cell % plan->to_width;
    struct sums sums;
    double row[RESIZE_BLOCK];

    memset(&sums, 0, sizeof(sums));
    for (size_t i = 0; i < rows->taps; i++)
        for (size_t j = 0; j < columns->taps; j++) {
            const double weight = posenc__dd_multiply(rows->weights[y * rows->taps + i],
                                                      columns->weights[x * columns->taps + j])
                                      .hi;
            const size_t from =
                (rows->starts[y] + i) * plan->width + columns->starts[x] + j + plan->prefix;

            if (weight == 0.0)
                continue;
            plan->source.values(plan->source.plan, from * plan->source.dim + column, count, row);
            resize_add(&sums, weight, row, count);
        }
    for (size_t i = 0; i < count; i++)
        out[i] = isfinite(sums.sum[i]) ? sums.sum[i] + sums.lost[i] : sums.sum[i];
}

static void resized_values(const void *context, size_t first, size_t count, double *out)
{
    const struct resized *plan = context;
    const size_t dim = plan->source.dim;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / dim, column = (first + done) % dim;
        size_t part = dim - column < RESIZE_BLOCK ? dim - column : RESIZE_BLOCK;

        part = part < count - done ? part : count - done;
        if (row < plan->prefix)
            plan->source.values(plan->source.plan, row * dim + column, part, out + done);
        else
            resize_cell(plan, row - plan->prefix, column, part, out + done);
        done += part;
    }
}

static bool member_boolean(const struct posenc_value *object, const char *name)
{
    return posenc_find_member(object, name)->as.boolean;
}

static double member_number(const struct posenc_value *object, const char *name)
{
    return posenc_find_member(object, name)->as.number;
}

/* A pair of lengths, or a problem that names the member. */
static enum posenc_status read_pair(const struct posenc_value *list, const char *path,
                                    size_t *height, size_t *width, struct posenc_problem *problem)
{
    if (!list || list->kind == POSENC_NULL)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, path,
                              "'%s' is required: 'resize' needs 'grid' and 'to', or 'length'.",
                              path);
    const double *lengths = list->as.array.data;

    if (list->as.array.shape[0] != 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, path,
                              "'%s' has %zu entries; it needs two: [height, width].", path,
                              list->as.array.shape[0]);
    *height = (size_t)lengths[0];
    *width = (size_t)lengths[1];
    return POSENC_OK;
}

static bool is_there(const struct posenc_value *member)
{
    return member && member->kind != POSENC_NULL;
}

static enum posenc_status read_grids(const struct posenc_value *object, size_t rows,
                                     struct resize *resize, struct posenc_problem *problem)
{
    const struct posenc_value *length = posenc_find_member(object, "length");
    const struct posenc_value *grid = posenc_find_member(object, "grid");
    const struct posenc_value *to = posenc_find_member(object, "to");

    resize->has_length = is_there(length);
    if (!resize->has_length) {
        const enum posenc_status status =
            read_pair(grid, "resize.grid", &resize->height, &resize->width, problem);

        if (status != POSENC_OK)
            return status;
        return read_pair(to, "resize.to", &resize->to_height, &resize->to_width, problem);
    }
    if (is_there(grid) || is_there(to))
        return posenc__refuse(problem, POSENC_CONFLICT, "resize.length",
                              "'resize.length' is for one axis and stands instead of 'grid' and "
                              "'to'; leave out one of the two.");
    if (rows <= resize->prefix)
        return posenc__refuse(problem, POSENC_CONFLICT, "resize.prefix_tokens",
                              "The table has %zu rows, so that %zu in front leave none to resize.",
                              rows, resize->prefix);
    resize->height = rows - resize->prefix;
    resize->to_height = (size_t)length->as.number;
    resize->width = resize->to_width = 1;
    return POSENC_OK;
}

static enum posenc_status check_rows(const struct resize *resize, size_t rows,
                                     struct posenc_problem *problem)
{
    size_t cells, total, to_cells, to_total;

    if (__builtin_mul_overflow(resize->height, resize->width, &cells) ||
        __builtin_add_overflow(cells, resize->prefix, &total) || total != rows)
        return posenc__refuse(problem, POSENC_CONFLICT, "resize.grid",
                              "A grid of %zu by %zu and %zu rows in front do not make the %zu rows "
                              "of the table.",
                              resize->height, resize->width, resize->prefix, rows);
    if (__builtin_mul_overflow(resize->to_height, resize->to_width, &to_cells) ||
        __builtin_add_overflow(to_cells, resize->prefix, &to_total))
        return posenc__refuse(problem, POSENC_TOO_LARGE, "resize.to",
                              "The new grid would have more cells than can be counted.");
    return POSENC_OK;
}

static enum posenc_status check_rule(const struct resize *resize, struct posenc_problem *problem)
{
    if (resize->align_corners && resize->antialias)
        return posenc__refuse(problem, POSENC_CONFLICT, "resize.antialias",
                              "'antialias' averages areas, whose corners cannot be aligned; leave "
                              "out 'antialias' or 'align_corners'.");
    if (resize->align_corners && resize->extra_length != 0.0)
        return posenc__refuse(problem, POSENC_CONFLICT, "resize.interpolate_offset",
                              "'interpolate_offset' changes the step between areas, which aligned "
                              "corners do not use; leave out one of the two.");
    return POSENC_OK;
}

static enum posenc_status read_resize(const struct posenc_value *object, size_t rows,
                                      struct resize *resize, struct posenc_problem *problem)
{
    *resize = (struct resize){
        .prefix = (size_t)member_number(object, "prefix_tokens"),
        .is_cubic = strcmp(posenc_find_member(object, "mode")->as.text, "bicubic") == 0,
        .align_corners = member_boolean(object, "align_corners"),
        .antialias = member_boolean(object, "antialias"),
        .extra_length = member_number(object, "interpolate_offset")};
    enum posenc_status status = read_grids(object, rows, resize, problem);

    if (status == POSENC_OK)
        status = check_rows(resize, rows, problem);
    return status == POSENC_OK ? check_rule(resize, problem) : status;
}

/* Weights of both axes. A grid one column wide has one weight of 1 across, whatever the rule. */
static enum posenc_status make_weights(const struct resize *resize, struct posenc_memory *memory,
                                       struct resized *plan, struct posenc_problem *problem)
{
    struct posenc__resampling rows = {.from = resize->height,
                                      .to = resize->to_height,
                                      .is_cubic = resize->is_cubic,
                                      .align_corners = resize->align_corners,
                                      .antialias = resize->antialias,
                                      .extra_length = resize->extra_length};
    struct posenc__resampling columns = rows;

    columns.from = resize->width;
    columns.to = resize->to_width;
    if (posenc__resampling_taps(&rows) >
        POSENC__RESIZE_TAPS_MAX / posenc__resampling_taps(&columns))
        return posenc__refuse(problem, POSENC_TOO_LARGE, "resize",
                              "With 'antialias' one new row would average more than %zu old ones; "
                              "resize in two steps.",
                              POSENC__RESIZE_TAPS_MAX);
    if (!posenc__resampling_bands(&rows, memory, &plan->rows) ||
        !posenc__resampling_bands(&columns, memory, &plan->columns))
        return posenc__no_memory(problem);
    return POSENC_OK;
}

enum posenc_status posenc__learned_resize(const struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc__source *source,
                                          struct posenc_problem *problem)
{
    struct resize resize;

    if (!posenc__present(arguments, "resize"))
        return POSENC_OK;
    enum posenc_status status = read_resize(&posenc_find_argument(arguments, "resize")->value,
                                            source->rows, &resize, problem);
    struct resized *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (status == POSENC_OK && !plan)
        return posenc__no_memory(problem);
    if (status != POSENC_OK)
        return status;
    *plan = (struct resized){.source = *source,
                             .prefix = resize.prefix,
                             .width = resize.width,
                             .to_width = resize.to_width};
    status = make_weights(&resize, memory, plan, problem);
    source->rows = resize.prefix + resize.to_height * resize.to_width;
    source->values = resized_values;
    source->plan = plan;
    if (status == POSENC_OK)
        source->element_ns = TAP_NS * plan->rows.taps * plan->columns.taps;
    return status;
}
