/*
 * ALiBi: attention with linear biases (Press et al., "Train Short, Test Long", 2022, section 3).
 *
 *   bias[h][i][j] = -m_h D,   D = (i + off) - j   (query minus key; positive towards the past)
 *   m_h = 2^(-B (h + 1) / H) for a power of two H; for another H the slopes of the power c below
 * it, then every second slope of 2c (the released code's rule)
 *
 * `off` is key_length - query_length (alignment bottom_right: the last query sees all keys) or 0
 * (top_left).
 */
#include "alibi.h"

#include <float.h>
#include <math.h>

#include "bias.h"

enum form { SIGNED, SYMMETRIC, CLAMPED, KEY_INDEX, KEY_INDEX_RIGHT };
enum { MASKED_INFINITY, MASKED_FINFO_MIN };
enum { ALIGN_BOTTOM_RIGHT, ALIGN_TOP_LEFT };
enum { ARITHMETIC_EXACT, ARITHMETIC_BFLOAT16 };

struct alibi {
    size_t heads, query_length, key_length;
    double offset; /* of the queries' positions */
    enum form form;
    bool causal, one_sided, is_bfloat16;
    const struct posenc__dd *slopes, *right_slopes;
    double distance_scale;
    double output_scale; /* 1, or 1 / sqrt(dim) where the bias stands inside attention's scale */
    double masked;
    const double *key_positions;  /* by cumulated mask; or NULL */
    struct posenc__toeplitz bias; /* of the forms that depend on key minus query alone */
};

static double to_bfloat16(double value)
{
    uint16_t bits;
    double rounded;

    posenc_round(POSENC_BFLOAT16, &value, 1, &bits);
    posenc_widen(POSENC_BFLOAT16, &bits, 1, &rounded);
    return rounded;
}

/* Whether what a slope multiplies depends on key minus query alone. */
static bool is_relative(const struct alibi *plan)
{
    return plan->form == SIGNED || plan->form == SYMMETRIC || plan->form == CLAMPED;
}

/* What a slope multiplies, by key minus query. */
static double relative_multiplier(const struct alibi *plan, double relative)
{
    switch (plan->form) {
    case SIGNED:
        return relative;
    case SYMMETRIC:
        return -fabs(relative);
    case CLAMPED:
        return relative < 0 ? relative : 0;
    case KEY_INDEX:
    case KEY_INDEX_RIGHT:
        break;
    }
    return 0;
}

/* What a slope multiplies, by the key alone. */
static double key_multiplier(const struct alibi *plan, size_t key)
{
    const size_t last = plan->key_length - 1;
    const double position = plan->key_positions ? plan->key_positions[key] : (double)key;

    if (plan->form == KEY_INDEX)
        return position;
    return position - (plan->key_positions ? plan->key_positions[last] : (double)last);
}

static bool is_masked(const struct alibi *plan, size_t head, double relative)
{
    if (plan->causal && relative > 0)
        return true;
    if (plan->one_sided)
        return head < plan->heads / 2 ? relative > 0 : relative < 0;
    return false;
}

static double bias_of(const struct alibi *plan, size_t head, double relative, double multiplier)
{
    if (is_masked(plan, head, relative))
        return plan->masked;
    const struct posenc__dd slope = relative > 0 ? plan->right_slopes[head] : plan->slopes[head];
    const double distance = multiplier * plan->distance_scale;

    if (plan->is_bfloat16)
        return to_bfloat16(slope.hi * to_bfloat16(distance)) * plan->output_scale + 0.0;
    /* One rounding for the product; + 0.0 turns the minus zero of the own key into zero. */
    return fma(slope.hi, distance, slope.lo * distance) * plan->output_scale + 0.0;
}

static void bias_ramp(const void *context, size_t head, int64_t first, size_t count, double *out)
{
    const struct alibi *plan = context;

    for (size_t i = 0; i < count; i++) {
        const double relative = (double)(first + (int64_t)i);

        out[i] = bias_of(plan, head, relative, relative_multiplier(plan, relative));
    }
}

/* Biases that depend on the key, but for the mask. */
static void key_values(const void *context, size_t first, size_t count, double *out)
{
    const struct alibi *plan = context;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / plan->key_length,
                     key = (first + done) % plan->key_length;
        const size_t left = plan->key_length - key,
                     part = left < count - done ? left : count - done;
        const double query = (double)(row % plan->query_length) + plan->offset;

        for (size_t i = 0; i < part; i++)
            out[done + i] = bias_of(plan, row / plan->query_length, (double)(key + i) - query,
                                    key_multiplier(plan, key + i));
        done += part;
    }
}

