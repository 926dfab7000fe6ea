/* Resolving a whole file: its parts, the class of each, and the answer. */
#include "resolve_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX    3 /* a part may hold parts: thinker_config.text_config */
#define VARIANTS_RUN 4 /* variants may lead to rows with variants */

/* An object of the file before its class is known. */
struct found {
    const struct posenc_value *file;
    const char *path;
    const char *component; /* that rows must have; "" for any */
    const char *called;    /* the component's name in the answer; NULL: the row's */
    const char *inherited; /* model_type of the object around it, or NULL */
};

/* Where parts stand, and what they are. */
static const struct place {
    const char *member, *component, *called;
    bool is_optional; /* passed over where its class is not known */
} places[] = {
    {"text_config", "text", NULL, false},
    {"llm_config", "text", NULL, false},
    {"language_config", "text", NULL, false},
    {"vlm_config", "text", NULL, false},
    {"thinker_config", "text", NULL, false},
    {"talker_config", "text", "talker", false},
    {"encoder", "", "encoder", false},
    {"decoder", "text", "decoder", false},
    {"discriminator", "text", "discriminator", false},
    {"generator", "text", "generator", false},
    {"vision_config", "vision", NULL, false},
    {"backbone_config", "vision", NULL, true},
    {"audio_config", "audio", NULL, false},
    {"audio_encoder", "audio", NULL, false},
    {"encoder_config", "audio", "encoder", true},
};
#define PLACE_COUNT (sizeof(places) / sizeof(*places))

/* Members that give a class away where the file names none that is known; by a text of theirs,
 * where others use the same name for something else: a DETR's position_embedding_type is "sine". */
static const struct sign {
    const char *member, *row, *texts;
    bool is_weak; /* most texts have it in common, and so have towers */
} class_signs[] = {
    {"relative_attention", "deberta-v2", NULL, false},
    {"relative_attention_num_buckets", "t5", NULL, false},
    {"attn_config.alibi", "mpt", NULL, false},
    {"alibi", "falcon", NULL, false},
    {"qk_rope_head_dim", "general(latent)", NULL, false},
    {"rope_theta", "general()", NULL, false},
    {"rope_scaling", "general()", NULL, false},
    {"rope_parameters", "general()", NULL, false},
    {"rotary_dim", "general()", NULL, false},
    {"rotary_pct", "general()", NULL, false},
    {"rotary_emb_base", "general()", NULL, false},
    {"partial_rotary_factor", "general()", NULL, false},
    {"rms_norm_eps", "general()", NULL, true},
    {"num_key_value_heads", "general()", NULL, true},
    {"position_embedding_type", "bert", "absolute relative_key relative_key_query alibi", false},
};

static const struct posenc__model_type *find_any(const char *name, const char *component)
{
    static const char *const components[] = {"text",  "encoder", "vision",
                                             "audio", "decoder", "indexer"};
    const struct posenc__model_type *row = NULL;

    if (strcmp(component, "vision") == 0 || strcmp(component, "audio") == 0)
        return posenc__find_model_type(name, component);
    for (size_t i = 0; i < sizeof(components) / sizeof(*components) && !row; i++)
        row = posenc__find_model_type(name, components[i]);
    return row;
}

static const char *text_member(const struct posenc_value *object, const char *name)
{
    const struct posenc_value *value = posenc_find_member(object, name);

    return value && value->kind == POSENC_TEXT ? value->as.text : NULL;
}

static const char *architecture_of(const struct posenc_value *object)
{
    const struct posenc_value *list = posenc_find_member(object, "architectures");

    if (!list || list->kind != POSENC_LIST || list->as.list.count == 0 ||
        list->as.list.items[0].kind != POSENC_TEXT)
        return NULL;
    return list->as.list.items[0].as.text;
}

static bool has_sign(const struct posenc__part *part, const struct sign *sign)
{
    const struct posenc_value *value = posenc__part_member(part, sign->member);

    return value && (!sign->texts ||
                     (value->kind == POSENC_TEXT && posenc__has_word(sign->texts, value->as.text)));
}

static const struct posenc__model_type *guess_class(const struct posenc__part *part)
{
    const char *type = text_member(part->file, "model_type");
    const bool is_tower = type && (strstr(type, "vision") || strstr(type, "audio"));

    for (size_t i = 0; i < sizeof(class_signs) / sizeof(*class_signs); i++)
        if (!(is_tower && class_signs[i].is_weak) && has_sign(part, &class_signs[i]))
            return find_any(class_signs[i].row, "text");
    return NULL;
}

