/*
 * RoPE: rotary position embedding (Su et al., "RoFormer", 2021, section 3.4).
 *
 *   pair i at position p turns by  a = p * w_i,  w_i = base^(-2i / d),  d = rotary_dim, before any
 * scaling (y, y') = A (x cos a - x' sin a,  x' cos a + x sin a),  A the scheme's attention factor,
 * 1 for most
 */
#include "rope.h"

#include <math.h>
#include <string.h>

#include "inputs.h"
#include "waves.h"

/* A member of the scaling dictionary, or NULL. */
static const struct posenc_value *scaling_member(const struct posenc_arguments *arguments,
                                                 const char *name)
{
    return posenc_find_member(&posenc_argument(arguments, "scaling")->value, name);
}

/* The dictionary's rope_theta is the base, unless another base is given beside it. */
static enum posenc_status settle_base(struct posenc_arguments *arguments,
                                      struct posenc_problem *problem)
{
    const struct posenc_value *theta = scaling_member(arguments, "rope_theta");

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

static bool is_proportional(const struct posenc_arguments *arguments)
{
    const struct posenc_value *type = scaling_member(arguments, "rope_type");

    return type && type->kind == POSENC_TEXT && strcmp(type->as.text, "proportional") == 0;
}

/* The share of the head that turns, from the request or the dictionary; 0 when neither says. */
static enum posenc_status read_partial(const struct posenc_arguments *arguments, double *partial,
                                       const char **name, struct posenc_problem *problem)
{
    const struct posenc_value *inside =
        is_proportional(arguments) ? NULL : scaling_member(arguments, "partial_rotary_factor");
    const bool outside = posenc__present(arguments, "partial_rotary_factor");

    *partial = 0;
    *name = "partial_rotary_factor";
    if (outside)
        *partial = posenc__real(arguments, "partial_rotary_factor");
    if (!inside || inside->kind != POSENC_NUMBER)
        return POSENC_OK;
    if (outside && *partial != inside->as.number)
        return posenc__refuse(
            problem, POSENC_CONFLICT, "partial_rotary_factor",
            "'partial_rotary_factor' is %.17g, but 'scaling.partial_rotary_factor' says %.17g.",
            *partial, inside->as.number);
    *partial = inside->as.number;
    *name = outside ? *name : "scaling.partial_rotary_factor";
    return POSENC_OK;
}

static enum posenc_status check_rotary_dim(const struct posenc_arguments *arguments,
                                           const char *name, size_t rotary_dim,
                                           struct posenc_problem *problem)
{
    const size_t dim = posenc__size(arguments, "dim");

    if (rotary_dim < 2 || rotary_dim % 2 != 0 || rotary_dim > dim)
        return posenc__refuse(
            problem, POSENC_OUT_OF_RANGE, name,
            "'%s' makes %zu of %zu channels turn; it must be an even number from 2 to 'dim'.", name,
            rotary_dim, dim);
    return POSENC_OK;
}

static enum posenc_status settle_rotary_dim(struct posenc_arguments *arguments,
                                            struct posenc_problem *problem)
{
    const size_t dim = posenc__size(arguments, "dim");
    const bool given = posenc__present(arguments, "rotary_dim");
    const char *name;
    double partial;
    enum posenc_status status = read_partial(arguments, &partial, &name, problem);

    if (status != POSENC_OK)
        return status;
    /* The truncated product of doubles, as Python's int(head_dim * factor). */
    const size_t told = partial > 0 ? (size_t)((double)dim * partial) : dim;

    if (!given)
        posenc__resolve(arguments, "rotary_dim", posenc_number((double)told));
    else
        name = "rotary_dim";
    const size_t rotary_dim = posenc__size(arguments, "rotary_dim");

    if (given && partial > 0 && told != rotary_dim)
        return posenc__refuse(
            problem, POSENC_CONFLICT, "rotary_dim",
            "'rotary_dim' is %zu, but the partial rotary factor %.17g leaves %zu of %zu channels.",
            rotary_dim, partial, told, dim);
    status = check_rotary_dim(arguments, given || partial > 0 ? name : "dim", rotary_dim, problem);
    if (status == POSENC_OK && rotary_dim + posenc__size(arguments, "rotary_offset") > dim)
        return posenc__refuse(problem, POSENC_CONFLICT, "rotary_offset",
                              "'rotary_offset' %zu leaves no room for %zu channels in 'dim' %zu.",
                              posenc__size(arguments, "rotary_offset"), rotary_dim, dim);
    return status;
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
    members[count] = (struct posenc_member){name, posenc_argument(arguments, name)->value};
    *scaling = posenc_object(members, count + 1);
    return POSENC_OK;
}

static enum posenc_status ask_scheme(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc__rope *rope,
                                     struct posenc_problem *problem)
{
    struct posenc_value scaling = posenc_argument(arguments, "scaling")->value;
    struct posenc__rope_question question = {
        .dim = rope->dim,
        .rotary_dim = rope->rotary_dim,
        .base = posenc__real(arguments, "base"),
        .has_max_position_embeddings = posenc__present(arguments, "max_position_embeddings"),
        .has_sequence_length = posenc__present(arguments, "sequence_length"),
        .yarn_dialect = posenc__choice(arguments, "yarn_dialect"),
        .arithmetic = rope->arithmetic,
    };
    const enum posenc_status status = merge_original(arguments, memory, &scaling, problem);

