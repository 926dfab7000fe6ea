/*
 * YaRN (Peng et al., "YaRN: efficient context window extension of large language models", 2023,
 * sections 3.2 and 3.4), in transformers' and in DeepSeek's reading.
 *
 *   w_i = (1 - g_i) w + g_i w / s,  w = base^(-2i / d),  g_i = ramp of rope_correction.h
 *   gm(m) = 0.1 m ln(s) + 1 for s > 1, else 1
 *
 * The attention factor is the dictionary's; else gm(mscale) / gm(mscale_all_dim), where
 * transformers wants both members and neither 0, and DeepSeek puts 1 and 0 for what is missing;
 * else gm(1).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rope_correction.h"
#include "rope_float32.h"

#define BETA_FAST 32.0
#define BETA_SLOW 1.0

struct yarn_constants {
    struct posenc__dd factor;
    struct posenc__rope_bounds bounds;
    struct posenc__rope_correction correction;
};

static enum posenc_status yarn_settle_dialect(const struct posenc__rope_work *work)
{
    const bool says_deepseek = strcmp(work->type, "deepseek_yarn") == 0;
    const bool asks_other = posenc__given(work->arguments, "yarn_dialect") &&
                            work->question->yarn_dialect != POSENC__YARN_DEEPSEEK;

    if (says_deepseek && asks_other)
        return posenc__refuse(work->problem, POSENC_CONFLICT, "yarn_dialect",
                              "'yarn_dialect' is transformers, but the rope_type 'deepseek_yarn' "
                              "means DeepSeek's.");
    work->frequencies->yarn_dialect =
        says_deepseek ? POSENC__YARN_DEEPSEEK : work->question->yarn_dialect;
    return POSENC_OK;
}

/* A beta of 0 means the default, as null does in Python; whoever sent it may not know. */
static double yarn_beta(const struct posenc__rope_work *work, const char *name, double fallback)
{
    const double beta = posenc__rope_number_or(work, name, fallback);
    char path[POSENC_PATH_MAX];

    if (beta != 0.0)
        return beta;
    (void)snprintf(path, sizeof(path), "scaling.%s", name);
    posenc__warn(work->arguments, work->memory, path,
                 "'%s' is 0, which stands for its default, %g, as in transformers.", path,
                 fallback);
    return fallback;
}

static enum posenc_status yarn_read_bounds(const struct posenc__rope_work *work,
                                           struct posenc__rope_bounds *bounds, bool *has_original)
{
    const struct posenc_value *truncate = posenc_find_member(work->question->scaling, "truncate");
    const enum posenc_status status = posenc__rope_original(work, &bounds->original, has_original);

    bounds->truncate = !truncate || truncate->as.boolean;
    bounds->fast = yarn_beta(work, "beta_fast", BETA_FAST);
    bounds->slow = yarn_beta(work, "beta_slow", BETA_SLOW);
    if (status == POSENC_OK && bounds->fast < bounds->slow)
        return posenc__refuse(work->problem, POSENC_CONFLICT, "scaling.beta_fast",
                              "'scaling.beta_fast' %.17g must not be below 'scaling.beta_slow' "
                              "%.17g: they are turns over "
                              "the original length.",
                              bounds->fast, bounds->slow);
    return status;
}

/* Says so where max_position_embeddings tells another factor; equal lengths tell none. */
static void yarn_compare_factor(const struct posenc__rope_work *work, double factor,
                                double original)
{
    const double length = work->question->max_position_embeddings;

    if (work->question->has_max_position_embeddings && length != original &&
        length != factor * original)
        posenc__warn(work->arguments, work->memory, "scaling.factor",
                     "'scaling.factor' is %.17g and was used, but max_position_embeddings / "
                     "original_max_position_embeddings "
                     "is %.17g.",
                     factor, length / original);
}

