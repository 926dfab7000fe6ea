/* per_layer_config: members that some layers have of their own, by the layer's index. */
#include <stdlib.h>
#include <string.h>

#include "resolve_layers.h"

/* What two layers must agree in to turn alike. */
static const char *const widths[] = {"head_dim", "qk_nope_head_dim", "qk_rope_head_dim",
                                     "num_attention_heads"};

/* "05" is layer 5. */
static bool read_index(const char *name, size_t *index)
{
    char *end;
    const unsigned long long number = strtoull(name, &end, 10);

    *index = (size_t)number;
    return *name >= '0' && *name <= '9' && *end == '\0' && number < POSENC_CONFIG_LAYERS_MAX;
}

enum posenc_status posenc__take_own(const struct posenc__part *part,
                                    struct posenc__layer_rules *rules)
{
    const struct posenc_value *config = posenc__part_member(part, "per_layer_config");

    if (!config)
        return POSENC_OK;
    if (config->kind != POSENC_OBJECT)
        return posenc__part_refuse(part, POSENC_WRONG_TYPE, "per_layer_config",
                                   "'%s' must be an object: a layer's index and its members.",
                                   posenc__part_path(part, "per_layer_config"));
    for (size_t i = 0; i < config->as.object.count; i++) {
        const struct posenc_member *entry = &config->as.object.items[i];
        size_t layer;

        if (entry->value.kind == POSENC_OBJECT && read_index(entry->name, &layer) &&
            layer < rules->count)
            rules->rules[layer].own = entry;
        else
            posenc__part_warn(part, "per_layer_config",
                              "The entry '%.40s' of '%s' is no object, or names no layer.",
                              entry->name, posenc__part_path(part, "per_layer_config"));
    }
    return POSENC_OK;
}

static const struct posenc_value *own_member(const struct posenc__layer_rule *rule,
                                             const char *name)
{
    const struct posenc_value *value =
        rule->own ? posenc_find_member(&rule->own->value, name) : NULL;

    return value && value->kind != POSENC_NULL ? value : NULL;
}

bool posenc__has_own(const struct posenc__layer_rule *rule, const char *name)
{
    return own_member(rule, name);
}

bool posenc__has_same_own(const struct posenc__layer_rule *a, const struct posenc__layer_rule *b)
{
    for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
        const struct posenc_value *first = own_member(a, widths[i]);
        const struct posenc_value *second = own_member(b, widths[i]);

        if (!first && !second)
            continue;
        if (!first || !second || first->kind != POSENC_NUMBER || second->kind != POSENC_NUMBER ||
            first->as.number != second->as.number)
            return false;
    }
    return true;
}

enum posenc_status posenc__own_size(const struct posenc__part *part,
                                    const struct posenc__layer_rule *rule, const char *names,
                                    size_t minimum, size_t maximum, struct posenc__fact *fact,
                                    size_t *size)
{
    for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
        const struct posenc_value *value =
            posenc__has_word(names, widths[i]) ? own_member(rule, widths[i]) : NULL;
        double number = 0;

        if (!value)
            continue;
        const char *member = posenc__format(part->whole->memory, "per_layer_config.%.40s.%s",
                                            rule->own->name, widths[i]);

        *fact = (struct posenc__fact){.value = value, .member = member ? member : ""};
        const enum posenc_status status = posenc__part_check(
            part, fact->member, value, true, (double)minimum, (double)maximum, &number);

        *size = status == POSENC_OK ? (size_t)number : 0;
        return status;
    }
    return posenc__part_size(part, names, minimum, maximum, fact, size);
}
