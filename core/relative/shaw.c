/*
 * Clipped relative positions (Shaw et al., "Self-Attention with Relative Position Representations",
 * 2018, section 3.2).
 *
 *   index[i][j] = clip(j - i, -k, k) + k,   keys[i][j] = table[index[i][j]]
 *
 *   scores[i][j] = q_i . (k_j + keys[i][j]) / sqrt(dim)
 *
 * with k = `max_relative_position`, i and j the positions of query and key. The learned table has
 * 2 k + 1 rows.
 */
#include <string.h>

#include "toeplitz.h"
#include "vectors.h"

#define CLIP_MAX 1073741823 /* so that an index is an int32 */

static const struct posenc_parameter shaw_rows[] = {
    {.name = "max_relative_position",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "required, unless the table tells it",
     .minimum = 0,
     .maximum = CLIP_MAX,
     .meaning = "k: distances beyond it count as it"},
    {.name = "table",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no keys, only the index",
     .meaning = "the learned table [2 max_relative_position + 1, dim], the most negative distance "
                "first"},
    {.name = NULL},
};

struct shaw {
    struct posenc__toeplitz index;
    int64_t clip;
    const struct posenc_array *table; /* or NULL */
    struct posenc__vectors q, k;      /* apply only */
    struct posenc__dd scale;
};

static void index_ramp(const void *context, size_t head, int64_t first, size_t count, double *out)
{
    const struct shaw *plan = context;

    (void)head;
    for (size_t i = 0; i < count; i++) {
        const int64_t distance = first + (int64_t)i;
        const int64_t low = distance < -plan->clip ? -plan->clip : distance;

        out[i] = (double)((low > plan->clip ? plan->clip : low) + plan->clip);
    }
}

static void key_values(const void *context, size_t first, size_t count, double *out)
{
    const struct shaw *plan = context;
    const size_t dim = plan->table->shape[1];

    for (size_t done = 0; done < count;) {
        const size_t column = (first + done) % dim;
        const size_t part = dim - column < count - done ? dim - column : count - done;
        double index;

        posenc__toeplitz_values(&plan->index, (first + done) / dim, 1, &index);
        posenc__read_array(plan->table, (size_t)index * dim + column, part, out + done);
        done += part;
    }
}

/* The table, where there is one, tells k by its 2 k + 1 rows. */
static enum posenc_status settle_clip(struct posenc_arguments *arguments, struct shaw *plan,
                                      struct posenc_problem *problem)
{
    const struct posenc_array *table = posenc__array(arguments, "table");

    if (!table && !posenc__present(arguments, "max_relative_position"))
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "max_relative_position",
                              "'max_relative_position' is required: the distance beyond which all "
                              "count as it.");
    if (table) {
        if (table->rank != 2 || table->shape[0] % 2 == 0 || table->shape[0] / 2 > CLIP_MAX)
            return posenc__refuse(problem, POSENC_WRONG_SHAPE, "table",
                                  "'table' must be [2 max_relative_position + 1, dim]: a row for "
                                  "each distance.");
        const enum posenc_status status = posenc__settle_size(
            arguments, "max_relative_position", table->shape[0] / 2, "table", problem);

        if (status != POSENC_OK)
            return status;
    }
    plan->table = table;
    plan->clip = (int64_t)posenc__size(arguments, "max_relative_position");
    return POSENC_OK;
}

static enum posenc_status shaw_prepare(struct posenc_arguments *arguments,
                                       struct posenc_memory *memory, struct shaw *plan,
                                       struct posenc_problem *problem)
{
    *plan = (struct shaw){.index = {.heads = 1, .ramp = index_ramp, .plan = plan}};
    enum posenc_status status = settle_clip(arguments, plan, problem);

    if (status == POSENC_OK)
        status = posenc__settle_lengths(arguments, &plan->index.lengths, problem);
    if (status != POSENC_OK)
        return status;
    return posenc__toeplitz_init(&plan->index, POSENC__RAMP_MAX, memory, problem);
}

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct shaw *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    enum posenc_status status = shaw_prepare(arguments, memory, plan, problem);

    if (status != POSENC_OK)
        return status;
    const size_t shape[] = {plan->index.lengths.query_length, plan->index.lengths.key_length,
                            plan->table ? plan->table->shape[1] : 0};

    status = posenc__add_toeplitz(result, memory, problem, "index", POSENC_INT32, 2, shape,
                                  &plan->index);
    if (status != POSENC_OK || !plan->table)
        return status;
    return posenc__add_tensor(result, memory, problem, "keys", posenc__dtype(arguments), 3, shape,
                              key_values, plan);
}