/* The dictionary's factor, or the ratio of the lengths. */
static enum posenc_status yarn_settle_factor(const struct posenc__rope_work *work, double original,
                                             bool has_original, struct posenc__dd *factor)
{
    const struct posenc__rope_question *question = work->question;
    double given;

    if (posenc__rope_number(work, "factor", &given)) {
        *factor = posenc__dd_of(given);
        if (has_original)
            yarn_compare_factor(work, given, original);
        return POSENC_OK;
    }
    if (!has_original || !question->has_max_position_embeddings)
        return posenc__rope_refuse_missing(work, "scaling.factor");
    if (question->max_position_embeddings < original)
        return posenc__refuse(work->problem, POSENC_CONFLICT, "max_position_embeddings",
                              "'max_position_embeddings' %.17g is below "
                              "'scaling.original_max_position_embeddings' %.17g, "
                              "and 'scaling.factor' is missing.",
                              question->max_position_embeddings, original);
    *factor = posenc__dd_divide(posenc__dd_of(question->max_position_embeddings),
                                posenc__dd_of(original));
    return POSENC_OK;
}

static struct posenc__dd yarn_magnitude(struct posenc__dd factor, double mscale)
{
    const struct posenc__dd one = posenc__dd_of(1.0);

    if (!posenc__dd_is_below(one, factor))
        return one;
    const struct posenc__dd tenth = posenc__dd_divide(posenc__dd_log(factor), posenc__dd_of(10.0));

    return posenc__dd_add(posenc__dd_multiply(tenth, posenc__dd_of(mscale)), one);
}

/* Whether the quotient of mscales is the attention factor. */
static bool yarn_has_quotient(const struct posenc__rope_work *work)
{
    return work->frequencies->yarn_dialect == POSENC__YARN_DEEPSEEK ||
           (posenc__rope_number_or(work, "mscale", 0.0) != 0.0 &&
            posenc__rope_number_or(work, "mscale_all_dim", 0.0) != 0.0);
}

static void yarn_settle_attention(struct posenc__rope_work *work, struct posenc__dd factor)
{
    const double all = posenc__rope_number_or(work, "mscale_all_dim", 0.0);
    double given, mscale = 1.0;
    const bool has_mscale = posenc__rope_number(work, "mscale", &mscale);
    const bool overridden = posenc__rope_number(work, "attention_factor", &given);

    if (overridden)
        work->frequencies->attention_factor = posenc__dd_of(given);
    else if (yarn_has_quotient(work))
        work->frequencies->attention_factor =
            posenc__dd_divide(yarn_magnitude(factor, mscale), yarn_magnitude(factor, all));
    else
        work->frequencies->attention_factor = yarn_magnitude(factor, 1.0);
    if (has_mscale && (overridden || !yarn_has_quotient(work)))
        posenc__warn(work->arguments, work->memory, "scaling.mscale",
                     overridden ? "'scaling.mscale' does not count beside "
                                  "'scaling.attention_factor'."
                                : "'scaling.mscale' counts only beside a "
                                  "'scaling.mscale_all_dim' that is not 0, unless "
                                  "yarn_dialect is deepseek.");
    const struct posenc__dd softmax = yarn_magnitude(factor, all);

    work->frequencies->softmax_scale_multiplier = posenc__dd_multiply(softmax, softmax).hi;
}

static void yarn_say(struct posenc__rope_work *work, const struct yarn_constants *constants)
{
    static const char *const optional[] = {"attention_factor", "mscale", "mscale_all_dim"};
    const struct posenc__rope_bounds *bounds = &constants->bounds;
    double number;

    posenc__rope_say(work, "factor", posenc_number(constants->factor.hi));
    posenc__rope_say(work, "original_max_position_embeddings", posenc_number(bounds->original));
    posenc__rope_say(work, "beta_fast", posenc_number(bounds->fast));
    posenc__rope_say(work, "beta_slow", posenc_number(bounds->slow));
    posenc__rope_say(work, "truncate", posenc_boolean(bounds->truncate));
    for (size_t i = 0; i < sizeof(optional) / sizeof(*optional); i++)
        if (posenc__rope_number(work, optional[i], &number))
            posenc__rope_say(work, optional[i], posenc_number(number));
}