static enum posenc_status refuse_class(const struct posenc__part *part, const char *model_type)
{
    struct posenc_problem *problem = part->whole->problem;

    if (!model_type)
        return posenc__part_refuse(part, POSENC_MISSING_PARAMETER, "model_type",
                                   "The file names no model_type, and no member says how "
                                   "positions enter.");
    (void)posenc__part_refuse(part, POSENC_OUT_OF_RANGE, "model_type",
                              "The model_type '%.80s' is not known, and no member says how "
                              "positions enter.",
                              model_type);
    (void)posenc__suggest_model_type(model_type, problem->suggestion, sizeof(problem->suggestion));
    return POSENC_OUT_OF_RANGE;
}

/* By name, by architecture, or by what the members give away. */
static enum posenc_status find_class(struct posenc__part *part, const struct found *found)
{
    const char *own = text_member(part->file, "model_type");
    const char *model_type = own ? own : found->inherited;
    const char *architecture = architecture_of(part->file);
    const bool must_be =
        strcmp(found->component, "vision") != 0 && strcmp(found->component, "audio") != 0;

    part->type = model_type ? find_any(model_type, found->component) : NULL;
    if (part->type)
        return POSENC_OK;
    if (architecture)
        part->type = posenc__find_architecture(architecture, must_be ? "text" : found->component);
    if (part->type && model_type)
        posenc__part_warn(part, "model_type",
                          "The model_type '%.80s' is not known; the architecture '%.80s' tells its "
                          "class.",
                          model_type, architecture);
    if (part->type || !must_be)
        return POSENC_OK;
    part->type = guess_class(part);
    if (!part->type)
        return refuse_class(part, model_type);
    part->is_general = strncmp(part->type->names, "general", 7) == 0;
    posenc__part_warn(part, "model_type", "%s%.80s%s; what follows comes from %s.",
                      model_type ? "The model_type '" : "",
                      model_type ? model_type : "The file names no model_type",
                      model_type ? "' is not known" : "",
                      part->is_general ? "the rules that most models share, and the layout is an "
                                         "assumption"
                                       : "members that only one class has");
    return POSENC_OK;
}

/* Whether a member has a variant's value; the class's default counts. */
static bool is_variant(const struct posenc__part *part, const struct posenc__model_variant *variant)
{
    const struct posenc_value *value = posenc__part_look(part, variant->member).value;

    if (!value)
        return strcmp(variant->value, "null") == 0;
    switch (value->kind) {
    case POSENC_TEXT:
        return strcmp(variant->value, value->as.text) == 0 || strcmp(variant->value, "any") == 0;
    case POSENC_BOOLEAN:
        return strcmp(variant->value, value->as.boolean ? "true" : "false") == 0 ||
               strcmp(variant->value, "any") == 0;
    case POSENC_NUMBER:
        return strcmp(variant->value, "any") == 0 ||
               strtod(variant->value, NULL) == value->as.number;
    default:
        return strcmp(variant->value, "any") == 0;
    }
}

static bool read_class(struct posenc__part *part)
{
    return posenc__read_facts(part->type->defaults, part->whole->memory, &part->defaults) &&
           posenc__read_facts(part->type->constants, part->whole->memory, &part->constants);
}

/* Follows variants to the row that applies. */
static bool settle_class(struct posenc__part *part)
{
    if (!read_class(part))
        return false;
    for (size_t run = 0; run < VARIANTS_RUN; run++) {
        const struct posenc__model_variant *variant = part->type->variants;

        while (variant->member && !is_variant(part, variant))
            variant++;
        if (!variant->member)
            return true;
        part->type = find_any(variant->row, "text");
        if (!read_class(part))
            return false;
    }
    return true;
}

/* A rule that no encoding here has: of a whole file a refusal, of one of its parts a warning. */
static enum posenc_status tell_foreign(const struct posenc__part *part)
{
    if (*part->path) {
        posenc__part_warn(part, "model_type", "Nothing is said of this part: it %s.",
                          part->type->note);
        return POSENC_OK;
    }
    return posenc__part_refuse(part, POSENC_OUT_OF_RANGE, "model_type",
                               "No encoding here does what this model does: it %s.",
                               part->type->note);
}

enum posenc_status posenc__resolve_part(struct posenc__part *part)
{
    bool known;
    size_t layers;
    enum posenc_status status;

