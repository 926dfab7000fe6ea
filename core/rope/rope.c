/*
 * RoPE: rotary position embedding (Su et al., "RoFormer", 2021, section 3.4).
 *
 *   pair i at position p turns by  a = p * w_i,  w_i = base^(-2i / d),  d = rotary_dim, before any
 * scaling (y, y') = A (x cos a - x' sin a,  x' cos a + x sin a),  A the scheme's attention factor,
 * 1 for most
 */
#include "rope.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "inputs.h"
#include "wave_view.h"
#include "waves.h"

/* The dictionary's rope_theta is the base, unless another base is given beside it. */
static enum posenc_status settle_base(struct posenc_arguments *arguments,
                                      struct posenc_problem *problem)
{
    const struct posenc_value *theta =
        posenc_find_member(&posenc_find_argument(arguments, "scaling")->value, "rope_theta");

    if (!theta || theta->kind != POSENC_NUMBER)
        return POSENC_OK;
    if (posenc__given(arguments, "base") && posenc__real(arguments, "base") != theta->as.number)
        return posenc__refuse(
            problem, POSENC_CONFLICT, "base",
            "'base' is %.17g, but 'scaling.rope_theta' says %.17g; leave one of them out.",
            posenc__real(arguments, "base"), theta->as.number);
    posenc__resolve(arguments, "base", *theta);
    return POSENC_OK;
}

/* The dictionary with the top-level original_max_position_embeddings in it, as some files have it.
 */
static enum posenc_status merge_original(struct posenc_arguments *arguments,
                                         struct posenc_memory *memory, struct posenc_value *scaling,
                                         struct posenc_problem *problem)
{
    static const char name[] = "original_max_position_embeddings";
    const struct posenc_value *inside = posenc_find_member(scaling, name);

    if (!posenc__present(arguments, name) || scaling->kind != POSENC_OBJECT)
        return POSENC_OK;
    if (inside && inside->kind == POSENC_NUMBER &&
        inside->as.number != posenc__real(arguments, name))
        return posenc__refuse(problem, POSENC_CONFLICT, name,
                              "'%s' is %.17g, but 'scaling.%s' says %.17g.", name,
                              posenc__real(arguments, name), name, inside->as.number);
    if (inside)
        return POSENC_OK;
    const size_t count = scaling->as.object.count;
    struct posenc_member *members = posenc_allocate(memory, count + 1, sizeof(*members));

    if (!members)
        return posenc__no_memory(problem);
    if (count > 0)
        memcpy(members, scaling->as.object.items, count * sizeof(*members));
    members[count] = (struct posenc_member){name, posenc_find_argument(arguments, name)->value};
    *scaling = posenc_object(members, count + 1);
    return POSENC_OK;
}

/* The type deepseek_yarn is a dialect by itself: the echo, which names both, must agree. */
static void settle_dialect(struct posenc_arguments *arguments,
                           const struct posenc__rope_frequencies *frequencies)
{
    const struct posenc_argument *dialect = posenc__argument(arguments, "yarn_dialect");

    if (dialect->choice != (size_t)frequencies->yarn_dialect)
        posenc__resolve(arguments, "yarn_dialect",
                        posenc_text(dialect->row->choices[frequencies->yarn_dialect]));
}

static enum posenc_status ask_scheme(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc__rope *rope,
                                     struct posenc_problem *problem)
{
    struct posenc_value scaling = posenc_find_argument(arguments, "scaling")->value;
    struct posenc__rope_question question = {
        .dim = rope->rule == POSENC__RULE_NONE ? rope->dim : rope->frequency_dim,
        .rotary_dim = rope->frequency_dim,
        .base = posenc__real(arguments, "base"),
        .has_max_position_embeddings = posenc__present(arguments, "max_position_embeddings"),
        .has_sequence_length = posenc__present(arguments, "sequence_length"),
        .yarn_dialect = (enum posenc__yarn_dialect)posenc__choice(arguments, "yarn_dialect"),
        .arithmetic = rope->arithmetic,
    };
    enum posenc_status status = merge_original(arguments, memory, &scaling, problem);

    if (status != POSENC_OK)
        return status;
    question.scaling = scaling.kind == POSENC_OBJECT ? &scaling : NULL;
    if (question.has_max_position_embeddings)
        question.max_position_embeddings = posenc__real(arguments, "max_position_embeddings");
    if (question.has_sequence_length)
        question.sequence_length = posenc__real(arguments, "sequence_length");
    status = posenc__rope_frequencies(&question, arguments, memory, &rope->frequencies, problem);
    if (status == POSENC_OK)
        settle_dialect(arguments, &rope->frequencies);
    return status;
}

