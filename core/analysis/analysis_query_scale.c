/* The scale that some models put on queries by their position: see query_scale.h for the rules. */
#include "analysis.h"
#include "query_scale.h"

struct scales {
    struct posenc__query_scale scale;
    struct posenc__positions positions;
};

static void scale_values(const void *context, size_t first, size_t count, double *out)
{
    const struct scales *scales = context;

    for (size_t i = 0; i < count; i++)
        out[i] = posenc__query_scale_at(&scales->scale,
                                        posenc__position_at(&scales->positions, first + i).hi);
}

static enum posenc_status check_positions(const struct posenc__positions *positions,
                                          struct posenc_problem *problem)
{
    /* Rising or falling, the smallest of offset + row * step stands at an end. */
    const size_t stride = positions->list || positions->count < 2 ? 1 : positions->count - 1;

    for (size_t i = 0; i < positions->count; i += stride)
        if (posenc__position_at(positions, i).hi < 0)
            return posenc__refuse(problem, POSENC_OUT_OF_RANGE,
                                  positions->list ? "positions" : "offset",
                                  "Queries stand at positions from 0 on; one is %.17g.",
                                  posenc__position_at(positions, i).hi);
    return POSENC_OK;
}

static enum posenc_status plan_query_scale(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    struct scales *scales = posenc_allocate(memory, 1, sizeof(*scales));

    if (!scales)
        return posenc__no_memory(problem);
    enum posenc_status status = posenc__query_scale_read(arguments, &scales->scale, problem);

    if (status == POSENC_OK)
        status = posenc__read_positions(arguments, NULL, NULL, &scales->positions, problem);
    if (status == POSENC_OK)
        status = check_positions(&scales->positions, problem);
    if (status != POSENC_OK)
        return status;
    return posenc__add_tensor(result, memory, problem, "query_scale", posenc__dtype(arguments), 1,
                              &scales->positions.count, scale_values, scales);
}

const struct posenc__quantity posenc__quantity_query_scale = {
    .operation = {.name = "query_scale",
                  .summary =
                      "what a model multiplies its queries by, so that long contexts stay sharp",
                  .groups = (const struct posenc_parameter *const[]){posenc__query_scale_rows,
                                                                     posenc__position_rows,
                                                                     posenc__dtype_rows, NULL},
                  .tensors =
                      (const struct posenc_tensor_row[]){
                          {"query_scale", "[length]", "one factor a position"}, {.name = NULL}},
                  .plan = plan_query_scale},
};
