/* Attention's question: which encoding, which shapes, where queries and keys stand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attention.h"

enum { KIND_SOFTMAX, KIND_LINEAR };

/* The tensor as float64. */
static enum posenc_status widen(const struct posenc_arguments *arguments, const char *name,
                                struct posenc_memory *memory, struct posenc_array *array,
                                struct posenc_problem *problem)
{
    size_t count = 0;

    *array = *posenc__array(arguments, name);
    if (array->rank < 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, name,
                              "'%s' has %zu axes; it needs two at least: [..., length, dim].", name,
                              array->rank);
    (void)posenc_shape_count(array->rank, array->shape, &count); /* it lies in memory, so it fits */
    double *elements = posenc_allocate(memory, count, sizeof(*elements));

    if (!elements)
        return posenc__no_memory(problem);
    posenc__read_array(array, 0, count, elements);
    array->dtype = POSENC_FLOAT64;
    array->data = elements;
    return POSENC_OK;
}

/* Heads are the axis in front of the length; all axes before must agree, heads at least divide. */
static enum posenc_status settle_heads(struct posenc__attention *attention,
                                       struct posenc_problem *problem)
{
    const struct posenc_array *q = &attention->q.content, *k = &attention->k.content;
    const size_t rank = q->rank;

    if (k->rank != rank || k->shape[rank - 1] != q->shape[rank - 1])
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "k",
                              "'k' must have as many axes as 'q', and its width, which is %zu.",
                              q->shape[rank - 1]);
    attention->heads = rank > 2 ? q->shape[rank - 3] : 1;
    attention->kv_heads = rank > 2 ? k->shape[rank - 3] : 1;
    attention->matrices = 1;
    for (size_t axis = 0; axis + 2 < rank; axis++)
        attention->matrices *= q->shape[axis];
    for (size_t axis = 0; axis + 3 < rank; axis++)
        if (q->shape[axis] != k->shape[axis])
            return posenc__refuse(problem, POSENC_WRONG_SHAPE, "k",
                                  "Axis %zu of 'k' has %zu entries, that of 'q' has %zu.", axis,
                                  k->shape[axis], q->shape[axis]);
    if (attention->heads == 0 || attention->kv_heads == 0 ||
        attention->heads % attention->kv_heads != 0)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "k",
                              "'k' has %zu heads, which do not divide the %zu of 'q'.",
                              attention->kv_heads, attention->heads);
    return POSENC_OK;
}

static enum posenc_status check_values(struct posenc__attention *attention,
                                       const struct posenc_array *v, struct posenc_problem *problem)
{
    const struct posenc_array *k = &attention->k.content;

    if (v->rank != k->rank || memcmp(v->shape, k->shape, (k->rank - 1) * sizeof(*k->shape)) != 0)
        return posenc__refuse(
            problem, POSENC_WRONG_SHAPE, "v",
            "'v' must have the axes of 'k', but for its width: one row a key, and "
            "there are %zu keys.",
            attention->keys);
    attention->value_width = v->shape[v->rank - 1];
    return POSENC_OK;
}

static enum posenc_status check_work(const struct posenc__attention *attention,
                                     struct posenc_problem *problem)
{
    size_t count, steps;

    if (attention->width == 0)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "q", "'q' has no channels.");
    if (__builtin_mul_overflow(attention->queries, attention->keys, &count) ||
        __builtin_mul_overflow(count, attention->matrices, &count) ||
        count > POSENC__ATTENTION_SCORES_MAX)
        return posenc__refuse(problem, POSENC_TOO_LARGE, "q",
                              "These would be more than %d scores; ask for fewer queries, keys or "
                              "heads at a time.",
                              POSENC__ATTENTION_SCORES_MAX);
    if (__builtin_mul_overflow(count, attention->width + attention->value_width, &steps) ||
        steps > POSENC__ATTENTION_STEPS_MAX)
        return posenc__refuse(problem, POSENC_TOO_LARGE, "q",
                              "This would take more than %d products; ask for fewer queries, keys "
                              "or heads at a time.",
                              POSENC__ATTENTION_STEPS_MAX);
    return POSENC_OK;
}

static enum posenc_status read_tensors(struct posenc_arguments *arguments,
                                       struct posenc_memory *memory,
                                       struct posenc__attention *attention, struct posenc_array *v,
                                       struct posenc_problem *problem)
{
    const bool has_values = posenc__present(arguments, "v");
    enum posenc_status status = widen(arguments, "q", memory, &attention->q.content, problem);

    if (status == POSENC_OK)
        status = widen(arguments, "k", memory, &attention->k.content, problem);
    if (status == POSENC_OK)
        status = settle_heads(attention, problem);
    if (status != POSENC_OK)
        return status;
    const size_t rank = attention->q.content.rank;

    attention->queries = attention->q.content.shape[rank - 2];
    attention->keys = attention->k.content.shape[rank - 2];
    attention->width = attention->q.content.shape[rank - 1];
    if (has_values)
        status = widen(arguments, "v", memory, v, problem);
    if (status == POSENC_OK && has_values)
        status = check_values(attention, v, problem);
    return status == POSENC_OK ? check_work(attention, problem) : status;
}

