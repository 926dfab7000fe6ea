/* The scaling dictionary: finding it, and writing it as the encoding takes it. */
#include <string.h>

#include "resolve_rope.h"

/* Members that the encoding takes elsewhere, or that are read apart. */
static const char apart[] =
    "rope_type type rope_theta partial_rotary_factor mrope_section mrope_interleaved "
    "xdrope_section llama_4_scaling_beta rope_interleave interleaved";

static bool is_dictionary(const struct posenc_value *value)
{
    return value && value->kind == POSENC_OBJECT && value->as.object.count > 0;
}

/* A dictionary per layer type holds objects; a plain one never does. */
static bool holds_objects(const struct posenc_value *dictionary)
{
    for (size_t i = 0; dictionary && i < dictionary->as.object.count; i++)
        if (dictionary->as.object.items[i].value.kind == POSENC_OBJECT)
            return true;
    return false;
}

static enum posenc_status check_kind(const struct posenc__part *part, const char *member)
{
    const struct posenc_value *value = posenc__part_member(part, member);

    if (!value || value->kind == POSENC_OBJECT ||
        (value->kind == POSENC_BOOLEAN && !value->as.boolean))
        return POSENC_OK;
    return posenc__part_refuse(part, POSENC_WRONG_TYPE, member, "'%s' must be an object or null.",
                               posenc__part_path(part, member));
}

static void warn_two(const struct posenc__part *part, const struct posenc_value *scaling,
                     const struct posenc_value *parameters)
{
    if (!posenc__is_same(scaling, parameters))
        posenc__part_warn(part, "rope_parameters",
                          "'%s' and '%s' differ; the former was used, as transformers does.",
                          posenc__part_path(part, "rope_scaling"),
                          posenc__part_path(part, "rope_parameters"));
}

/* Shared members beside those of the types are dropped, as vLLM does. */
static void warn_shared(const struct posenc__part *part, const struct posenc_value *dictionary,
                        const char *member)
{
    for (size_t i = 0; i < dictionary->as.object.count; i++) {
        const struct posenc_member *item = &dictionary->as.object.items[i];
        const char *path = posenc__format(part->whole->memory, "%s.%.80s", member, item->name);

        if (path && item->value.kind != POSENC_OBJECT && item->value.kind != POSENC_NULL)
            posenc__part_warn(part, path,
                              "'%s' stands among dictionaries of layer types and was left out.",
                              posenc__part_path(part, path));
    }
}

enum posenc_status posenc__find_dictionary(const struct posenc__part *part,
                                           const struct posenc_value **dictionary,
                                           const char **member, bool *by_type)
{
    const struct posenc_value *scaling = posenc__part_member(part, "rope_scaling");
    const struct posenc_value *parameters = posenc__part_member(part, "rope_parameters");
    enum posenc_status status = check_kind(part, "rope_scaling");

    if (status == POSENC_OK)
        status = check_kind(part, "rope_parameters");
    if (status != POSENC_OK)
        return status;
    *member =
        is_dictionary(scaling) || !is_dictionary(parameters) ? "rope_scaling" : "rope_parameters";
    *dictionary = is_dictionary(scaling) ? scaling : is_dictionary(parameters) ? parameters : NULL;
    if (is_dictionary(scaling) && is_dictionary(parameters))
        warn_two(part, scaling, parameters);
    if (!*dictionary) {
        *dictionary = posenc_find_member(&part->defaults, "rope_scaling");
        if (*dictionary && !part->is_general)
            posenc__part_warn(part, "rope_scaling",
                              "'%s' is not in the file; the dictionary of its class was taken.",
                              posenc__part_path(part, "rope_scaling"));
    }
    *by_type = holds_objects(*dictionary);
    if (*by_type)
        warn_shared(part, *dictionary, *member);
    return POSENC_OK;
}

