/*
 * The search: parameters as they are, then one thing changed or one mistake that an encoding knows,
 * then both, then a number found over all magnitudes, then what no parameter is, then two things
 * changed. It ends where a step explains the tensor, so that nothing is explained by more than it
 * takes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify.h"
#include "posenc_models.h"

#define ALIKE         1e-9 /* of a difference: what two right computations of it leave */
#define PAIR_COST_MAX 3
#define VIEWED_MAX    262144 /* elements of a tensor that is viewed beside each flip */
#define SCANS_MAX     6      /* flips beside which numbers are searched */

/* A context with what could be other in it. */
struct listed {
    struct posenc__context *context;
    struct posenc__changes changes;
};

/* Whether the request gives the parameter of a path, under whichever name: the axes of the tensor
 * tell others. */
static bool is_given(const struct posenc__context *context, const char *path)
{
    const struct posenc_members *given = &context->given;
    char name[POSENC_PATH_MAX];

    (void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(path, "."), path);
    const struct posenc_parameter *row = posenc__row_of(context->operation, name);

    for (size_t i = 0; i < given->count; i++) {
        if (strcmp(given->items[i].name, name) == 0)
            return true;
        for (const char *const *alias = row ? row->aliases : NULL; alias && *alias; alias++)
            if (strcmp(given->items[i].name, *alias) == 0)
                return true;
    }
    return false;
}

/* Whether the parameters are wrong in themselves, whatever tensor they are for. */
static bool is_refusal(const struct posenc__question *question,
                       const struct posenc__context *context)
{
    const struct posenc_problem *problem = question->problem;

    return question->is_named && problem->status != POSENC_WRONG_SHAPE &&
           problem->status != POSENC_MISSING_PARAMETER &&
           (*problem->parameter == '\0' || is_given(context, problem->parameter));
}

/* The parameters stand in one of the request's. */
static enum posenc_status prefix_problem(struct posenc_problem *problem)
{
    char path[POSENC_PATH_MAX];

    (void)snprintf(path, sizeof(path), "parameters%s%.140s", *problem->parameter ? "." : "",
                   problem->parameter);
    (void)snprintf(problem->parameter, sizeof(problem->parameter), "%s", path);
    return problem->status;
}

/* The parameters as they are; their echo is what changes start from. */
static enum posenc_status try_as_given(struct posenc__question *question,
                                       struct posenc__context *context)
{
    struct posenc__guess guess = {.context = context};
    struct posenc__planned planned;
    enum posenc_status status = posenc__plan_guess(question, &guess, question->memory, &planned);

    if (status != POSENC_OK)
        return status;
    context->echo = planned.result.parameters;
    context->has_other_shape = !planned.tensor && question->problem->status == POSENC_WRONG_SHAPE;
    if (!planned.tensor && context == &question->contexts[0])
        question->refusal = *question->problem;
    if (!planned.tensor)
        return is_refusal(question, context) ? prefix_problem(question->problem) : POSENC_OK;
    status = posenc__try(question, &guess, &context->has_fit);
    context->fit = guess.fit;
    if (status == POSENC_OK && context->has_fit)
        posenc__keep(question, &guess);
    return status;
}

/* Whether two guesses give other tensors, beyond what arithmetic leaves. */
static bool differs(const struct posenc__fit *a, const struct posenc__fit *b)
{
    const double mean = fabs(a->mean_difference - b->mean_difference);
    const double most = fabs(a->max_difference - b->max_difference);

    return !(mean <= ALIKE * b->mean_difference && most <= ALIKE * b->max_difference);
}

/* Each change alone. */
static enum posenc_status try_changes(struct posenc__question *question, struct listed *listed)
{
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < listed->changes.count && status == POSENC_OK; i++) {
        struct posenc__change *change = &listed->changes.items[i];
        struct posenc__guess guess = {.context = listed->context,
                                      .changes = {change},
                                      .change_count = 1,
                                      .cost = change->cost};

        status = posenc__try(question, &guess, &change->has_fit);
        change->fit = guess.fit;
        change->matters = change->has_fit && (!listed->context->has_fit ||
                                              differs(&change->fit, &listed->context->fit));
        if (change->matters)
            posenc__keep(question, &guess);
    }
    return status;
}

