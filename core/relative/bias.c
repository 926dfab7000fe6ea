/* Biases as tensors of their own, and added to scores. */
#include "bias.h"

#include <math.h>
#include <string.h>

struct posenc__bias posenc__toeplitz_bias(const struct posenc__toeplitz *toeplitz)
{
    return (struct posenc__bias){
        .shape = {toeplitz->heads, toeplitz->lengths.query_length, toeplitz->lengths.key_length},
        .toeplitz = toeplitz,
        .values = posenc__toeplitz_values,
        .plan = toeplitz};
}

/* Rounds to infinity from here on: half a step beyond the largest float16, 65504. */
#define FLOAT16_OVERFLOW 65520.0

/* Nanoseconds that a bias takes, about. */
static uint64_t bias_ns(const struct posenc__bias *bias)
{
    return bias->toeplitz ? posenc__toeplitz_value_ns(bias->toeplitz) : POSENC_ELEMENT_NS;
}

static void warn_of_overflow(struct posenc_arguments *arguments, struct posenc_memory *memory)
{
    posenc__warn(arguments, memory, "dtype",
                 "Biases beyond float16's largest value, 65504, are infinite; bfloat16 and float32 "
                 "hold them.");
}

/* Looks at each head's corners, where a bias that grows with the distance is largest. */
static enum posenc_status look_for_overflow(struct posenc_arguments *arguments,
                                            struct posenc_memory *memory,
                                            const struct posenc__bias *bias,
                                            struct posenc_problem *problem)
{
    const size_t queries = bias->shape[1], keys = bias->shape[2], corners = 4 * bias->shape[0];

    if (posenc__dtype(arguments) != POSENC_FLOAT16 || queries == 0 || keys == 0)
        return POSENC_OK;
    if (!posenc__may_plan(memory, corners * bias_ns(bias)))
        return posenc__cancelled(problem);
    for (size_t corner = 0; corner < corners; corner++) {
        const size_t query = corner & 1 ? queries - 1 : 0, key = corner & 2 ? keys - 1 : 0;
        double value;

        if (!posenc__may_plan(memory, bias_ns(bias)))
            return posenc__cancelled(problem);
        bias->values(bias->plan, (corner / 4 * queries + query) * keys + key, 1, &value);
        if (isfinite(value) && fabs(value) >= FLOAT16_OVERFLOW) {
            warn_of_overflow(arguments, memory);
            return POSENC_OK;
        }
    }
    return POSENC_OK;
}

enum posenc_status posenc__add_bias_tensor(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           const struct posenc__bias *bias,
                                           struct posenc_problem *problem)
{
    const enum posenc_dtype dtype = posenc__dtype(arguments);

    const enum posenc_status status = look_for_overflow(arguments, memory, bias, problem);

    if (status != POSENC_OK)
        return status;
    if (bias->toeplitz)
        return posenc__add_toeplitz(result, memory, problem, "bias", dtype, 3, bias->shape,
                                    bias->toeplitz);
    return posenc__add_tensor(result, memory, problem, "bias", dtype, 3, bias->shape, bias->values,
                              bias->plan);
}

enum posenc_status posenc__plan_bias_table(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    struct posenc__bias bias;
    const enum posenc_status status =
        result->encoding->bias->make(arguments, memory, &bias, problem);

    if (status != POSENC_OK)
        return status;
    return posenc__add_bias_tensor(arguments, memory, result, &bias, problem);
}

/* The last three axes of `scores` tell the lengths, and the number of heads. */
static enum posenc_status settle_scores(struct posenc_arguments *arguments, size_t *heads,
                                        struct posenc_problem *problem)
{
    const struct posenc_array *scores = posenc__array(arguments, "scores");

    if (scores->rank < 3)
        return posenc__refuse(
            problem, POSENC_WRONG_SHAPE, "scores",
            "'scores' has %zu axes; it needs three at least: [..., heads, query, key].",
            scores->rank);
    const size_t *last = scores->shape + scores->rank - 3;
    const enum posenc_status status =
        posenc__settle_size(arguments, "query_length", last[1], "scores", problem);

    if (status != POSENC_OK)
        return status;
    *heads = last[0];
    return posenc__settle_size(arguments, "key_length", last[2], "scores", problem);
}

static enum posenc_status check_heads(size_t told, size_t heads, const char *per_head,
                                      struct posenc_problem *problem)
{
    if (told == heads)
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_CONFLICT, per_head,
                          "'%s' is for %zu heads, but the shape of 'scores' says %zu.", per_head,
                          heads, told);
}

enum posenc_status posenc__plan_bias_apply(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    return posenc__plan_bias_sum(result->encoding->bias, arguments, memory, result, problem);
}

enum posenc_status posenc__plan_bias_sum(const struct posenc__bias_source *source,
                                         struct posenc_arguments *arguments,
                                         struct posenc_memory *memory, struct posenc_result *result,
                                         struct posenc_problem *problem)
{
    struct posenc__bias bias;
    size_t heads;
    enum posenc_status status = settle_scores(arguments, &heads, problem);

    if (status == POSENC_OK && !source->per_head)
        status = posenc__settle_size(arguments, "heads", heads, "scores", problem);
    if (status == POSENC_OK)
        status = source->make(arguments, memory, &bias, problem);
    if (status == POSENC_OK && source->per_head)
        status = check_heads(heads, bias.shape[0], source->per_head, problem);
    if (status != POSENC_OK)
        return status;
    status =
        posenc__add_bias(result, memory, problem, arguments,
                         bias.shape[0] * bias.shape[1] * bias.shape[2], bias.values, bias.plan);
    if (status == POSENC_OK)
        posenc__tell_cost(result, bias_ns(&bias));
    return status;
}
