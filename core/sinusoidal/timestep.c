/*
 * Timestep embeddings of diffusion models (Ho et al., "Denoising Diffusion Probabilistic Models",
 * 2020, appendix B; the parameters are those of diffusers' get_timestep_embedding).
 *
 *   angle of pair i at timestep t:  a = scale t w_i,  w_i = max_period^(-i / (h - shift)),
 *   h = floor(dim / 2); sines first, or cosines first when flipped; an odd dim ends in a zero.
 */
#include <math.h>
#include <string.h>

#include "powers.h"
#include "wave_faults.h"
#include "wave_rows.h"
#include "wave_view.h"
#include "waves.h"

static const struct posenc_parameter timestep_rows[] = {
    {.name = "timesteps",
     .type = POSENC_TYPE_REALS,
     .minimum = -POSENC_POSITION_MAX,
     .maximum = POSENC_POSITION_MAX,
     .meaning = "the timesteps t, any real numbers; one row each"},
    {.name = "dim",
     .type = POSENC_TYPE_INTEGER,
     .minimum = 2,
     .maximum = POSENC_DIM_MAX,
     .aliases = POSENC__NAMES("embedding_dim", "embed_dim", "d_model"),
     .meaning = "width of the embedding"},
    {.name = "flip_sin_to_cos",
     .type = POSENC_TYPE_BOOLEAN,
     .fallback_note = "Stable Diffusion and DiT have true (cosines first), DDPM has false (sines "
                      "first)",
     .meaning = "true: cosines in the first half of the columns; false: sines"},
    {.name = "downscale_freq_shift",
     .type = POSENC_TYPE_REAL,
     .fallback_note = "Stable Diffusion and DiT have 0, DDPM and diffusers' function itself 1",
     .meaning = "subtracted from h = floor(dim / 2) in the exponent -i / (h - shift)"},
    {.name = "scale",
     .type = POSENC_TYPE_REAL,
     POSENC__DEFAULT_NUMBER(1),
     .meaning = "multiplies timesteps: 1000 where they run from 0 to 1"},
    {.name = "max_period",
     .type = POSENC_TYPE_REAL,
     .flags = POSENC_ABOVE | POSENC_SEARCHED,
     POSENC__DEFAULT_NUMBER(10000),
     .minimum = 0,
     .maximum = INFINITY,
     .aliases = POSENC__NAMES("base"),
     .meaning = "the largest time scale: wavelengths run from 2 pi towards 2 pi max_period"},
    {.name = NULL},
};

#define FLIP(x)  POSENC__SET_BOOLEAN("flip_sin_to_cos", x)
#define SHIFT(x) POSENC__SET_NUMBER("downscale_freq_shift", x)

static const struct posenc_preset timestep_presets[] = {
    {.name = "ddpm", .meaning = "DDPM and its ports", .settings = {FLIP(false), SHIFT(1)}},
    {.name = "stable_diffusion",
     .meaning = "Stable Diffusion 1, 2, XL and 3; Flux with scale 1000",
     .settings = {FLIP(true), SHIFT(0)}},
    {.name = "dit", .meaning = "DiT, guided-diffusion, GLIDE", .settings = {FLIP(true), SHIFT(0)}},
    {.name = "diffusers",
     .meaning = "the defaults of diffusers' get_timestep_embedding",
     .settings = {FLIP(false), SHIFT(1)}},
    {.name = NULL},
};

struct timestep {
    struct posenc__positions timesteps;
    struct posenc__waves waves;
    struct posenc__wave_rows rows;
    bool cosine_first;
    size_t dim;
};

/* max_period^(-i / denominator), for a shift such as 0.1, which leaves a denominator that no double
 * holds. */
static struct posenc__dd odd_frequency(struct posenc__dd log, size_t i,
                                       struct posenc__dd denominator)
{
    const struct posenc__dd product = posenc__dd_multiply(log, (struct posenc__dd){-(double)i, 0});

    return posenc__dd_exp(posenc__dd_divide(product, denominator));
}

static enum posenc_status set_waves(const struct posenc_arguments *arguments, struct timestep *plan,
                                    struct posenc_memory *memory, struct posenc_problem *problem)
{
    const size_t half = plan->dim / 2;
    const double shift = posenc__real(arguments, "downscale_freq_shift");
    const struct posenc__dd denominator = posenc__dd_sum((double)half, -shift);
    const struct posenc__dd scale = {posenc__real(arguments, "scale"), 0};
    const struct posenc__dd max_period = {posenc__real(arguments, "max_period"), 0};
    const struct posenc__dd log = posenc__dd_log(max_period);
    struct posenc__powers powers;

    if (denominator.hi <= 0)
        return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "downscale_freq_shift",
                              "'downscale_freq_shift' must be below floor(dim / 2) = %zu, from "
                              "which it is subtracted to divide by.",
                              half);
    const enum posenc_status status = posenc__make_waves(&plan->waves, half, memory, problem);

    if (status != POSENC_OK)
        return status;
    posenc__powers_begin(&powers, max_period, -1, denominator.hi);
    for (size_t i = 0; i < half; i++) {
        const struct posenc__dd w =
            denominator.lo == 0 ? posenc__powers_next(&powers) : odd_frequency(log, i, denominator);

        posenc__waves_set(&plan->waves, i, posenc__dd_multiply(w, scale));
    }
    if (posenc__check_angles(&plan->waves, &plan->timesteps, problem) == POSENC_OK)
        return posenc__wave_rows_init(&plan->rows, &plan->waves, &plan->timesteps, memory)
                   ? POSENC_OK
                   : posenc__no_memory(problem);
    return posenc__refuse(problem, POSENC_OUT_OF_RANGE, "max_period",
                          "These frequencies are not finite, or turn more than 2^53 times on the "
                          "way to the largest timestep; check 'max_period' and 'scale'.");
}

