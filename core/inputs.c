/* Tensors that come in, and what apply adds to them. */
#include "inputs.h"

static enum posenc_status axes_refuse(struct posenc_problem *problem, const char *name, size_t rank)
{
    return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "sequence_axis",
                          "'sequence_axis' must name an axis of '%s' before the last, which is the "
                          "width: -%zu to -2.",
                          name, rank);
}

enum posenc_status posenc__read_axes(const struct posenc_arguments *arguments, const char *name,
                                     struct posenc__axes *axes, struct posenc_problem *problem)
{
    const struct posenc_array *array = posenc__array(arguments, name);
    const double given = posenc__real(arguments, "sequence_axis");

    if (array->rank < 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                              "'%s' has %zu axes; it needs two at least: [..., length, dim].", name,
                              array->rank);
    const double from_front = given < 0 ? given + (double)array->rank : given;

    if (from_front < 0 || from_front > (double)array->rank - 2)
        return axes_refuse(problem, name, array->rank);
    const size_t axis = (size_t)from_front;

    *axes = (struct posenc__axes){.outer = 1, .length = array->shape[axis], .inner = 1};
    for (size_t i = 0; i < axis; i++)
        axes->outer *= array->shape[i];
    for (size_t i = axis + 1; i + 1 < array->rank; i++)
        axes->inner *= array->shape[i];
    axes->width = array->shape[array->rank - 1];
    return POSENC_OK;
}

enum posenc_status posenc__settle_size(struct posenc_arguments *arguments, const char *parameter,
                                       size_t told, const char *tensor,
                                       struct posenc_problem *problem)
{
    if (posenc__given(arguments, parameter) && posenc__size(arguments, parameter) != told)
        return posenc__refuse(problem, POSENC_CONFLICT, parameter,
                              "'%s' is %zu, but the shape of '%s' says %zu.", parameter,
                              posenc__size(arguments, parameter), tensor, told);
    posenc__resolve(arguments, parameter, posenc_number((double)told));
    return POSENC_OK;
}

/* An input, and the rows that are added to its vectors. */
struct sum {
    const struct posenc_array *array;
    struct posenc__axes axes;
    posenc__values *rows;
    const void *plan;
};

#define SUM_BLOCK 256 /* doubles on the stack */

static void sum_values(const void *plan, size_t first, size_t count, double *out)
{
    const struct sum *sum = plan;
    const struct posenc__axes *axes = &sum->axes;
    double block[SUM_BLOCK];

    posenc__read_array(sum->array, first, count, out);
    for (size_t done = 0; done < count;) {
        const size_t element = first + done, column = element % axes->width;
        const size_t row = element / axes->width / axes->inner % axes->length;
        size_t part = axes->width - column;

        part = part < SUM_BLOCK ? part : SUM_BLOCK;
        part = part < count - done ? part : count - done;
        sum->rows(sum->plan, row * axes->width + column, part, block);
        for (size_t i = 0; i < part; i++)
            out[done + i] += block[i];
        done += part;
    }
}

enum posenc_status posenc__add_sum(struct posenc_result *result, struct posenc_memory *memory,
                                   struct posenc_problem *problem,
                                   const struct posenc_arguments *arguments, const char *name,
                                   const struct posenc__axes *axes, posenc__values *rows,
                                   const void *plan)
{
    const struct posenc_array *array = posenc__array(arguments, name);
    struct sum *sum = posenc_allocate(memory, 1, sizeof(*sum));

    if (!sum)
        return posenc__no_memory(problem);
    *sum = (struct sum){array, *axes, rows, plan};
    return posenc__add_tensor(result, memory, problem, name, posenc__dtype(arguments), array->rank,
                              array->shape, sum_values, sum);
}

enum posenc_status posenc__add_bias(struct posenc_result *result, struct posenc_memory *memory,
                                    struct posenc_problem *problem,
                                    const struct posenc_arguments *arguments, size_t bias_count,
                                    posenc__values *bias, const void *plan)
{
    /* A bias is one long row that repeats over everything in front of [heads, query, key]. */
    const struct posenc__axes axes = {.outer = 1, .length = 1, .inner = 1, .width = bias_count};

    return posenc__add_sum(result, memory, problem, arguments, "scores", &axes, bias, plan);
}
