/* The answer in words: a verdict and a sentence. */
#include <math.h>

#include "identify.h"

const char *posenc__agreement_words(const struct posenc__fit *fit, struct posenc_memory *memory)
{
    if (fit->agreement == POSENC__AGREE_SAME && fit->decimals >= 0)
        return posenc__format(memory, "printed to %d decimals", fit->decimals);
    if (fit->agreement == POSENC__AGREE_SAME && fit->dtype == POSENC_INT64)
        return "to the last integer";
    if (fit->agreement == POSENC__AGREE_SAME)
        return posenc__format(memory, "rounded once to %s", posenc_dtype_name(fit->dtype));
    if (fit->agreement == POSENC__AGREE_NEAR)
        return posenc__format(memory, "to two units in the last place of %s",
                              posenc_dtype_name(fit->dtype));
    return posenc__format(memory, "but for differences up to %.3g", fit->max_difference);
}

const char *posenc__view_words(const struct posenc__view *view, struct posenc_memory *memory)
{
    switch (view->kind) {
    case POSENC__VIEW_NONE:
        return NULL;
    case POSENC__VIEW_SCALED:
        if (fabs(view->number + 1) < 1e-6)
            return "its sign is the other one";
        return posenc__format(memory, "it is multiplied by %.9g", view->number);
    case POSENC__VIEW_ROW_OFFSET:
        return "a constant is added to each row, which a softmax over the row does not see";
    case POSENC__VIEW_TRANSPOSED:
        return "its last two axes are exchanged";
    case POSENC__VIEW_ZERO_TAIL:
        return posenc__format(memory, "rows from %.0f on are zero", view->number);
    case POSENC__VIEW_LAST_TAIL:
        return posenc__format(memory, "rows from %.0f on repeat the one before", view->number);
    case POSENC__VIEW_WRAPPED:
        return posenc__format(memory, "it begins anew after %.0f rows", view->number);
    case POSENC__VIEW_INPUT_TAIL:
        return view->number == 0
                   ? "nothing was applied"
                   : posenc__format(memory, "rows from %.0f on are as they came in", view->number);
    case POSENC__VIEW_COLUMNS:
        return "its columns stand in another order";
    case POSENC__VIEW_HEADS:
        return "the entries of its first axis stand in another order";
    }
    return NULL;
}

/* All that is other in a guess, "a, and b"; NULL where nothing is, or memory is out. */
static const char *guess_words(const struct posenc__guess *guess, struct posenc_memory *memory)
{
    const char *all = NULL;
    const char *parts[POSENC__CHANGES_OF_GUESS_MAX + 2] = {NULL};
    size_t count = 0;

    for (size_t i = 0; i < guess->change_count; i++)
        parts[count++] = guess->changes[i]->words;
    if (guess->fault)
        parts[count++] = guess->fault->words;
    if (guess->view.kind != POSENC__VIEW_NONE)
        parts[count++] = posenc__view_words(&guess->view, memory);
    for (size_t i = 0; i < count; i++)
        all = all && parts[i] ? posenc__format(memory, "%s, and %s", all, parts[i]) : parts[i];
    return all;
}

/* "'cos' of 'rope'", or what apply makes of x. */
static const char *subject(const struct posenc__context *context, struct posenc_memory *memory)
{
    return context->is_applied ? posenc__format(memory, "'%s' under '%s'", context->part->name,
                                                context->encoding->name)
                               : posenc__format(memory, "'%s' of '%s'", context->part->name,
                                                context->encoding->name);
}

static bool is_as_given(const struct posenc__guess *guess)
{
    return guess->change_count == 0 && !guess->fault && guess->view.kind == POSENC__VIEW_NONE;
}

/* How many explanations agree as well as the best does. */
static size_t count_equal(const struct posenc__question *question)
{
    size_t count = 0;

    while (count < question->best_count &&
           question->best[count].fit.agreement == question->best[0].fit.agreement &&
           question->best[count].cost == question->best[0].cost)
        count++;
    return count;
}

static const char *unexplained(const struct posenc__question *question)
{
    if (question->best_count == 0 && question->is_named)
        return posenc__format(question->memory, "Not comparable: %s", question->refusal.detail);
    if (question->best_count == 0)
        return posenc__format(
            question->memory,
            "Not comparable: no encoding gives a tensor of this shape with what "
            "was told; name 'encoding' and 'parameters' to learn what is missing.");
    const char *words = guess_words(&question->best[0], question->memory);
    const char *what = subject(question->best[0].context, question->memory);

    if (!what)
        return NULL;
    return posenc__format(question->memory,
                          "No explanation was found. Nearest is %s%s%s, with differences up to "
                          "%.3g.",
                          what, words ? " where " : "", words ? words : "",
                          question->best[0].fit.max_difference);
}

static const char *explained(const struct posenc__question *question)
{
    struct posenc_memory *memory = question->memory;
    const struct posenc__guess *best = &question->best[0];
    const char *agreement = posenc__agreement_words(&best->fit, memory);
    const char *words = guess_words(best, memory), *what = subject(best->context, memory);

    if (!agreement || !what)
        return NULL;
    if (is_as_given(best) && question->has_expectation)
        return posenc__format(memory, "Right: it is %s as expected, %s.", what, agreement);
    if (is_as_given(best))
        return posenc__format(memory, "It is %s with its defaults, %s.", what, agreement);
    if (!words)
        return NULL;
    return question->has_expectation
               ? posenc__format(memory, "Not as expected: it is %s where %s; so it is right, %s.",
                                what, words, agreement)
               : posenc__format(memory, "It is %s where %s, %s.", what, words, agreement);
}

static const char *close_words(const struct posenc__question *question)
{
    struct posenc_memory *memory = question->memory;
    const struct posenc__guess *best = &question->best[0];
    const char *words = guess_words(best, memory);
    const char *as_given = question->has_expectation ? " as expected" : " with its defaults";
    const char *what = subject(best->context, memory);

    if (!what)
        return NULL;
    return posenc__format(memory,
                          "Nearly %s%s%s: it differs by up to %.3g, which is more than rounding "
                          "once; a step was probably computed in a small type.",
                          what, words ? " where " : "", words ? words : as_given,
                          best->fit.max_difference);
}

const char *posenc__verdict(const struct posenc__question *question)
{
    const struct posenc__guess *best = &question->best[0];

    if (question->best_count == 0)
        return "not_comparable";
    if (best->fit.agreement == POSENC__AGREE_NOT)
        return "unexplained";
    if (best->fit.agreement == POSENC__AGREE_CLOSE)
        return "close";
    if (!question->has_expectation)
        return "identified";
    return is_as_given(best) ? "right" : "mistaken";
}

const char *posenc__statement(const struct posenc__question *question)
{
    const char *first;
    const size_t equal = count_equal(question);

    if (question->best_count == 0 || question->best[0].fit.agreement == POSENC__AGREE_NOT)
        return unexplained(question);
    if (question->best[0].fit.agreement == POSENC__AGREE_CLOSE)
        return close_words(question);
    first = explained(question);
    if (equal < 2 || !first)
        return first;
    return posenc__format(question->memory,
                          "%s %zu other explanation%s as well; rows at far positions may tell them "
                          "apart.",
                          first, equal - 1, equal == 2 ? " fits" : "s fit");
}
