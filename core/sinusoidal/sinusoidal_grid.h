/*
 * Sinusoidal grids' parts: rows and presets (sinusoidal_grid_rows.c), the coordinates of cells
 * (sinusoidal_grid_axis.c), tables (sinusoidal_grid.c).
 */
#ifndef POSENC_SINUSOIDAL_GRID_H
#define POSENC_SINUSOIDAL_GRID_H

#include "wave_columns.h"
#include "waves.h"

#define POSENC__GRID_AXES_MAX 3 /* frames, rows, columns */

extern const struct posenc_parameter posenc__sinusoidal_grid_rows[];
extern const struct posenc_preset posenc__sinusoidal_grid_presets[];

/* The choices, in the order of their rows. */
enum { POSENC__GRID_XY, POSENC__GRID_YX };
enum { POSENC__GRID_SIN_COS, POSENC__GRID_INTERLEAVED };
enum { POSENC__GRID_SPLIT_EQUAL, POSENC__GRID_SPLIT_QUARTER };
enum { POSENC__GRID_LEFTOVER_REJECT, POSENC__GRID_LEFTOVER_ZERO_PAD };

/*
 * One axis of the grid: a cell's number is a sum of index * stride over the axes. Its coordinate is
 * y = (cells up to and including this one that count) - 1 + start; then y * factor, or, normalised,
 * y / (y of the line's last cell + epsilon) * factor.
 */
struct posenc__grid_axis {
    size_t length, stride;
    double start;
    struct posenc__dd factor;
    bool normalize;
    double epsilon;
    const size_t
        *counts; /* by mask: of each cell of the grid, along this axis; or NULL: all count */
};

/* Reads how coordinates are made; `length` and `stride` are the caller's. */
enum posenc_status posenc__grid_axis_init(struct posenc__grid_axis *axis, bool is_frames,
                                          const struct posenc_arguments *arguments,
                                          struct posenc_problem *problem);

/* Counts the cells of a mask of `cells` zeros and ones along the axis; false when memory is out. */
bool posenc__grid_axis_count(struct posenc__grid_axis *axis, const struct posenc_array *mask,
                             size_t cells, struct posenc_memory *memory);

/* The coordinate of a cell, without rounding worth mentioning. */
struct posenc__dd posenc__grid_coordinate(const struct posenc__grid_axis *axis, size_t cell);

/* No coordinate is larger in magnitude. */
double posenc__grid_coordinate_max(const struct posenc__grid_axis *axis);

#endif
