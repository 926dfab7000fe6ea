/* What people make of RoPE, where no parameter makes it. */
#include "rope.h"

static enum posenc_status plan_exchanged_apply(struct posenc_arguments *arguments,
                                               struct posenc_memory *memory,
                                               struct posenc_result *result,
                                               struct posenc_problem *problem)
{
    return posenc__rope_plan_mistaken_apply(POSENC__ROPE_EXCHANGED, arguments, memory, result,
                                            problem);
}

static enum posenc_status plan_repeated_apply(struct posenc_arguments *arguments,
                                              struct posenc_memory *memory,
                                              struct posenc_result *result,
                                              struct posenc_problem *problem)
{
    return posenc__rope_plan_mistaken_apply(POSENC__ROPE_REPEATED, arguments, memory, result,
                                            problem);
}

#define EXCHANGED "exchanged_cos_sin", "cosines and sines are exchanged"

/* Angles t0 t1 t0 t1 for adjacent pairs, the other way round, are the layout mixed. */
const struct posenc__fault posenc__rope_faults[] = {
    {"split_repeated",
     "each frequency is repeated in a row (t0 t0 t1 t1), as adjacent pairs need it, but the "
     "rotation pairs channels of the two halves",
     "apply", plan_repeated_apply},
    {EXCHANGED, "apply", plan_exchanged_apply},
    {EXCHANGED, "table", posenc__rope_plan_exchanged_table},
    {.name = NULL},
};
