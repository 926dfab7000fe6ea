/*
 * Sinusoidal tables' parts: rows and presets (sinusoidal_rows.c), frequencies
 * (sinusoidal_waves.c), elements (sinusoidal_fill.c), plans (sinusoidal.c).
 */
#ifndef POSENC_SINUSOIDAL_H
#define POSENC_SINUSOIDAL_H

#include "wave_rows.h"
#include "waves.h"

extern const struct posenc_parameter posenc__sinusoidal_rows[];
extern const struct posenc_preset posenc__sinusoidal_presets[];

/* The choices, in the order of their rows. */
enum { POSENC__SINUSOIDAL_INTERLEAVED, POSENC__SINUSOIDAL_SIN_COS, POSENC__SINUSOIDAL_COS_SIN };
enum {
    POSENC__ODD_REJECT,
    POSENC__ODD_EXTRA_SINE,
    POSENC__ODD_ZERO_PAD,
    POSENC__ODD_PAIR_INDEX,
};
enum { POSENC__SINUSOIDAL_EXACT, POSENC__SINUSOIDAL_FLOAT32 };

/* Where the sine and the cosine of pair i stand: column start + i * stride. */
struct posenc__sinusoidal {
    struct posenc__positions positions;
    struct posenc__waves waves;    /* arithmetic exact */
    struct posenc__wave_rows rows; /* the same at each position */
    const float *frequencies;      /* arithmetic float32; else NULL */
    size_t dim, sines, cosines;
    size_t sine_start, cosine_start, stride;
    double position_scale; /* of arithmetic float32; exact waves hold it already */
    double output_scale;
    bool has_padding;
    double padding;
};

/* Sets what preset and dim tell together, once a tensor has told dim; again does no harm. */
void posenc__sinusoidal_complete(struct posenc_arguments *arguments);

/* Refuses time scales whose quotient, or which themselves, are not normal numbers with room. */
enum posenc_status posenc__check_timescales(const struct posenc_arguments *arguments,
                                            struct posenc_problem *problem);

/* Sets waves and rows, or frequencies, of a plan whose columns and positions are settled; refuses
 * those that turn too often. */
enum posenc_status posenc__sinusoidal_set_waves(struct posenc__sinusoidal *plan,
                                                const struct posenc_arguments *arguments,
                                                struct posenc_memory *memory,
                                                struct posenc_problem *problem);

/* The float32 dialect's frequencies as waves; they are exact doubles. False when memory is out. */
bool posenc__sinusoidal_widen(struct posenc__sinusoidal *plan, struct posenc_memory *memory);

/* Elements of the table [positions, dim]: a posenc__values, and a posenc__elements for plans whose
 * rows are of waves in exact arithmetic, with as many cosines as sines. */
void posenc__sinusoidal_values(const void *plan, size_t first, size_t count, double *out);
void posenc__sinusoidal_elements(const void *plan, enum posenc_dtype dtype, size_t first,
                                 size_t count, void *out);

#endif