static double score_at(const struct shaw *plan, size_t outer, size_t i, size_t j)
{
    const struct posenc__vector k = posenc__vector_at(&plan->k, outer, j);
    const size_t width = plan->q.width;
    double index;

    posenc__toeplitz_values(&plan->index, i * plan->k.rows + j, 1, &index);
    const struct posenc__vector row = {plan->table, (size_t)index * width};
    const struct posenc__dd dot = posenc__dot(k, row, posenc__vector_at(&plan->q, outer, i), width);

    return posenc__scaled_sum(&dot, 1, plan->scale);
}

static void score_values(const void *context, size_t first, size_t count, double *out)
{
    const struct shaw *plan = context;

    for (size_t done = 0; done < count; done++) {
        const size_t row = (first + done) / plan->k.rows;

        out[done] =
            score_at(plan, row / plan->q.rows, row % plan->q.rows, (first + done) % plan->k.rows);
    }
}

/* q and k tell the lengths. */
static enum posenc_status read_tensors(struct posenc_arguments *arguments,
                                       struct posenc__vectors *q, struct posenc__vectors *k,
                                       struct posenc_problem *problem)
{
    enum posenc_status status = posenc__read_queries_and_keys(arguments, q, k, problem);

    if (status == POSENC_OK)
        status = posenc__settle_size(arguments, "query_length", q->rows, "q", problem);
    if (status == POSENC_OK)
        status = posenc__settle_size(arguments, "key_length", k->rows, "k", problem);
    return status;
}

static enum posenc_status apply_prepare(struct posenc_arguments *arguments,
                                        struct posenc_memory *memory, struct shaw *plan,
                                        struct posenc_problem *problem)
{
    struct posenc__vectors q, k;
    enum posenc_status status = read_tensors(arguments, &q, &k, problem);

    if (status == POSENC_OK)
        status = shaw_prepare(arguments, memory, plan, problem);
    if (status != POSENC_OK)
        return status;
    if (!plan->table)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "table",
                              "'table' is required: the vectors that are added to the keys.");
    if (plan->table->shape[1] != q.width)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "table",
                              "The last axis of 'table' has %zu channels, but that of 'q' has %zu.",
                              plan->table->shape[1], q.width);
    plan->q = q;
    plan->k = k;
    plan->scale = posenc__inverse_root((double)q.width);
    return POSENC_OK;
}

static enum posenc_status plan_apply(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct shaw *plan = posenc_allocate(memory, 1, sizeof(*plan));
    size_t shape[POSENC_RANK_MAX];

    if (!plan)
        return posenc__no_memory(problem);
    enum posenc_status status = apply_prepare(arguments, memory, plan, problem);

    if (status != POSENC_OK)
        return status;
    memcpy(shape, plan->q.array->shape, sizeof(shape));
    shape[plan->q.array->rank - 1] = plan->k.rows;
    status = posenc__add_tensor(result, memory, problem, "scores", posenc__dtype(arguments),
                                plan->q.array->rank, shape, score_values, plan);
    if (status == POSENC_OK)
        posenc__tell_cost(result, posenc__dot_ns(plan->q.width));
    return status;
}

static const struct posenc_operation shaw_operations[] = {
    {.name = "table",
     .summary = "the row of the learned table for every query and key, and with a table the rows",
     .groups = POSENC__GROUPS(posenc__relative_rows, shaw_rows, posenc__dtype_rows),
     .tensors = POSENC__TENSORS(
         {"index", "[query, key]", "row of the table, int32"},
         {"keys", "[query, key, dim]", "the table's rows, added to keys; only with a table"}),
     .int32_tensors = POSENC__NAMES("index"),
     .plan = plan_table},
    {.name = "apply",
     .summary = "attention scores of queries against keys and the table's rows",
     .takes_tensors = true,
     .groups = POSENC__GROUPS(posenc__query_key_rows, posenc__relative_rows, shaw_rows,
                              posenc__dtype_rows),
     .tensors = POSENC__TENSORS(
         {"scores", "[..., query, key]", "scores before softmax, divided by sqrt(dim)"}),
     .plan = plan_apply},
    {.name = NULL},
};

const struct posenc_encoding posenc__shaw = {
    .name = "shaw",
    .summary = "a learned vector for each clipped distance, added to keys or values",
    .source = "Shaw, Uszkoreit and Vaswani, Self-Attention with Relative Position Representations, "
              "2018 (arXiv 1803.02155), section 3.2",
    .convention = "key minus query, clipped to k on both sides, plus k: index 0 is the far past; "
                  "queries stand at the end of the keys (bottom_right)",
    .operations = shaw_operations,
};
