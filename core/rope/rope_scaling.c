/*
 * Reading a scaling dictionary: which scheme it names, whether all that the scheme needs is there,
 * what it leaves unused; then pair after pair.
 */
#include "rope_scaling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "powers.h"
#include "rope_float32.h"
#include "rope_scheme.h"

/* Radians per position from which on angles lose bits; see angle.h. */
#define RADIANS_MAX 0x1p22

#define SCHEME_ADDRESS(id) &posenc__rope_##id,
static const struct posenc__rope_scheme *const schemes[] = {POSENC__ROPE_SCHEMES(SCHEME_ADDRESS)};
#define SCHEME_COUNT (sizeof(schemes) / sizeof(*schemes))

/* Members that say which scheme it is, or that whoever asks reads himself. */
static const char *const foreign[] = {
    "rope_type",         "type",           "rope_theta", "partial_rotary_factor", "mrope_section",
    "mrope_interleaved", "xdrope_section", NULL};

static bool is_among(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static const struct posenc__rope_scheme *find_scheme(const char *name)
{
    for (size_t i = 0; i < SCHEME_COUNT; i++)
        if (strcmp(schemes[i]->name, name) == 0 || is_among(schemes[i]->aliases, name))
            return schemes[i];
    return NULL;
}

static const char *text_member(const struct posenc_value *scaling, const char *name)
{
    const struct posenc_value *value = posenc_find_member(scaling, name);

    return value && value->kind == POSENC_TEXT ? value->as.text : NULL;
}

static enum posenc_status refuse_type(const struct posenc__rope_work *work, const char *member,
                                      const char *type)
{
    struct posenc_problem *problem = work->problem;
    size_t best = SIZE_MAX;

    (void)posenc__refuse(problem, POSENC_OUT_OF_RANGE, member,
                         "There is no rope_type '%.80s'; 'allowed' lists those that there are.",
                         type);
    (void)snprintf(problem->value, sizeof(problem->value), "%s", type); /* cut if long */
    for (size_t i = 0; i < SCHEME_COUNT; i++) {
        const size_t distance = posenc__edit_distance(type, schemes[i]->name);

        problem->allowed[problem->allowed_count++] = schemes[i]->name;
        if (distance >= best || !posenc__is_near(type, schemes[i]->name, distance))
            continue;
        best = distance;
        (void)snprintf(problem->suggestion, sizeof(problem->suggestion), "%s", schemes[i]->name);
    }
    return POSENC_OUT_OF_RANGE;
}

/* No type named: fine as long as no member belongs to a scheme. */
static enum posenc_status assume_default(struct posenc__rope_work *work)
{
    const struct posenc_members *members = &work->question->scaling->as.object;

    for (size_t i = 0; i < members->count; i++)
        if (!is_among(foreign, members->items[i].name))
            return posenc__refuse(work->problem, POSENC_MISSING_PARAMETER, "scaling.rope_type",
                                  "'scaling.rope_type' is required beside 'scaling.%s'.",
                                  members->items[i].name);
    work->type = work->scheme->name; /* default, until another is found */
    return POSENC_OK;
}

/* rope_type wins over the legacy spelling type. */
static enum posenc_status read_type(struct posenc__rope_work *work)
{
    const char *modern = text_member(work->question->scaling, "rope_type");
    const char *legacy = text_member(work->question->scaling, "type");

    work->type = modern ? modern : legacy;
    if (!work->type)
        return assume_default(work);
    const struct posenc__rope_scheme *found = find_scheme(work->type);

    if (!found)
        return refuse_type(work, modern ? "scaling.rope_type" : "scaling.type", work->type);
    work->scheme = found;
    if (modern && legacy && find_scheme(legacy) != found)
        posenc__warn(work->arguments, work->memory, "scaling.type",
                     "'scaling.rope_type' %s wins over 'scaling.type' %.80s.", modern, legacy);
    return POSENC_OK;
}

/* Two names stand for two rules each; the members tell which. vLLM's ntk has a factor, and a
 * dynamic with an alpha does not depend on the length. */
static void choose_variant(struct posenc__rope_work *work)
{
    double number;

    if (work->scheme == &posenc__rope_ntk && !posenc__rope_number(work, "alpha", &number) &&
        posenc__rope_number(work, "factor", &number))
        work->scheme = &posenc__rope_ntk_fixed;
    else if (work->scheme == &posenc__rope_dynamic &&
             posenc__rope_number_or(work, "alpha", 0.0) != 0.0)
        work->scheme = &posenc__rope_ntk;
}

static enum posenc_status check_needs(const struct posenc__rope_work *work)
{
    for (const char *const *need = work->scheme->needs; need && *need; need++) {
        char path[POSENC_PATH_MAX];

        if (posenc_find_member(work->question->scaling, *need))
            continue;
        (void)snprintf(path, sizeof(path), "scaling.%s", *need); /* our own short names */
        return posenc__rope_refuse_missing(work, path);
    }
    return POSENC_OK;
}

static const char *unused_note(const char *member)
{
    if (strcmp(member, "attn_factor") == 0)
        return "vLLM multiplies by it, transformers does not know it; attention_factor is the "
               "whole factor";
    if (strcmp(member, "llama_4_scaling_beta") == 0)
        return "it scales queries, not these tables; see /v1/analysis/query_scale";
    return "this rope_type has no such member";
}

static void warn_unused(const struct posenc__rope_work *work)
{
    const struct posenc_members *members = &work->question->scaling->as.object;

    for (size_t i = 0; i < members->count; i++) {
        const char *name = members->items[i].name;
        char path[POSENC_PATH_MAX];

        if (is_among(foreign, name) || is_among(work->scheme->needs, name) ||
            is_among(work->scheme->uses, name))
            continue;
        (void)snprintf(path, sizeof(path), "scaling.%s", name); /* one of our rows */
        posenc__warn(work->arguments, work->memory, path, "'%s' was left out of '%s': %s.", path,
                     work->scheme->name, unused_note(name));
    }
}

static enum posenc_status read_dictionary(struct posenc__rope_work *work)
{
    const struct posenc_value *scaling = work->question->scaling;
    enum posenc_status status;

    if (!scaling || scaling->as.object.count == 0)
        return POSENC_OK;
    status = read_type(work);
    if (status != POSENC_OK)
        return status;
    choose_variant(work);
    status = check_needs(work);
    if (status == POSENC_OK)
        warn_unused(work);
    return status;
}

static bool make_room(struct posenc__rope_work *work)
{
    struct posenc__rope_frequencies *frequencies = work->frequencies;
    const size_t pairs = frequencies->table_dim / 2;

    frequencies->pairs = pairs;
    frequencies->radians = posenc_allocate(work->memory, pairs, sizeof(*frequencies->radians));
    frequencies->interpolation_weight =
        posenc_allocate(work->memory, pairs, sizeof(*frequencies->interpolation_weight));
    frequencies->region = posenc_allocate(work->memory, pairs, sizeof(*frequencies->region));
    return frequencies->radians && frequencies->interpolation_weight && frequencies->region;
}

static bool fill_plain(struct posenc__rope_work *work)
{
    const size_t pairs = work->frequencies->table_dim / 2;
    struct posenc__dd *plain = posenc_allocate(work->memory, pairs, sizeof(*plain));
    struct posenc__powers powers;

    if (!plain)
        return false;
    posenc__powers_begin(&powers, posenc__dd_of(work->question->base), -2.0,
                         (double)work->frequencies->table_dim);
    for (size_t pair = 0; pair < pairs; pair++)
        plain[pair] = posenc__powers_next(&powers);
    work->plain = plain;
    return true;
}

static const char *region_of(double weight)
{
    if (weight <= 0.0)
        return "kept";
    return weight >= 1.0 ? "scaled" : "blended";
}

static enum posenc_status refuse_frequency(const struct posenc__rope_work *work, size_t pair,
                                           double radians)
{
    return posenc__refuse(work->problem, POSENC_OUT_OF_RANGE, "base",
                          "'base' %.17g makes pair %zu turn by %.3g radians a position; 2^22 is "
                          "the most.",
                          work->question->base, pair, radians);
}

#define PAIR_NS     1500 /* of a frequency under a scheme, about */
#define PAIRS_ASKED 1024 /* between questions whether to go on */

/* Before the first pair for all of them, then for each run of pairs. */
static bool may_fill(const struct posenc__rope_work *work, size_t pair, size_t pairs)
{
    if (pair == 0)
        return posenc__may_plan(work->memory, pairs * PAIR_NS);
    return pair % PAIRS_ASKED != 0 || posenc_may_work(work->memory, PAIRS_ASKED * PAIR_NS);
}

static enum posenc_status fill_pairs(const struct posenc__rope_work *work)
{
    struct posenc__rope_frequencies *frequencies = work->frequencies;

    for (size_t pair = 0; pair < frequencies->pairs; pair++) {
        if (!may_fill(work, pair, frequencies->pairs))
            return posenc__cancelled(work->problem);
        const struct posenc__rope_pair exact = work->scheme->exact(work, pair);
        const double weight = fmin(fmax(exact.weight.hi, 0.0), 1.0);

        frequencies->radians[pair] = work->question->arithmetic == POSENC__ROPE_FLOAT32
                                         ? posenc__dd_of(work->scheme->rounded(work, pair))
                                         : exact.radians;
        frequencies->interpolation_weight[pair] = weight;
        frequencies->region[pair] = region_of(weight);
        if (!(exact.radians.hi < RADIANS_MAX && frequencies->radians[pair].hi < RADIANS_MAX))
            return refuse_frequency(work, pair, exact.radians.hi);
    }
    return POSENC_OK;
}

static enum posenc_status answer(struct posenc__rope_work *work)
{
    enum posenc_status status = POSENC_OK;

    if (work->scheme->prepare)
        status = work->scheme->prepare(work);
    if (status != POSENC_OK)
        return status;
    if (!make_room(work) || !fill_plain(work))
        return posenc__no_memory(work->problem);
    status = fill_pairs(work);
    if (status == POSENC_OK && work->question->arithmetic == POSENC__ROPE_GGML &&
        !posenc__rope_fill_ggml(work))
        return posenc__no_memory(work->problem);
    return status;
}

enum posenc_status posenc__rope_frequencies(const struct posenc__rope_question *question,
                                            struct posenc_arguments *arguments,
                                            struct posenc_memory *memory,
                                            struct posenc__rope_frequencies *frequencies,
                                            struct posenc_problem *problem)
{
    struct posenc__rope_work work = {.question = question,
                                     .scheme = &posenc__rope_default,
                                     .arguments = arguments,
                                     .memory = memory,
                                     .problem = problem,
                                     .frequencies = frequencies};
    enum posenc_status status = read_dictionary(&work);

    if (status != POSENC_OK)
        return status;
    *frequencies = (struct posenc__rope_frequencies){
        .table_dim = question->rotary_dim,
        .attention_factor = posenc__dd_of(1.0),
        .softmax_scale_multiplier = 1.0,
        .canonical = posenc_null(),
        .yarn_dialect = question->yarn_dialect,
    };
    work.canonical = posenc_allocate(memory, POSENC__ROPE_CANONICAL_MAX, sizeof(*work.canonical));
    if (!work.canonical)
        return posenc__no_memory(problem);
    posenc__rope_say(&work, "rope_type", posenc_text(work.scheme->name));
    status = answer(&work);
    if (status == POSENC_OK && work.type)
        frequencies->canonical = posenc_object(work.canonical, work.canonical_count);
    return status;
}
