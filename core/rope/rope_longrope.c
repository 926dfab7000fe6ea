/*
 * LongRoPE (Ding et al., 2024), as Phi-3 and PhiMoE read it: a searched divisor for every pair, one
 * list for sequences up to the trained length L and one for longer sequences.
 *
 *   w_i = base^(-2i / d) / e_i,  e = long_factor for sequence_length > L, else short_factor
 *   attention factor: given; or short_mscale, long_mscale by the same switch; or with s = factor,
 *   else max_position_embeddings / L:  sqrt(1 + ln(s) / ln(L)) for s > 1, else 1
 */
#include "rope_float32.h"
#include "rope_scheme.h"

struct longrope_constants {
    double original;
    struct posenc__dd factor; /* 0: unknown and not needed */
    bool is_long;
    const double *extensions; /* [pairs] */
};

static enum posenc_status longrope_check_list(const struct posenc__rope_work *work,
                                              const char *name, const char *path,
                                              const double **numbers)
{
    const struct posenc_value *list = posenc_find_member(work->question->scaling, name);
    const size_t pairs = work->frequencies->table_dim / 2;

    if (list->as.array.shape[0] != pairs)
        return posenc__refuse(work->problem, POSENC_WRONG_SHAPE, path,
                              "'%s' has %zu factors, but %zu pairs turn; it must have one a pair.",
                              path, list->as.array.shape[0], pairs);
    *numbers = list->as.array.data;
    return POSENC_OK;
}

static enum posenc_status longrope_choose_list(const struct posenc__rope_work *work,
                                               struct longrope_constants *constants)
{
    const double *short_list = NULL, *long_list = NULL;
    enum posenc_status status =
        longrope_check_list(work, "short_factor", "scaling.short_factor", &short_list);

    if (status == POSENC_OK)
        status = longrope_check_list(work, "long_factor", "scaling.long_factor", &long_list);
    if (status != POSENC_OK)
        return status;
    if (!work->question->has_sequence_length)
        return posenc__rope_refuse_missing(work, "sequence_length");
    constants->is_long = work->question->sequence_length > constants->original;
    constants->extensions = constants->is_long ? long_list : short_list;
    return POSENC_OK;
}

/* PhiMoE's pair of magnitudes: both or none, and nothing beside them. */
static enum posenc_status longrope_read_mscales(const struct posenc__rope_work *work,
                                                double *short_mscale, double *long_mscale,
                                                bool *found)
{
    const bool has_short = posenc__rope_number(work, "short_mscale", short_mscale);
    const bool has_long = posenc__rope_number(work, "long_mscale", long_mscale);
    double given;

    *found = has_short;
    if (has_short != has_long)
        return posenc__rope_refuse_missing(work, has_short ? "scaling.long_mscale"
                                                           : "scaling.short_mscale");
    if (has_short && posenc__rope_number(work, "attention_factor", &given))
        return posenc__refuse(work->problem, POSENC_CONFLICT, "scaling.attention_factor",
                              "'scaling.attention_factor' and 'scaling.short_mscale' both say what "
                              "multiplies cos and sin; "
                              "leave one out.");
    return POSENC_OK;
}

static enum posenc_status longrope_settle_factor(const struct posenc__rope_work *work,
                                                 struct longrope_constants *constants,
                                                 bool is_needed)
{
    const struct posenc__rope_question *question = work->question;
    double given;

    if (posenc__rope_number(work, "factor", &given))
        constants->factor = posenc__dd_of(given);
    else if (question->has_max_position_embeddings)
        constants->factor = posenc__dd_divide(posenc__dd_of(question->max_position_embeddings),
                                              posenc__dd_of(constants->original));
    else if (is_needed)
        return posenc__rope_refuse_missing(work, "scaling.factor");
    if (constants->factor.hi > 0.0 && constants->factor.hi < 1.0)
        constants->factor = posenc__dd_of(1.0); /* a shorter context is no reason to scale */
    return POSENC_OK;
}