/* Once nothing else is open. */
static enum posenc_status settle_windows(struct alibi *plan, struct posenc_memory *memory,
                                         struct posenc_problem *problem)
{
    plan->bias = (struct posenc__toeplitz){
        .lengths = {plan->query_length, plan->key_length, (int64_t)plan->offset},
        .heads = plan->heads,
        .ramp = bias_ramp,
        .plan = plan};
    return is_relative(plan) ? posenc__toeplitz_init(&plan->bias, POSENC__RAMP_MAX, memory, problem)
                             : POSENC_OK;
}

static void slope_values(const void *context, size_t first, size_t count, double *out)
{
    const struct alibi *plan = context;

    for (size_t i = 0; i < count; i++)
        out[i] = plan->slopes[first + i].hi;
}

static double masked_value(enum posenc_dtype dtype)
{
    switch (dtype) {
    case POSENC_FLOAT16:
        return -65504.0;
    case POSENC_BFLOAT16:
        return -0x1.fep127;
    case POSENC_FLOAT32:
        return -(double)FLT_MAX;
    default:
        return -DBL_MAX;
    }
}

/* Lengths of queries and keys, given or told by the scores; the bias must be countable. */
static enum posenc_status settle_lengths(struct posenc_arguments *arguments, struct alibi *plan,
                                         struct posenc_problem *problem)
{
    if (!posenc__present(arguments, "key_length"))
        posenc__resolve(arguments, "key_length",
                        posenc_number(posenc__real(arguments, "query_length")));
    plan->heads = posenc__size(arguments, "heads");
    plan->query_length = posenc__size(arguments, "query_length");
    plan->key_length = posenc__size(arguments, "key_length");
    plan->one_sided = posenc__boolean(arguments, "one_sided");
    if (plan->one_sided && plan->heads % 2 != 0)
        return posenc__refuse(
            problem, POSENC_CONFLICT, "heads",
            "'one_sided' needs an even number of heads: one half looks left, the other "
            "right; 'heads' is %zu.",
            plan->heads);
    if (posenc__choice(arguments, "alignment") == ALIGN_BOTTOM_RIGHT)
        plan->offset = (double)plan->key_length - (double)plan->query_length;
    return POSENC_OK;
}

/* BLOOM: a key's position is the number of unmasked keys before it; a masked key's is 0. */
static enum posenc_status settle_key_positions(struct posenc_arguments *arguments,
                                               struct alibi *plan, struct posenc_memory *memory,
                                               struct posenc_problem *problem)
{
    const struct posenc_array *mask = posenc__array(arguments, "attention_mask");

    if (!mask)
        return POSENC_OK;
    if (mask->shape[0] != plan->key_length)
        return posenc__refuse(problem, POSENC_CONFLICT, "attention_mask",
                              "'attention_mask' has %zu entries, but 'key_length' is %zu.",
                              mask->shape[0], plan->key_length);
    if (plan->form != KEY_INDEX && plan->form != KEY_INDEX_RIGHT)
        return posenc__refuse(
            problem, POSENC_CONFLICT, "attention_mask",
            "'attention_mask' gives keys BLOOM's positions, which belong to the forms "
            "'key_index' and 'key_index_right'.");
    double *positions = posenc_allocate(memory, plan->key_length, sizeof(*positions));
    const double *entries = mask->data;
    double seen = 0;

    if (!positions)
        return posenc__no_memory(problem);
    for (size_t j = 0; j < plan->key_length; j++) {
        seen += entries[j];
        positions[j] = entries[j] * (seen - 1);
    }
    plan->key_positions = positions;
    return POSENC_OK;
}

static enum posenc_status settle_options(struct posenc_arguments *arguments, struct alibi *plan,
                                         struct posenc_problem *problem)
{
    plan->form = posenc__choice(arguments, "form");
    if (!posenc__present(arguments, "mask"))
        posenc__resolve(arguments, "mask", posenc_text(plan->form == SIGNED ? "causal" : "none"));
    plan->causal = posenc__is_causal(arguments);
    if (plan->causal && posenc__boolean(arguments, "one_sided"))
        return posenc__refuse(problem, POSENC_CONFLICT, "one_sided",
                              "'one_sided' masks one side for each half of the heads, and the "
                              "causal mask would leave the second half one key each; give 'form' "
                              "symmetric, or 'mask' none.");
    plan->is_bfloat16 = posenc__choice(arguments, "arithmetic") == ARITHMETIC_BFLOAT16;
    plan->distance_scale = posenc__real(arguments, "distance_scale");
    plan->masked = posenc__choice(arguments, "masked") == MASKED_INFINITY
                       ? -(double)INFINITY
                       : masked_value(posenc__dtype(arguments));
    if (!posenc__present(arguments, "slopes") && !posenc__present(arguments, "heads"))
        return posenc__refuse(
            problem, POSENC_MISSING_PARAMETER, "heads",
            "'heads' is required: the number of attention heads, each with a slope of its own.");
    return POSENC_OK;
}

