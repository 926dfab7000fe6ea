#include "rope_correction.h"

#include <math.h>

#include "rope_float32.h"

/* So that the ramp has a width: transformers' and the paper's code add this much. */
#define NARROWEST 0.001

static struct posenc__dd correction_pair(const struct posenc__rope_work *work, double original,
                                         double turns)
{
    const struct posenc__dd d = posenc__dd_of((double)work->frequencies->table_dim);
    const struct posenc__dd wavelength =
        posenc__dd_multiply(posenc__dd_turn(), posenc__dd_of(turns));
    const struct posenc__dd times = posenc__dd_divide(posenc__dd_of(original), wavelength);
    const struct posenc__dd log_base = posenc__dd_log(posenc__dd_of(work->question->base));
    const struct posenc__dd twice = {2.0 * log_base.hi, 2.0 * log_base.lo};

    return posenc__dd_divide(posenc__dd_multiply(d, posenc__dd_log(times)), twice);
}

static struct posenc__dd round_down(struct posenc__dd x)
{
    const double whole = floor(x.hi);

    return posenc__dd_of(whole == x.hi && x.lo < 0.0 ? whole - 1.0 : whole);
}

static struct posenc__dd round_up(struct posenc__dd x)
{
    const double whole = ceil(x.hi);

    return posenc__dd_of(whole == x.hi && x.lo > 0.0 ? whole + 1.0 : whole);
}

static enum posenc_status check_bounds(const struct posenc__rope_work *work,
                                       const struct posenc__rope_bounds *bounds)
{
    const struct posenc__dd shortest =
        posenc__dd_multiply(posenc__dd_turn(), posenc__dd_of(bounds->slow));

    if (work->question->base <= 1.0)
        return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE, "base",
                              "'base' must be above 1 for the rope_type '%s', which divides by its "
                              "logarithm; it is %.17g.",
                              work->scheme->name, work->question->base);
    if (bounds->original <= shortest.hi)
        return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE,
                              "scaling.original_max_position_embeddings",
                              "'scaling.original_max_position_embeddings' is %.17g, but the "
                              "rope_type '%s' needs more than "
                              "2 pi * %.17g positions.",
                              bounds->original, work->scheme->name, bounds->slow);
    return POSENC_OK;
}

enum posenc_status posenc__rope_correct(const struct posenc__rope_work *work,
                                        const struct posenc__rope_bounds *bounds,
                                        struct posenc__rope_correction *correction)
{
    const enum posenc_status status = check_bounds(work, bounds);
    const struct posenc__dd last = posenc__dd_of((double)work->frequencies->table_dim - 1.0);

    if (status != POSENC_OK)
        return status;
    struct posenc__dd *const low = &correction->low, *const high = &correction->high;

    *low = correction_pair(work, bounds->original, bounds->fast);
    *high = correction_pair(work, bounds->original, bounds->slow);
    correction->raw[0] = low->hi;
    correction->raw[1] = high->hi;
    if (bounds->truncate) {
        *low = round_down(*low);
        *high = round_up(*high);
    }
    if (low->hi < 0.0)
        *low = posenc__dd_of(0.0);
    /* Not the last pair d / 2 - 1, but the last channel: so everyone computes it. */
    if (posenc__dd_is_below(last, *high))
        *high = last;
    if (posenc__dd_is_below(*high, *low))
        return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE, "base",
                              "'base' %.17g is so small that the correction range of '%s' lies "
                              "beyond the last pair.",
                              work->question->base, work->scheme->name);
    if (!posenc__dd_is_below(*low, *high))
        *high = posenc__dd_add(*high, posenc__dd_of(NARROWEST));
    return POSENC_OK;
}

struct posenc__dd posenc__rope_ramp(const struct posenc__rope_correction *correction, size_t pair)
{
    const struct posenc__dd place = posenc__dd_of((double)pair);

    if (!posenc__dd_is_below(correction->low, place))
        return posenc__dd_of(0.0);
    if (!posenc__dd_is_below(place, correction->high))
        return posenc__dd_of(1.0);
    return posenc__dd_divide(posenc__dd_less(place, correction->low),
                             posenc__dd_less(correction->high, correction->low));
}

float posenc__rope_ramp_float(const struct posenc__rope_correction *correction, size_t pair)
{
    const float width = (float)(correction->high.hi - correction->low.hi);

    return fminf(fmaxf(((float)pair - (float)correction->low.hi) / width, 0.0f), 1.0f);
}

float posenc__rope_correction_float(const struct posenc__rope_work *work, float original,
                                    float turns)
{
    const float pi = 0x1.921fb6p+1f;
    const float logarithm = posenc__float_log(original / (turns * 2.0f * pi));

    return (float)work->frequencies->table_dim * logarithm /
           (2.0f * posenc__float_log((float)work->question->base));
}