static enum posenc_status longrope_magnitude(const struct posenc__rope_work *work,
                                             const struct longrope_constants *constants)
{
    const struct posenc__dd one = posenc__dd_of(1.0);

    if (!posenc__dd_is_below(one, constants->factor))
        return POSENC_OK;
    if (constants->original < 2.0)
        return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE,
                              "scaling.original_max_position_embeddings",
                              "'scaling.original_max_position_embeddings' must be at least 2: the "
                              "attention factor divides "
                              "by its logarithm.");
    const struct posenc__dd quotient = posenc__dd_divide(
        posenc__dd_log(constants->factor), posenc__dd_log(posenc__dd_of(constants->original)));

    work->frequencies->attention_factor = posenc__dd_power(posenc__dd_add(one, quotient), 1.0, 2.0);
    return POSENC_OK;
}

static enum posenc_status longrope_settle_attention(const struct posenc__rope_work *work,
                                                    struct longrope_constants *constants)
{
    double short_mscale, long_mscale, given;
    bool has_mscales;
    enum posenc_status status =
        longrope_read_mscales(work, &short_mscale, &long_mscale, &has_mscales);
    const bool is_given = posenc__rope_number(work, "attention_factor", &given);

    if (status == POSENC_OK)
        status = longrope_settle_factor(work, constants, !has_mscales && !is_given);
    if (status != POSENC_OK)
        return status;
    if (has_mscales)
        work->frequencies->attention_factor =
            posenc__dd_of(constants->is_long ? long_mscale : short_mscale);
    else if (is_given)
        work->frequencies->attention_factor = posenc__dd_of(given);
    else
        status = longrope_magnitude(work, constants);
    return status;
}

static void longrope_say(struct posenc__rope_work *work, const struct longrope_constants *constants)
{
    static const char *const optional[] = {"short_factor", "long_factor", "attention_factor",
                                           "short_mscale", "long_mscale"};

    if (constants->factor.hi > 0.0)
        posenc__rope_say(work, "factor", posenc_number(constants->factor.hi));
    posenc__rope_say(work, "original_max_position_embeddings", posenc_number(constants->original));
    for (size_t i = 0; i < sizeof(optional) / sizeof(*optional); i++) {
        const struct posenc_value *value = posenc_find_member(work->question->scaling, optional[i]);

        if (value)
            posenc__rope_say(work, optional[i], *value);
    }
}

static enum posenc_status longrope_prepare(struct posenc__rope_work *work)
{
    struct longrope_constants *constants;
    bool given;
    enum posenc_status status;

    if (!posenc__rope_make_constants(work, sizeof(*constants)))
        return posenc__no_memory(work->problem);
    constants = work->constants;
    status = posenc__rope_original(work, &constants->original, &given);
    if (status == POSENC_OK)
        status = longrope_choose_list(work, constants);
    if (status == POSENC_OK)
        status = longrope_settle_attention(work, constants);
    if (status == POSENC_OK)
        longrope_say(work, constants);
    return status;
}

/* The whole factor where there is one; else any change counts as wholly scaled. */
static struct posenc__dd longrope_weight(struct posenc__dd ratio, struct posenc__dd factor)
{
    if (posenc__dd_is_below(posenc__dd_of(1.0), factor))
        return posenc__rope_weight(ratio, factor);
    return posenc__dd_of(ratio.hi == 1.0 ? 0.0 : 1.0);
}

static struct posenc__rope_pair longrope_exact(const struct posenc__rope_work *work, size_t pair)
{
    const struct longrope_constants *constants = work->constants;
    const struct posenc__dd extension = posenc__dd_of(constants->extensions[pair]);
    const struct posenc__dd ratio = posenc__dd_divide(posenc__dd_of(1.0), extension);

    return (struct posenc__rope_pair){posenc__dd_divide(posenc__rope_plain(work, pair), extension),
                                      longrope_weight(ratio, constants->factor)};
}

static float longrope_rounded(const struct posenc__rope_work *work, size_t pair)
{
    const struct longrope_constants *constants = work->constants;

    return 1.0f / ((float)constants->extensions[pair] *
                   posenc__float_period(work->question->base, pair, work->frequencies->table_dim));
}

const struct posenc__rope_scheme posenc__rope_longrope = {
    .name = "longrope",
    .aliases = POSENC__NAMES("su"),
    .needs = POSENC__NAMES("short_factor", "long_factor"),
    .uses = POSENC__NAMES("factor", "original_max_position_embeddings", "attention_factor",
                          "short_mscale", "long_mscale"),
    .prepare = longrope_prepare,
    .exact = longrope_exact,
    .rounded = longrope_rounded,
};