    if (!settle_class(part))
        return posenc__no_memory(part->whole->problem);
    status = posenc__part_layers(part, &known, &layers);
    if (known && !part->whole->has_layers) {
        part->whole->has_layers = true;
        part->whole->layers = layers;
    }
    if (status != POSENC_OK)
        return status;
    if (part->type->kind == POSENC__KIND_FOREIGN)
        return tell_foreign(part);
    if (part->type->kind == POSENC__KIND_ROPE)
        return posenc__resolve_rope(part);
    return part->type->kind == POSENC__KIND_GRID ? posenc__resolve_grid(part)
                                                 : posenc__resolve_recipe(part);
}

/* The row and those that it adds. */
static enum posenc_status resolve_rows(struct posenc__part *part, const char *called)
{
    enum posenc_status status = POSENC_OK;

    while (part->type && status == POSENC_OK) {
        part->component = called && strcmp(part->type->component, "indexer") != 0
                              ? called
                              : part->type->component;
        status = posenc__resolve_part(part);
        part->type = part->type->also ? find_any(part->type->also, "text") : NULL;
    }
    return status;
}

static enum posenc_status resolve_leaf(struct posenc__resolution *whole, const struct found *found)
{
    struct posenc__part part = {.whole = whole,
                                .file = found->file,
                                .path = found->path,
                                .defaults = posenc_object(NULL, 0),
                                .constants = posenc_object(NULL, 0)};
    enum posenc_status status = find_class(&part, found);

    if (status != POSENC_OK)
        return status;
    if (!part.type) {
        posenc__part_warn(&part, "model_type",
                          "This %s tower is of no known class, so nothing is said of it.",
                          found->component);
        return POSENC_OK;
    }
    posenc__warn_unknown(&part);
    return resolve_rows(&part, found->called);
}

static bool is_object(const struct posenc_value *value)
{
    return value && value->kind == POSENC_OBJECT && value->as.object.count > 0;
}

/* True when the object's own members describe no stack of layers, as other objects in it do. */
static bool is_wrapper(const struct posenc_value *file)
{
    for (size_t i = 0; i < PLACE_COUNT; i++)
        if (is_object(posenc_find_member(file, places[i].member)) &&
            strcmp(places[i].component, "vision") != 0 && strcmp(places[i].component, "audio") != 0)
            return true;
    return false;
}

/* Whether a part stands at that place, of a class that is known where that matters. */
static bool has_part(const struct posenc_value *file, const struct place *place)
{
    const struct posenc_value *inner = posenc_find_member(file, place->member);

    if (!is_object(inner))
        return false;
    const char *type = text_member(inner, "model_type");

    return !place->is_optional || (type && find_any(type, place->component));
}

/* True when nothing tells the object's class, but it has parts: what it is, they are. */
static bool is_shell(struct posenc__resolution *whole, const struct found *found)
{
    const struct posenc__part part = {.whole = whole,
                                      .file = found->file,
                                      .path = found->path,
                                      .defaults = posenc_object(NULL, 0)};
    const char *own = text_member(found->file, "model_type");
    const char *architecture = architecture_of(found->file);
    bool has_any = false;

    for (size_t i = 0; i < PLACE_COUNT; i++)
        has_any = has_any || has_part(found->file, &places[i]);
    if (!has_any || (own && find_any(own, found->component)) ||
        (architecture && posenc__find_architecture(architecture, "text")) || guess_class(&part))
        return false;
    whole->is_shell = true;
    posenc__part_warn(&part, "model_type",
                      "Of the object around them nothing is known; what follows is what its parts "
                      "say.");
    return true;
}

static enum posenc_status check_types(const struct posenc__resolution *whole,
                                      const struct found *found)
{
    const struct posenc_value *type = posenc_find_member(found->file, "model_type");

    if (!type || type->kind == POSENC_TEXT || type->kind == POSENC_NULL)
        return POSENC_OK;
    const char *path = posenc__format(whole->memory, "%smodel_type", found->path);

    return posenc__refuse(whole->problem, POSENC_WRONG_TYPE, path ? path : "model_type",
                          "'%smodel_type' must be a text.", found->path);
}

