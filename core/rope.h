/* RoPE's parts: rows (rope_rows.c), resolution (rope.c), axes (rope_axes.c), tables and rotation.
 */
#ifndef POSENC_ROPE_H
#define POSENC_ROPE_H

#include "positions.h"
#include "rope_scaling.h"

#define POSENC__ROPE_AXES_MAX 4 /* axes that positions may have */

extern const struct posenc_parameter posenc__rope_rows[];
extern const struct posenc_parameter posenc__rope_table_rows[];
extern const struct posenc_parameter posenc__rope_apply_rows[];
extern const struct posenc_preset posenc__rope_presets[];

enum posenc__rope_layout { POSENC__HALF, POSENC__INTERLEAVED, POSENC__DEINTERLEAVED };

/* A rotary encoding with nothing left open. Pair i turns by position[axis of i] * frequency[i]. */
struct posenc__rope {
    size_t dim, rotary_dim, rotary_offset;
    size_t rows; /* positions */
    struct posenc__rope_frequencies frequencies;
    struct posenc__waves waves; /* the same frequencies as turns */
    enum posenc__rope_arithmetic arithmetic;
    size_t axis_count;
    struct posenc__positions axes[POSENC__ROPE_AXES_MAX];
    const unsigned char *axis_of_pair; /* NULL: all pairs follow axis 0 */
    double scale;                      /* multiplies cos and sin */
    double sign;                       /* 1, or -1: the angle is negated */
};

/*
 * Reads every parameter but those of one operation. `expected` rows and the width `dim` are known
 * when a tensor told them (else NULL; `dim` is then in the arguments in any case). Appends what
 * every reply derives.
 */
enum posenc_status posenc__rope_prepare(struct posenc_arguments *arguments, const size_t *expected,
                                        const char *tensor, struct posenc_memory *memory,
                                        struct posenc_result *result, struct posenc__rope **rope,
                                        struct posenc_problem *problem);

/* Positions, one list or one per axis, and which axis each pair follows. */
enum posenc_status posenc__rope_read_axes(struct posenc_arguments *arguments,
                                          const size_t *expected, const char *tensor,
                                          struct posenc_memory *memory,
                                          struct posenc_result *result, struct posenc__rope *rope,
                                          struct posenc_problem *problem);

/* cos and sin of pairs [first, first + count) of a row, scaled and signed. Either output may be
 * NULL. */
void posenc__rope_row(const struct posenc__rope *rope, size_t row, size_t first, size_t count,
                      double *cosines, double *sines);

enum posenc_status posenc__rope_plan_table(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem);
enum posenc_status posenc__rope_plan_apply(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem);

#endif
