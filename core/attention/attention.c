/*
 * The tool `attention`: scores, weights and output of q, k and v under any encoding.
 *
 *   softmax  scores = scale (q . k) + bias, masked;  weights = softmax;  output = weights v
 *   linear   scores = R phi(q) . R phi(k);  weights = scores / sum of phi(q) . phi(k), with phi(x)
 * = elu(x) + 1 and R the rotation: RoFormer's way, section 3.3 (arXiv 2104.09864)
 */
#include "attention.h"

#include <string.h>

static const struct posenc_parameter attention_rows[] = {
    {.name = "encoding",
     .type = POSENC_TYPE_TEXT,
     .meaning = "the encoding that q and k, or their scores, get"},
    {.name = "parameters",
     .type = POSENC_TYPE_OBJECT,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "the encoding's defaults",
     .meaning = "the encoding's own parameters, as its apply takes them"},
    {.name = "q",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "queries [..., length, dim] or [..., heads, length, dim]"},
    {.name = "k",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "keys, shaped as q; their heads may be fewer and divide those of q"},
    {.name = "v",
     .type = POSENC_TYPE_TENSOR,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "no output",
     .meaning = "values, one a key"},
    {.name = "q_positions",
     .type = POSENC_TYPE_POSITIONS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "the last of the keys' positions: the last query stands at the last key",
     .meaning = "where the queries stand"},
    {.name = "k_positions",
     .type = POSENC_TYPE_POSITIONS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "0, 1, 2, ...",
     .meaning = "where the keys stand; given together with q_positions"},
    {.name = "scale",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "1 / sqrt(dim)",
     .meaning = "multiplies q . k"},
    {.name = "causal",
     .type = POSENC_TYPE_BOOLEAN,
     .fallback_note = "decoders hide the keys after a query, encoders do not",
     .meaning = "hide keys whose position lies after the query's"},
    {.name = "softmax",
     .type = POSENC_TYPE_BOOLEAN,
     POSENC__DEFAULT_BOOLEAN(true),
     .meaning = "false: no weights, and the output sums values by the scores themselves"},
    {.name = "kind",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("softmax"),
     .choices = POSENC__NAMES("softmax", "linear"),
     .meaning = "linear: the linear attention of the RoFormer paper, features elu(x) + 1, rotated "
                "in the numerator only"},
    {.name = "terms",
     .type = POSENC_TYPE_BOOLEAN,
     POSENC__DEFAULT_BOOLEAN(false),
     .meaning = "for encodings that are added: the four products of content and position that "
                "make a score"},
    {.name = NULL},
};

static void stored_values(const void *stored, size_t first, size_t count, double *out)
{
    memcpy(out, (const double *)stored + first, count * sizeof(*out));
}

static void score_shape(const struct posenc__attention *attention, size_t last, size_t *shape)
{
    const struct posenc_array *q = &attention->q.content;

    memcpy(shape, q->shape, q->rank * sizeof(*shape));
    shape[q->rank - 1] = last;
}

static enum posenc_status add_output(const struct posenc_arguments *arguments,
                                     const struct posenc__attention *attention,
                                     const double *weights, const double *v,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct posenc__outputs *outputs = posenc_allocate(memory, 1, sizeof(*outputs));
    size_t shape[POSENC_RANK_MAX];

    if (!outputs)
        return posenc__no_memory(problem);
    *outputs = (struct posenc__outputs){attention, weights, v};
    score_shape(attention, attention->value_width, shape);
    const enum posenc_status status =
        posenc__add_tensor(result, memory, problem, "output", posenc__dtype(arguments),
                           attention->q.content.rank, shape, posenc__attention_outputs, outputs);

    if (status == POSENC_OK)
        posenc__tell_cost(result, posenc__attention_sum_ns(attention->keys));
    return status;
}

/* What the encoding adds: its apply on zeros. */
static enum posenc_status encode_nothing(struct posenc_arguments *arguments,
                                         struct posenc_memory *memory,
                                         struct posenc__attention *attention,
                                         const struct posenc__side *side, const double **rows,
                                         struct posenc_problem *problem)
{
    size_t count = 0;

    (void)posenc_shape_count(side->content.rank, side->content.shape,
                             &count); /* it lies in memory */
    double *zeros = posenc_allocate(memory, count, sizeof(*zeros));

    if (!zeros)
        return posenc__no_memory(problem);
    memset(zeros, 0, count * sizeof(*zeros));
    return posenc__attention_encode(attention, side, zeros, arguments, memory, rows, problem);
}

static enum posenc_status add_terms(struct posenc_arguments *arguments,
                                    struct posenc__attention *attention,
                                    struct posenc_memory *memory, struct posenc_result *result,
                                    struct posenc_problem *problem)
{
    static const char *const names[] = {"content_content", "content_position", "position_content",
                                        "position_position"};
    const double *q[2] = {attention->q.content.data}, *k[2] = {attention->k.content.data};
    size_t shape[POSENC_RANK_MAX];
    struct posenc__products *products = posenc_allocate(memory, 4, sizeof(*products));
    enum posenc_status status =
        encode_nothing(arguments, memory, attention, &attention->q, &q[1], problem);

