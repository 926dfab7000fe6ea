/*
 * Schemes that enlarge the base, "NTK-aware" (bloc97 and emozilla, 2023, as in jquesnelle/yarn).
 *
 *   base' = base * g^(d / (d - 2)),  w_i = base'^(-2i / d) = base^(-2i / d) * g^(-2i / (d - 2))
 *
 * so that the fastest pair stays and the slowest one turns g times slower, with the growth g
 *
 *   ntk           alpha, whatever the length
 *   dynamic       factor n / M - (factor - 1), n = max(sequence_length, M), M =
 *                 max_position_embeddings: 1 up to M
 *   dynamic_qwen  max(2^(ceil(log2(n / seq_length)) + 1) - 1, 1): Qwen 1's own steps
 */
#include <math.h>

#include "rope_float32.h"
#include "rope_scheme.h"

struct ntk_constants {
    struct posenc__dd growth;
};

/* Takes the growth that `member` leads to. */
static enum posenc_status ntk_settle(struct posenc__rope_work *work, struct posenc__dd growth,
                                     const char *member)
{
    const double d = (double)work->frequencies->table_dim;
    struct ntk_constants *constants;

    if (d <= 2.0)
        return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE, "dim",
                              "The rope_type '%s' needs more than one pair: its exponent is d / (d "
                              "- 2), and 2 channels turn.",
                              work->scheme->name);
    if (!posenc__rope_make_constants(work, sizeof(*constants)))
        return posenc__no_memory(work->problem);
    constants = work->constants;
    constants->growth = growth;
    work->frequencies->has_effective_base = true;
    work->frequencies->effective_base = posenc__dd_multiply(posenc__dd_of(work->question->base),
                                                            posenc__dd_power(growth, d, d - 2.0))
                                            .hi;
    if (!isfinite(work->frequencies->effective_base))
        return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE, member,
                              "'%s' makes the base grow beyond every double.", member);
    return POSENC_OK;
}

static struct posenc__rope_pair ntk_exact(const struct posenc__rope_work *work, size_t pair)
{
    const struct ntk_constants *constants = work->constants;
    const struct posenc__dd ratio = posenc__dd_power(constants->growth, -2.0 * (double)pair,
                                                     (double)work->frequencies->table_dim - 2.0);

    return (struct posenc__rope_pair){posenc__dd_multiply(posenc__rope_plain(work, pair), ratio),
                                      posenc__rope_weight(ratio, constants->growth)};
}

/* The base is worked out in double, as Python does it. */
static float ntk_rounded(const struct posenc__rope_work *work, size_t pair)
{
    return 1.0f / posenc__float_period(work->frequencies->effective_base, pair,
                                       work->frequencies->table_dim);
}

static enum posenc_status ntk_prepare(struct posenc__rope_work *work)
{
    const double alpha = posenc__rope_number_or(work, "alpha", 0.0);

    if (alpha < 1.0)
        return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE, "scaling.alpha",
                              "'scaling.alpha' must be a number of at least 1; it is %.17g.",
                              alpha);
    posenc__rope_say(work, "alpha", posenc_number(alpha));
    return ntk_settle(work, posenc__dd_of(alpha), "scaling.alpha");
}

const struct posenc__rope_scheme posenc__rope_ntk = {
    .name = "ntk",
    .needs = POSENC__NAMES("alpha"),
    .prepare = ntk_prepare,
    .exact = ntk_exact,
    .rounded = ntk_rounded,
};

/* 1 + factor (n - M) / M: the same as factor n / M - (factor - 1), and never below 1. */
static struct posenc__dd dynamic_growth(double factor, double length, double trained)
{
    if (length <= trained)
        return posenc__dd_of(1.0);
    const struct posenc__dd beyond = posenc__dd_product(factor, length - trained);

    return posenc__dd_add(posenc__dd_of(1.0), posenc__dd_divide(beyond, posenc__dd_of(trained)));
}

static enum posenc_status dynamic_prepare(struct posenc__rope_work *work)
{
    const struct posenc__rope_question *question = work->question;
    const double factor = posenc__rope_number_or(work, "factor", 1.0);

    if (!question->has_max_position_embeddings)
        return posenc__rope_refuse_missing(work, "max_position_embeddings");
    if (!question->has_sequence_length)
        return posenc__rope_refuse_missing(work, "sequence_length");
    posenc__rope_say(work, "factor", posenc_number(factor));
    return ntk_settle(
        work, dynamic_growth(factor, question->sequence_length, question->max_position_embeddings),
        "scaling.factor");
}

/* An alpha of 0 counts as none; any other makes it an ntk. */
const struct posenc__rope_scheme posenc__rope_dynamic = {
    .name = "dynamic",
    .aliases = POSENC__NAMES("xdrope"),
    .needs = POSENC__NAMES("factor"),
    .uses = POSENC__NAMES("alpha"),
    .prepare = dynamic_prepare,
    .exact = ntk_exact,
    .rounded = ntk_rounded,
};

static double qwen_growth(double length, double trained)
{
    double growth = 1.0;

    for (double reach = trained; reach < length; reach *= 2.0)
        growth = 2.0 * growth + 1.0;
    return growth;
}

static enum posenc_status dynamic_qwen_prepare(struct posenc__rope_work *work)
{
    const double trained = posenc__rope_number_or(work, "seq_length", 1.0);

    if (!work->question->has_sequence_length)
        return posenc__rope_refuse_missing(work, "sequence_length");
    posenc__rope_say(work, "seq_length", posenc_number(trained));
    return ntk_settle(work, posenc__dd_of(qwen_growth(work->question->sequence_length, trained)),
                      "scaling.seq_length");
}

const struct posenc__rope_scheme posenc__rope_dynamic_qwen = {
    .name = "dynamic_qwen",
    .needs = POSENC__NAMES("seq_length"),
    .prepare = dynamic_qwen_prepare,
    .exact = ntk_exact,
    .rounded = ntk_rounded,
};