static enum posenc_status resolve_object(struct posenc__resolution *whole,
                                         const struct found *found, size_t depth)
{
    const char *own = text_member(found->file, "model_type");
    enum posenc_status status = check_types(whole, found);

    if (status == POSENC_OK && !is_wrapper(found->file) && !is_shell(whole, found))
        status = resolve_leaf(whole, found);
    for (size_t i = 0; i < PLACE_COUNT && depth < DEPTH_MAX && status == POSENC_OK; i++) {
        const struct posenc_value *inner = posenc_find_member(found->file, places[i].member);
        const char *path = posenc__format(whole->memory, "%s%s.", found->path, places[i].member);
        const struct found part = {.file = inner,
                                   .path = path ? path : "",
                                   .component = places[i].component,
                                   .called = places[i].called ? places[i].called : found->called,
                                   .inherited = own ? own : found->inherited};

        if (has_part(found->file, &places[i]))
            status = resolve_object(whole, &part, depth + 1);
    }
    return status;
}

static struct posenc_value list_of(const struct posenc_value *items, size_t count)
{
    struct posenc_value list = {.kind = POSENC_LIST};

    list.as.list = (struct posenc_list){items, count};
    return list;
}

static bool write_warnings(const struct posenc__resolution *whole, struct posenc__members *answer)
{
    const struct posenc_arguments *log = whole->log;
    const size_t kept =
        log->warning_count < POSENC_WARNINGS_MAX ? log->warning_count : POSENC_WARNINGS_MAX;
    struct posenc_value *items = posenc_allocate(whole->memory, kept, sizeof(*items));

    if (!items)
        return false;
    for (size_t i = 0; i < kept; i++) {
        struct posenc_member *members = posenc_allocate(whole->memory, 2, sizeof(*members));

        if (!members)
            return false;
        members[0] = (struct posenc_member){"parameter", posenc_text(log->warnings[i].parameter)};
        members[1] = (struct posenc_member){"detail", posenc_text(log->warnings[i].detail)};
        items[i] = posenc_object(members, 2);
    }
    posenc__members_add(answer, "warnings", list_of(items, kept));
    if (log->warning_count > kept)
        posenc__members_add(answer, "warning_count", posenc_number((double)log->warning_count));
    return true;
}

static enum posenc_status write_answer(const struct posenc__resolution *whole,
                                       const struct posenc_value *config,
                                       struct posenc_value *answer)
{
    const char *model_type = text_member(config, "model_type");
    struct posenc__members members;

    if (!posenc__members_init(&members, 6, whole->memory))
        return posenc__no_memory(whole->problem);
    posenc__members_add(&members, "model_type",
                        model_type ? posenc_text(model_type) : posenc_null());
    posenc__members_add(&members, "num_hidden_layers",
                        whole->has_layers ? posenc_number((double)whole->layers) : posenc_null());
    posenc__members_add(&members, "uses", list_of(whole->uses, whole->use_count));
    posenc__members_add(&members, "softmax_scale_multiplier",
                        posenc_number(whole->softmax_scale_multiplier));
    if (!write_warnings(whole, &members))
        return posenc__no_memory(whole->problem);
    *answer = posenc__members_value(&members);
    return POSENC_OK;
}

/* True when nothing is said, or only that parts of something unknown have no positions. */
static bool says_nothing(const struct posenc__resolution *whole)
{
    for (size_t i = 0; i < whole->use_count; i++)
        if (!whole->is_shell || strcmp(text_member(&whole->uses[i], "encoding"), "none") != 0)
            return false;
    return true;
}

enum posenc_status posenc_resolve(const struct posenc_value *config, struct posenc_memory *memory,
                                  struct posenc_value *answer, struct posenc_problem *problem)
{
    struct posenc__resolution whole = {
        .memory = memory, .problem = problem, .softmax_scale_multiplier = 1};
    const struct found root = {.file = config, .path = "", .component = "text"};
    enum posenc_status status;

    if (config->kind != POSENC_OBJECT)
        return posenc__refuse(problem, POSENC_WRONG_TYPE, "",
                              "A config.json is one object of names and values.");
    if (config->as.object.count == 0)
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "model_type",
                              "The object is empty: there is nothing to resolve.");
    whole.log = posenc_allocate(memory, 1, sizeof(*whole.log));
    whole.uses = posenc_allocate(memory, POSENC_CONFIG_USES_MAX, sizeof(*whole.uses));
    if (!whole.log || !whole.uses)
        return posenc__no_memory(problem);
    memset(whole.log, 0, sizeof(*whole.log));
    status = resolve_object(&whole, &root, 0);
    if (status == POSENC_OK && says_nothing(&whole))
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "model_type",
                              "No part of the file is of a class that is known here and has "
                              "positions.");
    return status == POSENC_OK ? write_answer(&whole, config, answer) : status;
}
