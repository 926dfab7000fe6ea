/*
 * NTK-by-parts (bloc97, 2023, as in jquesnelle/yarn): fast pairs kept, slow ones interpolated, an
 * NTK-aware table between.
 *
 *   m1 = (1 - ramp(1.25 .. 0.75 turns)) * ntk_factor,           u = w / s (1 - m1) + w_ntk m1
 *   m2 = (1 - ramp(16 .. 2 turns)) * extrapolation_factor,      w' = u (1 - m2) + w m2
 */
#include "rope_correction.h"
#include "rope_float32.h"

struct parts_constants {
    double factor, ntk_factor, extrapolation_factor;
    double ntk_base; /* base * factor^(d / (d - 2)) */
    struct posenc__rope_correction inner, outer;
};

/* Turns over the trained length between which the tables change; the code's constants. */
#define INNER_FAST 1.25
#define INNER_SLOW 0.75
#define OUTER_FAST 16.0
#define OUTER_SLOW 2.0

static enum posenc_status parts_correct(const struct posenc__rope_work *work,
                                        struct parts_constants *constants)
{
    struct posenc__rope_bounds outer = {.fast = OUTER_FAST, .slow = OUTER_SLOW, .truncate = true};
    bool given;
    enum posenc_status status = posenc__rope_original(work, &outer.original, &given);
    struct posenc__rope_bounds inner = outer;

    inner.fast = INNER_FAST;
    inner.slow = INNER_SLOW;
    if (status == POSENC_OK)
        status = posenc__rope_correct(work, &outer, &constants->outer);
    if (status == POSENC_OK)
        status = posenc__rope_correct(work, &inner, &constants->inner);
    return status;
}

static void parts_say(struct posenc__rope_work *work, const struct parts_constants *constants)
{
    double original = work->question->max_position_embeddings;

    (void)posenc__rope_number(work, "original_max_position_embeddings", &original);
    posenc__rope_say(work, "factor", posenc_number(constants->factor));
    posenc__rope_say(work, "original_max_position_embeddings", posenc_number(original));
    posenc__rope_say(work, "ntk_factor", posenc_number(constants->ntk_factor));
    posenc__rope_say(work, "extrapolation_factor", posenc_number(constants->extrapolation_factor));
}

static enum posenc_status parts_prepare(struct posenc__rope_work *work)
{
    const double d = (double)work->frequencies->table_dim;
    struct parts_constants *constants;

    if (d <= 2.0)
        return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE, "dim",
                              "The rope_type 'ntk_by_parts' needs more than one pair: its exponent "
                              "is d / (d - 2), and "
                              "2 channels turn.");
    if (!posenc__rope_make_constants(work, sizeof(*constants)))
        return posenc__no_memory(work->problem);
    constants = work->constants;
    constants->factor = posenc__rope_number_or(work, "factor", 1.0);
    constants->ntk_factor = posenc__rope_number_or(work, "ntk_factor", 1.0);
    constants->extrapolation_factor = posenc__rope_number_or(work, "extrapolation_factor", 1.0);
    constants->ntk_base =
        posenc__dd_multiply(posenc__dd_of(work->question->base),
                            posenc__dd_power(posenc__dd_of(constants->factor), d, d - 2.0))
            .hi;
    const enum posenc_status status = parts_correct(work, constants);

    if (status == POSENC_OK)
        parts_say(work, constants);
    return status;
}

/* (1 - ramp) * share */
static struct posenc__dd parts_mask(const struct posenc__rope_correction *correction, size_t pair,
                                    double share)
{
    return posenc__dd_multiply(
        posenc__dd_less(posenc__dd_of(1.0), posenc__rope_ramp(correction, pair)),
        posenc__dd_of(share));
}

/* a (1 - mask) + b mask */
static struct posenc__dd parts_blend(struct posenc__dd a, struct posenc__dd b,
                                     struct posenc__dd mask)
{
    const struct posenc__dd rest = posenc__dd_less(posenc__dd_of(1.0), mask);

    return posenc__dd_add(posenc__dd_multiply(a, rest), posenc__dd_multiply(b, mask));
}

/* All three tables are the plain one times something: blend those, and multiply once. */
static struct posenc__rope_pair parts_exact(const struct posenc__rope_work *work, size_t pair)
{
    const struct parts_constants *constants = work->constants;
    const struct posenc__dd factor = posenc__dd_of(constants->factor);
    const struct posenc__dd one = posenc__dd_of(1.0);
    const struct posenc__dd enlarged =
        posenc__dd_power(factor, -2.0 * (double)pair, (double)work->frequencies->table_dim - 2.0);
    const struct posenc__dd inner =
        parts_blend(posenc__dd_divide(one, factor), enlarged,
                    parts_mask(&constants->inner, pair, constants->ntk_factor));
    const struct posenc__dd ratio = parts_blend(
        inner, one, parts_mask(&constants->outer, pair, constants->extrapolation_factor));

    return (struct posenc__rope_pair){posenc__dd_multiply(posenc__rope_plain(work, pair), ratio),
                                      posenc__rope_weight(ratio, factor)};
}

static float parts_rounded(const struct posenc__rope_work *work, size_t pair)
{
    const struct parts_constants *constants = work->constants;
    const size_t dim = work->frequencies->table_dim;
    const float period = posenc__float_period(work->question->base, pair, dim);
    const float linear = 1.0f / ((float)constants->factor * period);
    const float enlarged = 1.0f / posenc__float_period(constants->ntk_base, pair, dim);
    const float inner =
        (1.0f - posenc__rope_ramp_float(&constants->inner, pair)) * (float)constants->ntk_factor;
    const float outer = (1.0f - posenc__rope_ramp_float(&constants->outer, pair)) *
                        (float)constants->extrapolation_factor;
    const float mixed = linear * (1.0f - inner) + enlarged * inner;

    return mixed * (1.0f - outer) + 1.0f / period * outer;
}

const struct posenc__rope_scheme posenc__rope_ntk_by_parts = {
    .name = "ntk_by_parts",
    .aliases = POSENC__NAMES("ntk-by-parts"),
    .needs = POSENC__NAMES("factor"),
    .uses = POSENC__NAMES("original_max_position_embeddings", "ntk_factor", "extrapolation_factor"),
    .prepare = parts_prepare,
    .exact = parts_exact,
    .rounded = parts_rounded,
};
