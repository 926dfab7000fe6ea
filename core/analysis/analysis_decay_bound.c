/*
 * The long-term decay of a rotated score (Su et al., RoFormer, 2021, section 3.4.3):
 *
 *   |score| <= A^2 (largest step of the content's products) * sum of |S_j|,
 *   S_j = sum over i < j of e^(i k w_i) at distance k
 *
 * The quantity is the bound's part that depends on the distance: A^2 times the mean of |S_1| ...
 * |S_pairs|.
 */
#include <math.h>

#include "analysis_dots.h"

#define WAVE_BLOCK 64 /* waves computed at a time, on the stack */

/* Partial sums up to some wave. */
struct partial {
    struct posenc__dd real, imaginary;
    struct posenc__dd magnitudes; /* summed */
};

static void add_wave(struct partial *partial, double cosine, double sine)
{
    partial->real = posenc__dd_add(partial->real, (struct posenc__dd){cosine, 0});
    partial->imaginary = posenc__dd_add(partial->imaginary, (struct posenc__dd){sine, 0});
    const struct posenc__dd square =
        posenc__dd_add(posenc__dd_multiply(partial->real, partial->real),
                       posenc__dd_multiply(partial->imaginary, partial->imaginary));

    partial->magnitudes =
        posenc__dd_add(partial->magnitudes, (struct posenc__dd){sqrt(square.hi), 0});
}

static double bound_at(const struct posenc__dots *dots, struct posenc__dd offset)
{
    const size_t pairs = dots->view.waves.count;
    struct partial partial = {{0, 0}, {0, 0}, {0, 0}};
    double sines[WAVE_BLOCK], cosines[WAVE_BLOCK];

    for (size_t first = 0; first < pairs; first += WAVE_BLOCK) {
        const size_t part = pairs - first < WAVE_BLOCK ? pairs - first : WAVE_BLOCK;

        posenc__sincos(&dots->view.waves, offset, first, part, sines, cosines);
        for (size_t i = 0; i < part; i++)
            add_wave(&partial, cosines[i], sines[i]);
    }
    return posenc__dd_multiply(partial.magnitudes, (struct posenc__dd){dots->scale, 0}).hi /
           (double)pairs;
}

static void bound_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__dots *dots = context;

    for (size_t i = 0; i < count; i++)
        out[i] = bound_at(dots, posenc__position_at(&dots->offsets, first + i));
}

static enum posenc_status plan_decay_bound(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    return posenc__plan_dots(arguments, memory, result, bound_values, false, problem);
}

const struct posenc__quantity posenc__quantity_decay_bound = {
    .operation = {.name = "decay_bound",
                  .summary =
                      "the distance's part of the bound on a rotated score: the mean size of the "
                      "partial sums of the pairs' turns",
                  .asks_encoding = "table",
                  .groups = (const struct posenc_parameter *const[]){posenc__encoding_rows,
                                                                     posenc__offset_rows,
                                                                     posenc__dtype_rows, NULL},
                  .tensors = (const struct posenc_tensor_row[]){{"decay_bound", "[offsets]",
                                                                 "(pairs + 1) / 2 at offset 0; not "
                                                                 "monotone in general"},
                                                                {.name = NULL}},
                  .plan = plan_decay_bound},
    .serves = posenc__has_turning_waves,
    .needs = posenc__needs_waves,
};