/* Nothing was done to what came in. */
static enum posenc_status try_unapplied(struct posenc__question *question,
                                        struct posenc__context *context)
{
    struct posenc__guess guess = {
        .context = context, .view = {.kind = POSENC__VIEW_INPUT_TAIL}, .cost = 1};
    enum posenc_status status;

    if (!context->is_applied || !context->has_fit)
        return POSENC_OK;
    status = posenc__try_whole(question, &guess);
    if (status == POSENC_OK && guess.fit.agreement <= POSENC__AGREE_NEAR)
        posenc__keep(question, &guess);
    return status;
}

static bool is_flip(const struct posenc__change *change)
{
    return change->cost == 1 && change->matters;
}

/* Whether a context is not worth a long search: its tensor has another shape, and some other
 * context's has not. */
static bool is_unlikely(const struct posenc__question *question,
                        const struct posenc__context *context)
{
    return context->has_other_shape && question->best_count > 0;
}

/* What somebody made of the operation, as its encoding knows. */
static enum posenc_status try_fault(struct posenc__question *question, struct listed *listed,
                                    const struct posenc__fault *fault)
{
    struct posenc__guess guess = {.context = listed->context, .fault = fault, .cost = 1};
    bool fits;
    const enum posenc_status status = posenc__try(question, &guess, &fits);

    if (status == POSENC_OK && fits)
        posenc__keep(question, &guess);
    return status;
}

/* The same beside each flip, until one explains the tensor; others that do not touch the fault
 * would explain it as well. */
static enum posenc_status try_fault_beside(struct posenc__question *question, struct listed *listed,
                                           const struct posenc__fault *fault)
{
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < listed->changes.count && status == POSENC_OK; i++) {
        struct posenc__change *flip = &listed->changes.items[i];
        struct posenc__guess guess = {.context = listed->context,
                                      .changes = {flip},
                                      .change_count = 1,
                                      .fault = fault,
                                      .cost = 1 + flip->cost};
        bool fits;

        if (!is_flip(flip))
            continue;
        status = posenc__try(question, &guess, &fits);
        if (status != POSENC_OK || !fits || guess.fit.agreement > POSENC__AGREE_NEAR)
            continue;
        posenc__keep(question, &guess);
        break;
    }
    return status;
}

typedef enum posenc_status fault_trial(struct posenc__question *question, struct listed *listed,
                                       const struct posenc__fault *fault);

/* Those of the context's operation. */
static enum posenc_status try_each_fault(struct posenc__question *question, struct listed *listed,
                                         fault_trial *trial)
{
    const struct posenc__fault *fault = listed->context->encoding->faults;
    enum posenc_status status = POSENC_OK;

    for (; fault && fault->name && status == POSENC_OK; fault++)
        if (strcmp(fault->operation, listed->context->operation->name) == 0)
            status = trial(question, listed, fault);
    return status;
}

typedef enum posenc_status beside(struct posenc__question *question,
                                  struct posenc__context *context, struct posenc__change *flip);

/* Whether nothing could be better. */
static bool is_same(const struct posenc__question *question)
{
    return question->best_count > 0 && question->best[0].fit.agreement == POSENC__AGREE_SAME;
}

/* A search of numbers beside the parameters as they are and beside each of the first flips. */
static enum posenc_status search_beside(struct posenc__question *question, struct listed *listed,
                                        beside *search)
{
    enum posenc_status status = POSENC_OK;
    size_t scans = 0;

    if (listed->context->has_fit)
        status = search(question, listed->context, NULL);
    for (size_t i = 0; i < listed->changes.count && scans < SCANS_MAX && status == POSENC_OK &&
                       question->trials > 0 && !is_same(question);
         i++)
        if (is_flip(&listed->changes.items[i])) {
            status = search(question, listed->context, &listed->changes.items[i]);
            scans++;
        }
    return status;
}

static enum posenc_status try_views(struct posenc__question *question, struct listed *listed)
{
    struct posenc__guess guess = {.context = listed->context};
    enum posenc_status status = posenc__try_views(question, &guess);

