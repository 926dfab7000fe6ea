/*
 * DeBERTa's disentangled scores (He et al., 2021, equations 3 and 4), without position to position:
 *
 *   c2c = q_i . k_j,   c2p = q_i . pos_key[index(i - j)],   p2c = k_j . pos_query[index(i - j)]
 *   scores = (c2c + c2p + p2c) / sqrt(dim (1 + number of types))
 *
 * The paper writes index(j - i) for p2c; the published code gathers with that and transposes, which
 * comes to the same row as c2p's.
 */
#include "deberta.h"

#include <string.h>

#include "vectors.h"

const struct posenc_parameter posenc__deberta_apply_rows[] = {
    {.name = "pos_key",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "needed for c2p",
     .meaning = "the table projected as keys are: [2 span, dim] or [heads, 2 span, dim]"},
    {.name = "pos_query",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "needed for p2c",
     .meaning = "the table projected as queries are: [2 span, dim] or [heads, 2 span, dim]"},
    {.name = "types",
     .type = POSENC_TYPE_CHOICES,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "c2p where pos_key is sent, p2c where pos_query is",
     .choices = POSENC__NAMES("c2p", "p2c"),
     .meaning = "the parts beside c2c"},
    {.name = NULL},
};

/* The first two as posenc__choices() has them. */
enum { C2P = 1, P2C = 2, C2C = 4 };

struct deberta_scores {
    struct posenc__deberta_buckets buckets;
    struct posenc__toeplitz index;
    struct posenc__vectors q, k, pos_key, pos_query;
    struct posenc__dd scale;
    unsigned types; /* C2C and those asked for */
};

/* A tensor that adds some of the parts. */
struct part {
    const struct deberta_scores *scores;
    unsigned types;
};

static double part_at(const struct part *part, size_t outer, size_t i, size_t j)
{
    const struct deberta_scores *plan = part->scores;
    const struct posenc__vector none = {NULL, 0}, q = posenc__vector_at(&plan->q, outer, i),
                                k = posenc__vector_at(&plan->k, outer, j);
    const size_t width = plan->q.width;
    struct posenc__dd terms[3];
    size_t count = 0;
    double index;

    posenc__toeplitz_values(&plan->index, i * plan->k.rows + j, 1, &index);
    if (part->types & C2C)
        terms[count++] = posenc__dot(q, none, k, width);
    if (part->types & C2P)
        terms[count++] = posenc__dot(
            q, none, posenc__vector_at(&plan->pos_key, outer % plan->pos_key.outer, (size_t)index),
            width);
    if (part->types & P2C)
        terms[count++] = posenc__dot(
            k, none,
            posenc__vector_at(&plan->pos_query, outer % plan->pos_query.outer, (size_t)index),
            width);
    return posenc__scaled_sum(terms, count, plan->scale);
}

static void part_values(const void *context, size_t first, size_t count, double *out)
{
    const struct part *part = context;
    const size_t queries = part->scores->q.rows, keys = part->scores->k.rows;

    for (size_t done = 0; done < count; done++) {
        const size_t row = (first + done) / keys;

        out[done] = part_at(part, row / queries, row % queries, (first + done) % keys);
    }
}

/* The types whose tensors came; where types are named, they must be the same. */
static enum posenc_status read_types(struct posenc_arguments *arguments, unsigned *types,
                                     struct posenc_problem *problem)
{
    static const char *const tensors[] = {"pos_key", "pos_query"};
    static const struct posenc_value names[] = {{.kind = POSENC_TEXT, .as.text = "c2p"},
                                                {.kind = POSENC_TEXT, .as.text = "p2c"}};
    const bool is_open = !posenc__present(arguments, "types");
    const size_t named = posenc__choices(arguments, "types");
    struct posenc_list sent = {names, 0};

    *types = C2C;
    for (size_t i = 0; i < 2; i++) {
        const bool is_sent = posenc__present(arguments, tensors[i]), is_named = named >> i & 1;

        if (!is_open && is_named && !is_sent)
            return posenc__refuse(problem, POSENC_MISSING_PARAMETER, tensors[i],
                                  "'%s' is required: 'types' asks for %s.", tensors[i],
                                  names[i].as.text);
        if (!is_open && is_sent && !is_named)
            return posenc__refuse(problem, POSENC_CONFLICT, tensors[i],
                                  "'%s' is for the type %s, which 'types' does not ask for.",
                                  tensors[i], names[i].as.text);
        if (is_sent) {
            sent.items = sent.count == 0 ? &names[i] : sent.items;
            sent.count++;
            *types |= 1u << i;
        }
    }
    if (is_open)
        posenc__resolve(arguments, "types",
                        (struct posenc_value){.kind = POSENC_LIST, .as.list = sent});
    return POSENC_OK;
}

