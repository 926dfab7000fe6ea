/*
 * T5's relative buckets (Raffel et al., "Exploring the Limits of Transfer Learning with a Unified
 * Text-to-Text Transformer", 2020, section 2.1; the rule is the released code's).
 *
 *   bias[h][i][j] = table[bucket(j - i)][h]
 *
 * A distance below half of the buckets of its direction has a bucket of its own; beyond that
 * buckets widen geometrically up to max_distance. Bidirectional: the first half of the buckets is
 * for keys up to the query, the second for keys after it. Else keys after the query have bucket 0.
 */
#include "t5.h"

struct t5 {
    struct posenc__t5_rule rule;
    struct posenc__t5_scale scale;
    const int64_t *starts;  /* [scale.spread]: of the buckets from scale.exact on */
    size_t direction;       /* added to buckets of keys after the query; 0 where these have none */
    const double *relative; /* a list instead of lengths, `listed` long; or NULL */
    size_t listed;
    const struct posenc_array *table; /* or NULL */
    struct posenc__toeplitz buckets, bias;
};

/* The last bucket that starts at or before the distance, which is at least scale.exact. */
static size_t spread_bucket(const struct t5 *plan, int64_t distance)
{
    size_t low = 0, high = plan->scale.spread;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (plan->starts[middle] <= distance)
            low = middle;
        else
            high = middle;
    }
    return (size_t)plan->scale.exact + low;
}

static size_t bucket_of(const struct t5 *plan, int64_t told)
{
    const int64_t relative = plan->rule.sign * told;
    const size_t direction = relative > 0 ? plan->direction : 0;
    const int64_t distance = relative <= 0 ? -relative : direction ? relative : 0;

    if (distance < plan->scale.exact)
        return direction + (size_t)distance;
    return direction + spread_bucket(plan, distance);
}

static double bias_of(const struct t5 *plan, size_t head, int64_t relative)
{
    const size_t heads = plan->table->shape[1];
    double bias;

    posenc__read_array(plan->table, bucket_of(plan, relative) * heads + head, 1, &bias);
    return bias;
}

static void bucket_ramp(const void *plan, size_t head, int64_t first, size_t count, double *out)
{
    (void)head;
    for (size_t i = 0; i < count; i++)
        out[i] = (double)bucket_of(plan, first + (int64_t)i);
}

static void bias_ramp(const void *plan, size_t head, int64_t first, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = bias_of(plan, head, first + (int64_t)i);
}

static void listed_bucket_values(const void *context, size_t first, size_t count, double *out)
{
    const struct t5 *plan = context;

    for (size_t i = 0; i < count; i++)
        out[i] = (double)bucket_of(plan, (int64_t)plan->relative[first + i]);
}

static void listed_bias_values(const void *context, size_t first, size_t count, double *out)
{
    const struct t5 *plan = context;

    for (size_t i = first; i < first + count; i++)
        out[i - first] = bias_of(plan, i / plan->listed, (int64_t)plan->relative[i % plan->listed]);
}

static enum posenc_status settle_scale(const struct posenc_arguments *arguments, struct t5 *plan,
                                       struct posenc_problem *problem)
{
    const bool bidirectional = posenc__boolean(arguments, "bidirectional");
    const size_t buckets = posenc__size(arguments, "num_buckets");
    const size_t side = bidirectional ? buckets / 2 : buckets;
    const double max_distance = posenc__real(arguments, "max_distance");

    if (bidirectional && buckets % 2 != 0)
        return posenc__refuse(
            problem, POSENC_OUT_OF_RANGE, "num_buckets",
            "'num_buckets' is odd (%zu); 'bidirectional' gives half of them to each direction.",
            buckets);
    if (side < 2)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "num_buckets",
                              "'num_buckets' is %zu; each direction needs two buckets at least.",
                              buckets);
    if (max_distance <= (double)(side / 2))
        return posenc__refuse(
            problem, POSENC_OUT_OF_RANGE, "max_distance",
            "'max_distance' must be above %zu: so many distances have buckets of their own.",
            side / 2);
    plan->scale = (struct posenc__t5_scale){.exact = (int64_t)(side / 2),
                                            .max_distance = (int64_t)max_distance,
                                            .spread = side - side / 2};
    plan->direction = bidirectional ? side : 0;
    return POSENC_OK;
}

