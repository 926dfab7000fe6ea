/* T5's parts: where buckets start (t5_starts.c), rows and presets (t5_rows.c), buckets (t5.c),
 * what people make of them (t5_faults.c). */
#ifndef POSENC_T5_H
#define POSENC_T5_H

#include "bias.h"

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

/* How buckets are found: as T5 does, or as people do by mistake (t5_faults.c). */
struct posenc__t5_rule {
    int64_t (*start)(const struct posenc__t5_scale *scale, size_t index); /* rises with index */
    int sign; /* 1: key minus query; -1: query minus key, also of a list */
};

extern const struct posenc__t5_rule posenc__t5_usual;
extern const struct posenc__fault posenc__t5_faults[];

/* The bias, and the operation `table`, by a rule. */
enum posenc_status posenc__t5_make(const struct posenc__t5_rule *rule,
                                   struct posenc_arguments *arguments, struct posenc_memory *memory,
                                   struct posenc__bias *bias, struct posenc_problem *problem);
enum posenc_status posenc__t5_plan_table(const struct posenc__t5_rule *rule,
                                         struct posenc_arguments *arguments,
                                         struct posenc_memory *memory, struct posenc_result *result,
                                         struct posenc_problem *problem);

#endif
