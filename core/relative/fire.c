/*
 * FIRE (Li et al., "Functional Interpolation for Relative Positions Improves Long Context
 * Transformers", 2024, section 4): a small network of a normalised distance.
 *
 *   x[i][j] = log(c D + 1) / (log(c max(i, L) + 1) + epsilon),   D = |i - j|
 *   bias[h][i][j] = (w2 relu(w1 x + b1) + b2)[h]
 *
 * i is the query's position and L the threshold, in the paper a learned multiple of a fixed length.
 */
#include "fire.h"

#include <math.h>

#include "bias.h"

#define LOG_NS          35    /* of one, about */
#define DENOMINATOR_MIN 1e-30 /* below it the quotient says nothing about the distance */

static const struct posenc_parameter fire_rows[] = {
    {.name = "c",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_ABOVE,
     .minimum = 0,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "steepness of the logarithm; learned, 0.1 at first"},
    {.name = "threshold",
     .type = POSENC_TYPE_REAL,
     .minimum = 0,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "queries before this position are normalised as if they stood there: "
                "|L_multiplier * init_L|, 512 at first"},
    {.name = "epsilon",
     .type = POSENC_TYPE_REAL,
     POSENC__DEFAULT_NUMBER(1e-6),
     .minimum = 0,
     .maximum = POSENC_POSITION_MAX,
     .aliases = POSENC__NAMES("eps"),
     .meaning = "added to the denominator"},
    {.name = NULL},
};

struct fire {
    struct posenc__toeplitz logs; /* numerators, minus infinity where masked */
    double c, threshold, epsilon;
    struct posenc__fire_network network;
};

/* c x + 1 */
static struct posenc__dd stretched(const struct fire *plan, double x)
{
    return posenc__dd_add(posenc__dd_product(plan->c, x), (struct posenc__dd){1, 0});
}

/* log(c D + 1), right to about an ulp: what the sum rounds away is added in first order. */
static void log_ramp(const void *context, size_t head, int64_t first, size_t count, double *out)
{
    const struct fire *plan = context;

    (void)head;
    for (size_t i = 0; i < count; i++) {
        const struct posenc__dd argument = stretched(plan, fabs((double)(first + (int64_t)i)));

        out[i] = posenc__log(argument.hi) + argument.lo / argument.hi;
    }
}

static struct posenc__dd denominator_of(const struct fire *plan, size_t query)
{
    const double position = (double)((int64_t)query + plan->logs.lengths.offset);

    return posenc__dd_add(posenc__dd_log(stretched(plan, fmax(position, plan->threshold))),
                          (struct posenc__dd){plan->epsilon, 0});
}

/* The network's input: the quotient and its rest. */
static struct posenc__dd normalize(double log, struct posenc__dd denominator)
{
    const double quotient = log / denominator.hi;
    const double rest = fma(-quotient, denominator.hi, log) - quotient * denominator.lo;

    return posenc__dd_sum(quotient, rest / denominator.hi);
}

static void normalized_values(const void *context, size_t first, size_t count, double *out)
{
    const struct fire *plan = context;
    const size_t keys = plan->logs.lengths.key_length;

    posenc__toeplitz_values(&plan->logs, first, count, out);
    for (size_t done = 0; done < count;) {
        const size_t query = (first + done) / keys, left = keys - (first + done) % keys;
        const size_t part = left < count - done ? left : count - done;
        const struct posenc__dd denominator = denominator_of(plan, query);

        for (size_t i = done; i < done + part; i++)
            if (isfinite(out[i]))
                out[i] = normalize(out[i], denominator).hi;
        done += part;
    }
}

static void bias_values(const void *context, size_t first, size_t count, double *out)
{
    const struct fire *plan = context;
    const size_t queries = plan->logs.lengths.query_length, keys = plan->logs.lengths.key_length;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / keys, key = (first + done) % keys;
        const size_t head = row / queries, query = row % queries;
        const size_t part = keys - key < count - done ? keys - key : count - done;
        const struct posenc__dd denominator = denominator_of(plan, query);

        posenc__toeplitz_values(&plan->logs, query * keys + key, part, out + done);
        for (size_t i = done; i < done + part; i++)
            if (isfinite(out[i]))
                out[i] =
                    posenc__fire_network_at(&plan->network, head, normalize(out[i], denominator));
        done += part;
    }
}

