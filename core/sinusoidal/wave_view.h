/* Waves as analysis sees them: what an encoding's table is made of, without the table. */
#ifndef POSENC_WAVE_VIEW_H
#define POSENC_WAVE_VIEW_H

#include "positions.h"

/* A row holds amplitude * sin and amplitude * cos of position * wave; what is in no column is 0. */
struct posenc__wave_view {
    struct posenc__waves waves; /* everything that multiplies positions is in them */
    size_t cosines;             /* waves [0, cosines) have a cosine, too; all have a sine */
    double amplitude;
    bool has_one_axis; /* all waves follow the same position */
    /* The sine of wave i stands in column sine_start + i * stride, its cosine likewise. */
    size_t width, sine_start, cosine_start, stride;
    bool has_positions; /* the request names some */
    struct posenc__positions positions;
};

/* Whether the request names positions, in any of the parameters that do. */
bool posenc__names_positions(const struct posenc_arguments *arguments);

/* Room for the sines and cosines of one row. */
struct posenc__wave_row {
    double *sines, *cosines; /* [waves.count], both in one allocation */
};

bool posenc__wave_row_init(struct posenc__wave_row *row, const struct posenc__wave_view *view,
                           struct posenc_memory *memory);

/* Puts sines and cosines in their columns, times the amplitude; out has `width` elements. */
void posenc__wave_view_place(const struct posenc__wave_view *view,
                             const struct posenc__wave_row *row, double *out);

#endif