/* Falcon adds the bias to scores before attention's scale, which apply makes up for. */
static enum posenc_status settle_output_scale(const struct posenc_arguments *arguments,
                                              struct alibi *plan, struct posenc_problem *problem)
{
    const bool is_apply = posenc_find_argument(arguments, "scores") != NULL;

    plan->output_scale = 1;
    if (!is_apply || !posenc__boolean(arguments, "inside_scale"))
        return POSENC_OK;
    if (!posenc__present(arguments, "dim"))
        return posenc__refuse(
            problem, POSENC_MISSING_PARAMETER, "dim",
            "'dim' is required: with 'inside_scale' the bias is divided by sqrt(dim), "
            "the head dimension.");
    plan->output_scale = 1 / sqrt(posenc__real(arguments, "dim"));
    return POSENC_OK;
}

static enum posenc_status alibi_prepare(struct posenc_arguments *arguments,
                                        struct posenc_memory *memory, struct alibi *plan,
                                        struct posenc_problem *problem)
{
    *plan = (struct alibi){0};
    enum posenc_status status = settle_options(arguments, plan, problem);

    if (status == POSENC_OK && !posenc__present(arguments, "heads"))
        posenc__resolve(arguments, "heads",
                        posenc_number((double)posenc__array(arguments, "slopes")->shape[0]));
    if (status == POSENC_OK)
        status = settle_lengths(arguments, plan, problem);
    if (status == POSENC_OK)
        status = settle_key_positions(arguments, plan, memory, problem);
    if (status == POSENC_OK)
        status = posenc__alibi_slopes(arguments, plan->one_sided, plan->is_bfloat16, memory,
                                      &plan->slopes, &plan->right_slopes, problem);
    if (status == POSENC_OK)
        status = settle_output_scale(arguments, plan, problem);
    if (status == POSENC_OK)
        status = settle_windows(plan, memory, problem);
    return status;
}

static struct posenc__bias alibi_bias_of(const struct alibi *plan)
{
    if (is_relative(plan))
        return posenc__toeplitz_bias(&plan->bias);
    return (struct posenc__bias){.shape = {plan->heads, plan->query_length, plan->key_length},
                                 .values = key_values,
                                 .plan = plan};
}

static enum posenc_status alibi_make(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc__bias *bias,
                                     struct posenc_problem *problem)
{
    struct alibi *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    const enum posenc_status status = alibi_prepare(arguments, memory, plan, problem);

    if (status != POSENC_OK)
        return status;
    *bias = alibi_bias_of(plan);
    return POSENC_OK;
}

static const struct posenc__bias_source alibi_bias = {.make = alibi_make};

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct alibi *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    enum posenc_status status = alibi_prepare(arguments, memory, plan, problem);

    if (status != POSENC_OK)
        return status;
    const struct posenc__bias bias = alibi_bias_of(plan);

    status = posenc__add_bias_tensor(arguments, memory, result, &bias, problem);
    if (status != POSENC_OK)
        return status;
    return posenc__add_tensor(result, memory, problem, "slopes", posenc__dtype(arguments), 1,
                              bias.shape, slope_values, plan);
}

static const struct posenc_operation alibi_operations[] = {
    {.name = "table",
     .summary = "the bias of every head, query and key, and the slopes",
     .groups = POSENC__GROUPS(posenc__alibi_rows, posenc__dtype_rows, posenc__preset_rows),
     .tensors =
         POSENC__TENSORS({POSENC__BIAS_TENSOR}, {"slopes", "[heads]", "the slope of each head"}),
     .plan = plan_table},
    {POSENC__BIAS_APPLY(posenc__alibi_rows, posenc__alibi_apply_rows, posenc__dtype_rows,
                        posenc__preset_rows)},
    {.name = NULL},
};

const struct posenc_encoding posenc__alibi = {
    .name = "alibi",
    .summary = "attention scores minus a slope times the distance, one slope a head",
    .source = "Press, Smith and Lewis, Train Short, Test Long, 2022 (arXiv 2108.12409), section 3",
    .convention =
        "slopes are positive and biases negative; key minus query; queries stand at the end of the "
        "keys (bottom_right); masked entries are -Infinity",
    .operations = alibi_operations,
    .presets = posenc__alibi_presets,
    .bias = &alibi_bias,
};
