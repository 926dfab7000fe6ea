/*
 * Transformer-XL's scores (Dai et al., 2019, section 3.3), also XLNet's and the Conformer's:
 *
 *   scores[i][j] = ((q_i + u) . k_j + (q_i + v) . r_t) / sqrt(dim),   t = i + K - Q - j
 *
 * where r_t is the row of `rows` for distance t (R projected by W_r), u is `content_bias` and v
 * `position_bias`. Keys after the query are -Infinity where attention is causal.
 */
#include "transformer_xl.h"

#include <math.h>
#include <string.h>

#include "vectors.h"

const struct posenc_parameter posenc__transformer_xl_apply_rows[] = {
    {.name = "q",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "queries [..., query, dim], at the end of the keys"},
    {.name = "k", .type = POSENC_TYPE_TENSOR, .meaning = "keys [..., key, dim], memory first"},
    {.name = "content_bias",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "u, added to queries that meet keys: [dim] or [heads, dim]"},
    {.name = "position_bias",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "v, added to queries that meet distances: [dim] or [heads, dim]"},
    {.name = "rows",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "the projected rows of distances in the table's order: [rows, dim] or [heads, "
                "rows, dim]"},
    {.name = NULL},
};

struct xl_scores {
    struct posenc__vectors q, k, content_bias, position_bias, rows;
    struct posenc_array content_axes, position_axes; /* the biases' shapes with an axis of rows */
    struct posenc__dd scale;
    size_t row_shift; /* of keys to rows: 1 where the rows start one distance earlier */
    bool is_causal;
};

static double score_at(const struct xl_scores *plan, size_t outer, size_t i, size_t j)
{
    const size_t queries = plan->q.rows, keys = plan->k.rows, width = plan->q.width;
    const struct posenc__vector q = posenc__vector_at(&plan->q, outer, i);
    struct posenc__dd terms[2];

    if (plan->is_causal && j + queries > i + keys)
        return -(double)INFINITY;
    terms[0] =
        posenc__dot(q, posenc__vector_at(&plan->content_bias, outer % plan->content_bias.outer, 0),
                    posenc__vector_at(&plan->k, outer, j), width);
    terms[1] = posenc__dot(
        q, posenc__vector_at(&plan->position_bias, outer % plan->position_bias.outer, 0),
        posenc__vector_at(&plan->rows, outer % plan->rows.outer,
                          queries - 1 - i + j + plan->row_shift),
        width);
    return posenc__scaled_sum(terms, 2, plan->scale);
}

static void score_values(const void *context, size_t first, size_t count, double *out)
{
    const struct xl_scores *plan = context;

    for (size_t done = 0; done < count; done++) {
        const size_t row = (first + done) / plan->k.rows;

        out[done] =
            score_at(plan, row / plan->q.rows, row % plan->q.rows, (first + done) % plan->k.rows);
    }
}

/* A bias [..., dim] is read as [..., 1, dim]. */
static enum posenc_status read_bias(const struct posenc_arguments *arguments, const char *name,
                                    const struct posenc__vectors *q, struct posenc_array *axes,
                                    struct posenc__vectors *bias, struct posenc_problem *problem)
{
    const struct posenc_array *given = posenc__array(arguments, name);

    if (given->rank < 1 || given->rank >= q->array->rank)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                              "'%s' has %zu axes; it is [dim], or has the axes of 'q' without that "
                              "of the queries.",
                              name, given->rank);
    *axes = *given;
    axes->rank++;
    axes->shape[given->rank - 1] = 1;
    axes->shape[given->rank] = given->shape[given->rank - 1];
    *bias = (struct posenc__vectors){
        .array = axes, .outer = 1, .rows = 1, .width = axes->shape[given->rank]};
    for (size_t axis = 0; axis + 1 < given->rank; axis++)
        bias->outer *= given->shape[axis];
    return posenc__check_shared(name, bias, "q", q, problem);
}

static enum posenc_status read_tensors(const struct posenc_arguments *arguments,
                                       struct xl_scores *plan, struct posenc_problem *problem)
{
    enum posenc_status status =
        posenc__read_queries_and_keys(arguments, &plan->q, &plan->k, problem);

    if (status == POSENC_OK)
        status = read_bias(arguments, "content_bias", &plan->q, &plan->content_axes,
                           &plan->content_bias, problem);
    if (status == POSENC_OK)
        status = read_bias(arguments, "position_bias", &plan->q, &plan->position_axes,
                           &plan->position_bias, problem);
    if (status == POSENC_OK)
        status = posenc__read_vectors(arguments, "rows", "[rows, dim]", &plan->rows, problem);
    if (status == POSENC_OK)
        status = posenc__check_shared("rows", &plan->rows, "q", &plan->q, problem);
    return status;
}

/* Rows are one for each distance that the variant's table has. */
static enum posenc_status check_distances(const struct posenc__xl_form *form,
                                          const struct xl_scores *plan,
                                          struct posenc_problem *problem)
{
    const size_t keys = plan->k.rows, queries = plan->q.rows;

    switch (form->variant) {
    case POSENC__XL:
        return posenc__check_rows("rows", &plan->rows, keys, "one for each key", problem);
    case POSENC__XLNET:
        if (form->is_causal)
            return posenc__check_rows("rows", &plan->rows, keys + 1, "one more than keys", problem);
        return posenc__check_rows("rows", &plan->rows, keys + queries,
                                  "one for each key and each query", problem);
    case POSENC__CONFORMER:
        if (queries > keys)
            return posenc__refuse(problem, POSENC_WRONG_SHAPE, "q",
                                  "'q' has %zu queries, but 'k' only %zu keys.", queries, keys);
        return posenc__check_rows("rows", &plan->rows, keys == 0 ? 0 : 2 * keys - 1,
                                  "one for each distance on both sides", problem);
    }
    return POSENC_OK;
}

enum posenc_status posenc__transformer_xl_plan_apply(struct posenc_arguments *arguments,
                                                     struct posenc_memory *memory,
                                                     struct posenc_result *result,
                                                     struct posenc_problem *problem)
{
    struct xl_scores *plan = posenc_allocate(memory, 1, sizeof(*plan));
    struct posenc__xl_form form;
    size_t shape[POSENC_RANK_MAX];

    if (!plan)
        return posenc__no_memory(problem);
    enum posenc_status status = posenc__read_xl_form(arguments, &form, problem);

    if (status == POSENC_OK)
        status = read_tensors(arguments, plan, problem);
    if (status == POSENC_OK)
        status = check_distances(&form, plan, problem);
    if (status != POSENC_OK)
        return status;
    plan->is_causal = form.is_causal;
    plan->row_shift = form.variant == POSENC__XLNET ? 1 : 0;
    plan->scale = posenc__inverse_root((double)plan->q.width);
    memcpy(shape, plan->q.array->shape, sizeof(shape));
    shape[plan->q.array->rank - 1] = plan->k.rows;
    status = posenc__add_tensor(result, memory, problem, "scores", posenc__dtype(arguments),
                                plan->q.array->rank, shape, score_values, plan);
    if (status == POSENC_OK)
        posenc__tell_cost(result, 2 * posenc__dot_ns(plan->q.width));
    return status;
}