static const char *text_of(const struct posenc_value *dictionary, const char *name)
{
    const struct posenc_value *value = posenc_find_member(dictionary, name);

    return value && value->kind == POSENC_TEXT ? value->as.text : NULL;
}

static bool has_number_list(const struct posenc_value *dictionary, const char *name)
{
    const struct posenc_value *value = posenc_find_member(dictionary, name);

    return value && value->kind == POSENC_ARRAY;
}

const char *posenc__scheme_of(const struct posenc__part *part,
                              const struct posenc__rotation *rotation)
{
    const struct posenc_value *dictionary = rotation->dictionary;
    const char *modern = text_of(dictionary, "rope_type"), *legacy = text_of(dictionary, "type");
    const char *scheme = modern ? modern : legacy;

    if (!dictionary && part->type->traits & POSENC__PROPORTIONAL && !rotation->rule->is_local)
        return "proportional";
    if (modern && legacy && strcmp(modern, legacy) != 0)
        posenc__part_warn(part, rotation->dictionary_member,
                          "'%s.rope_type' is '%.40s', but '%s.type' says '%.40s'; the former was "
                          "used.",
                          rotation->dictionary_member, modern, rotation->dictionary_member, legacy);
    if (!scheme || strcmp(scheme, "mrope") == 0)
        return "default";
    if (strcmp(scheme, "su") == 0)
        return "longrope";
    if (strcmp(scheme, "yarn") == 0 && has_number_list(dictionary, "short_factor") &&
        has_number_list(dictionary, "long_factor"))
        return "longrope"; /* early Phi-3 files say yarn */
    return scheme;
}

static bool is_default(const char *scheme)
{
    return strcmp(scheme, "default") == 0;
}

/* The trained length from the top of the file; both places may say it. */
static enum posenc_status read_original(const struct posenc__part *part,
                                        const struct posenc__rotation *rotation, double *original)
{
    static const char name[] = "original_max_position_embeddings";
    const struct posenc_value *inside = posenc_find_member(rotation->dictionary, name);
    struct posenc__fact fact;
    size_t top;
    const enum posenc_status status =
        posenc__part_size(part, name, 1, (size_t)1 << 52, &fact, &top);

    *original = (double)top;
    if (status != POSENC_OK || !inside || inside->kind != POSENC_NUMBER)
        return status;
    if (top != 0 && inside->as.number != (double)top)
        posenc__part_warn(part, name, "'%s' is %zu, but '%s.%s' says %.17g; the former was used.",
                          posenc__part_path(part, name), top,
                          posenc__part_path(part, rotation->dictionary_member), name,
                          inside->as.number);
    if (top == 0)
        *original = inside->as.number;
    return POSENC_OK;
}

/* llama3 needs the trained length; transformers then takes max_position_embeddings. */
static enum posenc_status assume_original(const struct posenc__part *part, double *original)
{
    struct posenc__fact fact;
    size_t length;
    const enum posenc_status status =
        posenc__part_size(part, POSENC__LENGTH_NAMES, 1, (size_t)1 << 52, &fact, &length);

    if (status != POSENC_OK || !fact.value)
        return status;
    *original = (double)length;
    posenc__part_warn(part, fact.member,
                      "The scaling names no trained length (original_max_position_embeddings); "
                      "'%s', %zu, was taken for it.",
                      posenc__part_path(part, fact.member), length);
    return POSENC_OK;
}

static void copy_members(const struct posenc_value *dictionary, bool is_unit,
                         struct posenc__members *scaling)
{
    const char *rewritten = is_unit ? "original_max_position_embeddings attention_factor"
                                    : "original_max_position_embeddings";

    for (size_t i = 0; dictionary && i < dictionary->as.object.count; i++) {
        const struct posenc_member *member = &dictionary->as.object.items[i];

        if (member->value.kind != POSENC_NULL && !posenc__has_word(apart, member->name) &&
            !posenc__has_word(rewritten, member->name))
            posenc__members_add(scaling, member->name, member->value);
    }
}

