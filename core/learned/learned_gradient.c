/*
 * The gradient of a lookup: row r of the table receives the sum of the gradients of all lookups
 * with index r.
 *
 * Lookups are sorted by index once, so that any row of the result is a run of them; rows that were
 * never looked up cost nothing.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learned.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* a fused a * b + c would break the error terms */
#endif

struct lookup {
    size_t row;   /* of the table */
    size_t place; /* row of the gradient that came in */
};

struct gradient {
    const struct posenc_array *incoming;
    const struct lookup *lookups; /* by row, then by place */
    size_t count, dim;
    bool has_padding, is_scaled;
    size_t padding;
};

#define GRADIENT_BLOCK 256 /* doubles of a row that are summed together */

/* The first lookup of a row or a later one. */
static size_t gradient_find(const struct gradient *plan, size_t row)
{
    size_t low = 0, high = plan->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (plan->lookups[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void gradient_add(double *sum, double *lost, const double *terms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct posenc__dd added = posenc__dd_sum(sum[i], terms[i]);

        sum[i] = added.hi;
        lost[i] += added.lo;
    }
}

/* Columns [column, column + count) of one row. */
static void gradient_row(const struct gradient *plan, size_t row, size_t column, size_t count,
                         double *out)
{
    double lost[GRADIENT_BLOCK] = {0.0}, terms[GRADIENT_BLOCK];
    const size_t first = gradient_find(plan, row);
    size_t next = first;

    for (size_t i = 0; i < count; i++)
        out[i] = 0.0;
    if (plan->has_padding && row == plan->padding)
        return;
    for (; next < plan->count && plan->lookups[next].row == row; next++) {
        posenc__read_array(plan->incoming, plan->lookups[next].place * plan->dim + column, count,
                           terms);
        gradient_add(out, lost, terms, count);
    }
    const double lookups = plan->is_scaled && next > first ? (double)(next - first) : 1.0;

    for (size_t i = 0; i < count; i++)
        out[i] = isfinite(out[i]) ? posenc__dd_divide(posenc__dd_sum(out[i], lost[i]),
                                                      (struct posenc__dd){lookups, 0.0})
                                        .hi
                                  : out[i];
}

static void gradient_values(const void *context, size_t first, size_t count, double *out)
{
    const struct gradient *plan = context;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / plan->dim, column = (first + done) % plan->dim;
        size_t part = plan->dim - column < GRADIENT_BLOCK ? plan->dim - column : GRADIENT_BLOCK;

        part = part < count - done ? part : count - done;
        gradient_row(plan, row, column, part, out + done);
        done += part;
    }
}

/* Merges runs of `length` lookups by pairs: a sort that is stable and allocates nothing. */
static void gradient_merge(const struct lookup *from, size_t count, size_t length,
                           struct lookup *to)
{
    for (size_t start = 0; start < count; start += 2 * length) {
        const size_t middle = length < count - start ? start + length : count;
        const size_t end = length < count - middle ? middle + length : count;
        size_t left = start, right = middle;

        for (size_t i = start; i < end; i++) {
            const bool is_left =
                left < middle && (right >= end || from[left].row <= from[right].row);

            to[i] = from[is_left ? left++ : right++];
        }
    }
}

static const struct lookup *gradient_sort(struct lookup *lookups, struct lookup *spare,
                                          size_t count)
{
    for (size_t length = 1; length < count; length *= 2) {
        struct lookup *const sorted = spare;

        gradient_merge(lookups, count, length, sorted);
        spare = lookups;
        lookups = sorted;
    }
    return lookups;
}

static enum posenc_status refuse_index(size_t place, double index, size_t rows,
                                       struct posenc_problem *problem)
{
    char path[POSENC_PATH_MAX];

    (void)snprintf(path, sizeof(path), "indices.%zu", place); /* always fits */
    return posenc__refuse(problem, POSENC_OUT_OF_RANGE, path,
                          "'%s' must be a row of the table, a whole number from 0 to %zu; it is "
                          "%.17g.",
                          path, rows - 1, index);
}

static enum posenc_status read_lookups(const struct posenc_array *indices, size_t rows,
                                       struct lookup *lookups, struct posenc_problem *problem)
{
    for (size_t i = 0; i < indices->shape[0]; i++) {
        double index;

        posenc__read_array(indices, i, 1, &index);
        if (!(index >= 0 && index < (double)rows && index == floor(index)))
            return refuse_index(i, index, rows, problem);
        lookups[i] = (struct lookup){(size_t)index, i};
    }
    return POSENC_OK;
}

static enum posenc_status check_shapes(const struct posenc_array *incoming,
                                       const struct posenc_array *indices,
                                       struct posenc_problem *problem)
{
    if (incoming->rank != 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "gradient",
                              "'gradient' has %zu axes; it needs two: [n, dim].", incoming->rank);
    if (indices->rank != 1)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "indices",
                              "'indices' has %zu axes; it needs one: [n].", indices->rank);
    if (indices->shape[0] != incoming->shape[0])
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "indices",
                              "'indices' has %zu entries, but 'gradient' has %zu rows.",
                              indices->shape[0], incoming->shape[0]);
    return POSENC_OK;
}

static enum posenc_status check_padding(const struct posenc_arguments *arguments, size_t rows,
                                        struct posenc_problem *problem)
{
    if (posenc__present(arguments, "padding_idx") && posenc__size(arguments, "padding_idx") >= rows)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "padding_idx",
                              "'padding_idx' is %zu, but the last row of the table is %zu.",
                              posenc__size(arguments, "padding_idx"), rows - 1);
    return POSENC_OK;
}

static enum posenc_status gradient_prepare(const struct posenc_arguments *arguments, size_t rows,
                                           struct posenc_memory *memory, struct gradient *plan,
                                           struct posenc_problem *problem)
{
    const struct posenc_array *incoming = posenc__array(arguments, "gradient");
    const size_t count = incoming->shape[0];
    struct lookup *lookups = posenc_allocate(memory, count, sizeof(*lookups));
    struct lookup *spare = posenc_allocate(memory, count, sizeof(*spare));

    if (!lookups || !spare)
        return posenc__no_memory(problem);
    const enum posenc_status status =
        read_lookups(posenc__array(arguments, "indices"), rows, lookups, problem);

    if (status != POSENC_OK)
        return status;
    *plan = (struct gradient){.incoming = incoming,
                              .lookups = gradient_sort(lookups, spare, count),
                              .count = count,
                              .dim = incoming->shape[1],
                              .has_padding = posenc__present(arguments, "padding_idx"),
                              .is_scaled = posenc__boolean(arguments, "scale_grad_by_freq")};
    if (plan->has_padding)
        plan->padding = posenc__size(arguments, "padding_idx");
    return POSENC_OK;
}

enum posenc_status posenc__learned_plan_gradient(struct posenc_arguments *arguments,
                                                 struct posenc_memory *memory,
                                                 struct posenc_result *result,
                                                 struct posenc_problem *problem)
{
    const size_t rows = posenc__size(arguments, "rows");
    struct gradient *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    enum posenc_status status = check_shapes(posenc__array(arguments, "gradient"),
                                             posenc__array(arguments, "indices"), problem);

    if (status == POSENC_OK)
        status = check_padding(arguments, rows, problem);
    if (status == POSENC_OK)
        status = gradient_prepare(arguments, rows, memory, plan, problem);
    if (status != POSENC_OK)
        return status;
    const size_t shape[] = {rows, plan->dim};

    return posenc__add_tensor(result, memory, problem, "table_gradient", posenc__dtype(arguments),
                              2, shape, gradient_values, plan);
}
