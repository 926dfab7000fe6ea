/* Where a learned table comes from: the request, a file that it names, or a seeded generator. */
#include "inputs.h"
#include "learned.h"

static const char *const generated_only[] = {"init", "mean",      "std",  "low",       "high",
                                             "seed", "generator", "skip", "draw_dtype"};

static void array_values(const void *plan, size_t first, size_t count, double *out)
{
    posenc__read_array(plan, first, count, out);
}

static void zero_values(const void *plan, size_t first, size_t count, double *out)
{
    (void)plan;
    (void)first;
    for (size_t i = 0; i < count; i++)
        out[i] = 0;
}

/*
 * A file's name must have become a table by now, and a tensor's name needs a file. Both stay in the
 * echo, which can then be repeated.
 */
static enum posenc_status source_check_names(const struct posenc_arguments *arguments,
                                             struct posenc_problem *problem)
{
    const bool names_file = posenc__present(arguments, "table_file");

    if (names_file && !posenc__present(arguments, "table"))
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "table_file",
                              "'table_file' names a file, but there are no files here; send the "
                              "table itself as 'table'.");
    if (!names_file && posenc__present(arguments, "table_tensor"))
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "table_file",
                              "'table_file' is required beside 'table_tensor', which names a "
                              "tensor of that file.");
    return POSENC_OK;
}

static enum posenc_status source_given(struct posenc_arguments *arguments,
                                       const struct posenc_array *table,
                                       struct posenc__source *source,
                                       struct posenc_problem *problem)
{
    const char *giver = posenc__present(arguments, "table_file") ? "table_file" : "table";

    for (size_t i = 0; i < sizeof(generated_only) / sizeof(*generated_only); i++) {
        if (posenc__given(arguments, generated_only[i]))
            return posenc__refuse(problem, POSENC_CONFLICT, generated_only[i],
                                  "'%s' shapes a generated table, but '%s' gives one; leave out "
                                  "one of the two.",
                                  generated_only[i], giver);
        posenc__drop(arguments, generated_only[i]);
    }
    if (table->rank != 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, giver,
                              "The table of '%s' has %zu axes; it needs two: [rows, dim].", giver,
                              table->rank);
    if (table->shape[0] == 0)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, giver,
                              "The table of '%s' has no rows, so that no position has one.", giver);
    *source = (struct posenc__source){
        .rows = table->shape[0], .dim = table->shape[1], .values = array_values, .plan = table};
    const enum posenc_status status =
        posenc__settle_size(arguments, "rows", source->rows, "table", problem);

    if (status != POSENC_OK)
        return status;
    return posenc__settle_size(arguments, "dim", source->dim, "table", problem);
}

static enum posenc_status source_require(const struct posenc_arguments *arguments, const char *name,
                                         const char *words, struct posenc_problem *problem)
{
    if (posenc__present(arguments, name))
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_MISSING_PARAMETER, name,
                          "'%s' is required: give 'table' or 'table_file', or generate one with "
                          "'rows', 'dim' and 'init' (%s).",
                          name, words);
}

static enum posenc_status source_check(const struct posenc_arguments *arguments,
                                       struct posenc_problem *problem)
{
    enum posenc_status status = source_require(
        arguments, "rows", "the number of rows also decides which values are drawn", problem);

    if (status == POSENC_OK)
        status = source_require(arguments, "dim", "the width of the table", problem);
    if (status == POSENC_OK)
        status = source_require(
            arguments, "init",
            "normal, uniform, truncated_normal, trunc_normal_torch, zeros or glorot_uniform",
            problem);
    return status;
}

static enum posenc_status source_room(struct posenc_memory *memory, struct posenc__source *source,
                                      double **undrawn, struct posenc_problem *problem)
{
    if (source->rows > POSENC__GENERATED_CELLS_MAX / source->dim)
        return posenc__refuse(problem, POSENC_TOO_LARGE, "rows",
                              "A generated table has at most %zu cells; with dim %zu that is %zu "
                              "rows.",
                              POSENC__GENERATED_CELLS_MAX, source->dim,
                              POSENC__GENERATED_CELLS_MAX / source->dim);
    const size_t cells = source->rows * source->dim;
    struct posenc_array *array = posenc_allocate(memory, 1, sizeof(*array));

    *undrawn = posenc_allocate(memory, cells, sizeof(**undrawn));
    if (!array || !*undrawn)
        return posenc__no_memory(problem);
    *array = (struct posenc_array){
        .dtype = POSENC_FLOAT64, .rank = 2, .shape = {source->rows, source->dim}, .data = *undrawn};
    source->values = array_values;
    source->plan = array;
    return POSENC_OK;
}

static enum posenc_status source_generated(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc__source *source, double **undrawn,
                                           struct posenc_problem *problem)
{
    enum posenc_status status = source_check(arguments, problem);

    if (status == POSENC_OK)
        status = posenc__learned_settle_init(arguments, memory, problem);
    if (status != POSENC_OK)
        return status;
    *source = (struct posenc__source){.rows = posenc__size(arguments, "rows"),
                                      .dim = posenc__size(arguments, "dim"),
                                      .values = zero_values};
    if (posenc__choice(arguments, "init") == POSENC__INIT_ZEROS)
        return POSENC_OK;
    return source_room(memory, source, undrawn, problem);
}

enum posenc_status posenc__learned_source(struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc__source *source, double **undrawn,
                                          struct posenc_problem *problem)
{
    const struct posenc_array *table = posenc__array(arguments, "table");

    const enum posenc_status status = source_check_names(arguments, problem);

    *undrawn = NULL;
    if (status != POSENC_OK)
        return status;
    if (table)
        return source_given(arguments, table, source, problem);
    return source_generated(arguments, memory, source, undrawn, problem);
}
