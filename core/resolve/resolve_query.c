/*
 * Scales that some models put on queries by their position, in the words of the query_scale
 * analysis.
 */
#include <string.h>

#include "resolve_rope.h"

static enum posenc_status add_number(const struct posenc__part *part,
                                     struct posenc__members *members, const char *name,
                                     const char *names, bool *found)
{
    struct posenc__fact fact;
    double number;
    const enum posenc_status status = posenc__part_number(part, names, 0, 1e15, &fact, &number);

    *found = status == POSENC_OK && fact.value;
    if (*found)
        posenc__members_add(members, name, posenc_number(number));
    return status;
}

/* Llama 4: the layers without rotation, while attn_temperature_tuning is on. */
static enum posenc_status scale_llama4(const struct posenc__part *part,
                                       struct posenc__members *members)
{
    bool found;
    enum posenc_status status;

    posenc__members_add(members, "rule", posenc_text("llama4_nope"));
    status = add_number(part, members, "attn_scale", "attn_scale", &found);
    return status == POSENC_OK ? add_number(part, members, "floor_scale", "floor_scale", &found)
                               : status;
}

/* Ministral 3: every layer; a beta of 0 is none. */
static enum posenc_status scale_ministral3(const struct posenc__part *part, double original,
                                           struct posenc__members *members, bool *is_scaled)
{
    struct posenc__fact fact;
    double beta;
    const enum posenc_status status =
        posenc__part_number(part,
                            "rope_parameters.llama_4_scaling_beta "
                            "rope_scaling.llama_4_scaling_beta llama_4_scaling_beta",
                            0, 1e15, &fact, &beta);

    *is_scaled = status == POSENC_OK && beta != 0 && original > 0;
    posenc__members_add(members, "rule", posenc_text("ministral3"));
    posenc__members_add(members, "beta", posenc_number(beta));
    posenc__members_add(members, "original_max_position_embeddings", posenc_number(original));
    return status;
}

static enum posenc_status scale_logn(const struct posenc__part *part,
                                     struct posenc__members *members, bool *is_scaled)
{
    posenc__members_add(members, "rule", posenc_text("qwen1_logn"));
    return add_number(part, members, "seq_length", "seq_length", is_scaled);
}

enum posenc_status posenc__settle_query_scale(const struct posenc__part *part,
                                              const struct posenc__layer_rule *rule,
                                              double original, struct posenc_value *scale)
{
    const unsigned traits = part->type->traits;
    struct posenc__members members;
    bool is_scaled = false;
    enum posenc_status status = POSENC_OK;

    if (!posenc__members_init(&members, 4, part->whole->memory))
        return posenc__no_memory(part->whole->problem);
    if (traits & POSENC__QUERY_LLAMA4 && !rule->rotates) {
        is_scaled = posenc__part_flag(part, "attn_temperature_tuning");
        status = scale_llama4(part, &members);
    } else if (traits & POSENC__QUERY_MINISTRAL3) {
        status = scale_ministral3(part, original, &members, &is_scaled);
    } else if (traits & POSENC__QUERY_LOGN && posenc__part_flag(part, "use_logn_attn")) {
        status = scale_logn(part, &members, &is_scaled);
    }
    *scale = is_scaled ? posenc__members_value(&members) : posenc_null();
    return status;
}