    for (size_t i = 0; i < listed->changes.count && status == POSENC_OK; i++) {
        struct posenc__change *change = &listed->changes.items[i];

        if (!is_flip(change) || question->sent.count > VIEWED_MAX)
            continue;
        guess.changes[0] = change;
        guess.change_count = 1;
        guess.cost = change->cost;
        status = posenc__try_views(question, &guess);
    }
    return status;
}

/* Whether two changes set the same parameter, so that one would undo the other. */
static bool overlap(const struct posenc__change *a, const struct posenc__change *b)
{
    for (size_t i = 0; i < a->sets.count; i++)
        for (size_t j = 0; j < b->sets.count; j++)
            if (strcmp(a->sets.items[i].name, b->sets.items[j].name) == 0)
                return true;
    return false;
}

static enum posenc_status try_pair(struct posenc__question *question, struct listed *listed,
                                   struct posenc__change *a, struct posenc__change *b)
{
    struct posenc__guess guess = {.context = listed->context,
                                  .changes = {a, b},
                                  .change_count = 2,
                                  .cost = a->cost + b->cost};
    bool fits;

    if (guess.cost > PAIR_COST_MAX || overlap(a, b))
        return POSENC_OK;
    const enum posenc_status status = posenc__try(question, &guess, &fits);

    if (status == POSENC_OK && fits && differs(&guess.fit, &a->fit) && differs(&guess.fit, &b->fit))
        posenc__keep(question, &guess);
    return status;
}

/* Two changes at once: of those that matter, or where none works alone of all. */
static enum posenc_status try_pairs(struct posenc__question *question, struct listed *listed)
{
    const bool any = !listed->context->has_fit && !is_unlikely(question, listed->context);
    struct posenc__change *items = listed->changes.items;
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < listed->changes.count; i++)
        for (size_t j = i + 1; j < listed->changes.count && status == POSENC_OK; j++)
            if ((any || (items[i].matters && items[j].matters)) && question->trials > 0 &&
                !posenc__is_explained(question))
                status = try_pair(question, listed, &items[i], &items[j]);
    return status;
}

/* A built-in model's parameters of the context's encoding, in a memory; *applies is false where it
 * has none. */
static enum posenc_status make_model(const struct posenc__question *question,
                                     const struct posenc__context *context,
                                     const struct posenc_model *model, struct posenc_memory *memory,
                                     struct posenc__change *change, bool *applies)
{
    struct posenc_member *member = posenc_allocate(memory, 1, sizeof(*member));
    const char *words = posenc__format(memory, "the model is %s", model->name);
    const struct posenc_warning *warnings;
    size_t warning_count;

    *applies = false;
    if (!member || !words)
        return posenc__no_memory(question->problem);
    *member = (struct posenc_member){"model", posenc_text(model->name)};
    struct posenc_value input = posenc_object(member, 1);
    const enum posenc_status status =
        posenc_apply_model(context->encoding, context->operation, &input, memory, &warnings,
                           &warning_count, question->problem);

    *applies = status == POSENC_OK;
    *change = (struct posenc__change){.parameter = "model",
                                      .is = posenc_text(model->name),
                                      .words = words,
                                      .sets = input.as.object,
                                      .cost = 1};
    return status == POSENC_NO_MEMORY || status == POSENC_CANCELLED ? status : POSENC_OK;
}

/* One that comes close, made to last. */
static enum posenc_status keep_model(struct posenc__question *question,
                                     struct posenc__context *context,
                                     const struct posenc_model *model)
{
    struct posenc__change *change = posenc_allocate(question->memory, 1, sizeof(*change));
    struct posenc__guess guess = {
        .context = context, .changes = {change}, .change_count = 1, .cost = 1};
    bool applies, fits = false;

    if (!change)
        return posenc__no_memory(question->problem);
    enum posenc_status status =
        make_model(question, context, model, question->memory, change, &applies);

    if (status == POSENC_OK && applies)
        status = posenc__try(question, &guess, &fits);
    if (status == POSENC_OK && fits)
        posenc__keep(question, &guess);
    return status;
}

