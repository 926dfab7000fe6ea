/* Limits of angles, and the float32 dialect's sines. */
#include "waves.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define WAVE_NS 500 /* of one frequency, about */

enum posenc_status posenc__make_waves(struct posenc__waves *waves, size_t count,
                                      struct posenc_memory *memory, struct posenc_problem *problem)
{
    if (!posenc__may_plan(memory, count * WAVE_NS))
        return posenc__cancelled(problem);
    return posenc__waves_init(waves, count, memory) ? POSENC_OK : posenc__no_memory(problem);
}

static double largest_position(const struct posenc__positions *positions)
{
    double largest = 0;

    if (positions->count == 0)
        return 0;
    if (!positions->list)
        return fmax(fabs(positions->offset),
                    fabs(positions->offset + (double)(positions->count - 1) * positions->step));
    for (size_t row = 0; row < positions->count; row++)
        largest = fmax(largest, fabs(positions->list[row]));
    return largest;
}

static enum posenc_status refuse_angles(struct posenc_problem *problem)
{
    return posenc__refuse(
        problem, POSENC_OUT_OF_RANGE, "base",
        "These frequencies are not finite, or turn more than 2^53 times on the way to "
        "the last position; check 'base' and what multiplies positions.");
}

enum posenc_status posenc__check_angles(const struct posenc__waves *waves,
                                        const struct posenc__positions *positions,
                                        struct posenc_problem *problem)
{
    const double largest = largest_position(positions);

    for (size_t i = 0; i < waves->count; i++)
        if (!(fabs(waves->hi[i]) * fmax(largest, 1) <= POSENC_TURNS_MAX))
            return refuse_angles(problem);
    return POSENC_OK;
}

enum posenc_status posenc__check_float32_angles(const float *frequencies, size_t count,
                                                double position_scale,
                                                const struct posenc__positions *positions,
                                                struct posenc_problem *problem)
{
    const double largest = fmax(largest_position(positions), 1) * fabs(position_scale);

    for (size_t i = 0; i < count; i++)
        if (!(largest <= FLT_MAX && fabs((double)frequencies[i]) * largest <= POSENC_TURNS_MAX))
            return refuse_angles(problem);
    return POSENC_OK;
}

#define RADIAN_HI 0x1.45f306dc9c883p-3     /* 1 / (2 pi) in turns, high part */
#define RADIAN_LO (-0x1.6b01ec5417056p-57) /* and low part */

#define ANGLE_BLOCK 64 /* angles on the stack */

/* Angles stand for frequencies, and one turn per 2 pi for the position: their product is the same.
 */
static void sincos_of_angles(const double *angles, size_t count, double *sines, double *cosines)
{
    double hi[ANGLE_BLOCK], lo[ANGLE_BLOCK] = {0};
    const struct posenc__waves waves = {count, hi, lo};
    const struct posenc__dd radian = {RADIAN_HI, RADIAN_LO};

    memcpy(hi, angles, count * sizeof(*hi));
    posenc__sincos(&waves, radian, 0, count, sines, cosines);
    for (size_t i = 0; i < count; i++) {
        sines[i] = (float)sines[i];
        cosines[i] = (float)cosines[i];
    }
}

void posenc__sincos_float32(const float *frequencies, float position, size_t count, double *sines,
                            double *cosines)
{
    double angles[ANGLE_BLOCK] = {0};

    for (size_t done = 0; done < count; done += ANGLE_BLOCK) {
        const size_t left = count - done, part = left < ANGLE_BLOCK ? left : ANGLE_BLOCK;

        for (size_t i = 0; i < part; i++)
            angles[i] = position * frequencies[done + i];
        sincos_of_angles(angles, part, sines + done, cosines + done);
    }
}
