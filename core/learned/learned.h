/*
 * Learned tables' parts: rows and presets (learned_rows.c), where a table comes from
 * (learned_source.c), drawing one (learned_init.c), resizing it (learned_resize.c, with the weights
 * of learned_weights.c), its gradient (learned_gradient.c), looking rows up (learned.c).
 */
#ifndef POSENC_LEARNED_H
#define POSENC_LEARNED_H

#include "dd.h"
#include "internal.h"

#define POSENC__GENERATED_CELLS_MAX ((size_t)1 << 25) /* of a drawn table, held as doubles */
#define POSENC__SKIP_MAX            134217728.0       /* draws thrown away: about a second */
#define POSENC__RESIZED_AXIS_MAX    1048576           /* rows or columns of a resized table */
#define POSENC__RESIZE_TAPS_MAX     ((size_t)4096) /* cells of a table that make one resized cell */

extern const struct posenc_parameter posenc__learned_rows[];
extern const struct posenc_parameter posenc__learned_gradient_rows[];
extern const struct posenc_preset posenc__learned_presets[];

/* The choices of `init` and `generator`, in the order of their rows. */
enum posenc__init {
    POSENC__INIT_NORMAL,
    POSENC__INIT_UNIFORM,
    POSENC__INIT_TRUNCATED_NORMAL,
    POSENC__INIT_TRUNC_NORMAL_TORCH,
    POSENC__INIT_ZEROS,
    POSENC__INIT_GLOROT_UNIFORM,
};

enum posenc__generator {
    POSENC__GENERATOR_TORCH,
    POSENC__GENERATOR_NUMPY_LEGACY,
    POSENC__GENERATOR_NUMPY,
    POSENC__GENERATOR_JAX,
    POSENC__GENERATOR_JAX_ORIGINAL,
};

/* A table [rows, dim] of any origin: values(plan) writes its elements. */
struct posenc__source {
    size_t rows, dim;
    posenc__values *values;
    const void *plan;
    uint64_t element_ns; /* about what an element takes; 0: next to nothing */
};

/*
 * Finds the table: `table`, sent or put there for `table_file`, or one to be generated. Settles
 * rows and dim, and takes what does not apply out of the echo. A generated table's values may be
 * read after posenc__learned_draw() only.
 *
 * undrawn  receives room for rows * dim doubles that wait to be drawn, or NULL
 */
enum posenc_status posenc__learned_source(struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc__source *source, double **undrawn,
                                          struct posenc_problem *problem);

/* Checks what shapes a generated table, and resolves the defaults that follow from init and
 * generator. */
enum posenc_status posenc__learned_settle_init(struct posenc_arguments *arguments,
                                               struct posenc_memory *memory,
                                               struct posenc_problem *problem);

/* Draws the table [rows, dim] that settled arguments describe; init is not zeros. */
enum posenc_status posenc__learned_draw(const struct posenc_arguments *arguments, double *table,
                                        struct posenc_problem *problem);

/* Puts the table that `resize` asks for in the place of the source; nothing without `resize`. */
enum posenc_status posenc__learned_resize(const struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc__source *source,
                                          struct posenc_problem *problem);

/* The operation `gradient`. */
enum posenc_status posenc__learned_plan_gradient(struct posenc_arguments *arguments,
                                                 struct posenc_memory *memory,
                                                 struct posenc_result *result,
                                                 struct posenc_problem *problem);

/* How one axis of a table is resized. */
struct posenc__resampling {
    size_t from, to;
    bool is_cubic;       /* else linear */
    bool align_corners;  /* end points stay end points */
    bool antialias;      /* the kernel widens when the axis shrinks */
    double extra_length; /* added to `to` in the step only: DINO's interpolate_offset */
};

/* A weight matrix [to, from] by its bands: row i has `taps` weights from column starts[i] on, which
 * add up to 1. */
struct posenc__bands {
    size_t taps;
    const size_t *starts;
    const struct posenc__dd *weights; /* [to][taps] */
};

/* Columns that a band may need. */
size_t posenc__resampling_taps(const struct posenc__resampling *resampling);

/* Weights good to double-double; false when memory is out. */
bool posenc__resampling_bands(const struct posenc__resampling *resampling,
                              struct posenc_memory *memory, struct posenc__bands *bands);

#endif