/* Denominators grow from query to query, so the first is the least. */
static enum posenc_status check_denominators(const struct fire *plan,
                                             struct posenc_problem *problem)
{
    if (plan->logs.lengths.query_length == 0 || denominator_of(plan, 0).hi >= DENOMINATOR_MIN)
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "epsilon",
                          "The first query's distances would be divided by 0; give a 'threshold' "
                          "or an 'epsilon' above 0.");
}

static enum posenc_status fire_prepare(struct posenc_arguments *arguments,
                                       struct posenc_memory *memory, struct fire **prepared,
                                       struct posenc_problem *problem)
{
    struct fire *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    *plan = (struct fire){.logs = {.heads = 1, .ramp = log_ramp, .plan = plan, .value_ns = LOG_NS},
                          .c = posenc__real(arguments, "c"),
                          .threshold = posenc__real(arguments, "threshold"),
                          .epsilon = posenc__real(arguments, "epsilon")};
    plan->logs.causal = posenc__is_causal(arguments);
    *prepared = plan;
    enum posenc_status status = posenc__settle_lengths(arguments, &plan->logs.lengths, problem);

    if (status == POSENC_OK)
        status = check_denominators(plan, problem);
    if (status == POSENC_OK && posenc__present(arguments, "weights"))
        status = posenc__fire_network_init(
            &plan->network, &posenc__argument(arguments, "weights")->value, memory, problem);
    if (status == POSENC_OK)
        status = posenc__toeplitz_init(&plan->logs, POSENC__RAMP_MAX, memory, problem);
    return status;
}

static struct posenc__bias fire_bias_of(const struct fire *plan)
{
    const struct posenc__relative *lengths = &plan->logs.lengths;

    return (struct posenc__bias){
        .shape = {plan->network.heads, lengths->query_length, lengths->key_length},
        .values = bias_values,
        .plan = plan};
}

static enum posenc_status fire_make(struct posenc_arguments *arguments,
                                    struct posenc_memory *memory, struct posenc__bias *bias,
                                    struct posenc_problem *problem)
{
    struct fire *plan = NULL;
    const enum posenc_status status = fire_prepare(arguments, memory, &plan, problem);

    if (status != POSENC_OK)
        return status;
    *bias = fire_bias_of(plan);
    return POSENC_OK;
}

static const struct posenc__bias_source fire_bias = {.per_head = "weights.w2", .make = fire_make};

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct fire *plan = NULL;
    enum posenc_status status = fire_prepare(arguments, memory, &plan, problem);

    if (status != POSENC_OK)
        return status;
    const struct posenc__bias bias = fire_bias_of(plan);

    status = posenc__add_tensor(result, memory, problem, "normalized", posenc__dtype(arguments), 2,
                                bias.shape + 1, normalized_values, plan);
    if (status != POSENC_OK || !posenc__present(arguments, "weights"))
        return status;
    return posenc__add_bias_tensor(arguments, memory, result, &bias, problem);
}

#define POSITION_GROUPS posenc__relative_rows, posenc__relative_mask_rows, posenc__dtype_rows

static const struct posenc_operation fire_operations[] = {
    {.name = "table",
     .summary = "the normalised distance of every query and key, and their bias where weights are "
                "sent",
     .groups = POSENC__GROUPS(fire_rows, posenc__fire_table_rows, POSITION_GROUPS),
     .tensors = POSENC__TENSORS(
         {"normalized", "[query_length, key_length]",
          "the network's input, 0 at the query's own key"},
         {"bias", "[heads, query_length, key_length]",
          "what is added to the attention scores before softmax; only with weights"}),
     .plan = plan_table},
    {POSENC__BIAS_APPLY(fire_rows, posenc__fire_apply_rows, POSITION_GROUPS)},
    {.name = NULL},
};

const struct posenc_encoding posenc__fire = {
    .name = "fire",
    .summary = "a small network of the distance, normalised by the query's position",
    .source = "Li et al., Functional Interpolation for Relative Positions Improves Long Context "
              "Transformers, 2024 (arXiv 2310.04418)",
    .convention = "query minus key; the last query stands at the last key (query_offset = "
                  "key_length - query_length), and its position normalises; keys after the query "
                  "are -Infinity; the scores are taken as they are (already scaled)",
    .operations = fire_operations,
    .bias = &fire_bias,
};
