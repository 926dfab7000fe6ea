/*
 * "Fixed" NTK (Su Jianlin, "Transformer upgrade: 11, beta-base positions", 2023; vLLM's rope_type
 * ntk).
 *
 *   w_i = (base * s)^(-2i / d) / s^(2 / d) = base^(-2i / d) * s^(-2 (i + 1) / d)
 *   with mixed_b:  w_i = base^(-2i / d) * exp(-ln(s) * ((i + 1) / (d / 2))^mixed_b)
 *
 * The slowest pair turns s times slower, as with ntk, but the fastest one does not stay at 1.
 */
#include <math.h>

#include "rope_float32.h"
#include "rope_scheme.h"

struct fixed_constants {
    double factor;
    struct posenc__dd log_factor;
    bool is_mixed;
    double mixed_b;
};

static enum posenc_status fixed_prepare(struct posenc__rope_work *work)
{
    struct fixed_constants *constants;

    if (!posenc__rope_make_constants(work, sizeof(*constants)))
        return posenc__no_memory(work->problem);
    constants = work->constants;
    constants->factor = posenc__rope_number_or(work, "factor", 1.0);
    constants->log_factor = posenc__dd_log(posenc__dd_of(constants->factor));
    constants->is_mixed = posenc__rope_number(work, "mixed_b", &constants->mixed_b);
    posenc__rope_say(work, "factor", posenc_number(constants->factor));
    if (constants->is_mixed)
        posenc__rope_say(work, "mixed_b", posenc_number(constants->mixed_b));
    work->frequencies->has_effective_base = !constants->is_mixed;
    work->frequencies->effective_base = work->question->base * constants->factor;
    if (!constants->is_mixed && !isfinite(work->frequencies->effective_base))
        return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE, "scaling.factor",
                              "'scaling.factor' makes the base grow beyond every double.");
    return POSENC_OK;
}

/* How much slower than unscaled a pair turns. */
static struct posenc__dd fixed_ratio(const struct posenc__rope_work *work, size_t pair)
{
    const struct fixed_constants *constants = work->constants;
    const double d = (double)work->frequencies->table_dim;
    const double place = (double)(pair + 1);

    if (!constants->is_mixed)
        return posenc__dd_power(posenc__dd_of(constants->factor), -2.0 * place, d);
    const struct posenc__dd share = posenc__dd_power(
        posenc__dd_divide(posenc__dd_of(place), posenc__dd_of(d / 2.0)), constants->mixed_b, 1.0);
    const struct posenc__dd exponent = posenc__dd_multiply(constants->log_factor, share);

    return posenc__dd_exp((struct posenc__dd){-exponent.hi, -exponent.lo});
}

static struct posenc__rope_pair fixed_exact(const struct posenc__rope_work *work, size_t pair)
{
    const struct fixed_constants *constants = work->constants;
    const struct posenc__dd ratio = fixed_ratio(work, pair);

    return (struct posenc__rope_pair){posenc__dd_multiply(posenc__rope_plain(work, pair), ratio),
                                      posenc__rope_weight(ratio, posenc__dd_of(constants->factor))};
}

/* vLLM's exp(a (i + 1)^b), a = ln(s) / (d / 2)^b. */
static float fixed_mixed_divisor(const struct posenc__rope_work *work, size_t pair)
{
    const struct fixed_constants *constants = work->constants;
    const double half = (double)work->frequencies->table_dim / 2.0;
    const double scale = posenc__dd_power(posenc__dd_of(half), constants->mixed_b, 1.0).hi;
    const float a = posenc__float_log((float)constants->factor) / (float)scale;

    return posenc__float_exp(a * posenc__float_power((float)(pair + 1), (float)constants->mixed_b));
}

static float fixed_rounded(const struct posenc__rope_work *work, size_t pair)
{
    const struct fixed_constants *constants = work->constants;
    const size_t dim = work->frequencies->table_dim;

    if (constants->is_mixed)
        return 1.0f / posenc__float_period(work->question->base, pair, dim) /
               fixed_mixed_divisor(work, pair);
    const double slower = posenc__dd_power(posenc__dd_of(constants->factor), 2.0, (double)dim).hi;

    return 1.0f / posenc__float_period(work->frequencies->effective_base, pair, dim) /
           (float)slower;
}

const struct posenc__rope_scheme posenc__rope_ntk_fixed = {
    .name = "ntk_fixed",
    .needs = POSENC__NAMES("factor"),
    .uses = POSENC__NAMES("mixed_b"),
    .prepare = fixed_prepare,
    .exact = fixed_exact,
    .rounded = fixed_rounded,
};
