/*
 * An encoding's score against distance: what it does to the score of a query and a key of equal
 * content that stands `distance` before it.
 *
 *   waves   A^2 times the mean of cos(distance w_i): 1 at distance 0 where A is 1
 *   biases  what is added to the score, of each head, for the last of the queries
 */
#include <math.h>

#include "analysis_dots.h"

/* Waves. */

static enum posenc_status plan_waves(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    return posenc__plan_dots(arguments, memory, result, posenc__dot_values, true, problem);
}

/* Biases. */

struct biases {
    struct posenc__positions offsets;
    size_t keys;
    struct posenc_tensor bias; /* [heads, 1, keys]; the query stands at the last key */
};

static void bias_values(const void *context, size_t first, size_t count, double *out)
{
    const struct biases *biases = context;

    for (size_t i = 0; i < count; i++) {
        const size_t head = (first + i) / biases->offsets.count;
        const size_t distance =
            (size_t)posenc__position_at(&biases->offsets, (first + i) % biases->offsets.count).hi;

        posenc_fill(&biases->bias, head * biases->keys + biases->keys - 1 - distance, 1, &out[i]);
    }
}

/* As many keys as the request has, or as the largest distance needs. */
static enum posenc_status settle_keys(const struct posenc_arguments *arguments,
                                      struct biases *biases, struct posenc_problem *problem)
{
    double largest = 0;

    for (size_t i = 0; i < biases->offsets.count; i++) {
        const double distance = posenc__position_at(&biases->offsets, i).hi;

        if (distance < 0 || distance != floor(distance))
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "offsets",
                                  "'offsets' are distances from a query back to its keys here: "
                                  "whole numbers from 0 on; one is %.17g.",
                                  distance);
        largest = fmax(largest, distance);
    }
    biases->keys = posenc__present(arguments, "key_length") ? posenc__size(arguments, "key_length")
                                                            : (size_t)largest + 1;
    if ((double)biases->keys > largest)
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_CONFLICT, "offsets",
                          "The last query has %zu keys, and none stands %.17g before it.",
                          biases->keys, largest);
}

static enum posenc_status plan_biases(struct posenc_arguments *arguments,
                                      struct posenc_memory *memory, struct posenc_result *result,
                                      struct posenc_problem *problem)
{
    struct biases *biases = posenc_allocate(memory, 1, sizeof(*biases));

    if (!biases)
        return posenc__no_memory(problem);
    enum posenc_status status =
        posenc__analysis_offsets(arguments, "key_length", &biases->offsets, problem);

    if (status == POSENC_OK)
        status = settle_keys(arguments, biases, problem);
    if (status == POSENC_OK)
        status =
            posenc__analysis_bias(arguments, biases->keys, memory, result, &biases->bias, problem);
    if (status != POSENC_OK)
        return status;
    const struct posenc__profile profile = {.name = "decay",
                                            .offsets = &biases->offsets,
                                            .has_heads = true,
                                            .heads = biases->bias.shape[0],
                                            .cost = 1,
                                            .values = bias_values,
                                            .plan = biases};

    return posenc__analysis_profile(arguments, &profile, memory, result, problem);
}

static enum posenc_status plan_decay(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    return posenc__has_waves(result->encoding) ? plan_waves(arguments, memory, result, problem)
                                               : plan_biases(arguments, memory, result, problem);
}

static bool serves_decay(const struct posenc_encoding *encoding)
{
    return posenc__has_waves(encoding) || posenc__has_bias(encoding);
}

static bool needs_decay(const struct posenc_encoding *encoding, const char *parameter)
{
    return posenc__has_waves(encoding) ? posenc__needs_waves(encoding, parameter)
                                       : posenc__needs_bias(encoding, parameter);
}

const struct posenc__quantity posenc__quantity_decay = {
    .operation = {.name = "decay",
                  .summary =
                      "an encoding's score against distance, for a query and keys of equal content",
                  .asks_encoding = "table",
                  .groups = (const struct posenc_parameter *const[]){posenc__encoding_rows,
                                                                     posenc__offset_rows,
                                                                     posenc__dtype_rows, NULL},
                  .tensors =
                      (const struct posenc_tensor_row[]){
                          {"decay", "[offsets], or [heads, offsets] of a bias",
                           "the mean cosine of the waves, or what is added to the scores"},
                          {.name = NULL}},
                  .plan = plan_decay},
    .serves = serves_decay,
    .needs = needs_decay,
};