/* Frequencies as the caller gives them, in place of a scheme's. */
static enum posenc_status take_given(struct posenc_arguments *arguments, struct posenc__rope *rope,
                                     struct posenc_problem *problem)
{
    const struct posenc_array *given = posenc__array(arguments, "inv_freq");
    const double *numbers = given->data;

    if (rope->arithmetic == POSENC__ROPE_GGML)
        return posenc__refuse(problem, POSENC_CONFLICT, "inv_freq",
                              "'inv_freq' has no part in the arithmetic ggml, which carries one "
                              "product from pair to pair.");
    if (posenc__given(arguments, "base") || posenc__given(arguments, "scaling"))
        return posenc__refuse(problem, POSENC_CONFLICT, "inv_freq",
                              "'inv_freq' stands instead of 'base' and 'scaling'; leave them out.");
    if (given->shape[0] != rope->frequencies.pairs)
        return posenc__refuse(
            problem, POSENC_WRONG_SHAPE, "inv_freq",
            "'inv_freq' has %zu entries; %zu are needed, one a pair (of an axis).", given->shape[0],
            rope->frequencies.pairs);
    for (size_t i = 0; i < given->shape[0]; i++)
        rope->frequencies.radians[i] = (struct posenc__dd){numbers[i], 0};
    posenc__drop(arguments, "base");
    return POSENC_OK;
}

/* A frequency as turns per position; of patch centres, whose coordinates count turns, as it is. */
static void set_wave(struct posenc__rope *rope, size_t pair)
{
    const size_t own = rope->frequency_of_pair ? rope->frequency_of_pair[pair] : pair;
    const struct posenc__dd frequency = rope->frequencies.radians[own];

    if (rope->axes[0].extent > 0) {
        rope->waves.hi[pair] = frequency.hi;
        rope->waves.lo[pair] = frequency.lo;
    } else {
        posenc__waves_set(&rope->waves, pair, frequency);
    }
}

/* An image's coordinates repeat, are scaled or are missing: they are computed one by one. */
static enum posenc_status set_wave_rows(struct posenc__rope *rope, struct posenc_memory *memory,
                                        struct posenc_problem *problem)
{
    if (rope->rule != POSENC__RULE_NONE || rope->arithmetic == POSENC__ROPE_FLOAT32 ||
        rope->arithmetic == POSENC__ROPE_GGML)
        return POSENC_OK;
    rope->has_wave_rows = true;
    for (size_t axis = 0; axis < rope->axis_count; axis++)
        if (!posenc__wave_rows_init(&rope->wave_rows[axis], &rope->waves,
                                    &rope->axes[axis].positions, memory))
            return posenc__no_memory(problem);
    return POSENC_OK;
}

static enum posenc_status set_waves(struct posenc__rope *rope, struct posenc_memory *memory,
                                    struct posenc_problem *problem)
{
    if (!posenc__waves_init(&rope->waves, rope->pairs, memory))
        return posenc__no_memory(problem);
    for (size_t i = 0; i < rope->pairs; i++)
        set_wave(rope, i);
    for (size_t axis = 0; axis < rope->axis_count; axis++) {
        const enum posenc_status status =
            posenc__check_angles(&rope->waves, &rope->axes[axis].positions, problem);

        if (status != POSENC_OK)
            return status;
    }
    return set_wave_rows(rope, memory, problem);
}

static enum posenc_status settle_direction(const struct posenc_arguments *arguments,
                                           struct posenc__rope *rope,
                                           struct posenc_problem *problem)
{
    rope->sign = posenc__real(arguments, "direction");
    if (rope->sign == 0)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "direction",
                              "'direction' must be 1 or -1; it is 0.");
    rope->scale = posenc__choice(arguments, "attention_factor") == 0
                      ? rope->frequencies.attention_factor.hi
                      : 1;
    if (rope->arithmetic == POSENC__ROPE_FLOAT32 || rope->arithmetic == POSENC__ROPE_GGML)
        rope->scale = (float)rope->scale;
    return POSENC_OK;
}

static struct posenc_value range_value(struct posenc_memory *memory, const double pair[2])
{
    double *numbers = posenc_allocate(memory, 2, sizeof(*numbers));

    if (!numbers)
        return posenc_null();
    memcpy(numbers, pair, 2 * sizeof(*numbers));
    return posenc_numbers(numbers, 2);
}

static struct posenc_value correction_range(const struct posenc__rope_frequencies *frequencies,
                                            struct posenc_memory *memory)
{
    struct posenc_member *members = posenc_allocate(memory, 2, sizeof(*members));

    if (!members)
        return posenc_null();
    members[0] = (struct posenc_member){"raw", range_value(memory, frequencies->correction_raw)};
    members[1] = (struct posenc_member){"used", range_value(memory, frequencies->correction_used)};
    return posenc_object(members, 2);
}

