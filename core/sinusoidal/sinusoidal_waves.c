/* Frequencies of sinusoidal tables. */
#include "sinusoidal.h"

#include "powers.h"

/* Numerator and denominator of the exponent of pair i; the denominator is never 0 after the check.
 */
static void exponent_of(enum posenc__spacing spacing, size_t dim, size_t pair, double *numerator,
                        double *denominator)
{
    const size_t half = dim / 2;

    if (spacing == POSENC__SPACING_DIM) {
        *numerator = 2.0 * (double)pair;
        *denominator = (double)dim;
        return;
    }
    *numerator = (double)pair;
    *denominator = half > 1 ? (double)(half - 1) : 1.0;
}

#define TIMESCALE_MAX 0x1p1000 /* so that their quotient stays a normal number */

static bool is_timescale(double scale)
{
    return scale >= 1 / TIMESCALE_MAX && scale <= TIMESCALE_MAX;
}

enum posenc_status posenc__check_timescales(const struct posenc_arguments *arguments,
                                            struct posenc_problem *problem)
{
    const double smallest = posenc__real(arguments, "min_timescale");
    const double base = posenc__real(arguments, "base");

    if (is_timescale(smallest) && is_timescale(base) && is_timescale(base / smallest))
        return POSENC_OK;
    return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "base",
                          "'base', 'min_timescale' and their quotient must lie between 2^-1000 and "
                          "2^1000.");
}

static enum posenc_status set_exact_waves(struct posenc__sinusoidal *plan,
                                          const struct posenc_arguments *arguments,
                                          struct posenc_memory *memory,
                                          struct posenc_problem *problem)
{
    const struct posenc__dd scale = {plan->position_scale, 0};
    const struct posenc__dd smallest = {posenc__real(arguments, "min_timescale"), 0};
    const struct posenc__dd ratio =
        posenc__dd_divide((struct posenc__dd){posenc__real(arguments, "base"), 0}, smallest);

    struct posenc__powers powers;
    double numerator, denominator;

    enum posenc_status status = posenc__make_waves(&plan->waves, plan->sines, memory, problem);

    if (status != POSENC_OK)
        return status;
    exponent_of(posenc__choice(arguments, "spacing"), plan->dim, 1, &numerator, &denominator);
    posenc__powers_begin(&powers, ratio, -numerator, denominator);
    for (size_t i = 0; i < plan->sines; i++) {
        const struct posenc__dd power = posenc__powers_next(&powers);

        posenc__waves_set(&plan->waves, i,
                          posenc__dd_multiply(posenc__dd_divide(power, smallest), scale));
    }
    status = posenc__check_angles(&plan->waves, &plan->positions, problem);

    if (status != POSENC_OK)
        return status;
    return posenc__wave_rows_init(&plan->rows, &plan->waves, &plan->positions, memory)
               ? POSENC_OK
               : posenc__no_memory(problem);
}

/* PyTorch: exp(arange * -(log(base) / denominator)) with the bracket in double, the rest in
 * float32. */
static enum posenc_status set_float32_frequencies(struct posenc__sinusoidal *plan,
                                                  const struct posenc_arguments *arguments,
                                                  struct posenc_memory *memory,
                                                  struct posenc_problem *problem)
{
    const double smallest = posenc__real(arguments, "min_timescale");
    const struct posenc__dd log =
        posenc__dd_log((struct posenc__dd){posenc__real(arguments, "base") / smallest, 0});
    float *frequencies = posenc_allocate(memory, plan->sines, sizeof(*frequencies));

    if (!frequencies)
        return posenc__no_memory(problem);
    for (size_t i = 0; i < plan->sines; i++) {
        double numerator, denominator;

        exponent_of(posenc__choice(arguments, "spacing"), plan->dim, i, &numerator, &denominator);
        const float exponent = (float)numerator * (float)-(log.hi / denominator);

        frequencies[i] =
            (float)posenc__dd_exp((struct posenc__dd){exponent, 0}).hi / (float)smallest;
    }
    plan->frequencies = frequencies;
    return posenc__check_float32_angles(frequencies, plan->sines, plan->position_scale,
                                        &plan->positions, problem);
}

enum posenc_status posenc__sinusoidal_set_waves(struct posenc__sinusoidal *plan,
                                                const struct posenc_arguments *arguments,
                                                struct posenc_memory *memory,
                                                struct posenc_problem *problem)
{
    return posenc__choice(arguments, "arithmetic") == POSENC__SINUSOIDAL_EXACT
               ? set_exact_waves(plan, arguments, memory, problem)
               : set_float32_frequencies(plan, arguments, memory, problem);
}

bool posenc__sinusoidal_widen(struct posenc__sinusoidal *plan, struct posenc_memory *memory)
{
    const struct posenc__dd scale = {plan->position_scale, 0};

    if (!posenc__waves_init(&plan->waves, plan->sines, memory))
        return false;
    for (size_t i = 0; i < plan->sines; i++)
        posenc__waves_set(&plan->waves, i,
                          posenc__dd_multiply((struct posenc__dd){plan->frequencies[i], 0}, scale));
    return true;
}