static void timestep_values(const void *context, size_t first, size_t count, double *out)
{
    const struct timestep *plan = context;
    const size_t columns = 2 * plan->waves.count;

    for (size_t done = 0; done < count;) {
        const size_t row = (first + done) / plan->dim, begin = (first + done) % plan->dim;
        const size_t left = plan->dim - begin, part = left < count - done ? left : count - done;
        const size_t end = begin + part < columns ? begin + part : columns;

        if (begin < end)
            posenc__wave_halves_span(&plan->rows, plan->cosine_first, row, begin, end, out + done);
        if (begin + part > columns)
            out[done + part - 1] = 0;
        done += part;
    }
}

static void timestep_rows_of(const void *context, enum posenc_dtype dtype, size_t first,
                             size_t count, void *out)
{
    const struct timestep *plan = context;
    const size_t size = posenc_dtype_size(dtype), columns = 2 * plan->waves.count;
    const struct posenc__wave_layout layout =
        posenc__wave_halves(&plan->rows, plan->cosine_first, plan->dim);

    posenc__wave_rows_fill(&plan->rows, &layout, dtype, first, count, out);
    for (size_t i = 0; i < count && columns < plan->dim; i++)
        memset((char *)out + (i * plan->dim + columns) * size, 0, size);
}

static void timestep_elements(const void *context, enum posenc_dtype dtype, size_t first,
                              size_t count, void *out)
{
    const struct timestep *plan = context;
    const struct posenc__rows rows = {plan->dim, timestep_values, timestep_rows_of};

    posenc__fill_rows(&rows, plan, dtype, first, count, out);
}

/* `timesteps` may be absent where only the waves are wanted. */
static enum posenc_status timestep_prepare(const struct posenc_arguments *arguments,
                                           struct posenc_memory *memory, struct timestep **prepared,
                                           struct posenc_problem *problem)
{
    const struct posenc_array *list = posenc__array(arguments, "timesteps");
    struct timestep *plan = posenc_allocate(memory, 1, sizeof(*plan));

    if (!plan)
        return posenc__no_memory(problem);
    *plan = (struct timestep){.dim = posenc__size(arguments, "dim")};
    if (list)
        plan->timesteps = (struct posenc__positions){.count = list->shape[0], .list = list->data};
    plan->cosine_first = posenc__boolean(arguments, "flip_sin_to_cos");
    *prepared = plan;
    return set_waves(arguments, plan, memory, problem);
}

static enum posenc_status read_waves(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc__wave_view *view, struct posenc_problem *problem)
{
    struct timestep *plan = NULL;
    const enum posenc_status status = timestep_prepare(arguments, memory, &plan, problem);

    (void)result;
    if (status != POSENC_OK)
        return status;
    const size_t half = plan->waves.count;

    *view = (struct posenc__wave_view){.waves = plan->waves,
                                       .cosines = half,
                                       .amplitude = 1,
                                       .has_one_axis = true,
                                       .width = plan->dim,
                                       .sine_start = plan->cosine_first ? half : 0,
                                       .cosine_start = plan->cosine_first ? 0 : half,
                                       .stride = 1,
                                       .has_positions = posenc__names_positions(arguments),
                                       .positions = plan->timesteps};
    return POSENC_OK;
}

static const struct posenc__wave_source timestep_waves = {
    .needs = POSENC__NAMES("dim", "flip_sin_to_cos", "downscale_freq_shift"), .read = read_waves};

static enum posenc_status plan_table(struct posenc_arguments *arguments,
                                     struct posenc_memory *memory, struct posenc_result *result,
                                     struct posenc_problem *problem)
{
    struct timestep *plan = NULL;
    const enum posenc_status status = timestep_prepare(arguments, memory, &plan, problem);

    if (status != POSENC_OK)
        return status;
    const size_t shape[] = {plan->timesteps.count, plan->dim};

    return posenc__add_elements(result, memory, problem, "encoding", posenc__dtype(arguments), 2,
                                shape, timestep_elements, plan);
}

static const struct posenc_operation timestep_operations[] = {
    {.name = "table",
     .summary = "the embedding of every timestep",
     .groups = POSENC__GROUPS(timestep_rows, posenc__dtype_rows, posenc__preset_rows),
     .tensors = POSENC__TENSORS(
         {"encoding", "[timesteps, dim]", "one row per timestep, before any network"}),
     .plan = plan_table},
    {.name = NULL},
};

const struct posenc_encoding posenc__timestep = {
    .name = "timestep",
    .summary = "sine and cosine waves of a diffusion timestep, which may be a fraction",
    .source = "Ho et al., Denoising Diffusion Probabilistic Models, 2020 (arXiv 2006.11239), "
              "appendix B; diffusers' get_timestep_embedding",
    .convention = "halves, not pairs: sines then cosines, or cosines then sines with "
                  "flip_sin_to_cos; an odd dim ends in a zero column",
    .operations = timestep_operations,
    .presets = timestep_presets,
    .waves = &timestep_waves,
    .faults = posenc__wave_faults,
};
