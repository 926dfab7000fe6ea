/*
 * Swin Transformer V2's continuous positions (Liu et al., 2022, section 3.3).
 *
 *   v = 8 offset / (side - 1) of the window of training,
 *   coordinate = sign(v) log2(1 + |v|) / log2(8)
 *   bias = 16 sigmoid(network(coordinates of rows, of columns))
 *
 * The largest coordinate is log2(9) / 3 = 1.0566, not 1. A window one token wide has the offset 0
 * alone.
 */
#include <math.h>

#include "sigmoid.h"
#include "swin.h"

double posenc__swin_gate(double x)
{
    return 16 * posenc__sigmoid(x).hi;
}

/* log2(1 + 8 offset / reach) / 3, as log((reach + 8 offset) / reach) / log(8). */
static double coordinate_of(size_t offset, size_t reach)
{
    const struct posenc__dd above = {(double)(reach + 8 * offset), 0}, below = {(double)reach, 0};
    const struct posenc__dd eight = {8, 0};

    return posenc__dd_divide(posenc__dd_log(posenc__dd_divide(above, below)), posenc__dd_log(eight))
        .hi;
}

static enum posenc_status set_scales(struct posenc__swin *swin, size_t axis,
                                     struct posenc_memory *memory, struct posenc_problem *problem)
{
    const size_t side = swin->window[axis], pretrained = swin->pretrained[axis];
    double *scales = posenc_allocate(memory, side, sizeof(*scales));

    if (!scales)
        return posenc__no_memory(problem);
    if (pretrained == 1 && side > 1)
        return posenc__refuse(problem, POSENC_CONFLICT, "pretrained_window",
                              "Offsets are divided by the side of 'pretrained_window' less 1, "
                              "which must not be 0 where 'window' has more than one token.");
    scales[0] = 0;
    for (size_t offset = 1; offset < side; offset++)
        scales[offset] = coordinate_of(offset, pretrained - 1);
    swin->scales[axis] = scales;
    return POSENC_OK;
}

static enum posenc_status set_gates(struct posenc__swin *swin, struct posenc_memory *memory,
                                    struct posenc_problem *problem)
{
    const size_t count = swin->table->shape[0] * swin->heads;

    if (count > POSENC__SWIN_GATES_MAX)
        return POSENC_OK;
    double *gates = posenc_allocate(memory, count, sizeof(*gates));

    if (!gates)
        return posenc__no_memory(problem);
    posenc__read_array(swin->table, 0, count, gates);
    for (size_t i = 0; i < count; i++)
        gates[i] = posenc__swin_gate(gates[i]);
    swin->gates = gates;
    return POSENC_OK;
}

enum posenc_status posenc__swin_coordinates(struct posenc__swin *swin, struct posenc_memory *memory,
                                            struct posenc_problem *problem)
{
    enum posenc_status status = set_scales(swin, 0, memory, problem);

    if (status == POSENC_OK)
        status = set_scales(swin, 1, memory, problem);
    if (status == POSENC_OK && swin->table)
        status = set_gates(swin, memory, problem);
    return status;
}

void posenc__swin_coordinate_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__swin *swin = context;
    const size_t columns = 2 * swin->window[1] - 1;

    for (size_t i = 0; i < count; i++) {
        const size_t pair = (first + i) / 2, axis = (first + i) % 2;
        const size_t place = axis == 0 ? pair / columns : pair % columns;
        const size_t zero = swin->window[axis] - 1;

        out[i] =
            place < zero ? -swin->scales[axis][zero - place] : swin->scales[axis][place - zero];
    }
}
