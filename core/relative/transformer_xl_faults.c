/* What people make of Transformer-XL's rows of distances. */
#include "transformer_xl.h"
#include "wave_faults.h"

static enum posenc_status plan_fault(enum posenc__wave_fault fault,
                                     struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct posenc__wave_view view;
    const enum posenc_status status =
        posenc__transformer_xl_view(arguments, memory, &view, problem);

    return status == POSENC_OK
               ? posenc__add_wrong_waves(fault, &view, arguments, memory, result, problem)
               : status;
}

#define PLAN(id, name, words)                                                                      \
    static enum posenc_status plan_##id(                                                           \
        struct posenc_arguments *arguments, struct posenc_memory *memory,                          \
        struct posenc_result *result, struct posenc_problem *problem)                              \
    {                                                                                              \
        return plan_fault(POSENC__WAVES_##id, arguments, memory, result, problem);                 \
    }
#define ROW(id, name, words) {name, words, "table", plan_##id},

POSENC__WAVE_FAULTS(PLAN)

const struct posenc__fault posenc__transformer_xl_faults[] = {
    POSENC__WAVE_FAULTS(ROW){.name = NULL}};
