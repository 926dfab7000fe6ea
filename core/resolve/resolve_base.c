/* The base: the dictionary's, the layer's, the file's under one of its names, the class's. */
#include <float.h>

#include "resolve_rope.h"

#define BASE_MIN DBL_MIN
#define BASE_MAX DBL_MAX

static const char base_names[] =
    "rope_theta global_rope_theta rotary_emb_base rope_freq_constant rotary_embedding_base "
    "attn_config.rope_theta rope_base";
static const char local_names[] = "rope_local_base_freq local_rope_theta swa_rope_theta";

static const char *names_of(const struct posenc__part *part,
                            const struct posenc__rotation *rotation)
{
    const struct posenc__layer_rule *rule = rotation->rule;

    if (part->type->traits & POSENC__COMPRESS && rule->is_scaled)
        return "compress_rope_theta";
    if (part->type->traits & (POSENC__LOCAL_BASE | POSENC__PROPORTIONAL) && rule->is_local)
        return local_names;
    return base_names;
}

/* ChatGLM multiplies 10000. */
static enum posenc_status apply_ratio(const struct posenc__part *part,
                                      struct posenc__rotation *rotation)
{
    struct posenc__fact fact;
    double ratio;
    const enum posenc_status status =
        posenc__part_number(part, "rope_ratio", BASE_MIN, 1e12, &fact, &ratio);

    if (status == POSENC_OK && fact.value) {
        rotation->base *= ratio;
        posenc__use_note(part, &rotation->use, "base: multiplied by rope_ratio");
    }
    return status;
}

static enum posenc_status take_inside(const struct posenc__part *part,
                                      struct posenc__rotation *rotation,
                                      const struct posenc_value *inside, bool is_shared)
{
    const char *member =
        posenc__format(part->whole->memory, "%s.rope_theta", rotation->dictionary_member);
    const struct posenc__fact outside = posenc__part_look(part, names_of(part, rotation));
    enum posenc_status status;

    rotation->base_member = member ? member : "";
    status = posenc__part_check(part, rotation->base_member, inside, false, BASE_MIN, BASE_MAX,
                                &rotation->base);
    if (status == POSENC_OK && is_shared && outside.value && !outside.from_class &&
        outside.value->kind == POSENC_NUMBER && outside.value->as.number != rotation->base)
        posenc__part_warn(part, outside.member,
                          "'%s' is %.17g, but '%s' says %.17g; the latter was used.",
                          posenc__part_path(part, outside.member), outside.value->as.number,
                          posenc__part_path(part, rotation->base_member), rotation->base);
    posenc__use_note(part, &rotation->use, "base: %s", rotation->base_member);
    return status;
}

enum posenc_status posenc__settle_base(const struct posenc__part *part,
                                       struct posenc__rotation *rotation)
{
    const struct posenc_value *inside = posenc_find_member(rotation->dictionary, "rope_theta");
    struct posenc__fact fact;
    enum posenc_status status;

    if (part->type->traits & POSENC__FIXED_BASE) {
        rotation->base = 10000;
        rotation->base_member = "rope_theta";
        posenc__use_note(part, &rotation->use, "base: fixed by the class");
        return POSENC_OK;
    }
    if (rotation->rule->base > 0) {
        rotation->base = rotation->rule->base;
        rotation->base_member = "rope_theta";
        posenc__use_note(part, &rotation->use, "base: the layer's entry of a list");
        return POSENC_OK;
    }
    if (inside && inside->kind != POSENC_NULL &&
        (rotation->is_by_type || names_of(part, rotation) == base_names))
        return take_inside(part, rotation, inside, !rotation->is_by_type);
    status = posenc__part_number(part, names_of(part, rotation), BASE_MIN, BASE_MAX, &fact,
                                 &rotation->base);
    if (status != POSENC_OK)
        return status;
    rotation->base_member = fact.value ? fact.member : "rope_theta";
    if (!fact.value) {
        rotation->base = 10000;
        posenc__part_warn(part, "rope_theta",
                          "'%s' is not in the file; 10000, which most classes have, was taken.",
                          posenc__part_path(part, "rope_theta"));
    }
    posenc__part_tell_assumed(part, &fact);
    posenc__use_note(part, &rotation->use, "base: %s%s", rotation->base_member,
                     fact.value && !fact.from_class ? "" : " of the class");
    return apply_ratio(part, rotation);
}
