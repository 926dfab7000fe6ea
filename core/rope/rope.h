/* RoPE's parts: rows (rope_rows.c), resolution (rope.c), axes (rope_axes.c, rope_vision.c), tables
 * and rotation. */
#ifndef POSENC_ROPE_H
#define POSENC_ROPE_H

#include "positions.h"
#include "rope_scaling.h"
#include "wave_rows.h"

#define POSENC__ROPE_AXES_MAX 3     /* axes that positions may have */
#define POSENC__GGML_DIM_MAX  32768 /* its product is carried anew from pair 0 for each run */

extern const struct posenc_parameter posenc__rope_position_rows[];
extern const struct posenc_parameter posenc__rope_rows[];
extern const struct posenc_parameter posenc__rope_vision_rows[];
extern const struct posenc_parameter posenc__rope_table_rows[];
extern const struct posenc_parameter posenc__rope_apply_rows[];
extern const struct posenc_parameter posenc__rope_xpos_rows[];
extern const struct posenc_preset posenc__rope_presets[];

/* Which channels of a block make a pair. */
enum posenc__rope_layout {
    POSENC__HALF,
    POSENC__INTERLEAVED,
    POSENC__DEINTERLEAVED,
    POSENC__MIXED,         /* adjacent channels, each with an angle of its own (V-JEPA 2) */
    POSENC__REINTERLEAVED, /* no choice of a request: what undoes deinterleaved */
    POSENC__REPEATED,      /* nor this: halves turned by the angles of adjacent channels */
};

/* What people make of a rotation, where no parameter makes it: see rope_faults.c. */
enum posenc__rope_mistake {
    POSENC__ROPE_NO_MISTAKE,
    POSENC__ROPE_EXCHANGED, /* cosines and sines stand in each other's place */
    POSENC__ROPE_REPEATED,  /* the layout is POSENC__REPEATED */
};

extern const struct posenc__fault posenc__rope_faults[];

/* How frequencies are dealt to the axes of an image or a video (parameter axes_rule). */
enum posenc__rope_rule {
    POSENC__RULE_ALTERNATE,
    POSENC__RULE_BLOCKS,
    POSENC__RULE_INTERLEAVED,
    POSENC__RULE_SEPARATE,
    POSENC__RULE_NONE, /* not given */
};

/* The coordinates of one axis, one a row. */
struct posenc__rope_axis {
    struct posenc__positions positions; /* of rows, or of a grid's lines along this axis */
    size_t stride;                      /* of a grid: coordinate row / stride % count; else 0 */
    double start;                       /* added to coordinates */
    double extent; /* not 0: coordinates become (2 c + 1 - extent) / extent turns, -1 to 1 */
};

/* A rotary encoding with nothing left open. Pair i turns by coordinate[axis of i] * frequency of i.
 */
struct posenc__rope {
    size_t dim, rotary_dim, rotary_offset;
    size_t paired_dim;    /* channels in pairs: rotary_dim, or dim where some pairs stand still */
    size_t frequency_dim; /* channels that the frequencies cover: rotary_dim, or one axis's share */
    size_t rows;          /* positions */
    size_t pairs;
    size_t block_pairs; /* pairs of a block of channels that is laid out by itself */
    struct posenc__rope_frequencies frequencies;
    const unsigned *frequency_of_pair; /* NULL: its own */
    struct posenc__waves waves;        /* [pairs] the frequencies as turns */
    bool has_wave_rows;                /* all axes have rows, unlike those of an image */
    struct posenc__wave_rows wave_rows[POSENC__ROPE_AXES_MAX]; /* the waves at positions of rows */
    enum posenc__rope_arithmetic arithmetic;
    enum posenc__rope_rule rule;
    size_t axis_count;
    struct posenc__rope_axis axes[POSENC__ROPE_AXES_MAX];
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

/* The width that turns, from rotary_dim or partial_rotary_factor; resolved into rotary_dim. What is
 * in pairs fits behind rotary_offset. */
enum posenc_status posenc__rope_settle_width(struct posenc_arguments *arguments,
                                             struct posenc_problem *problem);

/* Channels in pairs: rotary_dim, but all of a head under the scheme proportional, whose pairs span
 * it; an image's axes share rotary_dim whatever the scheme. */
size_t posenc__rope_paired_dim(const struct posenc_arguments *arguments);

/* Positions, one list or one per axis, and which axis each pair follows. */
enum posenc_status posenc__rope_read_axes(struct posenc_arguments *arguments,
                                          const size_t *expected, const char *tensor,
                                          struct posenc_memory *memory,
                                          struct posenc_result *result, struct posenc__rope *rope,
                                          struct posenc_problem *problem);

/* Images and videos: the rule, which sets frequency_dim; then its axes; then which pair has what.
 */
enum posenc_status posenc__rope_settle_rule(struct posenc_arguments *arguments,
                                            struct posenc__rope *rope,
                                            struct posenc_problem *problem);
enum posenc_status posenc__rope_read_image(struct posenc_arguments *arguments,
                                           const size_t *expected, const char *tensor,
                                           struct posenc__rope *rope,
                                           struct posenc_problem *problem);
enum posenc_status posenc__rope_deal_image(const struct posenc_arguments *arguments,
                                           struct posenc__rope *rope, struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem);

/* Takes list `axis` of the positions given for several axes. */
enum posenc_status posenc__rope_take_list(struct posenc_arguments *arguments, size_t axis,
                                          const size_t *expected, const char *tensor,
                                          struct posenc__rope *rope,
                                          struct posenc_problem *problem);

/* Refuses nulls in the positions, for all but images. */
enum posenc_status posenc__rope_refuse_nulls(const struct posenc_arguments *arguments,
                                             struct posenc_problem *problem);

/* cos and sin of pairs [first, first + count) of a row, scaled and signed. Either output may be
 * NULL. */
void posenc__rope_row(const struct posenc__rope *rope, size_t row, size_t first, size_t count,
                      double *cosines, double *sines);

/* Whether posenc__rope_fill_rows() takes the fast way of waves: one axis, exact. */
bool posenc__rope_has_fast_rows(const struct posenc__rope *rope);

/* Rows [row, row + count) of all pairs, each of them its cosines and then its sines: the bits of
 * posenc__rope_row(). */
void posenc__rope_fill_rows(const struct posenc__rope *rope, size_t row, size_t count, double *out);

/* What the arithmetic rounds, as a list of texts under `rounded_steps`; nothing for exact. */
enum posenc_status posenc__rope_derive_steps(const struct posenc__rope *rope, bool applies,
                                             struct posenc_memory *memory,
                                             struct posenc_result *result,
                                             struct posenc_problem *problem);

enum posenc_status posenc__rope_plan_table(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem);
enum posenc_status posenc__rope_plan_apply(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem);

/* The table whose tensor cos_sin has sines where cosines belong; refuses other table_layouts. */
enum posenc_status posenc__rope_plan_exchanged_table(struct posenc_arguments *arguments,
                                                     struct posenc_memory *memory,
                                                     struct posenc_result *result,
                                                     struct posenc_problem *problem);

/* Rotation with a mistake. */
enum posenc_status posenc__rope_plan_mistaken_apply(enum posenc__rope_mistake mistake,
                                                    struct posenc_arguments *arguments,
                                                    struct posenc_memory *memory,
                                                    struct posenc_result *result,
                                                    struct posenc_problem *problem);

#endif
