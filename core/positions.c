/* Which position stands in which row. */
#include <math.h>
#include <stdio.h>

#include "positions.h"

enum posenc_status posenc__take_positions(struct posenc_arguments *arguments,
                                          const struct posenc_array *list, const size_t *expected,
                                          const char *tensor, struct posenc__positions *positions,
                                          struct posenc_problem *problem)
{
    static const char *const instead[] = {"length", "offset", "step"};

    for (size_t i = 0; i < sizeof(instead) / sizeof(*instead); i++) {
        if (posenc__given(arguments, instead[i]))
            return posenc__refuse(problem, POSENC_CONFLICT, "positions",
                                  "'positions' stand instead of length, offset and step; leave out "
                                  "'%s' or 'positions'.",
                                  instead[i]);
        posenc__drop(arguments, instead[i]);
    }
    if (list->rank != 1)
        return posenc__refuse(
            problem, POSENC_WRONG_SHAPE, "positions",
            "'positions' must be one list here; lists per axis need more than one axis.");
    if (expected && list->shape[0] != *expected)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, "positions",
                              "'positions' has %zu entries, but the sequence axis of '%s' has %zu.",
                              list->shape[0], tensor, *expected);
    *positions = (struct posenc__positions){.count = list->shape[0], .list = list->data, .step = 1};
    return POSENC_OK;
}

static enum posenc_status positions_from_length(struct posenc_arguments *arguments,
                                                const size_t *expected, const char *tensor,
                                                struct posenc__positions *positions,
                                                struct posenc_problem *problem)
{
    if (!posenc__present(arguments, "length")) {
        if (!expected)
            return posenc__refuse(problem, POSENC_MISSING_PARAMETER, "length",
                                  "'length' is required: the number of positions; or give "
                                  "'positions', a list of them.");
        posenc__resolve(arguments, "length", posenc_number((double)*expected));
    }
    positions->count = posenc__size(arguments, "length");
    positions->list = NULL;
    positions->offset = posenc__real(arguments, "offset");
    positions->step = posenc__real(arguments, "step");
    if (expected && positions->count != *expected)
        return posenc__refuse(problem, POSENC_CONFLICT, "length",
                              "'length' is %zu, but the sequence axis of '%s' has %zu.",
                              positions->count, tensor, *expected);
    const struct posenc__dd last =
        posenc__position_at(positions, positions->count ? positions->count - 1 : 0);
    const double beyond = copysign(1, last.hi) * last.lo;

    if (!(fabs(last.hi) <= POSENC_POSITION_MAX) ||
        (fabs(last.hi) == POSENC_POSITION_MAX && beyond > 0))
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "length",
                              "The last position, offset + (length - 1) * step, lies beyond 2^53.");
    return POSENC_OK;
}

enum posenc_status posenc__read_positions(struct posenc_arguments *arguments,
                                          const size_t *expected, const char *tensor,
                                          struct posenc__positions *positions,
                                          struct posenc_problem *problem)
{
    if (posenc__present(arguments, "positions"))
        return posenc__take_positions(arguments, posenc__array(arguments, "positions"), expected,
                                      tensor, positions, problem);
    return positions_from_length(arguments, expected, tensor, positions, problem);
}

bool posenc__positions_are_plain(const struct posenc__positions *positions)
{
    if (!positions->list)
        return positions->offset == 0 && positions->step == 1;
    for (size_t i = 0; i < positions->count; i++)
        if (positions->list[i] != (double)i)
            return false;
    return true;
}

struct posenc__dd posenc__position_at(const struct posenc__positions *positions, size_t row)
{
    if (positions->list)
        return (struct posenc__dd){positions->list[row], 0};
    const struct posenc__dd walked = posenc__dd_product((double)row, positions->step);

    if (positions->offset == 0)
        return walked;
    return posenc__dd_add(walked, (struct posenc__dd){positions->offset, 0});
}