static enum posenc_status settle_starts(struct t5 *plan, struct posenc_memory *memory,
                                        struct posenc_problem *problem)
{
    int64_t *starts = posenc_allocate(memory, plan->scale.spread, sizeof(*starts));

    if (!starts)
        return posenc__no_memory(problem);
    for (size_t i = 0; i < plan->scale.spread; i++)
        starts[i] = plan->rule.start(&plan->scale, i);
    plan->starts = starts;
    return POSENC_OK;
}

static enum posenc_status settle_table(const struct posenc_arguments *arguments, struct t5 *plan,
                                       struct posenc_problem *problem)
{
    const struct posenc_array *table = posenc__array(arguments, "table");

    if (!table)
        return POSENC_OK;
    if (table->rank != 2)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "table",
                              "'table' has %zu axes; it needs two: [num_buckets, heads].",
                              table->rank);
    if (table->shape[0] != posenc__size(arguments, "num_buckets"))
        return posenc__refuse(problem, POSENC_CONFLICT, "table",
                              "'table' has %zu rows, but 'num_buckets' is %zu.", table->shape[0],
                              posenc__size(arguments, "num_buckets"));
    if (posenc__present(arguments, "heads") && table->shape[1] != posenc__size(arguments, "heads"))
        return posenc__refuse(problem, POSENC_CONFLICT, "heads",
                              "'heads' is %zu, but 'table' has %zu columns, one a head.",
                              posenc__size(arguments, "heads"), table->shape[1]);
    plan->table = table;
    return POSENC_OK;
}

static enum posenc_status t5_prepare(const struct posenc__t5_rule *rule,
                                     const struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct t5 **prepared,
                                     struct posenc_problem *problem)
{
    struct t5 *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    *plan = (struct t5){.rule = *rule};
    *prepared = plan;
    enum posenc_status status = settle_scale(arguments, plan, problem);

    if (status == POSENC_OK)
        status = settle_table(arguments, plan, problem);
    if (status == POSENC_OK)
        status = settle_starts(plan, memory, problem);
    return status;
}

/* Buckets, and biases where there is a table, of all pairs of queries and keys. */
static enum posenc_status settle_pairs(struct posenc_arguments *arguments, struct t5 *plan,
                                       struct posenc_memory *memory, struct posenc_problem *problem)
{
    struct posenc__relative lengths;
    enum posenc_status status = posenc__settle_lengths(arguments, &lengths, problem);

    if (status != POSENC_OK)
        return status;
    plan->buckets = (struct posenc__toeplitz){
        .lengths = lengths, .heads = 1, .ramp = bucket_ramp, .plan = plan};
    plan->bias =
        (struct posenc__toeplitz){.lengths = lengths, .heads = 0, .ramp = bias_ramp, .plan = plan};
    if (plan->table)
        plan->bias.heads = plan->table->shape[1];
    status = posenc__toeplitz_init(&plan->buckets, POSENC__RAMP_MAX, memory, problem);
    return status == POSENC_OK
               ? posenc__toeplitz_init(&plan->bias, POSENC__RAMP_MAX, memory, problem)
               : status;
}

static enum posenc_status settle_list(struct posenc_arguments *arguments, struct t5 *plan,
                                      struct posenc_problem *problem)
{
    const struct posenc_array *list = posenc__array(arguments, "relative_positions");
    const enum posenc_status status = posenc__drop_lengths(arguments, problem);

    if (status != POSENC_OK)
        return status;
    plan->relative = list->data;
    plan->listed = list->shape[0];
    return POSENC_OK;
}

static enum posenc_status add_listed(const struct posenc_arguments *arguments, struct t5 *plan,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    const size_t shape[] = {plan->table ? plan->table->shape[1] : 0, plan->listed};
    const enum posenc_status status = posenc__add_tensor(
        result, memory, problem, "bucket", POSENC_INT32, 1, shape + 1, listed_bucket_values, plan);

    if (status != POSENC_OK || !plan->table)
        return status;
    return posenc__add_tensor(result, memory, problem, "bias", posenc__dtype(arguments), 2, shape,
                              listed_bias_values, plan);
}

