/* Values against offsets, and the first that falls below a threshold. */
#include "analysis.h"

const struct posenc_parameter posenc__offset_rows[] = {
    {.name = "offsets",
     .type = POSENC_TYPE_REALS,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "0, 1, ..., one for each position of a length that is given",
     .minimum = -POSENC_POSITION_MAX,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "how far two positions stand from each other"},
    {.name = "threshold",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_OPTIONAL,
     .fallback_note = "none",
     .meaning = "derives first_offset_below: the first of the offsets whose value lies below it"},
    {.name = NULL},
};

enum posenc_status posenc__analysis_offsets(const struct posenc_arguments *arguments,
                                            const char *length, struct posenc__positions *offsets,
                                            struct posenc_problem *problem)
{
    const struct posenc_array *list = posenc__array(arguments, "offsets");

    if (list) {
        *offsets = (struct posenc__positions){.count = list->shape[0], .list = list->data};
        return POSENC_OK;
    }
    if (!posenc__present(arguments, length))
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "offsets",
                              "'offsets' is required: a list of distances between positions.");
    *offsets = (struct posenc__positions){.count = posenc__size(arguments, length), .step = 1};
    return POSENC_OK;
}

/* The first offset of one profile below the threshold; null when there is none. */
static struct posenc_value first_below(const struct posenc__profile *profile, size_t head,
                                       double threshold)
{
    const size_t count = profile->offsets->count;
    double value;

    for (size_t i = 0; i < count; i++) {
        profile->values(profile->plan, head * count + i, 1, &value);
        if (value < threshold)
            return posenc_number(posenc__position_at(profile->offsets, i).hi);
    }
    return posenc_null();
}

static enum posenc_status derive_below(const struct posenc_arguments *arguments,
                                       const struct posenc__profile *profile,
                                       struct posenc_memory *memory, struct posenc_result *result,
                                       struct posenc_problem *problem)
{
    const double threshold = posenc__real(arguments, "threshold");
    const size_t heads = profile->has_heads ? profile->heads : 1;
    struct posenc_value *found = posenc_allocate(memory, heads, sizeof(*found));
    struct posenc_value list = {.kind = POSENC_LIST};

    if (!found)
        return posenc__no_memory(problem);
    const enum posenc_status status = posenc__analysis_limit(
        profile->offsets->count, heads * profile->cost,
        posenc__present(arguments, "offsets") ? "offsets" : "length", problem);

    if (status != POSENC_OK)
        return status;
    for (size_t head = 0; head < heads; head++)
        found[head] = first_below(profile, head, threshold);
    list.as.list = (struct posenc_list){found, heads};
    return posenc__derive(result, memory, problem, "first_offset_below",
                          profile->has_heads ? list : found[0]);
}

enum posenc_status posenc__analysis_profile(const struct posenc_arguments *arguments,
                                            const struct posenc__profile *profile,
                                            struct posenc_memory *memory,
                                            struct posenc_result *result,
                                            struct posenc_problem *problem)
{
    const size_t shape[] = {profile->heads, profile->offsets->count};
    const enum posenc_status status =
        posenc__add_tensor(result, memory, problem, profile->name, posenc__dtype(arguments),
                           profile->has_heads ? 2 : 1, profile->has_heads ? shape : shape + 1,
                           profile->values, profile->plan);

    if (status != POSENC_OK || !posenc__present(arguments, "threshold"))
        return status;
    return derive_below(arguments, profile, memory, result, problem);
}
