/*
 * Parameters of a rotary use, and what follows from them: the encoding itself is planned, so that
 * the same request gives the same numbers. Its problems and warnings come back under the names that
 * the file has.
 */
#include <stdio.h>
#include <string.h>

#include "resolve_rope.h"

#define PARAMETERS_MAX 16
#define DERIVED_MAX    8

static const char scaling_prefix[] = "scaling.";

/* The file's member behind a parameter of the encoding. */
static const char *file_member(const struct posenc__part *part,
                               const struct posenc__rotation *rotation, const char *parameter)
{
    const size_t prefix = strlen(scaling_prefix);
    const char *member = NULL;

    if (strncmp(parameter, scaling_prefix, prefix) == 0)
        member = posenc__format(part->whole->memory, "%s.%s", rotation->dictionary_member,
                                parameter + prefix);
    else if (strcmp(parameter, "scaling") == 0)
        member = rotation->dictionary_member;
    else if (strcmp(parameter, "mrope_section") == 0)
        member =
            posenc__format(part->whole->memory, "%s.mrope_section", rotation->dictionary_member);
    else if (strcmp(parameter, "dim") == 0)
        member = rotation->dim_member;
    else if (strcmp(parameter, "rotary_dim") == 0)
        member = rotation->rotary_member;
    else if (strcmp(parameter, "base") == 0)
        member = rotation->base_member;
    else
        member = parameter;
    return member ? member : "";
}

/* The sentence with 'scaling.x' called by its place in the file. */
static void rename_scaling(const struct posenc__part *part, const struct posenc__rotation *rotation,
                           const char *sentence, char renamed[POSENC_DETAIL_MAX])
{
    const char *place = posenc__part_path(part, rotation->dictionary_member);
    size_t length = 0;

    while (*sentence && length + 1 < POSENC_DETAIL_MAX) {
        if (strncmp(sentence, "'scaling.", 9) == 0) {
            const int written =
                snprintf(renamed + length, POSENC_DETAIL_MAX - length, "'%s.", place);

            length += written > 0 ? (size_t)written : 0;
            sentence += 9;
        } else {
            renamed[length++] = *sentence++;
        }
    }
    renamed[length < POSENC_DETAIL_MAX ? length : POSENC_DETAIL_MAX - 1] = '\0';
}

static enum posenc_status rename_problem(const struct posenc__part *part,
                                         const struct posenc__rotation *rotation)
{
    struct posenc_problem *problem = part->whole->problem;
    char detail[POSENC_DETAIL_MAX];
    const char *path = posenc__part_path(part, file_member(part, rotation, problem->parameter));

    if (problem->status == POSENC_NO_MEMORY)
        return problem->status;
    rename_scaling(part, rotation, problem->detail, detail);
    (void)snprintf(problem->detail, sizeof(problem->detail), "%s", detail);
    (void)snprintf(problem->parameter, sizeof(problem->parameter), "%s", path); /* cut if long */
    return problem->status;
}

static void take_warnings(const struct posenc__part *part, const struct posenc__rotation *rotation,
                          const struct posenc_arguments *arguments)
{
    for (size_t i = 0;
         arguments->warnings && i < arguments->warning_count && i < POSENC_WARNINGS_MAX; i++) {
        const struct posenc_warning *warning = &arguments->warnings[i];
        char detail[POSENC_DETAIL_MAX];

        rename_scaling(part, rotation, warning->detail, detail);
        posenc__part_warn(part, file_member(part, rotation, warning->parameter), "%s", detail);
    }
}

/* A tower's preset, and what its class does otherwise. */
static void add_constants(const struct posenc__part *part, struct posenc__members *parameters)
{
    const struct posenc_members *constants = &part->constants.as.object;

    for (size_t i = 0; i < constants->count; i++)
        if (strcmp(constants->items[i].name, "axes") != 0) /* it steers the frequencies */
            posenc__members_add(parameters, constants->items[i].name, constants->items[i].value);
}

