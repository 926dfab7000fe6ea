/*
 * Llama 3.1's scheme (Meta's llama-models, 2024): by how many turns a pair makes over the original
 * length L.
 *
 *   t = L w_i / (2 pi),  w_i = base^(-2i / d)
 *   t < low_freq_factor: w_i / factor;  t > high_freq_factor: w_i;  between: linear in t
 *
 * Equal bounds (Llama 4 Scout) are a step.
 */
#include "rope_float32.h"
#include "rope_scheme.h"

struct llama3_constants {
    double factor, low, high, original;
};

static enum posenc_status llama3_check(const struct posenc__rope_work *work,
                                       const struct llama3_constants *constants)
{
    const struct posenc__rope_question *question = work->question;

    if (constants->high < constants->low)
        return posenc__refuse(work->problem, POSENC_CONFLICT, "scaling.high_freq_factor",
                              "'scaling.high_freq_factor' %.17g must not be below "
                              "'scaling.low_freq_factor' %.17g; equal ones "
                              "are a step.",
                              constants->high, constants->low);
    if (question->has_max_position_embeddings &&
        constants->original >= question->max_position_embeddings)
        return posenc__refuse(work->problem, POSENC_CONFLICT,
                              "scaling.original_max_position_embeddings",
                              "'scaling.original_max_position_embeddings' %.17g must be below "
                              "'max_position_embeddings' %.17g.",
                              constants->original, question->max_position_embeddings);
    return POSENC_OK;
}

static enum posenc_status llama3_prepare(struct posenc__rope_work *work)
{
    struct llama3_constants *constants;

    if (!posenc__rope_make_constants(work, sizeof(*constants)))
        return posenc__no_memory(work->problem);
    constants = work->constants;
    *constants = (struct llama3_constants){
        .factor = posenc__rope_number_or(work, "factor", 1.0),
        .low = posenc__rope_number_or(work, "low_freq_factor", 1.0),
        .high = posenc__rope_number_or(work, "high_freq_factor", 1.0),
        .original = posenc__rope_number_or(work, "original_max_position_embeddings", 1.0)};
    posenc__rope_say(work, "factor", posenc_number(constants->factor));
    posenc__rope_say(work, "low_freq_factor", posenc_number(constants->low));
    posenc__rope_say(work, "high_freq_factor", posenc_number(constants->high));
    posenc__rope_say(work, "original_max_position_embeddings", posenc_number(constants->original));
    return llama3_check(work, constants);
}

/* 1 below low turns, 0 above high; never divides when they are equal. */
static struct posenc__dd llama3_weight(const struct llama3_constants *constants,
                                       struct posenc__dd plain)
{
    const struct posenc__dd turns = posenc__dd_divide(
        posenc__dd_multiply(plain, posenc__dd_of(constants->original)), posenc__dd_turn());
    const struct posenc__dd low = posenc__dd_of(constants->low);
    const struct posenc__dd high = posenc__dd_of(constants->high);

    if (posenc__dd_is_below(turns, low))
        return posenc__dd_of(1.0);
    if (!posenc__dd_is_below(turns, high))
        return posenc__dd_of(0.0);
    return posenc__dd_divide(posenc__dd_less(high, turns), posenc__dd_less(high, low));
}

static struct posenc__rope_pair llama3_exact(const struct posenc__rope_work *work, size_t pair)
{
    const struct llama3_constants *constants = work->constants;
    const struct posenc__dd plain = posenc__rope_plain(work, pair);
    const struct posenc__dd scaled = posenc__dd_divide(plain, posenc__dd_of(constants->factor));
    const struct posenc__dd weight = llama3_weight(constants, plain);
    const struct posenc__dd rest = posenc__dd_less(posenc__dd_of(1.0), weight);

    return (struct posenc__rope_pair){
        posenc__dd_add(posenc__dd_multiply(plain, rest), posenc__dd_multiply(scaled, weight)),
        weight};
}

/* torch writes number / tensor as the tensor's reciprocal times the number: two roundings. */
static float llama3_rounded(const struct posenc__rope_work *work, size_t pair)
{
    const struct llama3_constants *constants = work->constants;
    const float two_pi = 0x1.921fb6p+2f;
    const float low = (float)constants->low, high = (float)constants->high;
    const float factor = (float)constants->factor;
    const float plain =
        1.0f / posenc__float_period(work->question->base, pair, work->frequencies->table_dim);
    const float wavelength = 1.0f / plain * two_pi;

    if (wavelength > (float)(constants->original / constants->low))
        return plain / factor;
    if (wavelength < (float)(constants->original / constants->high) || low == high)
        return plain;
    const float turns = 1.0f / wavelength * (float)constants->original;
    const float smooth = (turns - low) / (float)(constants->high - constants->low);

    return (1.0f - smooth) * plain / factor + smooth * plain;
}

const struct posenc__rope_scheme posenc__rope_llama3 = {
    .name = "llama3",
    .needs = POSENC__NAMES("factor", "low_freq_factor", "high_freq_factor",
                           "original_max_position_embeddings"),
    .prepare = llama3_prepare,
    .exact = llama3_exact,
    .rounded = llama3_rounded,
};