static void yarn_show_range(const struct posenc__rope_work *work,
                            const struct posenc__rope_correction *correction)
{
    work->frequencies->has_correction_range = true;
    work->frequencies->correction_raw[0] = correction->raw[0];
    work->frequencies->correction_raw[1] = correction->raw[1];
    work->frequencies->correction_used[0] = correction->low.hi;
    work->frequencies->correction_used[1] = correction->high.hi;
}

static enum posenc_status yarn_prepare(struct posenc__rope_work *work)
{
    struct yarn_constants *constants;
    bool has_original;
    enum posenc_status status = yarn_settle_dialect(work);

    if (status != POSENC_OK)
        return status;
    if (!posenc__rope_make_constants(work, sizeof(*constants)))
        return posenc__no_memory(work->problem);
    constants = work->constants;
    status = yarn_read_bounds(work, &constants->bounds, &has_original);
    if (status == POSENC_OK)
        status =
            yarn_settle_factor(work, constants->bounds.original, has_original, &constants->factor);
    if (status == POSENC_OK)
        status = posenc__rope_correct(work, &constants->bounds, &constants->correction);
    if (status != POSENC_OK)
        return status;
    yarn_settle_attention(work, constants->factor);
    yarn_show_range(work, &constants->correction);
    yarn_say(work, constants);
    return POSENC_OK;
}

static struct posenc__rope_pair yarn_exact(const struct posenc__rope_work *work, size_t pair)
{
    const struct yarn_constants *constants = work->constants;
    const struct posenc__dd plain = posenc__rope_plain(work, pair);
    const struct posenc__dd scaled = posenc__dd_divide(plain, constants->factor);
    const struct posenc__dd weight = posenc__rope_ramp(&constants->correction, pair);
    const struct posenc__dd rest = posenc__dd_less(posenc__dd_of(1.0), weight);

    return (struct posenc__rope_pair){
        posenc__dd_add(posenc__dd_multiply(plain, rest), posenc__dd_multiply(scaled, weight)),
        weight};
}

static float yarn_rounded(const struct posenc__rope_work *work, size_t pair)
{
    const struct yarn_constants *constants = work->constants;
    const float period =
        posenc__float_period(work->question->base, pair, work->frequencies->table_dim);
    const float plain = 1.0f / period;
    const float scaled = 1.0f / ((float)constants->factor.hi * period);
    const float kept = 1.0f - posenc__rope_ramp_float(&constants->correction, pair);

    return scaled * (1.0f - kept) + plain * kept;
}

/* ggml rounds the range to whole pairs whatever the dictionary says. */
static void yarn_shape_ggml(const struct posenc__rope_work *work, float *freq_scale, float *kept)
{
    const struct yarn_constants *constants = work->constants;
    const struct posenc__rope_bounds *bounds = &constants->bounds;
    const float original = (float)bounds->original;
    const float last = (float)(work->frequencies->table_dim - 1);
    const float low =
        fmaxf(0.0f, floorf(posenc__rope_correction_float(work, original, (float)bounds->fast)));
    const float high =
        fminf(last, ceilf(posenc__rope_correction_float(work, original, (float)bounds->slow)));
    const float width = fmaxf(0.001f, high - low);

    if (!bounds->truncate)
        posenc__warn(work->arguments, work->memory, "scaling.truncate",
                     "ggml's arithmetic always truncates the correction range.");
    *freq_scale = 1.0f / (float)constants->factor.hi;
    for (size_t pair = 0; pair < work->frequencies->pairs; pair++)
        kept[pair] = 1.0f - fminf(1.0f, fmaxf(0.0f, ((float)pair - low) / width));
}

const struct posenc__rope_scheme posenc__rope_yarn = {
    .name = "yarn",
    .aliases = POSENC__NAMES("deepseek_yarn"),
    .uses = POSENC__NAMES("factor", "original_max_position_embeddings", "attention_factor",
                          "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"),
    .prepare = yarn_prepare,
    .exact = yarn_exact,
    .rounded = yarn_rounded,
    .shape_ggml = yarn_shape_ggml,
    .ggml_blends = true,
};
