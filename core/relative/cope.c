/*
 * Contextual positions (Golovneva et al., "Contextual Position Encoding", 2024, section 4).
 *
 *   gate[i][t] = sigmoid(logits[i][t])
 *   positions[i][j] = min(gate[i][j] + gate[i][j + 1] + ... + gate[i][last], max_position - 1)
 *   bias[i][j] = (1 - w) q_i . e[floor p] + w q_i . e[ceil p],   p = positions[i][j], w = p - floor
 * p
 *
 * Positions count backwards from the query and include its own gate. Masked logits must be
 * -Infinity, so that keys after the query have the gate 0.
 */
#include <math.h>

#include "inputs.h"
#include "sigmoid.h"
#include "vectors.h"

/* Logits whose gates are summed beforehand: 64 MiB, and about two seconds. */
#define GATE_NS   250 /* of one sigmoid in twice the precision, about */
#define GATES_MAX ((size_t)1 << 22)

static const struct posenc_parameter cope_rows[] = {
    {.name = "q", .type = POSENC_TYPE_TENSOR, .meaning = "queries [..., query, dim]"},
    {.name = "position_embeddings",
     .type = POSENC_TYPE_TENSOR,
     .meaning =
         "e, one row per position from 0: [max_position, dim] or [heads, max_position, dim]"},
    {.name = "logits",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "attention scores [..., query, key] that the gates are made of, masked ones "
                "-Infinity"},
    {.name = "max_position",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_FROM_TENSOR,
     .fallback_note = "the rows of position_embeddings",
     .minimum = 1,
     .maximum = INFINITY,
     .aliases = POSENC__NAMES("npos_max"),
     .meaning = "number of positions; larger sums count as the last"},
    {.name = NULL},
};

struct cope {
    struct posenc__vectors q, embeddings, logits;
    double last; /* the largest position */
    const struct posenc__dd *positions;
};

static void position_values(const void *context, size_t first, size_t count, double *out)
{
    const struct cope *plan = context;

    for (size_t i = 0; i < count; i++)
        out[i] = plan->positions[first + i].hi;
}

/* q . e at a position between two rows. */
static double bias_at(const struct cope *plan, size_t outer, size_t i, struct posenc__dd position)
{
    const struct posenc__vector none = {NULL, 0}, q = posenc__vector_at(&plan->q, outer, i);
    const size_t shared = outer % plan->embeddings.outer, width = plan->q.width;

    if (isnan(position.hi))
        return position.hi;
    const double whole = floor(position.hi);
    const double below = whole == position.hi && position.lo < 0 ? whole - 1 : whole;
    const struct posenc__dd weight = posenc__dd_add(position, (struct posenc__dd){-below, 0});
    const struct posenc__dd low =
        posenc__dot(q, none, posenc__vector_at(&plan->embeddings, shared, (size_t)below), width);

    if (weight.hi == 0)
        return low.hi;
    const struct posenc__dd high = posenc__dot(
        q, none, posenc__vector_at(&plan->embeddings, shared, (size_t)below + 1), width);
    const struct posenc__dd rest =
        posenc__dd_add((struct posenc__dd){1, 0}, (struct posenc__dd){-weight.hi, -weight.lo});
    const double plain = low.hi * rest.hi + high.hi * weight.hi;

    if (!isfinite(plain))
        return plain;
    return posenc__dd_add(posenc__dd_multiply(low, rest), posenc__dd_multiply(high, weight)).hi;
}

static void bias_values(const void *context, size_t first, size_t count, double *out)
{
    const struct cope *plan = context;

    for (size_t i = 0; i < count; i++) {
        const size_t row = (first + i) / plan->logits.width;

        out[i] = bias_at(plan, row / plan->q.rows, row % plan->q.rows, plan->positions[first + i]);
    }
}

/* The gates of one row of logits, summed from its end. */
static void sum_gates(const struct cope *plan, size_t row, struct posenc__dd *positions)
{
    struct posenc__dd sum = {0, 0};

    for (size_t key = plan->logits.width; key-- > 0;) {
        double logit;

        posenc__read_array(plan->logits.array, row * plan->logits.width + key, 1, &logit);
        sum = posenc__dd_add(sum, posenc__sigmoid(logit));
        positions[key] = sum.hi > plan->last || (sum.hi == plan->last && sum.lo > 0)
                             ? (struct posenc__dd){plan->last, 0}
                             : sum;
    }
}

