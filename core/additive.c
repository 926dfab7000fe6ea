/* Tables of rows by themselves, and added to vectors. */
#include "additive.h"

enum posenc_status posenc__additive_read_x(struct posenc_arguments *arguments,
                                           struct posenc__axes *axes,
                                           struct posenc_problem *problem)
{
    const enum posenc_status status = posenc__read_axes(arguments, "x", axes, problem);

    return status == POSENC_OK ? posenc__settle_size(arguments, "dim", axes->width, "x", problem)
                               : status;
}

enum posenc_status posenc__additive_add_table(const struct posenc__additive *table,
                                              struct posenc_arguments *arguments,
                                              struct posenc_memory *memory,
                                              struct posenc_result *result,
                                              struct posenc_problem *problem)
{
    const size_t shape[] = {table->rows, table->dim};
    const enum posenc_dtype dtype = posenc__dtype(arguments);
    enum posenc_status status;

    if (table->elements)
        status = posenc__add_elements(result, memory, problem, "encoding", dtype, 2, shape,
                                      table->elements, table->plan);
    else
        status = posenc__add_tensor(result, memory, problem, "encoding", dtype, 2, shape,
                                    table->values, table->plan);
    if (status == POSENC_OK)
        posenc__tell_cost(result, table->element_ns);
    return status;
}

enum posenc_status posenc__additive_add_sum(const struct posenc__additive *table,
                                            const struct posenc__axes *axes,
                                            struct posenc_arguments *arguments,
                                            struct posenc_memory *memory,
                                            struct posenc_result *result,
                                            struct posenc_problem *problem)
{
    const enum posenc_status status =
        posenc__add_sum(result, memory, problem, arguments, "x", axes, table->values, table->plan);

    if (status == POSENC_OK)
        posenc__tell_cost(result, table->element_ns);
    return status;
}

enum posenc_status posenc__plan_additive_table(struct posenc_arguments *arguments,
                                               struct posenc_memory *memory,
                                               struct posenc_result *result,
                                               struct posenc_problem *problem)
{
    struct posenc__additive table;
    const enum posenc_status status =
        result->encoding->additive->make(arguments, NULL, memory, &table, problem);

    return status == POSENC_OK
               ? posenc__additive_add_table(&table, arguments, memory, result, problem)
               : status;
}

enum posenc_status posenc__plan_additive_apply(struct posenc_arguments *arguments,
                                               struct posenc_memory *memory,
                                               struct posenc_result *result,
                                               struct posenc_problem *problem)
{
    struct posenc__additive table;
    struct posenc__axes axes;
    enum posenc_status status = posenc__additive_read_x(arguments, &axes, problem);

    if (status == POSENC_OK)
        status = result->encoding->additive->make(arguments, &axes.length, memory, &table, problem);
    return status == POSENC_OK
               ? posenc__additive_add_sum(&table, &axes, arguments, memory, result, problem)
               : status;
}
