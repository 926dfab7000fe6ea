/* Where queries and keys stand to each other. */
#include "relative.h"

#include <math.h>

const struct posenc_parameter posenc__relative_rows[] = {
    {POSENC__QUERY_LENGTH, .flags = POSENC_OPTIONAL,
     .fallback_note = "required, unless a tensor or a list of positions tells it"},
    {POSENC__KEY_LENGTH},
    {POSENC__QUERY_OFFSET, .flags = POSENC_OPTIONAL,
     .fallback_note = "key_length - query_length: the last query stands at the last key"},
    {.name = NULL},
};

enum { MASK_NONE, MASK_CAUSAL };

const struct posenc_parameter posenc__relative_mask_rows[] = {
    {POSENC__MASK, POSENC__DEFAULT_TEXT("causal"),
     .meaning = "causal: keys after the query are -Infinity; none: they count by their distance"},
    {.name = NULL},
};

bool posenc__is_causal(const struct posenc_arguments *arguments)
{
    return posenc__choice(arguments, "mask") == MASK_CAUSAL;
}

/* Differences must stay integers in a double. */
static enum posenc_status check_reach(const struct posenc_arguments *arguments, double queries,
                                      double keys, double offset, struct posenc_problem *problem)
{
    if (fabs(offset) + queries + keys < POSENC_POSITION_MAX)
        return POSENC_OK;
    return posenc__refuse(
        problem, POSENC_OUT_OF_RANGE,
        posenc__given(arguments, "query_offset") ? "query_offset" : "query_length",
        "Positions of queries and keys, and their differences, must not lie beyond 2^53.");
}

enum posenc_status posenc__settle_lengths(struct posenc_arguments *arguments,
                                          struct posenc__relative *lengths,
                                          struct posenc_problem *problem)
{
    if (!posenc__present(arguments, "query_length"))
        return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "query_length",
                              "'query_length' is required: the number of queries.");
    const double queries = posenc__real(arguments, "query_length");

    if (!posenc__present(arguments, "key_length"))
        posenc__resolve(arguments, "key_length", posenc_number(queries));
    const double keys = posenc__real(arguments, "key_length");

    if (!posenc__present(arguments, "query_offset"))
        posenc__resolve(arguments, "query_offset", posenc_number(keys - queries));
    const double offset = posenc__real(arguments, "query_offset");

    *lengths = (struct posenc__relative){(size_t)queries, (size_t)keys, (int64_t)offset};
    return check_reach(arguments, queries, keys, offset, problem);
}

enum posenc_status posenc__drop_lengths(struct posenc_arguments *arguments,
                                        struct posenc_problem *problem)
{
    for (const struct posenc_parameter *row = posenc__relative_rows; row->name; row++) {
        if (posenc__given(arguments, row->name))
            return posenc__refuse(problem, POSENC_CONFLICT, "relative_positions",
                                  "'relative_positions' stand instead of lengths; leave out '%s' "
                                  "or 'relative_positions'.",
                                  row->name);
        posenc__drop(arguments, row->name);
    }
    return POSENC_OK;
}
