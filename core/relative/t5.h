/* T5's parts: where buckets start (t5_starts.c), rows and presets (t5_rows.c), buckets (t5.c). */
#ifndef POSENC_T5_H
#define POSENC_T5_H

#include "internal.h"

#define POSENC__T5_BUCKETS_MAX 65536 /* a start each, of some microseconds */

extern const struct posenc_parameter posenc__t5_rows[];
extern const struct posenc_parameter posenc__t5_list_rows[];  /* relative_positions */
extern const struct posenc_parameter posenc__t5_table_rows[]; /* table, where it may be missing */
extern const struct posenc_parameter posenc__t5_apply_rows[]; /* table, where it must not */
extern const struct posenc_preset posenc__t5_presets[];

/*
 * The buckets of one direction: distances below `exact` have one each; the `spread` buckets after
 * those start ever further apart, so that the next one after the last would start at max_distance.
 */
struct posenc__t5_scale {
    int64_t exact;        /* 1 <= exact < max_distance */
    int64_t max_distance; /* below 2^53 */
    size_t spread;        /* at least 1 */
};

/*
 * Where the bucket exact + index (index < spread) starts: the smallest integer n with
 * (n / exact)^spread >= (max_distance / exact)^index.
 */
int64_t posenc__t5_start(const struct posenc__t5_scale *scale, size_t index);

#endif