static enum posenc_status read_side_positions(const struct posenc_arguments *arguments,
                                              size_t length, struct posenc__side *side,
                                              struct posenc_problem *problem)
{
    side->positions = posenc__array(arguments, side->positions_name);
    if (side->positions && side->positions->shape[side->positions->rank - 1] != length)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, side->positions_name,
                              "'%s' has %zu entries, but '%s' has %zu rows.", side->positions_name,
                              side->positions->shape[side->positions->rank - 1], side->name,
                              length);
    return POSENC_OK;
}

static enum posenc_status read_positions(const struct posenc_arguments *arguments,
                                         struct posenc__attention *attention,
                                         struct posenc_problem *problem)
{
    enum posenc_status status =
        read_side_positions(arguments, attention->queries, &attention->q, problem);

    if (status == POSENC_OK)
        status = read_side_positions(arguments, attention->keys, &attention->k, problem);
    if (status != POSENC_OK)
        return status;
    attention->q.offset = (double)attention->keys - (double)attention->queries;
    if (!attention->q.positions != !attention->k.positions)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER,
                              attention->q.positions ? "k_positions" : "q_positions",
                              "'q_positions' and 'k_positions' are given together, or neither.");
    if (attention->q.positions && attention->part != POSENC__PART_ADDS &&
        attention->part != POSENC__PART_ROTATES)
        return posenc__refuse(problem, POSENC_CONFLICT, "q_positions",
                              "The encoding '%s' counts queries and keys by itself; leave out "
                              "'q_positions' and 'k_positions', its own parameters place them.",
                              attention->encoding->name);
    return POSENC_OK;
}

static enum posenc_status find_encoding(const struct posenc_arguments *arguments,
                                        struct posenc__attention *attention,
                                        struct posenc_problem *problem)
{
    const char *name = posenc_find_argument(arguments, "encoding")->value.as.text;
    const char *nearest = posenc_suggest_encoding(name);

    attention->encoding = posenc_find(name);
    if (!attention->encoding) {
        (void)posenc__refuse(problem, POSENC_OUT_OF_RANGE, "encoding",
                             "There is no encoding '%.80s'; /v1/encodings lists those that there "
                             "are.",
                             name);
        if (nearest)
            (void)snprintf(problem->suggestion, sizeof(problem->suggestion), "%s", nearest);
        return POSENC_OUT_OF_RANGE;
    }
    attention->part = posenc__attention_part_of(attention->encoding);
    if (attention->part == POSENC__PART_NONE)
        return posenc__refuse(problem, POSENC_CONFLICT, "encoding",
                              "The encoding '%s' does nothing to queries, keys or scores alone.",
                              attention->encoding->name);
    return POSENC_OK;
}

/* What the kind and the encoding leave room for. */
static enum posenc_status check_options(struct posenc_arguments *arguments,
                                        const struct posenc__attention *attention,
                                        struct posenc_problem *problem)
{
    const bool changes_sides =
        attention->part == POSENC__PART_ADDS || attention->part == POSENC__PART_ROTATES;

    if (attention->is_linear && !changes_sides)
        return posenc__refuse(problem, POSENC_CONFLICT, "kind",
                              "Linear attention has no scores for the encoding '%s' to act on.",
                              attention->encoding->name);
    if (attention->is_linear && posenc__given(arguments, "scale"))
        return posenc__refuse(problem, POSENC_CONFLICT, "scale",
                              "Linear attention has no scale; leave it out.");
    if (attention->is_linear && !posenc__boolean(arguments, "softmax"))
        return posenc__refuse(problem, POSENC_CONFLICT, "softmax",
                              "Linear attention has no softmax to leave out.");
    if (attention->part == POSENC__PART_SCORES && posenc__given(arguments, "scale"))
        return posenc__refuse(problem, POSENC_CONFLICT, "scale",
                              "The encoding '%s' scales its scores by itself; leave it out.",
                              attention->encoding->name);
    if (posenc__boolean(arguments, "terms") &&
        (attention->part != POSENC__PART_ADDS || attention->is_linear))
        return posenc__refuse(problem, POSENC_CONFLICT, "terms",
                              "'terms' belong to softmax attention under an encoding that is added "
                              "to q and k.");
    return POSENC_OK;
}

static void settle_scale(struct posenc_arguments *arguments, struct posenc__attention *attention)
{
    attention->scale = 1;
    if (attention->is_linear || attention->part == POSENC__PART_SCORES)
        return;
    if (!posenc__present(arguments, "scale"))
        posenc__resolve(arguments, "scale", posenc_number(1 / sqrt((double)attention->width)));
    attention->scale = posenc__real(arguments, "scale");
}

enum posenc_status posenc__attention_read(struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc__attention *attention,
                                          struct posenc_array *v, struct posenc_problem *problem)
{
    enum posenc_status status;

    *attention = (struct posenc__attention){
        .parameters = &posenc_find_argument(arguments, "parameters")->value,
        .q = {.name = "q", .positions_name = "q_positions"},
        .k = {.name = "k", .positions_name = "k_positions"},
        .causal = posenc__boolean(arguments, "causal"),
        .is_linear = posenc__choice(arguments, "kind") == KIND_LINEAR,
    };
    status = find_encoding(arguments, attention, problem);
    if (status == POSENC_OK)
        status = check_options(arguments, attention, problem);
    if (status == POSENC_OK)
        status = read_tensors(arguments, memory, attention, v, problem);
    if (status == POSENC_OK)
        status = read_positions(arguments, attention, problem);
    if (status == POSENC_OK)
        settle_scale(arguments, attention);
    return status;
}
