/* What encodings by angles share beside exact angles: their limits, and the float32 dialect's
 * sines. */
#ifndef POSENC_WAVES_H
#define POSENC_WAVES_H

#include "positions.h"

/* Angles beyond this many turns have no fraction left in the arithmetic of angle.h. */
#define POSENC_TURNS_MAX 9007199254740992.0

/* How exponents of waves are spaced: fields of a row as in shared_rows.h, and its choices. */
#define POSENC__SPACING                                                                            \
    .name = "spacing", .type = POSENC_TYPE_CHOICE, POSENC__DEFAULT_TEXT("dim"),                    \
    .choices = POSENC__NAMES("dim", "half_minus_1", "half_minus_1_guarded")
enum posenc__spacing {
    POSENC__SPACING_DIM,
    POSENC__SPACING_HALF_MINUS_1,
    POSENC__SPACING_HALF_MINUS_1_GUARDED,
};

/* Makes room for waves that are computed one by one, and asks whether there is time for them. */
enum posenc_status posenc__make_waves(struct posenc__waves *waves, size_t count,
                                      struct posenc_memory *memory, struct posenc_problem *problem);

/* Refuses frequencies that with these positions turn too often, or that are not finite. Those in
 * float32 meet positions that are scaled first. */
enum posenc_status posenc__check_angles(const struct posenc__waves *waves,
                                        const struct posenc__positions *positions,
                                        struct posenc_problem *problem);
enum posenc_status posenc__check_float32_angles(const float *frequencies, size_t count,
                                                double position_scale,
                                                const struct posenc__positions *positions,
                                                struct posenc_problem *problem);

/*
 * The float32 dialect: angle = position * frequency rounded to float32, then its sine and cosine
 * rounded to float32 (written as doubles). Computed by the exact kernel, so that every machine
 * gives the same bits.
 */
void posenc__sincos_float32(const float *frequencies, float position, size_t count, double *sines,
                            double *cosines);

#endif
