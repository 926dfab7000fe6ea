/* Lengths of queries and keys, and what depends on key minus query alone. */
#include "relative.h"

#include <math.h>
#include <string.h>

const struct posenc_parameter posenc__relative_rows[] = {
    {.name = "query_length",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "required, unless a tensor or a list of positions tells it",
     .minimum = 0,
     .maximum = INFINITY,
     .aliases = POSENC__NAMES("q_len"),
     .meaning = "number of queries"},
    {.name = "key_length",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "query_length",
     .minimum = 0,
     .maximum = INFINITY,
     .aliases = POSENC__NAMES("k_len"),
     .meaning = "number of keys"},
    {.name = "query_offset",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "key_length - query_length: the last query stands at the last key",
     .meaning = "position of the first query, where the first key stands at 0"},
    {.name = NULL},
};

enum { MASK_NONE, MASK_CAUSAL };

const struct posenc_parameter posenc__relative_mask_rows[] = {
    {.name = "mask",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("causal"),
     .choices = POSENC__NAMES("none", "causal"),
     .meaning = "causal: keys after the query are -Infinity; none: they count by their distance"},
    {.name = NULL},
};

const struct posenc_tensor_row posenc__bias_tensors[] = {
    {"bias", "[heads, query_length, key_length]",
     "what is added to the attention scores before softmax"},
    {.name = NULL},
};

const struct posenc_tensor_row posenc__biased_scores_tensors[] = {
    {"scores", "[..., heads, query, key]", "scores plus the bias"},
    {.name = NULL},
};

bool posenc__is_causal(const struct posenc_arguments *arguments)
{
    return posenc__choice(arguments, "mask") == MASK_CAUSAL;
}

enum posenc_status posenc__settle_scores(struct posenc_arguments *arguments, size_t *heads,
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

enum posenc_status posenc__check_heads(size_t scores_heads, size_t heads, const char *parameter,
                                       struct posenc_problem *problem)
{
    if (scores_heads == heads)
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_CONFLICT, parameter,
                          "'%s' is for %zu heads, but the shape of 'scores' says %zu.", parameter,
                          heads, scores_heads);
}

/* Differences must stay integers in a double. */
static enum posenc_status check_reach(const struct posenc_arguments *arguments, double queries,
                                      double keys, double offset, struct posenc_problem *problem)
{
    if (fabs(offset) + queries + keys < POSENC_POSITION_MAX)
        return POSENC_OK;
    return posenc__refuse(
        problem, POSENC_OUT_OF_RANGE,
        posenc__given(arguments, "query_offset") ? "query_offset" : "query_length",
        "Positions of queries and keys, and their differences, must not lie beyond 2^53.");
}

enum posenc_status posenc__settle_lengths(struct posenc_arguments *arguments,
                                          struct posenc__relative *lengths,
                                          struct posenc_problem *problem)
{
    if (!posenc__present(arguments, "query_length"))
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "query_length",
                              "'query_length' is required: the number of queries.");
    const double queries = posenc__real(arguments, "query_length");

    if (!posenc__present(arguments, "key_length"))
        posenc__resolve(arguments, "key_length", posenc_number(queries));
    const double keys = posenc__real(arguments, "key_length");

    if (!posenc__present(arguments, "query_offset"))
        posenc__resolve(arguments, "query_offset", posenc_number(keys - queries));
    const double offset = posenc__real(arguments, "query_offset");

    *lengths = (struct posenc__relative){(size_t)queries, (size_t)keys, (int64_t)offset};
    return check_reach(arguments, queries, keys, offset, problem);
}

/* Rounds to infinity from here on: half a step beyond the largest float16, 65504. */
#define FLOAT16_OVERFLOW 65520.0

void posenc__warn_of_overflow(struct posenc_arguments *arguments, struct posenc_memory *memory,
                              posenc__values *values, const void *plan, const size_t shape[3])
{
    const size_t queries = shape[1], keys = shape[2];

    if (posenc__dtype(arguments) != POSENC_FLOAT16 || queries == 0 || keys == 0)
        return;
    for (size_t corner = 0; corner < 4 * shape[0]; corner++) {
        const size_t query = corner & 1 ? queries - 1 : 0, key = corner & 2 ? keys - 1 : 0;
        double value;

        values(plan, (corner / 4 * queries + query) * keys + key, 1, &value);
        if (isfinite(value) && fabs(value) >= FLOAT16_OVERFLOW) {
            posenc__warn(arguments, memory, "dtype",
                         "Biases beyond float16's largest value, 65504, are infinite; bfloat16 and "
                         "float32 hold them.");
            return;
        }
    }
}
