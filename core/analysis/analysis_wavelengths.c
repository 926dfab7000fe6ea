/*
 * Wavelengths: how many positions each wave takes for a whole turn.
 *
 *   wavelength_i = 2 pi / w_i,  w_i radians per position
 */
#include <math.h>

#include "analysis.h"

/* Frequencies are kept as turns per position, so that 2 pi cancels before anything is rounded. */
static void wavelength_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__waves *waves = context;

    for (size_t i = 0; i < count; i++) {
        const struct posenc__dd turns = {waves->hi[first + i], waves->lo[first + i]};
        const struct posenc__dd one = {1, 0};

        out[i] = turns.hi == 0 ? (double)INFINITY : fabs(posenc__dd_divide(one, turns).hi);
    }
}

/* Waves whose wavelength fits into `length` positions. */
static enum posenc_status derive_complete(const struct posenc_arguments *arguments,
                                          const struct posenc__waves *waves,
                                          struct posenc_memory *memory,
                                          struct posenc_result *result,
                                          struct posenc_problem *problem)
{
    const double length = posenc__real(arguments, "length");
    size_t complete = 0;
    double wavelength;

    for (size_t i = 0; i < waves->count; i++) {
        wavelength_values(waves, i, 1, &wavelength);
        complete += wavelength <= length;
    }
    return posenc__derive(result, memory, problem, "complete_within_length",
                          posenc_number((double)complete));
}

static enum posenc_status plan_wavelengths(struct posenc_arguments *arguments,
                                           struct posenc_memory *memory,
                                           struct posenc_result *result,
                                           struct posenc_problem *problem)
{
    struct posenc__wave_view *view = posenc_allocate(memory, 1, sizeof(*view));

    if (!view)
        return posenc__no_memory(problem);
    enum posenc_status status = posenc__analysis_waves(arguments, memory, result, view, problem);

    posenc__warn_of_positions(arguments, memory);
    if (status == POSENC_OK)
        status =
            posenc__add_tensor(result, memory, problem, "wavelengths", posenc__dtype(arguments), 1,
                               &view->waves.count, wavelength_values, &view->waves);
    if (status == POSENC_OK && posenc__present(arguments, "length"))
        status = derive_complete(arguments, &view->waves, memory, result, problem);
    return status;
}

const struct posenc__quantity posenc__quantity_wavelengths = {
    .operation = {.name = "wavelengths",
                  .summary =
                      "positions that each wave takes for a whole turn: 2 pi over its frequency",
                  .asks_encoding = "table",
                  .groups = (const struct posenc_parameter *const[]){posenc__encoding_rows,
                                                                     posenc__dtype_rows, NULL},
                  .tensors =
                      (const struct posenc_tensor_row[]){{"wavelengths", "[pairs]",
                                                          "in positions; Infinity for a wave that "
                                                          "stands still"},
                                                         {.name = NULL}},
                  .plan = plan_wavelengths},
    .serves = posenc__has_waves,
    .needs = posenc__needs_waves,
};
