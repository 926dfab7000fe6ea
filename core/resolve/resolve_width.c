/* How wide a head is, and which of its channels turn. */
#include <string.h>

#include "resolve_rope.h"

/* Truncated as Python's int(): the product of doubles. */
static size_t share_of(size_t dim, double share)
{
    return (size_t)((double)dim * share);
}

/* The member for a width of the layer type's own, as Gemma 4's and MiMo-V2's; or NULL. A layer's
 * entry goes before it. */
static const char *typed_width(const struct posenc__rotation *rotation)
{
    if (posenc__has_own(rotation->rule, "head_dim"))
        return NULL;
    if (rotation->rule->is_local)
        return "swa_head_dim";
    return rotation->rule->type && strncmp(rotation->rule->type, "full", 4) == 0 ? "global_head_dim"
                                                                                 : NULL;
}

/* hidden_size / num_attention_heads, rounded down. */
static enum posenc_status divide_width(const struct posenc__part *part,
                                       struct posenc__rotation *rotation)
{
    struct posenc__fact hidden, heads;
    size_t width, count;
    enum posenc_status status =
        posenc__part_size(part, POSENC__WIDTH_NAMES, 1, POSENC_DIM_MAX, &hidden, &width);

    if (status == POSENC_OK)
        status = posenc__own_size(part, rotation->rule, POSENC__HEADS_NAMES, 1, POSENC_HEADS_MAX,
                                  &heads, &count);
    if (status != POSENC_OK)
        return status;
    if (!hidden.value || !heads.value)
        return posenc__part_refuse_missing(part,
                                           hidden.value ? "num_attention_heads" : "hidden_size");
    posenc__part_tell_assumed(part, &hidden);
    posenc__part_tell_assumed(part, &heads);
    if (width % count != 0)
        posenc__part_warn(part, heads.member, "'%s' %zu does not divide '%s' %zu evenly.",
                          posenc__part_path(part, heads.member), count,
                          posenc__part_path(part, hidden.member), width);
    rotation->dim = width / count;
    rotation->dim_member = heads.member;
    posenc__use_note(part, &rotation->use, "dim: %s / %s", hidden.member, heads.member);
    return POSENC_OK;
}

/* A null in the file is no word, but it takes the class's away. */
static bool is_null(const struct posenc__part *part, const char *member)
{
    const struct posenc_value *value = posenc_find_member(part->file, member);

    return value && value->kind == POSENC_NULL;
}

/* The layer's own word, its type's, the file's or its class's; else the quotient. */
static enum posenc_status read_head_dim(const struct posenc__part *part,
                                        struct posenc__rotation *rotation)
{
    const char *const sources[] = {typed_width(rotation),
                                   "head_dim kv_channels attention_head_dim"};
    struct posenc__fact fact = {.value = NULL};
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < 2 && !fact.value && status == POSENC_OK; i++)
        if (sources[i])
            status = posenc__own_size(part, rotation->rule, sources[i], 1, POSENC__CONFIG_DIM_MAX,
                                      &fact, &rotation->dim);
    if (status != POSENC_OK)
        return status;
    if (!fact.value || (fact.from_class && is_null(part, fact.member)))
        return divide_width(part, rotation);
    posenc__part_tell_assumed(part, &fact);
    rotation->dim_member = fact.member;
    posenc__use_note(part, &rotation->use, "dim: %s%s", fact.member,
                     fact.from_class ? " of the class" : "");
    return POSENC_OK;
}

/* Latent attention: [nope | rope], whatever head_dim says. */
static enum posenc_status read_split_head(const struct posenc__part *part,
                                          struct posenc__rotation *rotation)
{
    struct posenc__fact nope_fact, rope_fact;
    size_t nope;
    enum posenc_status status = posenc__own_size(part, rotation->rule, "qk_nope_head_dim", 0,
                                                 POSENC__CONFIG_DIM_MAX, &nope_fact, &nope);

    if (status == POSENC_OK)
        status = posenc__own_size(part, rotation->rule, "qk_rope_head_dim", 2,
                                  POSENC__CONFIG_DIM_MAX, &rope_fact, &rotation->rotary_dim);
    if (status != POSENC_OK)
        return status;
    if (!nope_fact.value || !rope_fact.value)
        return posenc__part_refuse_missing(part, rope_fact.value ? "qk_nope_head_dim"
                                                                 : "qk_rope_head_dim");
    posenc__part_tell_assumed(part, &nope_fact);
    posenc__part_tell_assumed(part, &rope_fact);
    rotation->dim = nope + rotation->rotary_dim;
    rotation->rotary_offset = nope;
    rotation->dim_member = nope_fact.member;
    rotation->rotary_member = rope_fact.member;
    posenc__use_note(part, &rotation->use,
                     "dim: qk_nope_head_dim + qk_rope_head_dim; the last qk_rope_head_dim channels "
                     "turn");
    return POSENC_OK;
}

/* The indexer's head: the rotary channels stand in front. */
static enum posenc_status read_index_head(const struct posenc__part *part,
                                          struct posenc__rotation *rotation)
{
    struct posenc__fact dim_fact, rope_fact = {.member = ""};
    enum posenc_status status = posenc__part_size(part, "index_head_dim", 1, POSENC__CONFIG_DIM_MAX,
                                                  &dim_fact, &rotation->dim);