    if (status != POSENC_OK)
        return status;
    question.scaling = scaling.kind == POSENC_OBJECT ? &scaling : NULL;
    if (question.has_max_position_embeddings)
        question.max_position_embeddings = posenc__real(arguments, "max_position_embeddings");
    if (question.has_sequence_length)
        question.sequence_length = posenc__real(arguments, "sequence_length");
    return posenc__rope_frequencies(&question, arguments, memory, &rope->frequencies, problem);
}

/* Frequencies as the caller gives them, in place of a scheme's. */
static enum posenc_status take_given(struct posenc_arguments *arguments, struct posenc__rope *rope,
                                     struct posenc_problem *problem)
{
    const struct posenc_array *given = posenc__array(arguments, "inv_freq");
    const double *numbers = given->data;

    if (posenc__given(arguments, "base") || posenc__given(arguments, "scaling"))
        return posenc__refuse(problem, POSENC_CONFLICT, "inv_freq",
                              "'inv_freq' stands instead of 'base' and 'scaling'; leave them out.");
    if (given->shape[0] != rope->frequencies.pairs)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "inv_freq",
                              "'inv_freq' has %zu entries, but 'rotary_dim' %zu has %zu pairs.",
                              given->shape[0], rope->rotary_dim, rope->frequencies.pairs);
    for (size_t i = 0; i < given->shape[0]; i++)
        rope->frequencies.radians[i] = (struct posenc__dd){numbers[i], 0};
    rope->frequencies.has_effective_base = false;
    posenc__drop(arguments, "base");
    return POSENC_OK;
}

static enum posenc_status set_waves(struct posenc__rope *rope, struct posenc_memory *memory,
                                    struct posenc_problem *problem)
{
    if (!posenc__waves_init(&rope->waves, rope->frequencies.pairs, memory))
        return posenc__no_memory(problem);
    for (size_t i = 0; i < rope->frequencies.pairs; i++)
        posenc__waves_set(&rope->waves, i, rope->frequencies.radians[i]);
    for (size_t axis = 0; axis < rope->axis_count; axis++) {
        const enum posenc_status status =
            posenc__check_angles(&rope->waves, &rope->axes[axis], problem);

        if (status != POSENC_OK)
            return status;
    }
    return POSENC_OK;
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
        {"rotary_dim", posenc_number((double)frequencies->table_dim)},
        {"attention_factor", posenc_number(frequencies->attention_factor.hi)},
        {"softmax_scale_multiplier", posenc_number(frequencies->softmax_scale_multiplier)},
        {"scaling", frequencies->canonical},
        {"effective_base", frequencies->has_effective_base
                               ? posenc_number(frequencies->effective_base)
                               : posenc_null()},
        {"correction_range",
         frequencies->has_correction_range ? correction_range(frequencies, memory) : posenc_null()},
        {"sequence_length", posenc_argument(arguments, "sequence_length")->value},
        {"region", region_list(frequencies, memory)},
    };
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < sizeof(derived) / sizeof(*derived) && status == POSENC_OK; i++)
        if (derived[i].value.kind != POSENC_NULL || strcmp(derived[i].name, "scaling") == 0)
            status = posenc__derive(result, memory, problem, derived[i].name, derived[i].value);
    return status;
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
    if (status == POSENC_OK)
        status = settle_rotary_dim(arguments, problem);
    if (status != POSENC_OK)
        return status;
    *rope = (struct posenc__rope){.dim = posenc__size(arguments, "dim"),
                                  .rotary_dim = posenc__size(arguments, "rotary_dim"),
                                  .rotary_offset = posenc__size(arguments, "rotary_offset"),
                                  .arithmetic = posenc__choice(arguments, "arithmetic")};
    *prepared = rope;
    status = posenc__rope_read_axes(arguments, expected, tensor, memory, result, rope, problem);
    if (status == POSENC_OK)
        status = ask_scheme(arguments, memory, rope, problem);
    if (status == POSENC_OK && posenc__present(arguments, "inv_freq"))
        status = take_given(arguments, rope, problem);
    if (status == POSENC_OK)
        status = set_waves(rope, memory, problem);
    if (status == POSENC_OK)
        status = settle_direction(arguments, rope, problem);
    return status == POSENC_OK ? derive_all(arguments, rope, memory, result, problem) : status;
}

static const struct posenc_operation rope_operations[] = {
    {.name = "table",
     .summary = "cos and sin of every position and pair, and the frequencies",
     .groups = (const struct posenc_parameter *const[]){posenc__position_rows, posenc__rope_rows,
                                                        posenc__rope_table_rows, posenc__dtype_rows,
                                                        NULL},
     .tensors =
         (const struct posenc_tensor_row[]){
             {"cos", "[length, pairs], or [length, 2 pairs] as table_layout says",
              "cosines times the attention factor"},
             {"sin", "as cos", "sines times the attention factor"},
             {"cos_sin", "[length, 2 pairs]",
              "instead of both with table_layout cos_sin: cosines, then sines"},
             {"inv_freq", "[pairs]", "radians per position; float64 unless dtype is given"},
             {"interpolation_weight", "[pairs]",
              "0 for a pair that the scheme keeps, 1 for one that it scales wholly"},
             {NULL}},
     .plan = posenc__rope_plan_table},
    {.name = "apply",
     .summary = "rotates tensors",
     .takes_tensors = true,
     .groups =
         (const struct posenc_parameter *const[]){posenc__rope_apply_rows,
                                                  posenc__sequence_axis_rows, posenc__position_rows,
                                                  posenc__rope_rows, posenc__dtype_rows, NULL},
     .tensors =
         (const struct posenc_tensor_row[]){
             {"x", "[..., length, dim]", "x rotated, where x was sent"},
             {"q", "[..., length, dim]", "q rotated, where q was sent"},
             {"k", "[..., length, dim]", "k rotated, where k was sent"},
             {NULL}},
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
};
