/* ALiBi's parts: rows and presets (alibi_rows.c), slopes (alibi_slopes.c), biases (alibi.c). */
#ifndef POSENC_ALIBI_H
#define POSENC_ALIBI_H

#include "angle.h"
#include "inputs.h"

extern const struct posenc_parameter posenc__alibi_rows[];
extern const struct posenc_parameter posenc__alibi_apply_rows[];
extern const struct posenc_preset posenc__alibi_presets[];

/*
 * The slope of each of `heads` heads for keys at or before the query, and for keys after it: given
 * ones, or the rule's. One-sided heads use the slopes of half their number twice.
 */
enum posenc_status posenc__alibi_slopes(const struct posenc_arguments *arguments, bool one_sided,
                                        bool is_bfloat16, struct posenc_memory *memory,
                                        const struct posenc__dd **slopes,
                                        const struct posenc__dd **right_slopes,
                                        struct posenc_problem *problem);

#endif
