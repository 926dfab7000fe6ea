/* Where the cells of a grid stand along each of its axes. */
#include <math.h>

#include "sinusoidal_grid.h"

static const struct posenc__dd full_turn = {0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52}; /* 2 pi */

/* DETR's cumulated masks start at 1; a line without any valid cell would end at start - 1. */
static enum posenc_status check_normalized(const struct posenc_arguments *arguments,
                                           struct posenc_problem *problem)
{
    const double least = posenc__present(arguments, "mask") ? 1 : 0;

    /* What is echoed may be sent again: values that do nothing are none. */
    if (posenc__present(arguments, "base_size") ||
        posenc__real(arguments, "interpolation_scale") != 1 ||
        posenc__real(arguments, "temporal_interpolation_scale") != 1)
        return posenc__refuse(problem, POSENC_CONFLICT, "normalize",
                              "'normalize' divides coordinates by the last one, which leaves "
                              "nothing of base_size and interpolation scales; leave them out.");
    if (posenc__real(arguments, "coordinate_start") < least)
        return posenc__refuse(problem, POSENC_CONFLICT, "coordinate_start",
                              "'normalize' divides by the last coordinate; 'coordinate_start' must "
                              "be at least %g here.",
                              least);
    return POSENC_OK;
}

/* index / (length / base_size) / interpolation scale, as a factor of the index. */
static struct posenc__dd plain_factor(const struct posenc__grid_axis *axis, bool is_frames,
                                      const struct posenc_arguments *arguments)
{
    const double scale =
        posenc__real(arguments, is_frames ? "temporal_interpolation_scale" : "interpolation_scale");

    if (is_frames || !posenc__present(arguments, "base_size"))
        return posenc__dd_divide((struct posenc__dd){1, 0}, (struct posenc__dd){scale, 0});
    return posenc__dd_divide((struct posenc__dd){posenc__real(arguments, "base_size"), 0},
                             posenc__dd_product((double)axis->length, scale));
}

enum posenc_status posenc__grid_axis_init(struct posenc__grid_axis *axis, bool is_frames,
                                          const struct posenc_arguments *arguments,
                                          struct posenc_problem *problem)
{
    const bool is_scaled = posenc__present(arguments, "coordinate_scale");
    const struct posenc__dd given = {is_scaled ? posenc__real(arguments, "coordinate_scale") : 1,
                                     0};

    axis->start = posenc__real(arguments, "coordinate_start");
    axis->normalize = posenc__boolean(arguments, "normalize");
    axis->epsilon = posenc__real(arguments, "epsilon");
    axis->counts = NULL;
    if (!axis->normalize) {
        axis->factor = posenc__dd_multiply(plain_factor(axis, is_frames, arguments), given);
        return POSENC_OK;
    }
    axis->factor = is_scaled ? given : full_turn;
    return check_normalized(arguments, problem);
}

bool posenc__grid_axis_count(struct posenc__grid_axis *axis, const struct posenc_array *mask,
                             size_t cells, struct posenc_memory *memory)
{
    size_t *counts = posenc_allocate(memory, cells, sizeof(*counts));

    if (!counts)
        return false;
    for (size_t cell = 0; cell < cells; cell++) {
        const bool is_first = cell / axis->stride % axis->length == 0;
        double valid;

        posenc__read_array(mask, cell, 1, &valid);
        counts[cell] = (is_first ? 0 : counts[cell - axis->stride]) + (valid != 0 ? 1 : 0);
    }
    axis->counts = counts;
    return true;
}

/* The count as a coordinate that starts where it should; exact. */
static struct posenc__dd from_start(const struct posenc__grid_axis *axis, size_t count)
{
    return posenc__dd_sum((double)count - 1, axis->start);
}

struct posenc__dd posenc__grid_coordinate(const struct posenc__grid_axis *axis, size_t cell)
{
    const size_t index = cell / axis->stride % axis->length;
    const size_t last_cell = cell + (axis->length - 1 - index) * axis->stride;
    const struct posenc__dd y = from_start(axis, axis->counts ? axis->counts[cell] : index + 1);
    const struct posenc__dd scaled = posenc__dd_multiply(y, axis->factor);

    if (!axis->normalize)
        return scaled;
    const struct posenc__dd last =
        from_start(axis, axis->counts ? axis->counts[last_cell] : axis->length);

    return posenc__dd_divide(scaled, posenc__dd_add(last, (struct posenc__dd){axis->epsilon, 0}));
}

double posenc__grid_coordinate_max(const struct posenc__grid_axis *axis)
{
    const double before = fabs(axis->start - 1); /* a line whose first cell does not count */
    const double last = fabs((double)axis->length - 1 + axis->start);

    /* Normalised, a coordinate is at most the last one. */
    return axis->normalize ? fabs(axis->factor.hi) : fmax(before, last) * fabs(axis->factor.hi);
}