/* What to send to the encoding, before it has filled in its defaults. */
static enum posenc_status write_parameters(const struct posenc__part *part,
                                           const struct posenc__rotation *rotation,
                                           const char *preset, struct posenc__members *parameters)
{
    if (!posenc__members_init(parameters, PARAMETERS_MAX, part->whole->memory))
        return posenc__no_memory(part->whole->problem);
    posenc__members_add(parameters, "dim", posenc_number((double)rotation->dim));
    if (!rotation->is_proportional)
        posenc__members_add(parameters, "rotary_dim", posenc_number((double)rotation->rotary_dim));
    if (rotation->rotary_offset > 0)
        posenc__members_add(parameters, "rotary_offset",
                            posenc_number((double)rotation->rotary_offset));
    posenc__members_add(parameters, "base", posenc_number(rotation->base));
    if (rotation->sections.kind != POSENC_NULL) {
        posenc__members_add(parameters, "mrope_section", rotation->sections);
        posenc__members_add(parameters, "mrope_order", rotation->order);
    }
    if (part->type->traits & POSENC__NEGATIVE)
        posenc__members_add(parameters, "direction", posenc_number(-1));
    if (preset)
        add_constants(part, parameters);
    return POSENC_OK;
}

/* One planning of the encoding's table, at a sequence length. */
struct planning {
    struct posenc_arguments arguments;
    struct posenc_result result;
};

static enum posenc_status plan_at(const struct posenc__part *part,
                                  const struct posenc__rotation *rotation,
                                  const struct posenc__members *parameters, double sequence_length,
                                  double max_length, struct planning **made)
{
    struct posenc_memory *memory = part->whole->memory;
    const struct posenc_encoding *rope = posenc_find("rope");
    const struct posenc_operation *table = posenc_find_operation(rope, "table");
    const struct posenc_schema schema = {.groups = table->groups, .presets = rope->presets};
    struct planning *planning = posenc_allocate(memory, 1, sizeof(*planning));
    const struct posenc_value given = posenc__members_value(parameters);
    struct posenc__members all;
    enum posenc_status status;

    if (!planning || !posenc__members_init(&all, PARAMETERS_MAX, memory))
        return posenc__no_memory(part->whole->problem);
    posenc__members_add_all(&all, &given);
    if (rotation->scaling.kind != POSENC_NULL) {
        posenc__members_add(&all, "scaling", rotation->scaling);
        if (max_length > 0)
            posenc__members_add(&all, "max_position_embeddings", posenc_number(max_length));
    }
    posenc__members_add(&all, "length", posenc_number(1));
    posenc__members_add(&all, "sequence_length", posenc_number(sequence_length));
    posenc__members_add(&all, "dtype", posenc_text("float64"));
    const struct posenc_value input = posenc__members_value(&all);

    status = posenc_bind(&schema, &input, memory, &planning->arguments, part->whole->problem);
    if (status == POSENC_OK)
        status = posenc_plan(rope, table, &planning->arguments, memory, &planning->result,
                             part->whole->problem);
    *made = planning;
    return status == POSENC_OK ? POSENC_OK : rename_problem(part, rotation);
}

static enum posenc_status take_frequencies(const struct posenc__part *part,
                                           const struct posenc_result *result,
                                           struct posenc_value *value)
{
    const struct posenc_tensor *tensor = posenc_find_tensor(result, "inv_freq");
    double *numbers = posenc_allocate(part->whole->memory, tensor->count, sizeof(*numbers));

    if (!numbers)
        return posenc__no_memory(part->whole->problem);
    tensor->fill(tensor->plan, 0, tensor->count, numbers);
    *value = posenc_numbers(numbers, tensor->count);
    return POSENC_OK;
}

/* What only latent attention puts into its softmax, and what the others leave out. */
static double softmax_multiplier(const struct posenc__part *part,
                                 const struct posenc_value *derived)
{
    const struct posenc_value *told = posenc_find_member(derived, "softmax_scale_multiplier");
    return part->type->traits & POSENC__MLA && told && told->kind == POSENC_NUMBER ? told->as.number
                                                                                   : 1.0;
}

