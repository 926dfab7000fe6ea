/* Scores and weights, in the order of steps that the encoding and the kind ask for. */
#include <math.h>

#include "attention.h"

/* Both sides under the encoding. */
static enum posenc_status encode_sides(struct posenc_arguments *arguments,
                                       struct posenc_memory *memory,
                                       struct posenc__attention *attention, const double *q,
                                       const double *k, struct posenc_problem *problem)
{
    const enum posenc_status status = posenc__attention_encode(
        attention, &attention->q, q, arguments, memory, &attention->q.encoded, problem);

    if (status != POSENC_OK)
        return status;
    return posenc__attention_encode(attention, &attention->k, k, arguments, memory,
                                    &attention->k.encoded, problem);
}

static double *multiply(const struct posenc__attention *attention, const double *q, const double *k,
                        struct posenc_memory *memory)
{
    const struct posenc__products products = {attention, q, k, attention->scale};
    const size_t count = posenc__attention_count(attention);
    double *out = posenc_allocate(memory, count, sizeof(*out));

    if (out)
        posenc__attention_products(&products, 0, count, out);
    return out;
}

/* Scores before the mask. */
static enum posenc_status compute_scores(struct posenc_arguments *arguments,
                                         struct posenc_memory *memory,
                                         struct posenc__attention *attention, double **scores,
                                         struct posenc_problem *problem)
{
    const double *q = attention->q.content.data, *k = attention->k.content.data;
    enum posenc_status status = POSENC_OK;

    if (attention->part == POSENC__PART_SCORES)
        return posenc__attention_own_scores(attention, arguments, memory, scores, problem);
    if (attention->part != POSENC__PART_BIASES) {
        status = encode_sides(arguments, memory, attention, q, k, problem);
        if (status != POSENC_OK)
            return status;
        q = attention->q.encoded;
        k = attention->k.encoded;
    }
    *scores = multiply(attention, q, k, memory);
    if (!*scores)
        return posenc__no_memory(problem);
    if (attention->part == POSENC__PART_BIASES)
        return posenc__attention_bias(attention, *scores, arguments, memory, scores, problem);
    return POSENC_OK;
}

/* What is added, then features; or features, then what rotates. */
static enum posenc_status compute_features(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc__attention *attention, double *features[2],
                                           struct posenc_problem *problem)
{
    const bool adds = attention->part == POSENC__PART_ADDS;
    struct posenc__side *const sides[2] = {&attention->q, &attention->k};
    enum posenc_status status = POSENC_OK;

    if (adds)
        status = encode_sides(arguments, memory, attention, attention->q.content.data,
                              attention->k.content.data, problem);
    for (size_t i = 0; i < 2 && status == POSENC_OK; i++) {
        const struct posenc_array *content = &sides[i]->content;
        size_t count = 0;

        (void)posenc_shape_count(content->rank, content->shape, &count); /* it lies in memory */
        features[i] = posenc_allocate(memory, count, sizeof(*features[i]));
        if (!features[i])
            return posenc__no_memory(problem);
        posenc__attention_features(adds ? sides[i]->encoded : content->data, count, features[i]);
        if (adds)
            sides[i]->encoded = features[i];
    }
    if (status == POSENC_OK && !adds)
        status = encode_sides(arguments, memory, attention, features[0], features[1], problem);
    return status;
}

static enum posenc_status compute_linear(struct posenc_arguments *arguments,
                                         struct posenc_memory *memory,
                                         struct posenc__attention *attention,
                                         struct posenc__computed *computed,
                                         struct posenc_problem *problem)
{
    const size_t count = posenc__attention_count(attention);
    double *features[2];
    const enum posenc_status status =
        compute_features(arguments, memory, attention, features, problem);

    if (status != POSENC_OK)
        return status;
    double *denominators = multiply(attention, features[0], features[1], memory);

    computed->scores = multiply(attention, attention->q.encoded, attention->k.encoded, memory);
    computed->weights = posenc_allocate(memory, count, sizeof(*computed->weights));
    if (!denominators || !computed->scores || !computed->weights)
        return posenc__no_memory(problem);
    posenc__attention_mask(attention, computed->scores);
    posenc__attention_divide(attention, computed->scores, denominators, computed->weights);
    return POSENC_OK;
}

static enum posenc_status compute_softmax(struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc__attention *attention,
                                          struct posenc__computed *computed,
                                          struct posenc_problem *problem)
{
    const size_t count = posenc__attention_count(attention);
    const enum posenc_status status =
        compute_scores(arguments, memory, attention, &computed->scores, problem);

    if (status != POSENC_OK)
        return status;
    posenc__attention_mask(attention, computed->scores);
    computed->weights = posenc_allocate(memory, count, sizeof(*computed->weights));
    if (!computed->weights)
        return posenc__no_memory(problem);
    if (posenc__boolean(arguments, "softmax")) {
        posenc__attention_softmax(attention, computed->scores, computed->weights);
        return POSENC_OK;
    }
    for (size_t i = 0; i < count; i++)
        computed->weights[i] = computed->scores[i] == -(double)INFINITY ? 0 : computed->scores[i];
    return POSENC_OK;
}

enum posenc_status posenc__attention_compute(struct posenc_arguments *arguments,
                                             struct posenc_memory *memory,
                                             struct posenc__attention *attention,
                                             struct posenc__computed *computed,
                                             struct posenc_problem *problem)
{
    return attention->is_linear ? compute_linear(arguments, memory, attention, computed, problem)
                                : compute_softmax(arguments, memory, attention, computed, problem);
}
