/*
 * Sandwich (Chi et al., "Dissecting Transformer Length Extrapolation via the Lens of Receptive
 * Field Analysis", 2023): the inner product of two sinusoidal rows, made weaker from head to head.
 *
 *   bias[h][i][j] = sum over k < dim / 2 of cos((i - j) base^(-2k / dim)) / (8 h / heads),  h from
 * 1
 */
#include <math.h>

#include "bias.h"
#include "powers.h"
#include "waves.h"

static const struct posenc_parameter sandwich_rows[] = {
    {POSENC__HEADS, .flags = POSENC_FROM_TENSOR},
    {.name = "dim",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(128),
     .minimum = 2,
     .maximum = POSENC_DIM_MAX,
     .meaning = "width of the sinusoidal rows, two columns a cosine; even, and not the head's"},
    {POSENC__BASE_OF_WAVES, .aliases = POSENC__NAMES("theta")},
    {.name = NULL},
};

struct sandwich {
    struct posenc__toeplitz sum; /* of the cosines: the same for all heads */
    struct posenc__toeplitz bias;
    struct posenc__waves waves;
    double heads;
};

#define COSINE_BLOCK 64 /* cosines computed at a time, on the stack */

/* Cosines that are worth as much time as one value of another ramp. */
#define COSINES_A_VALUE 64

#define COSINE_NS 20 /* of one, with its sum, about */

static double cosine_sum(const struct posenc__waves *waves, double distance)
{
    const struct posenc__dd position = {distance, 0};
    struct posenc__dd sum = {0, 0};
    double cosines[COSINE_BLOCK];

    for (size_t first = 0; first < waves->count; first += COSINE_BLOCK) {
        const size_t left = waves->count - first, part = left < COSINE_BLOCK ? left : COSINE_BLOCK;

        posenc__sincos(waves, position, first, part, NULL, cosines);
        for (size_t i = 0; i < part; i++)
            sum = posenc__dd_add(sum, (struct posenc__dd){cosines[i], 0});
    }
    return sum.hi;
}

static void sandwich_ramp(const void *context, size_t head, int64_t first, size_t count,
                          double *out)
{
    const struct sandwich *plan = context;

    (void)head;
    for (size_t i = 0; i < count; i++)
        out[i] = cosine_sum(&plan->waves, fabs((double)(first + (int64_t)i)));
}

static void bias_ramp(const void *context, size_t head, int64_t first, size_t count, double *out)
{
    const struct sandwich *plan = context;

    posenc__toeplitz_run(&plan->sum, 0, first, count, out);
    for (size_t i = 0; i < count; i++)
        out[i] = out[i] * plan->heads / (8 * (double)(head + 1));
}

static enum posenc_status set_waves(const struct posenc_arguments *arguments, struct sandwich *plan,
                                    struct posenc_memory *memory, struct posenc_problem *problem)
{
    const double dim = posenc__real(arguments, "dim");
    const struct posenc__dd base = {posenc__real(arguments, "base"), 0};
    const struct posenc__relative *lengths = &plan->sum.lengths;
    /* Walks over every key from the first query: no difference is larger. */
    const struct posenc__positions reach = {
        .count = 2,
        .offset = (double)lengths->offset + (double)lengths->query_length,
        .step = -(double)lengths->key_length - (double)lengths->query_length};
    struct posenc__powers powers;

    if (posenc__size(arguments, "dim") % 2 != 0)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "dim",
                              "'dim' is odd (%zu); each cosine stands for two columns.",
                              posenc__size(arguments, "dim"));
    const enum posenc_status status =
        posenc__make_waves(&plan->waves, posenc__size(arguments, "dim") / 2, memory, problem);

    if (status != POSENC_OK)
        return status;
    posenc__powers_begin(&powers, base, -2, dim);
    for (size_t i = 0; i < plan->waves.count; i++)
        posenc__waves_set(&plan->waves, i, posenc__powers_next(&powers));
    return posenc__check_angles(&plan->waves, &reach, problem);
}

static enum posenc_status set_sum(struct posenc_arguments *arguments, struct sandwich *plan,
                                  struct posenc_memory *memory, struct posenc_problem *problem)
{
    plan->sum = (struct posenc__toeplitz){.heads = 1, .ramp = sandwich_ramp, .plan = plan};
    plan->sum.causal = posenc__is_causal(arguments);
    enum posenc_status status = posenc__settle_lengths(arguments, &plan->sum.lengths, problem);

    if (status == POSENC_OK)
        status = set_waves(arguments, plan, memory, problem);
    plan->sum.value_ns = COSINE_NS * plan->waves.count;
    if (status == POSENC_OK)
        status = posenc__toeplitz_init(&plan->sum,
                                       POSENC__RAMP_MAX / (1 + plan->waves.count / COSINES_A_VALUE),
                                       memory, problem);
    return status;
}

static enum posenc_status sandwich_make(struct posenc_arguments *arguments,
                                        struct posenc_memory *memory, struct posenc__bias *bias,
                                        struct posenc_problem *problem)
{
    struct sandwich *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    const enum posenc_status status = set_sum(arguments, plan, memory, problem);

    if (status != POSENC_OK)
        return status;
    plan->heads = posenc__real(arguments, "heads");
    plan->bias = plan->sum;
    plan->bias.heads = posenc__size(arguments, "heads");
    plan->bias.ramp = bias_ramp;
    plan->bias.causal = false; /* the sum is */
    plan->bias.value_ns = posenc__toeplitz_value_ns(&plan->sum);
    *bias = posenc__toeplitz_bias(&plan->bias);
    return posenc__toeplitz_init(&plan->bias, plan->sum.ramps ? POSENC__RAMP_MAX : 0, memory,
                                 problem);
}

static const struct posenc__bias_source sandwich_bias = {.make = sandwich_make};

#define GROUPS sandwich_rows, posenc__relative_rows, posenc__relative_mask_rows, posenc__dtype_rows

static const struct posenc_operation sandwich_operations[] = {
    {POSENC__BIAS_TABLE(GROUPS)},
    {POSENC__BIAS_APPLY(GROUPS)},
    {.name = NULL},
};

const struct posenc_encoding posenc__sandwich = {
    .name = "sandwich",
    .summary = "the inner product of two sinusoidal rows as a bias, weaker from head to head",
    .source = "Chi et al., Dissecting Transformer Length Extrapolation via the Lens of Receptive "
              "Field Analysis, 2023 (arXiv 2212.10356)",
    .convention = "an even function of query minus key, largest at 0; head h from 1 is divided by "
                  "8 h / heads; the last query stands at the last key; keys after the query are "
                  "-Infinity; the scores are taken as they are (already scaled)",
    .operations = sandwich_operations,
    .bias = &sandwich_bias,
};
