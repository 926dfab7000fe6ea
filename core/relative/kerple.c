/*
 * KERPLE (Chi et al., "KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation",
 * 2022, section 4): conditionally positive definite kernels of the distance D = |i - j|.
 *
 *   log    bias[h][i][j] = -p_h log(1 + a_h D)        power  bias[h][i][j] = -a_h D^p_h
 */
#include <math.h>

#include "bias.h"
#include "dd.h"

enum { KIND_LOG, KIND_POWER };

#define POWERS_MAX (POSENC__RAMP_MAX / 2) /* powers take microseconds, logarithms do not */
#define LOG_NS     110                    /* of one, about */
#define POWER_NS   1000
#define POWER_MAX  2.0 /* above it the kernel is no longer conditionally positive definite */

static const struct posenc_parameter kerple_rows[] = {
    {.name = "kind",
     .type = POSENC_TYPE_CHOICE,
     .choices = POSENC__NAMES("log", "power"),
     .meaning = "-p log(1 + a D), or -a D^p, with D the distance"},
    {.name = "p",
     .type = POSENC_TYPE_REALS,
     .flags = POSENC_ABOVE,
     .minimum = 0,
     .maximum = POSENC_POSITION_MAX,
     .aliases = POSENC__NAMES("bias_p"),
     .meaning = "the factor of the logarithm, or the exponent (at most 2); one a head"},
    {.name = "a",
     .type = POSENC_TYPE_REALS,
     .flags = POSENC_ABOVE,
     .minimum = 0,
     .maximum = POSENC_POSITION_MAX,
     .aliases = POSENC__NAMES("bias_a"),
     .meaning = "what the distance, or its power, is multiplied by; one a head"},
    {.name = NULL},
};

struct kerple {
    struct posenc__toeplitz bias;
    bool is_log;
    const double *p, *a;
};

/* log(1 + a D), right to about an ulp: what the sum rounds away is added in first order. */
static double log_kernel(double p, double a, double distance)
{
    const struct posenc__dd argument =
        posenc__dd_add(posenc__dd_product(a, distance), (struct posenc__dd){1, 0});

    return p * (posenc__log(argument.hi) + argument.lo / argument.hi);
}

static double power_kernel(double p, double a, double distance)
{
    if (distance == 0)
        return 0;
    return posenc__dd_multiply(posenc__dd_power((struct posenc__dd){distance, 0}, p, 1),
                               (struct posenc__dd){a, 0})
        .hi;
}

static void kerple_ramp(const void *context, size_t head, int64_t first, size_t count, double *out)
{
    const struct kerple *plan = context;
    const double p = plan->p[head], a = plan->a[head];

    for (size_t i = 0; i < count; i++) {
        const double distance = fabs((double)(first + (int64_t)i));

        /* 0 - x, because -x of the own key would be minus zero. */
        out[i] = 0 - (plan->is_log ? log_kernel(p, a, distance) : power_kernel(p, a, distance));
    }
}

static enum posenc_status read_kernels(const struct posenc_arguments *arguments,
                                       struct kerple *plan, struct posenc_problem *problem)
{
    const struct posenc_array *p = posenc__array(arguments, "p");
    const struct posenc_array *a = posenc__array(arguments, "a");

    if (p->shape[0] == 0)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "p",
                              "'p' is empty; it needs one number a head.");
    if (p->shape[0] != a->shape[0])
        return posenc__refuse(
            problem, POSENC_CONFLICT, "a",
            "'a' has %zu numbers and 'p' %zu; both need one a head, in the heads' order.",
            a->shape[0], p->shape[0]);
    plan->is_log = posenc__choice(arguments, "kind") == KIND_LOG;
    plan->bias.heads = p->shape[0];
    plan->p = p->data;
    plan->a = a->data;
    for (size_t head = 0; head < plan->bias.heads && !plan->is_log; head++)
        if (plan->p[head] > POWER_MAX)
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "p",
                                  "'p' is an exponent here, above 0 and at most 2; head %zu has "
                                  "%.17g.",
                                  head, plan->p[head]);
    return POSENC_OK;
}

static enum posenc_status kerple_make(struct posenc_arguments *arguments,
                                      struct posenc_memory *memory, struct posenc__bias *bias,
                                      struct posenc_problem *problem)
{
    struct kerple *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    *plan = (struct kerple){.bias = {.ramp = kerple_ramp, .plan = plan}};
    plan->bias.causal = posenc__is_causal(arguments);
    enum posenc_status status = read_kernels(arguments, plan, problem);

    if (status == POSENC_OK)
        status = posenc__settle_lengths(arguments, &plan->bias.lengths, problem);
    if (status != POSENC_OK)
        return status;
    plan->bias.value_ns = plan->is_log ? LOG_NS : POWER_NS;
    *bias = posenc__toeplitz_bias(&plan->bias);
    return posenc__toeplitz_init(&plan->bias, plan->is_log ? POSENC__RAMP_MAX : POWERS_MAX, memory,
                                 problem);
}

static const struct posenc__bias_source kerple_bias = {.per_head = "p", .make = kerple_make};

#define GROUPS kerple_rows, posenc__relative_rows, posenc__relative_mask_rows, posenc__dtype_rows

static const struct posenc_operation kerple_operations[] = {
    {POSENC__BIAS_TABLE(GROUPS)},
    {POSENC__BIAS_APPLY(GROUPS)},
    {.name = NULL},
};

const struct posenc_encoding posenc__kerple = {
    .name = "kerple",
    .summary = "a learned kernel of the distance, minus a logarithm or a power, one a head",
    .source = "Chi et al., KERPLE: Kernelized Relative Positional Embedding for Length "
              "Extrapolation, 2022 (arXiv 2205.09921)",
    .convention = "biases are negative, by query minus key; the last query stands at the last key; "
                  "keys after the query are -Infinity; p and a are the positive values after any "
                  "clamping, and the scores are taken as they are (already scaled)",
    .operations = kerple_operations,
    .bias = &kerple_bias,
};