static enum posenc_status take_derived(const struct posenc__part *part,
                                       const struct planning *planning, bool is_plain,
                                       struct posenc__members *derived)
{
    static const char *const copied[] = {"attention_factor", "correction_range", "effective_base"};
    const struct posenc_value all =
        posenc_object(planning->result.derived.items, planning->result.derived.count);
    struct posenc_value frequencies = posenc_null();
    const enum posenc_status status = take_frequencies(part, &planning->result, &frequencies);

    if (status != POSENC_OK)
        return status;
    posenc__members_add(derived, "inv_freq", frequencies);
    for (size_t i = 0; i < sizeof(copied) / sizeof(*copied); i++) {
        const struct posenc_value *value = posenc_find_member(&all, copied[i]);

        if (value && value->kind != POSENC_NULL)
            posenc__members_add(derived, copied[i], *value);
    }
    if (!is_plain)
        posenc__members_add(derived, "softmax_scale_multiplier",
                            posenc_number(softmax_multiplier(part, &all)));
    return POSENC_OK;
}

/* LongRoPE has a second table, for sequences beyond the trained length. */
static enum posenc_status add_long(const struct posenc__part *part,
                                   const struct posenc__rotation *rotation,
                                   const struct posenc__members *parameters, double max_length,
                                   const struct posenc_value *canonical,
                                   struct posenc__members *derived)
{
    const struct posenc_value *type = posenc_find_member(canonical, "rope_type");
    const struct posenc_value *original =
        posenc_find_member(canonical, "original_max_position_embeddings");
    struct planning *planning = NULL;
    struct posenc_value frequencies = posenc_null();
    enum posenc_status status;

    if (!type || strcmp(type->as.text, "longrope") != 0 || !original)
        return POSENC_OK;
    status = plan_at(part, rotation, parameters, original->as.number + 1, max_length, &planning);
    if (status == POSENC_OK)
        status = take_frequencies(part, &planning->result, &frequencies);
    if (status == POSENC_OK)
        posenc__members_add(derived, "inv_freq_long", frequencies);
    return status;
}

static bool is_scheme(const struct posenc_value *canonical, const char *name)
{
    const struct posenc_value *type = posenc_find_member(canonical, "rope_type");

    return type && type->kind == POSENC_TEXT && strcmp(type->as.text, name) == 0;
}

/* Frequencies of a vision preset: those of a plain head of one axis. */
static enum posenc_status derive_plain(const struct posenc__part *part,
                                       struct posenc__rotation *rotation, size_t plain_dim,
                                       struct posenc__members *derived)
{
    struct posenc__members plain;
    struct planning *planning = NULL;
    enum posenc_status status;

    if (!posenc__members_init(&plain, 4, part->whole->memory))
        return posenc__no_memory(part->whole->problem);
    posenc__members_add(&plain, "dim", posenc_number((double)plain_dim));
    posenc__members_add(&plain, "base", posenc_number(rotation->base));
    status = plan_at(part, rotation, &plain, 1, 0, &planning);
    return status == POSENC_OK ? take_derived(part, planning, true, derived) : status;
}

static bool names_original(const struct posenc__part *part, const struct posenc__rotation *rotation)
{
    static const char name[] = "original_max_position_embeddings";
    const struct posenc_value *inside = posenc_find_member(rotation->dictionary, name);

    return posenc__part_member(part, name) || (inside && inside->kind != POSENC_NULL);
}

/*
 * The longest sequence. llama3 only checks that its trained length is below it, which says nothing
 * where the file names but one of the two: transformers then takes what is missing from the class,
 * or from the other, warns and goes on.
 */
