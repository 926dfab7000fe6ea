/*
 * Rotary parts: layers with the same rule are settled once, and groups that come out alike are
 * one use.
 */
#include "resolve_rope.h"
#include "posenc_models.h"

#include <string.h>

/* Layers that share a rule. */
struct group {
    struct posenc__rotation rotation;
    size_t count;   /* layers in it */
    bool is_merged; /* another group took its layers */
};

struct grouping {
    const struct posenc__part *part;
    struct posenc__layer_rules rules;
    const struct posenc_value *dictionary;
    const char *dictionary_member;
    bool by_type;
    size_t *group_of; /* [layers, at least 1] */
    size_t count;
    struct group *groups; /* [POSENC_CONFIG_USES_MAX] */
};

static bool is_same_type(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_rule(const struct posenc__layer_rule *a, const struct posenc__layer_rule *b)
{
    return is_same_type(a->type, b->type) && a->rotates == b->rotates &&
           a->is_local == b->is_local && a->is_scaled == b->is_scaled && a->base == b->base &&
           a->partial == b->partial && posenc__has_same_own(a, b);
}

static enum posenc_status find_groups(struct grouping *grouping)
{
    const struct posenc__part *part = grouping->part;
    const size_t layers = grouping->rules.count > 0 ? grouping->rules.count : 1;

    grouping->group_of = posenc_allocate(part->whole->memory, layers, sizeof(*grouping->group_of));
    grouping->groups =
        posenc_allocate(part->whole->memory, POSENC_CONFIG_USES_MAX, sizeof(*grouping->groups));
    if (!grouping->group_of || !grouping->groups)
        return posenc__no_memory(part->whole->problem);
    for (size_t layer = 0; layer < layers; layer++) {
        const struct posenc__layer_rule *rule = &grouping->rules.rules[layer];
        size_t found = 0;

        while (found < grouping->count &&
               !is_same_rule(grouping->groups[found].rotation.rule, rule))
            found++;
        if (found == POSENC_CONFIG_USES_MAX)
            return posenc__part_refuse(part, POSENC_TOO_LARGE, "num_hidden_layers",
                                       "The layers differ in more than %d ways; that is more than "
                                       "any model does.",
                                       POSENC_CONFIG_USES_MAX);
        if (found == grouping->count)
            grouping->groups[grouping->count++] = (struct group){.rotation = {.rule = rule}};
        grouping->groups[found].count++;
        grouping->group_of[layer] = found;
    }
    return POSENC_OK;
}

/* The dictionary that a group reads; a dictionary per type may have null, which is no rotation. */
static void choose_dictionary(const struct grouping *grouping, struct posenc__rotation *rotation,
                              bool *rotates)
{
    const struct posenc__layer_rule *rule = rotation->rule;
    const unsigned traits = grouping->part->type->traits;

    rotation->dictionary = grouping->dictionary;
    rotation->dictionary_member = grouping->dictionary_member;
    rotation->is_by_type = grouping->by_type;
    if (grouping->by_type) {
        const struct posenc_value *own =
            rule->type ? posenc_find_member(grouping->dictionary, rule->type) : NULL;
        const char *member =
            posenc__format(grouping->part->whole->memory, "%s.%.80s", grouping->dictionary_member,
                           rule->type ? rule->type : "");

        *rotates = *rotates && !(own && own->kind == POSENC_NULL);
        rotation->dictionary = own && own->kind == POSENC_OBJECT ? own : NULL;
        rotation->dictionary_member = member ? member : "";
        if (!own && *rotates)
            posenc__part_warn(grouping->part, rotation->dictionary_member,
                              "There is no '%s', though layers are of that type; the defaults of "
                              "their class were taken.",
                              posenc__part_path(grouping->part, rotation->dictionary_member));
    } else if (traits & (POSENC__LOCAL_BASE | POSENC__PROPORTIONAL) && rule->is_local &&
               !(traits & POSENC__LOCAL_SCALED)) {
        rotation->dictionary = NULL; /* it is the full layers' */
    }
}

/* Latent attention has a switch for its layout, and so has its indexer. */
static const char *layout_of(const struct posenc__part *part)
{
    const bool is_indexer = part->type->traits & POSENC__INDEXER;
    const struct posenc_value *flag =
        posenc__part_member(part, is_indexer ? "indexer_rope_interleave" : "rope_interleave");

    if (flag && flag->kind == POSENC_BOOLEAN &&
        part->type->traits & (POSENC__MLA | POSENC__INDEXER))
        return !flag->as.boolean                         ? "half"
               : strcmp(part->type->layout, "half") == 0 ? "deinterleaved"
                                                         : part->type->layout;
    if (posenc__part_flag(part, "rotary_emb_interleaved"))
        return "interleaved";
    return part->type->layout;
}

static enum posenc_status settle_rotating(const struct posenc__part *part,
                                          struct posenc__rotation *rotation)
{
    enum posenc_status status;

    rotation->use.encoding = "rope";
    rotation->layout = layout_of(part);
    posenc__use_note(part, &rotation->use, "layout: %s%s", rotation->layout,
                     part->is_general ? ", assumed" : " by the class");
    rotation->is_proportional =
        rotation->rule->is_scaled && strcmp(posenc__scheme_of(part, rotation), "proportional") == 0;
    status = posenc__settle_width(part, rotation);
    if (status == POSENC_OK)
        status = posenc__settle_base(part, rotation);
    if (status == POSENC_OK)
        status = posenc__settle_scaling(part, rotation);
    return status == POSENC_OK ? posenc__derive_rotation(part, rotation, NULL, 0) : status;
}

static enum posenc_status settle_group(const struct grouping *grouping, struct group *group)
{
    struct posenc__rotation *rotation = &group->rotation;
    bool rotates = rotation->rule->rotates;
    enum posenc_status status = POSENC_OK;

    rotation->use = (struct posenc__use){.component = grouping->part->component,
                                         .encoding = "none",
                                         .layer_type = rotation->rule->type};
    choose_dictionary(grouping, rotation, &rotates);
    if (rotates)
        status = settle_rotating(grouping->part, rotation);
    if (status == POSENC_OK)
        status = posenc__settle_query_scale(grouping->part, rotation->rule, rotation->original,
                                            &rotation->use.query_scale);
    return status;
}

static bool is_alike(const struct posenc__use *a, const struct posenc__use *b)
{
    return strcmp(a->encoding, b->encoding) == 0 &&
           posenc__is_same(&a->parameters, &b->parameters) &&
           posenc__is_same(&a->query_scale, &b->query_scale);
}

/* Groups that came out alike become one; of two different types it then has none. */
static void merge_groups(struct grouping *grouping)
{
    const size_t layers = grouping->rules.count;

    for (size_t a = 0; a < grouping->count; a++)
        for (size_t b = a + 1; b < grouping->count && !grouping->groups[a].is_merged; b++) {
            struct group *kept = &grouping->groups[a], *other = &grouping->groups[b];

            if (other->is_merged || !is_alike(&kept->rotation.use, &other->rotation.use))
                continue;
            if (!is_same_type(kept->rotation.use.layer_type, other->rotation.use.layer_type))
                kept->rotation.use.layer_type = NULL;
            kept->count += other->count;
            other->is_merged = true;
            for (size_t layer = 0; layer < layers; layer++)
                if (grouping->group_of[layer] == b)
                    grouping->group_of[layer] = a;
        }
}

/* The order of the answer: what rotates before what does not, full layers before sliding ones. */
static size_t rank_of(const struct group *group)
{
    const char *type = group->rotation.use.layer_type;

    if (strcmp(group->rotation.use.encoding, "none") == 0)
        return 2;
    return type && strstr(type, "sliding") ? 1 : 0;
}

static enum posenc_status list_layers(const struct grouping *grouping, size_t index,
                                      struct posenc_value *value)
{
    const struct group *group = &grouping->groups[index];
    double *numbers;
    size_t count = 0;

    *value = posenc_text("all");
    if (grouping->rules.count == 0 || group->count == grouping->rules.count)
        return POSENC_OK;
    numbers = posenc_allocate(grouping->part->whole->memory, group->count, sizeof(*numbers));
    if (!numbers)
        return posenc__no_memory(grouping->part->whole->problem);
    for (size_t layer = 0; layer < grouping->rules.count; layer++)
        if (grouping->group_of[layer] == index)
            numbers[count++] = (double)layer;
    *value = posenc_numbers(numbers, count);
    return POSENC_OK;
}

static enum posenc_status add_groups(const struct grouping *grouping)
{
    const bool skips_none = grouping->part->type->traits & POSENC__INDEXER;
    enum posenc_status status = POSENC_OK;

    for (size_t rank = 0; rank <= 2; rank++)
        for (size_t i = 0; i < grouping->count && status == POSENC_OK; i++) {
            struct group *group = &grouping->groups[i];

            if (group->is_merged || rank_of(group) != rank || (rank == 2 && skips_none))
                continue;
            status = list_layers(grouping, i, &group->rotation.use.layers);
            if (status == POSENC_OK)
                status = posenc__add_use(grouping->part, &group->rotation.use);
        }
    return status;
}

/* The softmax multiplier of the text component, told once for the whole model. */
static void tell_softmax(const struct grouping *grouping)
{
    for (size_t i = 0; i < grouping->count; i++) {
        const struct posenc_value *told = posenc_find_member(
            &grouping->groups[i].rotation.use.derived, "softmax_scale_multiplier");

        if (told && strcmp(grouping->part->component, "text") == 0)
            grouping->part->whole->softmax_scale_multiplier = told->as.number;
    }
}

enum posenc_status posenc__resolve_rope(const struct posenc__part *part)
{
    struct grouping grouping = {.part = part};
    enum posenc_status status = posenc__find_dictionary(
        part, &grouping.dictionary, &grouping.dictionary_member, &grouping.by_type);

    if (status == POSENC_OK)
        status = posenc__read_layer_rules(part, grouping.by_type, &grouping.rules);
    if (status == POSENC_OK)
        status = find_groups(&grouping);
    for (size_t i = 0; i < grouping.count && status == POSENC_OK; i++)
        status = settle_group(&grouping, &grouping.groups[i]);
    if (status != POSENC_OK)
        return status;
    merge_groups(&grouping);
    tell_softmax(&grouping);
    return add_groups(&grouping);
}
