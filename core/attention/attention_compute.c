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

#define PART_NS    1000000 /* between two questions whether to go on */
#define SOFTMAX_NS 24      /* of one score: its mask, its exponential and a division */

static enum posenc_status multiply(const struct posenc__attention *attention, const double *q,
                                   const double *k, struct posenc_memory *memory, double **out,
                                   struct posenc_problem *problem)
{
    const struct posenc__products products = {attention, q, k, attention->scale};
    const size_t count = posenc__attention_count(attention);
    const uint64_t sum_ns = posenc__attention_sum_ns(attention->width);
    const size_t most = sum_ns < PART_NS ? (size_t)(PART_NS / sum_ns) : 1;

    *out = posenc_allocate(memory, count, sizeof(**out));
    if (!*out)
        return posenc__no_memory(problem);
    for (size_t done = 0; done < count;) {
        const size_t part = count - done < most ? count - done : most;

        if (!posenc_may_work(memory, sum_ns * part))
            return posenc__cancelled(problem);
        posenc__attention_products(&products, done, part, *out + done);
        done += part;
    }
    return POSENC_OK;
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
    status = multiply(attention, q, k, memory, scores, problem);
    if (status == POSENC_OK && attention->part == POSENC__PART_BIASES)
        return posenc__attention_bias(attention, *scores, arguments, memory, scores, problem);
    return status;
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
    double *features[2], *denominators;
    enum posenc_status status = compute_features(arguments, memory, attention, features, problem);

    if (status == POSENC_OK)
        status = multiply(attention, features[0], features[1], memory, &denominators, problem);
    if (status == POSENC_OK)
        status = multiply(attention, attention->q.encoded, attention->k.encoded, memory,
                          &computed->scores, problem);
    if (status != POSENC_OK)
        return status;
    computed->weights = posenc_allocate(memory, count, sizeof(*computed->weights));
    if (!computed->weights)
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
    const uint64_t score_ns = posenc__attention_sum_ns(attention->width) + SOFTMAX_NS;

    /* All of it at once, so that who watches can tell small from large before anything is done. */
    if (!posenc_may_work(memory, score_ns * posenc__attention_count(attention)))
        return posenc__cancelled(problem);
    return attention->is_linear ? compute_linear(arguments, memory, attention, computed, problem)
                                : compute_softmax(arguments, memory, attention, computed, problem);
}