static struct posenc_value region_list(const struct posenc__rope_frequencies *frequencies,
                                       struct posenc_memory *memory)
{
    struct posenc_value *items = posenc_allocate(memory, frequencies->pairs, sizeof(*items));
    struct posenc_value list = {.kind = POSENC_LIST};

    if (!items)
        return posenc_null();
    for (size_t i = 0; i < frequencies->pairs; i++)
        items[i] = posenc_text(frequencies->region[i]);
    list.as.list = (struct posenc_list){items, frequencies->pairs};
    return list;
}

static enum posenc_status derive_all(const struct posenc_arguments *arguments,
                                     const struct posenc__rope *rope, struct posenc_memory *memory,
                                     struct posenc_result *result, struct posenc_problem *problem)
{
    const struct posenc__rope_frequencies *frequencies = &rope->frequencies;
    const struct posenc_member derived[] = {
        {"rotary_dim", posenc_number((double)(2 * rope->pairs))},
        {"attention_factor", posenc_number(frequencies->attention_factor.hi)},
        {"softmax_scale_multiplier", posenc_number(frequencies->softmax_scale_multiplier)},
        {"scaling", frequencies->canonical},
        {"effective_base", frequencies->has_effective_base
                               ? posenc_number(frequencies->effective_base)
                               : posenc_null()},
        {"correction_range",
         frequencies->has_correction_range ? correction_range(frequencies, memory) : posenc_null()},
        {"sequence_length", posenc_find_argument(arguments, "sequence_length")->value},
        {"region", region_list(frequencies, memory)},
    };
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < sizeof(derived) / sizeof(*derived) && status == POSENC_OK; i++)
        if (derived[i].value.kind != POSENC_NULL || strcmp(derived[i].name, "scaling") == 0)
            status = posenc__derive(result, memory, problem, derived[i].name, derived[i].value);
    return status;
}

/* ggml's product runs through all pairs before the one that is wanted. */
static enum posenc_status check_arithmetic(const struct posenc__rope *rope,
                                           struct posenc_problem *problem)
{
    if (rope->arithmetic == POSENC__ROPE_GGML && rope->paired_dim > POSENC__GGML_DIM_MAX)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "rotary_dim",
                              "The arithmetic ggml serves at most %d channels in pairs, not %zu.",
                              POSENC__GGML_DIM_MAX, rope->paired_dim);
    return POSENC_OK;
}

/* Width, rule and positions: what is known before the frequencies. */
static enum posenc_status read_shape(struct posenc_arguments *arguments, const size_t *expected,
                                     const char *tensor, struct posenc_memory *memory,
                                     struct posenc_result *result, struct posenc__rope *rope,
                                     struct posenc_problem *problem)
{
    enum posenc_status status = posenc__rope_settle_width(arguments, problem);

    if (status != POSENC_OK)
        return status;
    *rope = (struct posenc__rope){
        .dim = posenc__size(arguments, "dim"),
        .rotary_dim = posenc__size(arguments, "rotary_dim"),
        .paired_dim = posenc__rope_paired_dim(arguments),
        .rotary_offset = posenc__size(arguments, "rotary_offset"),
        .arithmetic = (enum posenc__rope_arithmetic)posenc__choice(arguments, "arithmetic")};
    status = check_arithmetic(rope, problem);
    if (status == POSENC_OK)
        status = posenc__rope_settle_rule(arguments, rope, problem);
    return status == POSENC_OK
               ? posenc__rope_read_axes(arguments, expected, tensor, memory, result, rope, problem)
               : status;
}

/* Frequencies, and the pairs that have them. */
static enum posenc_status set_pairs(struct posenc_arguments *arguments,
                                    struct posenc_memory *memory, struct posenc_result *result,
                                    struct posenc__rope *rope, struct posenc_problem *problem)
{
    enum posenc_status status = ask_scheme(arguments, memory, rope, problem);

    if (status == POSENC_OK && posenc__present(arguments, "inv_freq"))
        status = take_given(arguments, rope, problem);
    if (status != POSENC_OK)
        return status;
    rope->pairs = rope->block_pairs = rope->frequencies.pairs;
    if (rope->rule != POSENC__RULE_NONE)
        status = posenc__rope_deal_image(arguments, rope, memory, result, problem);
    assert(status != POSENC_OK || 2 * rope->pairs <= rope->paired_dim);
    return status == POSENC_OK ? set_waves(rope, memory, problem) : status;
}

enum posenc_status posenc__rope_prepare(struct posenc_arguments *arguments, const size_t *expected,
                                        const char *tensor, struct posenc_memory *memory,
                                        struct posenc_result *result,
                                        struct posenc__rope **prepared,
                                        struct posenc_problem *problem)
{
    struct posenc__rope *rope = posenc_allocate(memory, 1, sizeof(*rope));
    enum posenc_status status = settle_base(arguments, problem);