    if (status == POSENC_OK)
        status = encode_nothing(arguments, memory, attention, &attention->k, &k[1], problem);
    if (status == POSENC_OK && !products)
        return posenc__no_memory(problem);
    score_shape(attention, attention->keys, shape);
    for (size_t i = 0; i < 4 && status == POSENC_OK; i++) {
        products[i] = (struct posenc__products){attention, q[i / 2], k[i % 2], attention->scale};
        status = posenc__add_tensor(result, memory, problem, names[i], posenc__dtype(arguments),
                                    attention->q.content.rank, shape, posenc__attention_products,
                                    &products[i]);
        if (status == POSENC_OK)
            posenc__tell_cost(result, posenc__attention_sum_ns(attention->width));
    }
    return status;
}

static enum posenc_status add_tensors(struct posenc_arguments *arguments,
                                      struct posenc__attention *attention,
                                      const struct posenc__computed *computed,
                                      const struct posenc_array *v, struct posenc_memory *memory,
                                      struct posenc_result *result, struct posenc_problem *problem)
{
    const enum posenc_dtype dtype = posenc__dtype(arguments);
    const size_t rank = attention->q.content.rank;
    size_t shape[POSENC_RANK_MAX];

    score_shape(attention, attention->keys, shape);
    enum posenc_status status = posenc__add_tensor(result, memory, problem, "scores", dtype, rank,
                                                   shape, stored_values, computed->scores);

    if (status == POSENC_OK && posenc__boolean(arguments, "softmax"))
        status = posenc__add_tensor(result, memory, problem, "weights", dtype, rank, shape,
                                    stored_values, computed->weights);
    if (status == POSENC_OK && posenc__present(arguments, "v"))
        status =
            add_output(arguments, attention, computed->weights, v->data, memory, result, problem);
    if (status == POSENC_OK && posenc__boolean(arguments, "terms"))
        status = add_terms(arguments, attention, memory, result, problem);
    return status;
}

/* The encoding under its canonical name, its parameters with their defaults, what followed. */
static enum posenc_status echo_encoding(struct posenc_arguments *arguments,
                                        const struct posenc__attention *attention,
                                        struct posenc_memory *memory, struct posenc_result *result,
                                        struct posenc_problem *problem)
{
    enum posenc_status status = POSENC_OK;

    posenc__resolve(arguments, "encoding", posenc_text(attention->encoding->name));
    posenc__resolve(arguments, "parameters",
                    posenc_object(attention->echo.items, attention->echo.count));
    for (size_t i = 0; i < attention->derived.count && status == POSENC_OK; i++)
        status = posenc__derive(result, memory, problem, attention->derived.items[i].name,
                                attention->derived.items[i].value);
    return status;
}

static enum posenc_status plan_attention(struct posenc_arguments *arguments,
                                         struct posenc_memory *memory, struct posenc_result *result,
                                         struct posenc_problem *problem)
{
    struct posenc__attention *attention = posenc_allocate(memory, 1, sizeof(*attention));
    struct posenc__computed computed = {0};
    struct posenc_array v = {0};

    if (!attention)
        return posenc__no_memory(problem);
    enum posenc_status status = posenc__attention_read(arguments, memory, attention, &v, problem);

    if (status != POSENC_OK)
        return status;
    status = posenc__attention_compute(arguments, memory, attention, &computed, problem);
    if (status == POSENC_OK)
        status = add_tensors(arguments, attention, &computed, &v, memory, result, problem);
    return status == POSENC_OK ? echo_encoding(arguments, attention, memory, result, problem)
                               : status;
}

const struct posenc_operation posenc__tool_attention = {
    .name = "attention",
    .summary = "scores, weights and output of attention for q, k and v under any encoding",
    .takes_tensors = true,
    .groups = (const struct posenc_parameter *const[]){attention_rows, posenc__dtype_rows, NULL},
    .tensors =
        (const struct posenc_tensor_row[]){
            {"scores", "[..., query, key]",
             "scaled products with the encoding; hidden keys have "
             "-Infinity"},
            {"weights", "[..., query, key]",
             "what each query takes of each key's value; zeros "
             "where all keys are hidden"},
            {"output", "[..., query, value width]", "weights times v, where v was sent"},
            {"content_content", "[..., query, key]", "with terms: q . k, scaled"},
            {"content_position", "[..., query, key]", "with terms: q . the key's encoding"},
            {"position_content", "[..., query, key]", "with terms: the query's encoding . k"},
            {"position_position", "[..., query, key]", "with terms: both encodings"},
            {.name = NULL}},
    .plan = plan_attention,
};