static void warn_leftovers(const struct posenc__part *part, const struct posenc__rotation *rotation)
{
    for (size_t i = 0; i < rotation->dictionary->as.object.count; i++) {
        const struct posenc_member *member = &rotation->dictionary->as.object.items[i];
        const char *path = posenc__format(part->whole->memory, "%s.%.80s",
                                          rotation->dictionary_member, member->name);

        if (path && member->value.kind != POSENC_NULL && !posenc__has_word(apart, member->name))
            posenc__part_warn(part, path,
                              "'%s' was left out: the rope_type default has no such "
                              "member.",
                              posenc__part_path(part, path));
    }
}

static bool needs_original(const char *scheme)
{
    return posenc__has_word("llama3 yarn deepseek_yarn longrope", scheme);
}

static enum posenc_status write_scaling(const struct posenc__part *part,
                                        struct posenc__rotation *rotation, const char *scheme)
{
    const size_t room = rotation->dictionary ? rotation->dictionary->as.object.count : 0;
    struct posenc__members scaling;
    enum posenc_status status = POSENC_OK;

    if (!posenc__members_init(&scaling, room + 4, part->whole->memory))
        return posenc__no_memory(part->whole->problem);
    posenc__members_add(&scaling, "rope_type", posenc_text(scheme));
    copy_members(rotation->dictionary, part->type->traits & POSENC__UNIT_FACTOR, &scaling);
    if (rotation->is_proportional && rotation->share > 0)
        posenc__members_add(&scaling, "partial_rotary_factor", posenc_number(rotation->share));
    if (rotation->original == 0 && strcmp(scheme, "llama3") == 0)
        status = assume_original(part, &rotation->original);
    if (rotation->original > 0 && needs_original(scheme))
        posenc__members_add(&scaling, "original_max_position_embeddings",
                            posenc_number(rotation->original));
    if (part->type->traits & POSENC__UNIT_FACTOR)
        posenc__members_add(&scaling, "attention_factor", posenc_number(1));
    rotation->scaling = posenc__members_value(&scaling);
    return status;
}

/* Qwen 1 says it with a flag and a length of its own. */
static enum posenc_status write_qwen(const struct posenc__part *part,
                                     struct posenc__rotation *rotation)
{
    struct posenc__fact fact;
    size_t length;
    struct posenc__members scaling;
    const enum posenc_status status =
        posenc__part_size(part, "seq_length", 1, (size_t)1 << 52, &fact, &length);

    if (status != POSENC_OK || !posenc__part_flag(part, "use_dynamic_ntk"))
        return status;
    if (!fact.value)
        return posenc__part_refuse_missing(part, "seq_length");
    if (!posenc__members_init(&scaling, 2, part->whole->memory))
        return posenc__no_memory(part->whole->problem);
    posenc__members_add(&scaling, "rope_type", posenc_text("dynamic_qwen"));
    posenc__members_add(&scaling, "seq_length", posenc_number((double)length));
    rotation->scaling = posenc__members_value(&scaling);
    posenc__use_note(part, &rotation->use, "scaling: use_dynamic_ntk with seq_length");
    return POSENC_OK;
}

static double sum_of(const struct posenc_value *list)
{
    const double *numbers = list->as.array.data;
    double sum = 0;

    for (size_t i = 0; i < list->as.array.shape[0]; i++)
        sum += numbers[i];
    return sum;
}

/* Pairs per axis: the file's, or the class's where it deals pairs at all. */
static enum posenc_status settle_sections(const struct posenc__part *part,
                                          struct posenc__rotation *rotation)
{
    const struct posenc_value *inside = posenc_find_member(rotation->dictionary, "mrope_section");
    const struct posenc_value *flag = posenc_find_member(rotation->dictionary, "mrope_interleaved");
    const struct posenc_value *outside = posenc__part_member(part, "mrope_section");
    const struct posenc_value *of_class = posenc_find_member(&part->defaults, "mrope_section");
    const struct posenc_value *sections = inside && inside->kind != POSENC_NULL ? inside
                                          : outside                             ? outside
                                                                                : of_class;
    const bool is_interleaved = flag && flag->kind == POSENC_BOOLEAN && flag->as.boolean;