/* A projected table of relative positions, where it came. */
static enum posenc_status read_table(const struct posenc_arguments *arguments, const char *name,
                                     const struct deberta_scores *plan,
                                     struct posenc__vectors *table, struct posenc_problem *problem)
{
    if (!posenc__present(arguments, name))
        return POSENC_OK;
    enum posenc_status status =
        posenc__read_vectors(arguments, name, "[2 span, dim]", table, problem);

    if (status == POSENC_OK)
        status = posenc__check_shared(name, table, "q", &plan->q, problem);
    if (status == POSENC_OK)
        status = posenc__check_rows(name, table, 2 * (size_t)plan->buckets.span,
                                    "twice position_buckets, or twice max_relative_positions in "
                                    "version 1",
                                    problem);
    return status;
}

static enum posenc_status read_tensors(struct posenc_arguments *arguments,
                                       struct deberta_scores *plan, struct posenc_problem *problem)
{
    enum posenc_status status =
        posenc__read_queries_and_keys(arguments, &plan->q, &plan->k, problem);

    if (status == POSENC_OK)
        status = read_table(arguments, "pos_key", plan, &plan->pos_key, problem);
    if (status == POSENC_OK)
        status = read_table(arguments, "pos_query", plan, &plan->pos_query, problem);
    if (status == POSENC_OK)
        status = posenc__settle_size(arguments, "query_length", plan->q.rows, "q", problem);
    if (status == POSENC_OK)
        status = posenc__settle_size(arguments, "key_length", plan->k.rows, "k", problem);
    return status;
}

static enum posenc_status scores_prepare(struct posenc_arguments *arguments,
                                         struct posenc_memory *memory, struct deberta_scores *plan,
                                         struct posenc_problem *problem)
{
    *plan = (struct deberta_scores){
        .index = {.heads = 1, .ramp = posenc__deberta_ramp, .plan = &plan->buckets}};
    enum posenc_status status = read_types(arguments, &plan->types, problem);

    if (status == POSENC_OK)
        status = posenc__read_deberta_buckets(arguments, &plan->buckets, memory, problem);
    if (status == POSENC_OK)
        status = read_tensors(arguments, plan, problem);
    if (status == POSENC_OK)
        status = posenc__settle_lengths(arguments, &plan->index.lengths, problem);
    if (status == POSENC_OK)
        status = posenc__toeplitz_init(&plan->index, POSENC__RAMP_MAX, memory, problem);
    if (status != POSENC_OK)
        return status;
    const unsigned parts = 1u + (plan->types & C2P ? 1u : 0u) + (plan->types & P2C ? 1u : 0u);

    plan->scale = posenc__inverse_root((double)plan->q.width * (double)parts);
    return POSENC_OK;
}

static enum posenc_status add_part(const struct posenc_arguments *arguments,
                                   const struct part *part, const char *name, const size_t *shape,
                                   struct posenc_memory *memory, struct posenc_result *result,
                                   struct posenc_problem *problem)
{
    const struct posenc__vectors *q = &part->scores->q;
    const enum posenc_status status =
        posenc__add_tensor(result, memory, problem, name, posenc__dtype(arguments), q->array->rank,
                           shape, part_values, part);
    const unsigned dots = (part->types & C2C ? 1u : 0u) + (part->types & C2P ? 1u : 0u) +
                          (part->types & P2C ? 1u : 0u);

    if (status == POSENC_OK)
        posenc__tell_cost(result, dots * posenc__dot_ns(q->width));
    return status;
}

enum posenc_status posenc__deberta_plan_apply(struct posenc_arguments *arguments,
                                              struct posenc_memory *memory,
                                              struct posenc_result *result,
                                              struct posenc_problem *problem)
{
    static const struct {
        const char *name;
        unsigned types;
    } tensors[] = {{"scores", C2C | C2P | P2C}, {"c2c", C2C}, {"c2p", C2P}, {"p2c", P2C}};
    const size_t count = sizeof(tensors) / sizeof(*tensors);
    struct deberta_scores *plan = posenc_allocate(memory, 1, sizeof(*plan));
    struct part *parts = posenc_allocate(memory, count, sizeof(*parts));
    size_t shape[POSENC_RANK_MAX];

    if (!plan || !parts)
        return posenc__no_memory(problem);
    enum posenc_status status = scores_prepare(arguments, memory, plan, problem);

    if (status != POSENC_OK)
        return status;
    memcpy(shape, plan->q.array->shape, sizeof(shape));
    shape[plan->q.array->rank - 1] = plan->k.rows;
    for (size_t i = 0; i < count && status == POSENC_OK; i++) {
        parts[i] = (struct part){plan, tensors[i].types & plan->types};
        if (parts[i].types)
            status =
                add_part(arguments, &parts[i], tensors[i].name, shape, memory, result, problem);
    }
    return status;
}