/* Tried in a memory of its own: there are many models, and each takes some. */
static enum posenc_status try_model(struct posenc__question *question,
                                    struct posenc__context *context,
                                    const struct posenc_model *model)
{
    struct posenc_memory memory = posenc__trial_memory(question);
    struct posenc__change change;
    struct posenc__guess guess = {
        .context = context, .changes = {&change}, .change_count = 1, .cost = 1};
    bool applies, fits = false;
    enum posenc_status status = make_model(question, context, model, &memory, &change, &applies);

    if (status == POSENC_OK && applies)
        status = posenc__try(question, &guess, &fits);
    posenc_memory_release(&memory);
    return status == POSENC_OK && fits && guess.fit.agreement <= POSENC__AGREE_CLOSE
               ? keep_model(question, context, model)
               : status;
}

static enum posenc_status try_models(struct posenc__question *question, struct listed *listed)
{
    const struct posenc_model *model;
    enum posenc_status status = POSENC_OK;

    if (is_unlikely(question, listed->context))
        return POSENC_OK;
    for (size_t i = 0; (model = posenc_model_at(i)) != NULL && status == POSENC_OK; i++)
        status = try_model(question, listed->context, model);
    return status;
}

static enum posenc_status try_shifts(struct posenc__question *question, struct listed *listed)
{
    return search_beside(question, listed, posenc__find_shift);
}

static enum posenc_status scan_numbers(struct posenc__question *question, struct listed *listed)
{
    return search_beside(question, listed, posenc__scan);
}

static enum posenc_status climb_numbers(struct posenc__question *question, struct listed *listed)
{
    return listed->context->has_fit ||
                   (question->is_named && !is_unlikely(question, listed->context))
               ? posenc__climb(question, listed->context, NULL)
               : POSENC_OK;
}

static enum posenc_status try_faults(struct posenc__question *question, struct listed *listed)
{
    return try_each_fault(question, listed, try_fault);
}

static enum posenc_status try_faults_beside(struct posenc__question *question,
                                            struct listed *listed)
{
    return try_each_fault(question, listed, try_fault_beside);
}

/* One thing is other than expected. Of a change and a fault that explain it as well, the change is
 * told first. */
static enum posenc_status try_one(struct posenc__question *question, struct listed *listed)
{
    enum posenc_status status = try_unapplied(question, listed->context);

    if (status == POSENC_OK)
        status = try_changes(question, listed);
    return status == POSENC_OK ? try_faults(question, listed) : status;
}

typedef enum posenc_status step(struct posenc__question *question, struct listed *listed);

/* Each step of all contexts, until one explains the tensor. */
static enum posenc_status walk(struct posenc__question *question, struct listed *listed)
{
    static step *const steps[] = {try_one,       try_faults_beside, scan_numbers, try_models,
                                  climb_numbers, try_views,         try_shifts,   try_pairs};
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
        if (posenc__is_explained(question) || question->trials == 0)
            break;
        for (size_t j = 0; j < question->context_count && status == POSENC_OK; j++)
            status = steps[i](question, &listed[j]);
        if (status != POSENC_OK)
            return status;
    }
    return POSENC_OK;
}

enum posenc_status posenc__search(struct posenc__question *question)
{
    struct listed *listed =
        posenc_allocate(question->memory, question->context_count, sizeof(*listed));
    const size_t width = question->sent.sample_width;
    enum posenc_status status = POSENC_OK;

    if (!listed)
        return posenc__no_memory(question->problem);
    question->trials = POSENC__IDENTIFY_WORK_MAX / width < POSENC__IDENTIFY_TRIALS_MAX
                           ? POSENC__IDENTIFY_WORK_MAX / width
                           : POSENC__IDENTIFY_TRIALS_MAX;
    for (size_t i = 0; i < question->context_count && status == POSENC_OK; i++)
        status = try_as_given(question, &question->contexts[i]);
    for (size_t i = 0; i < question->context_count && status == POSENC_OK; i++) {
        if (posenc__is_explained(question))
            break;
        listed[i].context = &question->contexts[i];
        status = posenc__list_changes(question, listed[i].context, &listed[i].changes);
    }
    if (status == POSENC_OK)
        status = walk(question, listed);
    return status == POSENC_OK ? posenc__check_best(question) : status;
}
