/* How alike the rows of a table are, each with each. */
#include <math.h>

#include "analysis.h"

enum metric { DOT, COSINE, DISTANCE };

static const struct posenc_parameter similarity_rows[] = {
    {.name = "metric",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("dot"),
     .choices = POSENC__NAMES("dot", "cosine", "distance"),
     .meaning = "the dot product of two rows, that over both norms, or the Euclidean distance"},
    {.name = NULL},
};

#define SUM_NS(width) (16 + 4 * (uint64_t)(width)) /* of sum_of(), about */

struct similarity {
    enum metric metric;
    size_t rows, width;
    const double *table;   /* [rows][width] */
    const double *squares; /* [rows] of the norms, for cosines */
};

/* The sum of a_i b_i, or of (a_i - b_i)^2, as if sums were not rounded. */
static double sum_of(const double *a, const double *b, size_t width, bool is_distance)
{
    struct posenc__dd sum = {0, 0};

    for (size_t i = 0; i < width; i++) {
        const double gap = a[i] - b[i];
        const struct posenc__dd added =
            posenc__dd_sum(sum.hi, is_distance ? gap * gap : a[i] * b[i]);

        sum.hi = added.hi;
        sum.lo += added.lo;
    }
    return sum.hi + sum.lo;
}

static double similarity_at(const struct similarity *plan, size_t i, size_t j)
{
    const double sum = sum_of(plan->table + i * plan->width, plan->table + j * plan->width,
                              plan->width, plan->metric == DISTANCE);

    switch (plan->metric) {
    case DOT:
        return sum;
    case COSINE:
        return sum / sqrt(plan->squares[i] * plan->squares[j]);
    case DISTANCE:
        return sqrt(sum);
    }
    return sum;
}

static void similarity_values(const void *context, size_t first, size_t count, double *out)
{
    const struct similarity *plan = context;

    for (size_t i = 0; i < count; i++)
        out[i] = similarity_at(plan, (first + i) / plan->rows, (first + i) % plan->rows);
}

static enum posenc_status keep_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct similarity *plan, struct posenc_problem *problem)
{
    struct posenc_result inner;
    enum posenc_status status =
        posenc__analysis_table(arguments, NULL, 0, memory, result, &inner, problem);

    if (status != POSENC_OK)
        return status;
    const struct posenc_tensor *table = posenc_find_tensor(&inner, "encoding");

    plan->rows = table->shape[0];
    plan->width = table->shape[1];
    status = posenc__analysis_limit(plan->rows, plan->width + 1, "length", problem);
    if (status != POSENC_OK)
        return status;
    double *kept = posenc_allocate(memory, table->count, sizeof(*kept));
    double *squares = posenc_allocate(memory, plan->rows, sizeof(*squares));

    if (!kept || !squares)
        return posenc__no_memory(problem);
    status = posenc__fill_whole(table, memory, kept, problem);
    for (size_t i = 0; status == POSENC_OK && i < plan->rows; i++)
        squares[i] = sum_of(kept + i * plan->width, kept + i * plan->width, plan->width, false);
    plan->table = kept;
    plan->squares = squares;
    return status;
}

static enum posenc_status plan_similarity(struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc_result *result,
                                          struct posenc_problem *problem)
{
    struct similarity *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    plan->metric = posenc__choice(arguments, "metric");
    enum posenc_status status = keep_table(arguments, memory, result, plan, problem);

    if (status != POSENC_OK)
        return status;
    const size_t shape[] = {plan->rows, plan->rows};

    status = posenc__add_tensor(result, memory, problem, "similarity", posenc__dtype(arguments), 2,
                                shape, similarity_values, plan);
    if (status == POSENC_OK)
        posenc__tell_cost(result, SUM_NS(plan->width));
    return status;
}

const struct posenc__quantity posenc__quantity_similarity = {
    .operation = {.name = "similarity",
                  .summary = "how alike the rows of a table are, each with each",
                  .asks_encoding = "table",
                  .groups = (const struct posenc_parameter *const[]){posenc__encoding_rows,
                                                                     similarity_rows,
                                                                     posenc__dtype_rows, NULL},
                  .tensors =
                      (const struct posenc_tensor_row[]){
                          {"similarity", "[length, length]", "cosines with a row of zeros are NaN"},
                          {.name = NULL}},
                  .plan = plan_similarity},
    .serves = posenc__has_vectors,
    .needs = posenc__needs_all,
};
