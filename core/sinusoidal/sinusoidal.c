/*
 * Sinusoidal absolute positions (Vaswani et al., "Attention Is All You Need", 2017, section 3.5,
 * and its descendants).
 *
 *   angle of pair i at position p:  a = p * w_i,   w_i = (1 / m) (b / m)^(-e_i) radians per
 * position e_i = 2i / dim (the paper) or i / (h - 1) with h = floor(dim / 2) (tensor2tensor,
 * fairseq)
 *
 * where b is `base`, m is `min_timescale` (1 in every paper). Columns for dim 6 (s sine, c cosine,
 * number = pair):
 *
 *   interleaved  s0 c0 s1 c1 s2 c2     sin_cos  s0 s1 s2 c0 c1 c2     cos_sin  c0 c1 c2 s0 s1 s2
 */
#include "sinusoidal.h"

#include "additive.h"
#include "wave_faults.h"
#include "wave_view.h"

static enum posenc_status check_shape(const struct posenc_arguments *arguments,
                                      struct posenc_problem *problem)
{
    const size_t dim = posenc__size(arguments, "dim");

    if (dim % 2 != 0 && posenc__choice(arguments, "odd") == POSENC__ODD_REJECT)
        return posenc__refuse(
            problem, POSENC_OUT_OF_RANGE, "dim",
            "'dim' is odd (%zu); say with 'odd' what its last column is: extra_sine, "
            "zero_pad or pair_index.",
            dim);
    if (posenc__choice(arguments, "spacing") == POSENC__SPACING_HALF_MINUS_1 && dim / 2 < 2)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "dim",
                              "'dim' %zu leaves h - 1 = 0 as a denominator; spacing "
                              "'half_minus_1_guarded' divides by 1 instead, as tensor2tensor does.",
                              dim);
    return POSENC_OK;
}

static void place_columns(struct posenc__sinusoidal *plan, unsigned layout, bool zero_last)
{
    plan->sines = zero_last ? plan->dim / 2 : (plan->dim + 1) / 2;
    plan->cosines = plan->dim / 2;
    plan->stride = layout == POSENC__SINUSOIDAL_INTERLEAVED ? 2 : 1;
    plan->sine_start = layout == POSENC__SINUSOIDAL_COS_SIN ? plan->cosines : 0;
    plan->cosine_start = layout == POSENC__SINUSOIDAL_INTERLEAVED ? 1
                         : layout == POSENC__SINUSOIDAL_SIN_COS   ? plan->sines
                                                                  : 0;
}

/* Rows of another make: in steps of float32, or with a sine that has no cosine. */
static bool has_own_rows(const struct posenc__sinusoidal *plan)
{
    return plan->frequencies || plan->sines != plan->cosines;
}

static enum posenc_status sinusoidal_prepare(struct posenc_arguments *arguments,
                                             const size_t *expected, struct posenc_memory *memory,
                                             struct posenc__sinusoidal **prepared,
                                             struct posenc_problem *problem)
{
    posenc__sinusoidal_complete(arguments);
    enum posenc_status status = check_shape(arguments, problem);

    if (status == POSENC_OK)
        status = posenc__check_timescales(arguments, problem);
    if (status != POSENC_OK)
        return status;
    struct posenc__sinusoidal *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    *plan = (struct posenc__sinusoidal){.dim = posenc__size(arguments, "dim"),
                                        .position_scale = posenc__real(arguments, "position_scale"),
                                        .output_scale = posenc__real(arguments, "output_scale"),
                                        .has_padding = posenc__present(arguments, "padding_idx")};
    plan->padding = plan->has_padding ? posenc__real(arguments, "padding_idx") : 0;
    place_columns(plan, posenc__choice(arguments, "layout"),
                  plan->dim % 2 != 0 && posenc__choice(arguments, "odd") == POSENC__ODD_ZERO_PAD);
    status = posenc__read_positions(arguments, expected, "x", &plan->positions, problem);
    if (status != POSENC_OK)
        return status;
    *prepared = plan;
    return posenc__sinusoidal_set_waves(plan, arguments, memory, problem);
}

static enum posenc_status read_waves(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc__wave_view *view, struct posenc_problem *problem)
{
    const bool has_positions = posenc__names_positions(arguments);
    const size_t none = 0;
    struct posenc__sinusoidal *plan = NULL;
    const enum posenc_status status =
        sinusoidal_prepare(arguments, has_positions ? NULL : &none, memory, &plan, problem);

    (void)result;
    if (status != POSENC_OK)
        return status;
    if (plan->frequencies && !posenc__sinusoidal_widen(plan, memory))
        return posenc__no_memory(problem);
    *view = (struct posenc__wave_view){.waves = plan->waves,
                                       .cosines = plan->cosines,
                                       .amplitude = plan->output_scale,
                                       .has_one_axis = true,
                                       .width = plan->dim,
                                       .sine_start = plan->sine_start,
                                       .cosine_start = plan->cosine_start,
                                       .stride = plan->stride,
                                       .has_positions = has_positions,
                                       .positions = plan->positions};
    return POSENC_OK;
}

static const struct posenc__wave_source sinusoidal_waves = {.needs = POSENC__NAMES("dim"),
                                                            .read = read_waves};

static enum posenc_status sinusoidal_make(struct posenc_arguments *arguments,
                                          const size_t *expected, struct posenc_memory *memory,
                                          struct posenc__additive *table,
                                          struct posenc_problem *problem)
{
    struct posenc__sinusoidal *plan = NULL;
    const enum posenc_status status =
        sinusoidal_prepare(arguments, expected, memory, &plan, problem);

    if (status != POSENC_OK)
        return status;
    *table = (struct posenc__additive){.rows = plan->positions.count,
                                       .dim = plan->dim,
                                       .values = posenc__sinusoidal_values,
                                       .elements =
                                           has_own_rows(plan) ? NULL : posenc__sinusoidal_elements,
                                       .plan = plan};
    return POSENC_OK;
}

static const struct posenc__additive_source sinusoidal_table = {.make = sinusoidal_make};

#define GROUPS                                                                                     \
    posenc__position_rows, posenc__sinusoidal_rows, posenc__dtype_rows, posenc__preset_rows

static const struct posenc_operation sinusoidal_operations[] = {
    {POSENC__ADDITIVE_TABLE(GROUPS), .summary = "the table of all positions asked for"},
    {POSENC__ADDITIVE_APPLY(GROUPS)},
    {.name = NULL},
};

const struct posenc_encoding posenc__sinusoidal = {
    .name = "sinusoidal",
    .summary = "fixed sine and cosine waves, one pair of columns per frequency",
    .source = "Vaswani et al., Attention Is All You Need, 2017 (arXiv 1706.03762), section 3.5",
    .convention =
        "a pair's sine and cosine share one frequency; positions count from offset, 0 by default",
    .operations = sinusoidal_operations,
    .presets = posenc__sinusoidal_presets,
    .waves = &sinusoidal_waves,
    .additive = &sinusoidal_table,
    .faults = posenc__wave_faults,
};
