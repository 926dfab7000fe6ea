/*
 * Rows of a table of waves: sines and cosines of every wave at the position of a row.
 *
 * Positions that are whole steps from a common point, n step + rest, are split in two: the middle
 * of the block that n falls into, and a distance from it of at most half a block. The two blocks
 * next to 0 count from 0, so that small angles keep all digits. Middles and distances are computed
 * exactly and blended (blend.h). Which block a position falls into depends on n alone, so that its
 * values are the same bits in whatever run of rows they are asked for, also for integers in a list.
 * Distances are kept in the plan where enough rows share them, which changes no bit. Other
 * positions, and those of very large angles, are computed directly.
 */
#ifndef POSENC_WAVE_ROWS_H
#define POSENC_WAVE_ROWS_H

#include "blend.h"
#include "positions.h"

struct posenc__wave_rows {
    struct posenc__waves waves;
    struct posenc__positions positions;
    double step, rest;  /* of the common grid */
    int64_t first;      /* n of row 0; a list has its own */
    int direction;      /* n of the next row less n of a row: 1, 0 or -1 */
    int64_t limit;      /* of middles */
    ptrdiff_t reach;    /* half a block: distances from a middle; 0: all rows are direct */
    const double *near; /* [2 reach + 1][2][waves] sines, then cosines, of distances; or NULL */
};

/* Settles how rows are computed, and keeps what they share. False when memory is out. */
bool posenc__wave_rows_init(struct posenc__wave_rows *rows, const struct posenc__waves *waves,
                            const struct posenc__positions *positions,
                            struct posenc_memory *memory);

/*
 * Sines and cosines of waves [first, first + count) at the position of a row. Either output may be
 * NULL; no result is -0. Absolute errors as in blend.h; angle.h's where the row is direct.
 */
void posenc__wave_rows_sincos(const struct posenc__wave_rows *rows, size_t row, size_t first,
                              size_t count, double *sines, double *cosines);

/* The same at a position by itself: an integer's bits are those that it has in a list. */
void posenc__wave_at(const struct posenc__waves *waves, struct posenc__dd position, size_t first,
                     size_t count, double *sines, double *cosines);

/* How whole rows lie in a tensor: places as in blend.h, in elements from the row's start. */
struct posenc__wave_layout {
    enum posenc__blend_form form;
    bool starts_with_cosine; /* the form's first kind is the cosine; for forms of one kind */
    size_t width;            /* elements of a row; those of no wave are left alone */
    size_t sine, cosine;
    double sine_factor, cosine_factor; /* as in blend.h; of the kind, not of the place */
};

/* All sines, then all cosines, or the other way round, from the first column on. */
struct posenc__wave_layout posenc__wave_halves(const struct posenc__wave_rows *rows,
                                               bool cosine_first, size_t width);

/* Columns [begin, end) of such a row. */
void posenc__wave_halves_span(const struct posenc__wave_rows *rows, bool cosine_first, size_t row,
                              size_t begin, size_t end, double *out);

/* Rows [first, first + count), rounded once to a real dtype. The same bits as from
 * posenc__wave_rows_sincos, times the factor plus 0. */
void posenc__wave_rows_fill(const struct posenc__wave_rows *rows,
                            const struct posenc__wave_layout *layout, enum posenc_dtype dtype,
                            size_t first, size_t count, void *out);

#endif
