/* Sums of cosines in exact angles. */
#include "analysis_dots.h"

#include "waves.h"

#define WAVE_BLOCK 64 /* waves computed at a time, on the stack */

enum posenc_status posenc__dots_read(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc__dots *dots, struct posenc_problem *problem)
{
    enum posenc_status status =
        posenc__analysis_one_axis(arguments, memory, result, &dots->view, problem);

    posenc__warn_of_positions(arguments, memory);
    if (status != POSENC_OK)
        return status;
    if (dots->view.cosines < dots->view.waves.count)
        return posenc__refuse(problem, POSENC_CONFLICT, "dim",
                              "The last sine of this odd 'dim' has no cosine, so that products of "
                              "rows do not depend on the offset alone.");
    dots->scale = dots->view.amplitude * dots->view.amplitude;
    status = posenc__analysis_offsets(arguments, "length", &dots->offsets, problem);
    if (status != POSENC_OK)
        return status;
    if (posenc__check_angles(&dots->view.waves, &dots->offsets, problem) == POSENC_OK)
        return POSENC_OK;
    return posenc__refuse(
        problem, POSENC_OUT_OF_RANGE, "offsets",
        "These waves turn more than 2^53 times on the way to the largest offset.");
}

static double dot_at(const struct posenc__dots *dots, struct posenc__dd offset)
{
    struct posenc__dd sum = {0, 0};
    double cosines[WAVE_BLOCK];

    for (size_t first = 0; first < dots->view.waves.count; first += WAVE_BLOCK) {
        const size_t left = dots->view.waves.count - first;
        const size_t part = left < WAVE_BLOCK ? left : WAVE_BLOCK;

        posenc__sincos(&dots->view.waves, offset, first, part, NULL, cosines);
        for (size_t i = 0; i < part; i++)
            sum = posenc__dd_add(sum, (struct posenc__dd){cosines[i], 0});
    }
    return posenc__dd_multiply(sum, (struct posenc__dd){dots->scale, 0}).hi;
}

void posenc__dot_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__dots *dots = context;

    for (size_t i = 0; i < count; i++)
        out[i] = dot_at(dots, posenc__position_at(&dots->offsets, first + i));
}

enum posenc_status posenc__plan_dots(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     posenc__values *values, bool is_mean,
                                     struct posenc_problem *problem)
{
    struct posenc__dots *dots = posenc_allocate(memory, 1, sizeof(*dots));

    if (!dots)
        return posenc__no_memory(problem);
    const enum posenc_status status = posenc__dots_read(arguments, memory, result, dots, problem);

    if (status != POSENC_OK)
        return status;
    if (is_mean)
        dots->scale /= (double)dots->view.waves.count;
    const struct posenc__profile profile = {.name = result->operation->name,
                                            .offsets = &dots->offsets,
                                            .cost = dots->view.waves.count,
                                            .values = values,
                                            .plan = dots};

    return posenc__analysis_profile(arguments, &profile, memory, result, problem);
}