    if (!rope)
        return posenc__no_memory(problem);
    *prepared = rope;
    if (status == POSENC_OK)
        status = read_shape(arguments, expected, tensor, memory, result, rope, problem);
    if (status == POSENC_OK)
        status = set_pairs(arguments, memory, result, rope, problem);
    if (status == POSENC_OK)
        status = settle_direction(arguments, rope, problem);
    return status == POSENC_OK ? derive_all(arguments, rope, memory, result, problem) : status;
}

/* A negated frequency turns the other way. */
static enum posenc_status copy_waves(const struct posenc__rope *rope, struct posenc__waves *waves,
                                     struct posenc_memory *memory, struct posenc_problem *problem)
{
    if (!posenc__waves_init(waves, rope->pairs, memory))
        return posenc__no_memory(problem);
    for (size_t i = 0; i < rope->pairs; i++) {
        waves->hi[i] = rope->sign * rope->waves.hi[i];
        waves->lo[i] = rope->sign * rope->waves.lo[i];
    }
    return POSENC_OK;
}

/* A row's columns are those of the tensor cos_sin. */
static enum posenc_status read_waves(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc__wave_view *view, struct posenc_problem *problem)
{
    const bool has_positions = posenc__names_positions(arguments);
    const size_t none = 0;
    struct posenc__rope *rope = NULL;
    const enum posenc_status status = posenc__rope_prepare(arguments, has_positions ? NULL : &none,
                                                           NULL, memory, result, &rope, problem);

    if (status != POSENC_OK)
        return status;
    *view = (struct posenc__wave_view){.cosines = rope->pairs,
                                       .amplitude = rope->scale,
                                       .has_one_axis = rope->axis_count == 1,
                                       .width = 2 * rope->pairs,
                                       .sine_start = rope->pairs,
                                       .stride = 1,
                                       .has_positions = has_positions,
                                       .positions = rope->axes[0].positions};
    return copy_waves(rope, &view->waves, memory, problem);
}

static const struct posenc__wave_source rope_waves = {.needs = POSENC__NAMES("dim"),
                                                      .read = read_waves};

static const struct posenc_operation rope_operations[] = {
    {.name = "table",
     .summary = "cos and sin of every position and pair, and the frequencies",
     .groups =
         (const struct posenc_parameter *const[]){posenc__rope_position_rows, posenc__rope_rows,
                                                  posenc__rope_vision_rows, posenc__rope_table_rows,
                                                  posenc__dtype_rows, posenc__preset_rows, NULL},
     .tensors =
         (const struct posenc_tensor_row[]){
             {"cos", "[length, pairs], or [length, 2 pairs] as table_layout says",
              "cosines times the attention factor"},
             {"sin", "[length, pairs], as cos", "sines times the attention factor"},
             {"cos_sin", "[length, 2 pairs]",
              "instead of both with table_layout cos_sin: cosines, then sines"},
             {"inv_freq", "[pairs]; with axes_rule those of one axis, or of both that alternate",
              "radians per position; in frequency_dtype"},
             {"interpolation_weight", "[pairs], as inv_freq",
              "0 for a pair that the scheme keeps, 1 for one that it scales wholly"},
             {.name = NULL}},
     .float64_tensors = POSENC__NAMES("inv_freq", "interpolation_weight"),
     .plan = posenc__rope_plan_table},
    {.name = "apply",
     .summary = "rotates tensors",
     .takes_tensors = true,
     .groups =
         (const struct posenc_parameter *const[]){
             posenc__rope_apply_rows, posenc__sequence_axis_rows, posenc__rope_position_rows,
             posenc__rope_rows, posenc__rope_vision_rows, posenc__dtype_rows, posenc__preset_rows,
             NULL},
     .tensors =
         (const struct posenc_tensor_row[]){
             {"x", "[..., length, dim]", "x rotated, where x was sent"},
             {"q", "[..., length, dim]", "q rotated, where q was sent"},
             {"k", "[..., length, dim]", "k rotated, where k was sent"},
             {.name = NULL}},
     .plan = posenc__rope_plan_apply},
    {.name = NULL},
};

const struct posenc_encoding posenc__rope = {
    .name = "rope",
    .summary = "pairs of channels turned by an angle that grows with the position",
    .source = "Su et al., RoFormer, 2021 (arXiv 2104.09864), section 3.4",
    .convention = "counter-clockwise by position * frequency unless direction is -1; the layout "
                  "says which channels "
                  "make a pair; cos and sin carry the attention factor unless it is omitted",
    .aliases = POSENC__NAMES("rotary"),
    .operations = rope_operations,
    .presets = posenc__rope_presets,
    .waves = &rope_waves,
    .faults = posenc__rope_faults,
};
