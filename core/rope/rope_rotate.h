/* Rotating vectors by tables of cos and sin. */
#ifndef POSENC_ROPE_ROTATE_H
#define POSENC_ROPE_ROTATE_H

#include "inputs.h"
#include "rope.h"

/* A tensor and the table that turns its vectors. Heads share the table, and batches may. */
struct posenc__rotation {
    const struct posenc_array *array;
    struct posenc__axes axes;
    size_t offset, pairs, block_pairs; /* as in struct posenc__rope */
    enum posenc__rope_layout layout;
    size_t batches;                /* tables; the outer axes fall into so many equal parts */
    const double *cosines, *sines; /* [batches][length][pairs] */
    bool rounds_steps;             /* the tensor, products and sums rounded to float32 each */
};

/* The rotated elements, for a tensor of plan struct posenc__rotation. */
void posenc__rotate(const void *rotation, size_t first, size_t count, double *out);

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