    if (status == POSENC_OK)
        status = posenc__part_size(part, "qk_rope_head_dim", 2, POSENC__CONFIG_DIM_MAX, &rope_fact,
                                   &rotation->rotary_dim);
    if (status == POSENC_OK && !rope_fact.value)
        return posenc__part_refuse_missing(part, "qk_rope_head_dim");
    rotation->dim_member = dim_fact.member;
    rotation->rotary_member = rope_fact.member;
    return status;
}

/* A share of 0 is no word for the whole head. */
static enum posenc_status check_share(const struct posenc__part *part, const char *member,
                                      const struct posenc_value *value, double *share)
{
    const enum posenc_status status = posenc__part_check(part, member, value, false, 0, 1, share);

    if (status == POSENC_OK && *share == 0)
        return posenc__part_refuse(part, POSENC_OUT_OF_RANGE, member,
                                   "'%s' is 0, so that no channel would turn.",
                                   posenc__part_path(part, member));
    return status;
}

/* The share that turns: per layer, in the dictionary, at the top, or the class's. */
static enum posenc_status read_share(const struct posenc__part *part,
                                     struct posenc__rotation *rotation, double *share,
                                     struct posenc__fact *fact)
{
    static const char names[] =
        "partial_rotary_factor rotary_pct rope_pct rotary_emb_fraction rope_percent";
    const struct posenc_value *inside =
        posenc_find_member(rotation->dictionary, "partial_rotary_factor");
    enum posenc_status status = POSENC_OK;

    *share = 0;
    *fact = posenc__part_look(part, names);
    if (part->type->traits & POSENC__PROPORTIONAL && rotation->rule->is_local)
        fact->value = NULL; /* the top-level share belongs to full layers */
    if (rotation->rule->partial > 0) {
        *share = rotation->rule->partial;
        fact->member = "partial_rotary_factors";
        return POSENC_OK;
    }
    if (inside && inside->kind != POSENC_NULL) {
        const char *member = posenc__format(part->whole->memory, "%s.partial_rotary_factor",
                                            rotation->dictionary_member);
        const struct posenc__fact outside = *fact;

        *fact = (struct posenc__fact){.value = inside, .member = member ? member : ""};
        status = check_share(part, fact->member, inside, share);
        if (status == POSENC_OK && outside.value && !outside.from_class &&
            outside.value->kind == POSENC_NUMBER && outside.value->as.number != *share)
            posenc__part_warn(part, outside.member,
                              "'%s' is %.17g, but '%s' says %.17g; the latter was used.",
                              posenc__part_path(part, outside.member), outside.value->as.number,
                              posenc__part_path(part, fact->member), *share);
        return status;
    }
    if (fact->value)
        status = check_share(part, fact->member, fact->value, share);
    return status;
}

static enum posenc_status settle_share(const struct posenc__part *part,
                                       struct posenc__rotation *rotation)
{
    struct posenc__fact share_fact, width_fact;
    double share;
    size_t width;
    enum posenc_status status = read_share(part, rotation, &share, &share_fact);

    if (status == POSENC_OK)
        status = posenc__part_size(part, "rotary_dim", 2, rotation->dim, &width_fact, &width);
    if (status != POSENC_OK)
        return status;
    const bool file_has_width = width_fact.value && !width_fact.from_class;

    rotation->share = share;
    if (rotation->is_proportional) {
        rotation->rotary_dim = rotation->dim;
        rotation->rotary_member = rotation->dim_member;
        return POSENC_OK;
    }
    rotation->rotary_dim = share > 0 ? share_of(rotation->dim, share) : rotation->dim;
    rotation->rotary_member = share > 0 ? share_fact.member : rotation->dim_member;
    if (share > 0 && !share_fact.from_class && file_has_width && width != rotation->rotary_dim)
        posenc__part_warn(part, width_fact.member,
                          "'%s' is %zu, but '%s' leaves %zu of %zu channels; the latter was used.",
                          posenc__part_path(part, width_fact.member), width,
                          posenc__part_path(part, share_fact.member), rotation->rotary_dim,
                          rotation->dim);
    else if (width_fact.value && (file_has_width || !(share > 0))) {
        rotation->rotary_dim = width;
        rotation->rotary_member = width_fact.member;
    }
    if (rotation->rotary_dim != rotation->dim)
        posenc__use_note(part, &rotation->use, "rotary_dim: %s", rotation->rotary_member);
    return POSENC_OK;
}

enum posenc_status posenc__settle_width(const struct posenc__part *part,
                                        struct posenc__rotation *rotation)
{
    struct posenc__fact fact;
    enum posenc_status status;

    if (part->type->traits & POSENC__INDEXER)
        return read_index_head(part, rotation);
    if (part->type->traits & POSENC__MLA)
        return read_split_head(part, rotation);
    status = read_head_dim(part, rotation);
    if (status != POSENC_OK)
        return status;
    if (!(part->type->traits & POSENC__ROPE_LAST))
        return settle_share(part, rotation);
    status =
        posenc__part_size(part, "qk_rope_head_dim", 2, rotation->dim, &fact, &rotation->rotary_dim);
    rotation->rotary_member = fact.member;
    rotation->rotary_offset = rotation->dim - rotation->rotary_dim;
    return status;
}
