/* Rotary vision towers: the parameters of a preset of rope. */
#include <math.h>
#include <string.h>

#include "resolve_rope.h"

static const char width_names[] =
    "embed_dim hidden_size vt_hidden_size width d_model memory_attention_hidden_size";
static const char heads_names[] =
    "num_heads num_attention_heads vt_num_attention_heads heads encoder_attention_heads "
    "memory_attention_num_attention_heads";

/* SAM 2's memory attention works in a part of its width. */
static enum posenc_status reduce_width(const struct posenc__part *part,
                                       struct posenc__rotation *rotation, size_t *width)
{
    struct posenc__fact fact;
    size_t rate;
    const enum posenc_status status = posenc__part_size(part, "memory_attention_downsample_rate", 1,
                                                        POSENC_DIM_MAX, &fact, &rate);

    if (status != POSENC_OK || !fact.value || rate == 1)
        return status;
    *width /= rate;
    posenc__use_note(part, &rotation->use, "dim: divided by %s, too", fact.member);
    return POSENC_OK;
}

static enum posenc_status read_head(const struct posenc__part *part,
                                    struct posenc__rotation *rotation)
{
    struct posenc__fact fact, heads;
    size_t width, count;
    enum posenc_status status =
        posenc__part_size(part, "head_dim", 1, POSENC__CONFIG_DIM_MAX, &fact, &rotation->dim);

    rotation->dim_member = rotation->rotary_member = fact.member;
    if (status != POSENC_OK || fact.value)
        return status;
    status = posenc__part_size(part, width_names, 1, POSENC_DIM_MAX, &fact, &width);
    if (status == POSENC_OK)
        status = posenc__part_size(part, heads_names, 1, POSENC_HEADS_MAX, &heads, &count);
    if (status != POSENC_OK)
        return status;
    if (!fact.value || !heads.value)
        return posenc__part_refuse_missing(part, fact.value ? "num_heads" : "hidden_size");
    status = reduce_width(part, rotation, &width);
    if (status != POSENC_OK)
        return status;
    rotation->dim = width / count;
    rotation->dim_member = rotation->rotary_member = heads.member;
    posenc__use_note(part, &rotation->use, "dim: %s / %s", fact.member, heads.member);
    return POSENC_OK;
}

/* Channels whose frequencies one axis has. */
static size_t axis_width(const struct posenc__part *part, size_t dim)
{
    const struct posenc_value *axes = posenc_find_member(&part->constants, "axes");
    const double count = axes && axes->kind == POSENC_NUMBER ? axes->as.number : 1;

    if (count == 1)
        return dim;
    return count == 3 ? dim / 3 / 2 * 2 : dim / 2;
}

/* Three axes with a block of pairs each leave the rest of the head as it is. */
static size_t turned_width(const struct posenc__part *part, size_t dim)
{
    return posenc_find_member(&part->constants, "axis_count") ? 3 * axis_width(part, dim) : dim;
}

enum posenc_status posenc__resolve_grid(const struct posenc__part *part)
{
    static const struct posenc__layer_rule plain = {.rotates = true};
    const struct posenc_value *preset = posenc_find_member(&part->constants, "preset");
    struct posenc__rotation rotation = {
        .rule = &plain,
        .layout = part->type->layout,
        .dictionary_member = "rope_parameters",
        .use = {.component = part->component, .encoding = "rope", .layers = posenc_text("all")}};
    struct posenc__fact fact;
    enum posenc_status status = read_head(part, &rotation);

    if (status == POSENC_OK)
        status = posenc__part_number(part,
                                     "rope_parameters.rope_theta rope_theta "
                                     "memory_attention_rope_theta",
                                     1e-300, 1e300, &fact, &rotation.base);
    if (status != POSENC_OK)
        return status;
    if (!fact.value)
        rotation.base = 10000;
    rotation.base_member = fact.value ? fact.member : "rope_theta";
    rotation.rotary_dim = turned_width(part, rotation.dim);
    posenc__use_note(part, &rotation.use, "base: %s",
                     fact.value && !fact.from_class ? rotation.base_member : "the class");
    posenc__use_note(part, &rotation.use, "preset and layout: the class; it also needs a grid");
    if (part->type->note)
        posenc__use_note(part, &rotation.use, "%s", part->type->note);
    status =
        posenc__derive_rotation(part, &rotation, preset->as.text, axis_width(part, rotation.dim));
    return status == POSENC_OK ? posenc__add_use(part, &rotation.use) : status;
}