static enum posenc_status find_max_length(const struct posenc__part *part,
                                          const struct posenc__rotation *rotation, size_t *length)
{
    struct posenc__fact fact;
    const enum posenc_status status =
        posenc__part_size(part, POSENC__LENGTH_NAMES, 1, (size_t)1 << 52, &fact, length);
    const bool is_named = names_original(part, rotation);

    if (status != POSENC_OK || !is_scheme(&rotation->scaling, "llama3") ||
        rotation->original < (double)*length || (is_named && !fact.from_class))
        return status;
    if (is_named)
        posenc__part_warn(part, fact.member,
                          "'%s' is not in the file, and its class's %zu is not above the trained "
                          "length of the scaling, %.17g; the frequencies do not depend on it.",
                          posenc__part_path(part, fact.member), *length, rotation->original);
    *length = 0;
    return POSENC_OK;
}

static enum posenc_status derive_scaled(const struct posenc__part *part,
                                        struct posenc__rotation *rotation,
                                        struct posenc__members *parameters,
                                        struct posenc__members *derived)
{
    struct planning *planning = NULL;
    size_t max_length = 0;
    enum posenc_status status = POSENC_OK;

    if (rotation->scaling.kind != POSENC_NULL)
        status = find_max_length(part, rotation, &max_length);
    if (status == POSENC_OK)
        status = plan_at(part, rotation, parameters, 1, (double)max_length, &planning);
    if (status != POSENC_OK)
        return status;
    take_warnings(part, rotation, &planning->arguments);
    const struct posenc_value all =
        posenc_object(planning->result.derived.items, planning->result.derived.count);
    const struct posenc_value *canonical = posenc_find_member(&all, "scaling");

    status = take_derived(part, planning, false, derived);
    if (status == POSENC_OK && canonical)
        status = add_long(part, rotation, parameters, (double)max_length, canonical, derived);
    if (status != POSENC_OK || rotation->scaling.kind == POSENC_NULL || !canonical)
        return status;
    posenc__members_add(parameters, "scaling", *canonical);
    if (is_scheme(canonical, "dynamic"))
        posenc__members_add(parameters, "max_position_embeddings",
                            posenc_number((double)max_length));
    return POSENC_OK;
}

enum posenc_status posenc__derive_rotation(const struct posenc__part *part,
                                           struct posenc__rotation *rotation, const char *preset,
                                           size_t plain_dim)
{
    struct posenc__members parameters, derived;
    enum posenc_status status = write_parameters(part, rotation, preset, &parameters);

    if (status != POSENC_OK)
        return status;
    if (!posenc__members_init(&derived, DERIVED_MAX, part->whole->memory))
        return posenc__no_memory(part->whole->problem);
    status = preset ? derive_plain(part, rotation, plain_dim, &derived)
                    : derive_scaled(part, rotation, &parameters, &derived);
    if (status != POSENC_OK)
        return status;
    posenc__members_add(&parameters, "layout", posenc_text(rotation->layout));
    rotation->use.parameters = posenc__members_value(&parameters);
    rotation->use.derived = posenc__members_value(&derived);
    return POSENC_OK;
}

bool posenc__is_same(const struct posenc_value *a, const struct posenc_value *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case POSENC_NULL:
        return true;
    case POSENC_BOOLEAN:
        return a->as.boolean == b->as.boolean;
    case POSENC_NUMBER:
        return a->as.number == b->as.number;
    case POSENC_TEXT:
        return strcmp(a->as.text, b->as.text) == 0;
    case POSENC_OBJECT:
        for (size_t i = 0; i < a->as.object.count && i < b->as.object.count; i++)
            if (strcmp(a->as.object.items[i].name, b->as.object.items[i].name) != 0 ||
                !posenc__is_same(&a->as.object.items[i].value, &b->as.object.items[i].value))
                return false;
        return a->as.object.count == b->as.object.count;
    case POSENC_ARRAY:
        return a->as.array.rank == 1 && b->as.array.rank == 1 &&
               a->as.array.shape[0] == b->as.array.shape[0] &&
               memcmp(a->as.array.data, b->as.array.data, a->as.array.shape[0] * sizeof(double)) ==
                   0;
    case POSENC_LIST:
    case POSENC_RAGGED:
    case POSENC_UNTYPED:
        return false;
    }
    return false;
}
