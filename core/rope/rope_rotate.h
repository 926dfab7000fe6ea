/* Rotating vectors by tables of cos and sin. */
#ifndef POSENC_ROPE_ROTATE_H
#define POSENC_ROPE_ROTATE_H

#include "inputs.h"
#include "level.h"
#include "rope.h"

#define POSENC__ROTATION_ROW_MAX ((size_t)4096) /* doubles of a row that is not kept in a table */

/*
 * A tensor and the table that turns its vectors. Heads share the table, and batches may. Rows of a
 * plain rotary encoding cost less to make than to fetch from far memory, so they are made where
 * they are needed, a few at a time, unless the whole table is small.
 */
struct posenc__rotation {
    const struct posenc_array *array;
    struct posenc__axes axes;
    size_t offset, pairs, block_pairs; /* as in struct posenc__rope */
    enum posenc__rope_layout layout;
    bool is_exchanged;   /* the table has sines where cosines belong, and the other way round */
    size_t batches;      /* tables; the outer axes fall into so many equal parts */
    const double *table; /* [batches][length][2][pairs]: of each row its cosines, then its sines */
    const struct posenc__rope *rope; /* makes rows in place of a table, of one batch; else NULL */
    bool rounds_steps;               /* the tensor, products and sums rounded to float32 each */
};

/* Whether pairs turn by one angle each: there is a kernel for these layouts. */
static inline bool posenc__layout_rotates(enum posenc__rope_layout layout)
{
    return layout != POSENC__MIXED && layout != POSENC__REPEATED;
}

/* Makes room for a rotation's table, of `rows` rows; NULL when memory is out. */
double *posenc__rotation_table(struct posenc__rotation *rotation, size_t rows,
                               struct posenc_memory *memory);

/* Appends the rotated tensor. */
enum posenc_status posenc__rotation_add(const struct posenc__rotation *rotation,
                                        enum posenc_dtype dtype, const char *name,
                                        struct posenc_result *result, struct posenc_memory *memory,
                                        struct posenc_problem *problem);

/*
 * Rotated elements, for layouts that rotate. Where the dtype stays and the layout is half or
 * interleaved, whole vectors may be written over the input that they are made from.
 */
void posenc__rotate(const void *rotation, enum posenc_dtype dtype, size_t first, size_t count,
                    void *out);

/* The same at a level of choice, which must run here: for tests and benchmarks. */
void posenc__rotate_at(enum posenc__level level, const struct posenc__rotation *rotation,
                       enum posenc_dtype dtype, size_t first, size_t count, void *out);

/* Elements of the layouts that do not rotate, before they are rounded. */
void posenc__rotate_mixed(const void *rotation, size_t first, size_t count, double *out);

/* Tensors that apply may rotate. */
enum { POSENC__APPLY_X, POSENC__APPLY_Q, POSENC__APPLY_K, POSENC__APPLY_TENSORS };

extern const char *const posenc__apply_names[POSENC__APPLY_TENSORS];

/* xPos: how far q grows and k shrinks. */
struct posenc__xpos {
    double scale_base, gamma, center;
};

/* Reads the object and settles its center; refuses what would overflow. */
enum posenc_status posenc__xpos_read(struct posenc_arguments *arguments,
                                     const struct posenc__rope *rope, struct posenc_memory *memory,
                                     struct posenc__xpos *xpos, struct posenc_problem *problem);

/* Multiplies a row's cos and sin by zeta^(sign * power). */
void posenc__xpos_scale(const struct posenc__xpos *xpos, const struct posenc__rope *rope,
                        size_t row, double sign, double *cosines, double *sines);

/* Tables of the caller's own: fills all of the rotation but array and axes. */
enum posenc_status posenc__rope_read_tables(struct posenc_arguments *arguments,
                                            const struct posenc_array *tensor,
                                            const struct posenc__axes *axes, const char *name,
                                            struct posenc_memory *memory,
                                            struct posenc__rotation *rotation,
                                            struct posenc_problem *problem);

#endif