static enum posenc_status add_pairs(struct posenc_arguments *arguments, struct t5 *plan,
                                    struct posenc_memory *memory, struct posenc_result *result,
                                    struct posenc_problem *problem)
{
    const size_t shape[] = {plan->buckets.lengths.query_length, plan->buckets.lengths.key_length};
    const enum posenc_status status = posenc__add_toeplitz(result, memory, problem, "bucket",
                                                           POSENC_INT32, 2, shape, &plan->buckets);

    if (status != POSENC_OK || !plan->table)
        return status;
    const struct posenc__bias bias = posenc__toeplitz_bias(&plan->bias);

    return posenc__add_bias_tensor(arguments, memory, result, &bias, problem);
}

enum posenc_status posenc__t5_plan_table(const struct posenc__t5_rule *rule,
                                         struct posenc_arguments *arguments,
                                         struct posenc_memory *memory, struct posenc_result *result,
                                         struct posenc_problem *problem)
{
    struct t5 *plan = NULL;
    const bool is_listed = posenc__present(arguments, "relative_positions");
    enum posenc_status status = t5_prepare(rule, arguments, memory, &plan, problem);

    if (status == POSENC_OK)
        status = is_listed ? settle_list(arguments, plan, problem)
                           : settle_pairs(arguments, plan, memory, problem);
    if (status != POSENC_OK)
        return status;
    return is_listed ? add_listed(arguments, plan, memory, result, problem)
                     : add_pairs(arguments, plan, memory, result, problem);
}

enum posenc_status posenc__t5_make(const struct posenc__t5_rule *rule,
                                   struct posenc_arguments *arguments, struct posenc_memory *memory,
                                   struct posenc__bias *bias, struct posenc_problem *problem)
{
    struct t5 *plan = NULL;
    enum posenc_status status = t5_prepare(rule, arguments, memory, &plan, problem);

    if (status == POSENC_OK)
        status = settle_pairs(arguments, plan, memory, problem);
    if (status != POSENC_OK)
        return status;
    *bias = posenc__toeplitz_bias(&plan->bias);
    return POSENC_OK;
}

const struct posenc__t5_rule posenc__t5_usual = {posenc__t5_start, 1};

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    return posenc__t5_plan_table(&posenc__t5_usual, arguments, memory, result, problem);
}

static enum posenc_status make_bias(struct posenc_arguments *arguments,
                                    struct posenc_memory *memory, struct posenc__bias *bias,
                                    struct posenc_problem *problem)
{
    return posenc__t5_make(&posenc__t5_usual, arguments, memory, bias, problem);
}

static const struct posenc__bias_source t5_bias = {.per_head = "table", .make = make_bias};

static const struct posenc_operation t5_operations[] = {
    {.name = "table",
     .summary = "the bucket of every query and key, and their bias where the table is sent",
     .groups = POSENC__GROUPS(posenc__relative_rows, posenc__t5_list_rows, posenc__t5_rows,
                              posenc__t5_table_rows, posenc__dtype_rows, posenc__preset_rows),
     .tensors = POSENC__TENSORS({"bucket", "[query_length, key_length] or [relative_positions]",
                                 "row of the learned table; int32"},
                                {"bias",
                                 "[heads, query_length, key_length] or [heads, relative_positions]",
                                 "what is added to the unscaled scores; only with a table"}),
     .int32_tensors = POSENC__NAMES("bucket"),
     .plan = plan_table},
    {POSENC__BIAS_APPLY(posenc__t5_apply_rows, posenc__relative_rows, posenc__t5_rows,
                        posenc__dtype_rows, posenc__preset_rows)},
    {.name = NULL},
};

const struct posenc_encoding posenc__t5 = {
    .name = "t5",
    .summary = "a learned bias for each bucket of distances, shared by all layers",
    .source = "Raffel et al., Exploring the Limits of Transfer Learning with a Unified "
              "Text-to-Text Transformer, 2020 (arXiv 1910.10683), section 2.1",
    .convention = "key minus query: positive for keys after the query; the last query stands at "
                  "the last key (query_offset = key_length - query_length); the bias is added to "
                  "the scores as they are, which in T5 are q.k without 1/sqrt(d); none in "
                  "cross-attention",
    .operations = t5_operations,
    .presets = posenc__t5_presets,
    .bias = &t5_bias,
    .faults = posenc__t5_faults,
};
