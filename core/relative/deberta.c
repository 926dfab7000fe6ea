/*
 * DeBERTa's relative positions (He et al., "DeBERTa: Decoding-enhanced BERT with Disentangled
 * Attention", 2021, section 3.1).
 *
 *   index[i][j] = clamp(bucket(i - j) + span, 0, 2 span - 1)
 *
 * Version 1: bucket(n) = n, span = max_relative_positions. Versions 2 and 3: deberta_buckets.c,
 * span = position_buckets.
 */
#include "deberta.h"

static const struct posenc_parameter bucket_rows[] = {
    {.name = "position_buckets",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(256),
     .minimum = 0,
     .maximum = POSENC__DEBERTA_BUCKETS_MAX,
     .meaning = "buckets on each side, the outer half logarithmic; 0: one for each distance, as in "
                "version 1"},
    {.name = "max_relative_positions",
     .type = POSENC_TYPE_INTEGER,
     POSENC__DEFAULT_NUMBER(512),
     .minimum = 1,
     .maximum = POSENC__DEBERTA_DISTANCE_MAX,
     .meaning = "distances from it on share the last bucket; what the configurations resolve a -1 "
                "to, max_position_embeddings"},
    {.name = NULL},
};

/* As in the shared rows, but queries and keys both count from 0 unless the request says otherwise.
 */
static const struct posenc_parameter length_rows[] = {
    {POSENC__QUERY_LENGTH, .flags = POSENC_OPTIONAL,
     .fallback_note = "required, unless q or relative_positions tell it"},
    {POSENC__KEY_LENGTH},
    {POSENC__QUERY_OFFSET, POSENC__DEFAULT_NUMBER(0)},
    {.name = NULL},
};

static const struct posenc_parameter position_rows[] = {
    {.name = "relative_positions",
     .type = POSENC_TYPE_INTEGERS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "those of query_length and key_length",
     .minimum = -POSENC_POSITION_MAX,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "query minus key, instead of lengths"},
    {.name = NULL},
};

struct deberta {
    struct posenc__deberta_buckets buckets;
    struct posenc__toeplitz index;
    const double *relative; /* or NULL */
};

static void relative_values(const void *context, size_t first, size_t count, double *out)
{
    const struct deberta *plan = context;

    for (size_t i = 0; i < count; i++)
        out[i] = (double)posenc__deberta_index(&plan->buckets, (int64_t)plan->relative[first + i]);
}

/* The index of a list of distances, which stands instead of lengths. */
static enum posenc_status plan_list(struct posenc_arguments *arguments,
                                    const struct posenc_array *list, struct deberta *plan,
                                    struct posenc_memory *memory, struct posenc_result *result,
                                    struct posenc_problem *problem)
{
    const enum posenc_status status = posenc__drop_lengths(arguments, problem);

    if (status != POSENC_OK)
        return status;
    plan->relative = list->data;
    return posenc__add_tensor(result, memory, problem, "index", POSENC_INT32, 1, list->shape,
                              relative_values, plan);
}

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    const struct posenc_array *list = posenc__array(arguments, "relative_positions");
    struct deberta *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    *plan = (struct deberta){
        .index = {.heads = 1, .ramp = posenc__deberta_ramp, .plan = &plan->buckets}};
    enum posenc_status status =
        posenc__read_deberta_buckets(arguments, &plan->buckets, memory, problem);

    if (status == POSENC_OK && list)
        return plan_list(arguments, list, plan, memory, result, problem);
    if (status == POSENC_OK)
        status = posenc__settle_lengths(arguments, &plan->index.lengths, problem);
    if (status == POSENC_OK)
        status = posenc__toeplitz_init(&plan->index, POSENC__RAMP_MAX, memory, problem);
    if (status != POSENC_OK)
        return status;
    const size_t shape[] = {plan->index.lengths.query_length, plan->index.lengths.key_length};

    return posenc__add_toeplitz(result, memory, problem, "index", POSENC_INT32, 2, shape,
                                &plan->index);
}

static const struct posenc_operation deberta_operations[] = {
    {.name = "table",
     .summary = "the row of the table of relative positions for every query and key",
     .groups = POSENC__GROUPS(length_rows, position_rows, bucket_rows, posenc__dtype_rows),
     .tensors = POSENC__TENSORS(
         {"index", "[query, key], or as relative_positions", "row of the table, int32"}),
     .int32_tensors = POSENC__NAMES("index"),
     .plan = plan_table},
    {.name = "apply",
     .summary = "disentangled attention scores, and their parts",
     .takes_tensors = true,
     .groups = POSENC__GROUPS(posenc__query_key_rows, posenc__deberta_apply_rows, length_rows,
                              bucket_rows, posenc__dtype_rows),
     .tensors =
         POSENC__TENSORS({"scores", "[..., query, key]", "the sum of the parts"},
                         {"c2c", "[..., query, key]", "content to content"},
                         {"c2p", "[..., query, key]", "content to position; where asked for"},
                         {"p2c", "[..., query, key]", "position to content; where asked for"}),
     .plan = posenc__deberta_plan_apply},
    {.name = NULL},
};

const struct posenc_encoding posenc__deberta = {
    .name = "deberta",
    .summary = "attention scores by content and by relative position, disentangled",
    .source = "He et al., DeBERTa, 2021 (arXiv 2006.03654), section 3.1, and DeBERTaV3, 2021 "
              "(arXiv 2111.09543)",
    .convention =
        "query minus key (the opposite of t5), both counted from 0; c2p and p2c use the same index "
        "for a query and a key; the parts carry the scale 1/sqrt(dim (1 + number of types))",
    .operations = deberta_operations,
};