    if (posenc_find_member(rotation->dictionary, "xdrope_section"))
        posenc__part_warn(part, rotation->dictionary_member,
                          "'%s.xdrope_section' deals the pairs to four axes, which these "
                          "parameters cannot say; they hold for text, where all axes agree.",
                          posenc__part_path(part, rotation->dictionary_member));
    if (!sections)
        return POSENC_OK;
    if (sections->kind != POSENC_ARRAY || sections->as.array.rank != 1)
        return posenc__part_refuse(part, POSENC_WRONG_TYPE, "mrope_section",
                                   "'mrope_section' must be a list of integers.");
    if (sections->as.array.shape[0] == 4) {
        posenc__part_warn(part, rotation->dictionary_member,
                          "The sections of '%s' deal the pairs to four axes, which these "
                          "parameters cannot say; they hold for text, where all axes agree.",
                          posenc__part_path(part, rotation->dictionary_member));
        return POSENC_OK;
    }
    if (sections == of_class && sum_of(sections) != (double)(rotation->rotary_dim / 2)) {
        posenc__part_warn(part, "rope_scaling.mrope_section",
                          "'%s' is not in the file, and the sections of its class do not fit %zu "
                          "pairs; the parameters hold for text, where all axes agree.",
                          posenc__part_path(part, "rope_scaling.mrope_section"),
                          rotation->rotary_dim / 2);
        return POSENC_OK;
    }
    if (sections == of_class)
        posenc__part_warn(part, "rope_scaling.mrope_section",
                          "'%s' is not in the file; the sections of its class were taken.",
                          posenc__part_path(part, "rope_scaling.mrope_section"));
    rotation->sections = *sections;
    rotation->order = posenc_text(part->type->order && !part->is_general ? part->type->order
                                  : is_interleaved                       ? "interleaved"
                                                                         : "chunked");
    posenc__use_note(part, &rotation->use, "mrope_section: %s, dealt %s",
                     sections == of_class ? "the class" : "the file", rotation->order.as.text);
    return POSENC_OK;
}

enum posenc_status posenc__settle_scaling(const struct posenc__part *part,
                                          struct posenc__rotation *rotation)
{
    const char *scheme = posenc__scheme_of(part, rotation);
    enum posenc_status status = read_original(part, rotation, &rotation->original);
    const bool is_untyped = rotation->dictionary && !text_of(rotation->dictionary, "rope_type") &&
                            !text_of(rotation->dictionary, "type");

    if (status == POSENC_OK)
        status = settle_sections(part, rotation);
    if (status != POSENC_OK)
        return status;
    if (part->type->traits & POSENC__QWEN_DYNAMIC && !rotation->dictionary)
        return write_qwen(part, rotation);
    if (!rotation->rule->is_scaled)
        return POSENC_OK;
    if (!is_default(scheme)) {
        posenc__use_note(part, &rotation->use, "scaling: %s%s",
                         rotation->dictionary ? rotation->dictionary_member : "the class",
                         rotation->is_by_type ? " of the layer type" : "");
        return write_scaling(part, rotation, scheme);
    }
    if (is_untyped && posenc_find_member(rotation->dictionary, "factor"))
        return posenc__part_refuse(part, POSENC_MISSING_PARAMETER, rotation->dictionary_member,
                                   "'%s' has a factor but no rope_type to say which scheme it is.",
                                   posenc__part_path(part, rotation->dictionary_member));
    if (rotation->dictionary)
        warn_leftovers(part, rotation);
    return POSENC_OK;
}
