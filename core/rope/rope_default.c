/*
 * No scaling, and linear position interpolation (Chen et al., "Extending context window of large
 * language models via positional interpolation", 2023).
 *
 *   default  w_i = base^(-2i / d)
 *   linear   w_i = base^(-2i / d) / factor, so that position p stands where p / factor stood
 */
#include "rope_float32.h"
#include "rope_scheme.h"

static struct posenc__rope_pair default_exact(const struct posenc__rope_work *work, size_t pair)
{
    return (struct posenc__rope_pair){posenc__rope_plain(work, pair), posenc__dd_of(0.0)};
}

static float default_rounded(const struct posenc__rope_work *work, size_t pair)
{
    return 1.0f / posenc__float_period(work->question->base, pair, work->frequencies->table_dim);
}

const struct posenc__rope_scheme posenc__rope_default = {
    .name = "default",
    .aliases = POSENC__NAMES("mrope"),
    .exact = default_exact,
    .rounded = default_rounded,
};

struct linear_constants {
    double factor;
};

static enum posenc_status linear_prepare(struct posenc__rope_work *work)
{
    struct linear_constants *constants;

    if (!posenc__rope_make_constants(work, sizeof(*constants)))
        return posenc__no_memory(work->problem);
    constants = work->constants;
    constants->factor = posenc__rope_number_or(work, "factor", 1.0);
    posenc__rope_say(work, "factor", posenc_number(constants->factor));
    return POSENC_OK;
}

static struct posenc__rope_pair linear_exact(const struct posenc__rope_work *work, size_t pair)
{
    const struct linear_constants *constants = work->constants;
    const struct posenc__dd factor = posenc__dd_of(constants->factor);

    return (struct posenc__rope_pair){posenc__dd_divide(posenc__rope_plain(work, pair), factor),
                                      posenc__dd_of(constants->factor > 1.0 ? 1.0 : 0.0)};
}

static float linear_rounded(const struct posenc__rope_work *work, size_t pair)
{
    const struct linear_constants *constants = work->constants;

    return default_rounded(work, pair) / (float)constants->factor;
}

static void linear_shape_ggml(const struct posenc__rope_work *work, float *freq_scale, float *kept)
{
    const struct linear_constants *constants = work->constants;

    (void)kept; /* nothing is blended */
    *freq_scale = 1.0f / (float)constants->factor;
}

const struct posenc__rope_scheme posenc__rope_linear = {
    .name = "linear",
    .needs = POSENC__NAMES("factor"),
    .prepare = linear_prepare,
    .exact = linear_exact,
    .rounded = linear_rounded,
    .shape_ggml = linear_shape_ggml,
};
