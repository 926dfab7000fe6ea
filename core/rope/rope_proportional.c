/*
 * Proportional RoPE (Barbero et al., "Round and round we go! What makes rotary positional encodings
 * useful?", 2024; Gemma 4): the fastest share of the whole head's frequencies turns, the rest
 * stands still.
 *
 *   w_i = base^(-2i / D) / factor for i < n = floor(share * D / 2), else 0,  D the whole head
 *
 * Unlike partial rotary, exponents and pairs span the whole head.
 */
#include <math.h>

#include "rope_float32.h"
#include "rope_scheme.h"

struct proportional_constants {
    double factor;
    size_t turning; /* pairs */
};

static enum posenc_status proportional_prepare(struct posenc__rope_work *work)
{
    const struct posenc__rope_question *question = work->question;
    struct proportional_constants *constants;
    double share = 1.0;
    const bool has_share = posenc__rope_number(work, "partial_rotary_factor", &share);

    if (!posenc__rope_make_constants(work, sizeof(*constants)))
        return posenc__no_memory(work->problem);
    constants = work->constants;
    constants->factor = posenc__rope_number_or(work, "factor", 1.0);
    constants->turning = (size_t)fmin(floor(share * (double)question->dim / 2.0),
                                      (double)(question->rotary_dim / 2));
    work->frequencies->table_dim = question->dim;
    posenc__rope_say(work, "factor", posenc_number(constants->factor));
    if (has_share)
        posenc__rope_say(work, "partial_rotary_factor", posenc_number(share));
    if (constants->turning == 0)
        return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE, "scaling.partial_rotary_factor",
                              "'scaling.partial_rotary_factor' %.17g leaves no pair of %zu that "
                              "turns.",
                              share, question->dim / 2);
    return POSENC_OK;
}

static struct posenc__rope_pair proportional_exact(const struct posenc__rope_work *work,
                                                   size_t pair)
{
    const struct proportional_constants *constants = work->constants;

    if (pair >= constants->turning)
        return (struct posenc__rope_pair){posenc__dd_of(0.0), posenc__dd_of(1.0)};
    return (struct posenc__rope_pair){
        posenc__dd_divide(posenc__rope_plain(work, pair), posenc__dd_of(constants->factor)),
        posenc__dd_of(constants->factor > 1.0 ? 1.0 : 0.0)};
}

static float proportional_rounded(const struct posenc__rope_work *work, size_t pair)
{
    const struct proportional_constants *constants = work->constants;

    if (pair >= constants->turning)
        return 0.0f;
    return 1.0f / posenc__float_period(work->question->base, pair, work->frequencies->table_dim) /
           (float)constants->factor;
}

const struct posenc__rope_scheme posenc__rope_proportional = {
    .name = "proportional",
    .uses = POSENC__NAMES("factor", "partial_rotary_factor"),
    .prepare = proportional_prepare,
    .exact = proportional_exact,
    .rounded = proportional_rounded,
};