static enum posenc_status set_positions(struct cope *plan, struct posenc_memory *memory,
                                        struct posenc_problem *problem)
{
    size_t count = 0;

    (void)posenc_shape_count(plan->logits.array->rank, plan->logits.array->shape,
                             &count); /* they lie in memory, so it fits */
    if (count > GATES_MAX)
        return posenc__refuse(problem, POSENC_TOO_LARGE, "logits",
                              "'logits' has %zu numbers; at most %zu are served at once: send the "
                              "heads one after the other.",
                              count, GATES_MAX);
    struct posenc__dd *positions = posenc_allocate(memory, count, sizeof(*positions));

    if (!positions)
        return posenc__no_memory(problem);
    if (!posenc_may_work(memory, GATE_NS * count))
        return posenc__cancelled(problem);
    for (size_t start = 0; start < count; start += plan->logits.width)
        sum_gates(plan, start / plan->logits.width, positions + start);
    plan->positions = positions;
    return POSENC_OK;
}

static enum posenc_status read_tensors(struct posenc_arguments *arguments, struct cope *plan,
                                       struct posenc_problem *problem)
{
    enum posenc_status status =
        posenc__read_vectors(arguments, "q", "[..., query, dim]", &plan->q, problem);

    if (status == POSENC_OK)
        status =
            posenc__read_vectors(arguments, "logits", "[..., query, key]", &plan->logits, problem);
    if (status == POSENC_OK)
        status = posenc__check_outer("logits", &plan->logits, "q", &plan->q, problem);
    if (status == POSENC_OK)
        status = posenc__check_rows("logits", &plan->logits, plan->q.rows, "one for each query",
                                    problem);
    if (status == POSENC_OK)
        status = posenc__read_vectors(arguments, "position_embeddings", "[max_position, dim]",
                                      &plan->embeddings, problem);
    if (status == POSENC_OK)
        status =
            posenc__check_shared("position_embeddings", &plan->embeddings, "q", &plan->q, problem);
    if (status != POSENC_OK)
        return status;
    if (plan->embeddings.rows == 0)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "position_embeddings",
                              "'position_embeddings' is empty; it needs the row of position 0.");
    return posenc__settle_size(arguments, "max_position", plan->embeddings.rows,
                               "position_embeddings", problem);
}

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct cope *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    enum posenc_status status = read_tensors(arguments, plan, problem);

    if (status == POSENC_OK) {
        plan->last = (double)(plan->embeddings.rows - 1);
        status = set_positions(plan, memory, problem);
    }
    if (status != POSENC_OK)
        return status;
    const struct posenc_array *logits = plan->logits.array;

    status = posenc__add_tensor(result, memory, problem, "positions", posenc__dtype(arguments),
                                logits->rank, logits->shape, position_values, plan);
    if (status != POSENC_OK)
        return status;
    status = posenc__add_tensor(result, memory, problem, "bias", posenc__dtype(arguments),
                                logits->rank, logits->shape, bias_values, plan);
    if (status == POSENC_OK)
        posenc__tell_cost(result, 2 * posenc__dot_ns(plan->q.width));
    return status;
}

static const struct posenc_operation cope_operations[] = {
    {.name = "table",
     .summary = "positions by content, and the bias of their embeddings",
     .takes_tensors = true,
     .groups = POSENC__GROUPS(cope_rows, posenc__dtype_rows),
     .tensors = POSENC__TENSORS(
         {"positions", "[..., query, key]", "gates from the key to the end, summed"},
         {"bias", "[..., query, key]", "what is added to the attention scores before softmax"}),
     .plan = plan_table},
    {.name = NULL},
};

const struct posenc_encoding posenc__cope = {
    .name = "cope",
    .summary = "positions that count what the gates of attention let through",
    .source = "Golovneva et al., Contextual Position Encoding, 2024 (arXiv 2405.18719), section 4",
    .convention =
        "positions count backwards from the query and include its own gate; logits are masked with "
        "-Infinity before the gates; masked entries of the bias are not masked again",
    .operations = cope_operations,
};
