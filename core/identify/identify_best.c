/* The best guesses: which of two is better, and what is left of them on the whole tensor. */
#include <math.h>
#include <string.h>

#include "identify.h"

#define COST_WEIGHT 4 /* a change must make the rest so many times smaller to be worth it */

static double weighed(const struct posenc__guess *guess)
{
    return guess->fit.mean_difference * pow(COST_WEIGHT, guess->cost);
}

static bool is_better(const struct posenc__guess *a, const struct posenc__guess *b)
{
    if (a->fit.agreement <= POSENC__AGREE_NEAR || b->fit.agreement <= POSENC__AGREE_NEAR) {
        const int order = posenc__fit_order(&a->fit, &b->fit);

        return order != 0 ? order < 0 : a->cost < b->cost;
    }
    return weighed(a) < weighed(b);
}

void posenc__keep(struct posenc__question *question, const struct posenc__guess *guess)
{
    size_t place = question->best_count;

    while (place > 0 && is_better(guess, &question->best[place - 1]))
        place--;
    if (place == POSENC__EXPLANATIONS_MAX)
        return;
    if (question->best_count < POSENC__EXPLANATIONS_MAX)
        question->best_count++;
    memmove(&question->best[place + 1], &question->best[place],
            (question->best_count - 1 - place) * sizeof(*question->best));
    question->best[place] = *guess;
}

bool posenc__is_explained(const struct posenc__question *question)
{
    return question->best_count > 0 && question->best[0].fit.agreement <= POSENC__AGREE_NEAR;
}

/* Whether a change of the same words is among the guess's. */
static bool has_change(const struct posenc__guess *guess, const struct posenc__change *change)
{
    for (size_t i = 0; i < guess->change_count; i++)
        if (strcmp(guess->changes[i]->words, change->words) == 0)
            return true;
    return false;
}

/* Whether `more` says all that `guess`, which explains the tensor, says, and something else. */
static bool says_more(const struct posenc__guess *more, const struct posenc__guess *guess)
{
    if (guess->fit.agreement > POSENC__AGREE_NEAR || more->context != guess->context ||
        more->fault != guess->fault || more->view.kind != guess->view.kind)
        return false;
    for (size_t i = 0; i < guess->change_count; i++)
        if (!has_change(more, guess->changes[i]))
            return false;
    return true;
}

/* Leaves out what a better explanation says in less. */
static void drop_longer(struct posenc__question *question)
{
    size_t count = 0;

    for (size_t i = 0; i < question->best_count; i++) {
        bool is_longer = false;

        for (size_t j = 0; j < count; j++)
            is_longer = is_longer || says_more(&question->best[i], &question->best[j]);
        if (!is_longer)
            question->best[count++] = question->best[i];
    }
    question->best_count = count;
}

enum posenc_status posenc__check_best(struct posenc__question *question)
{
    const size_t count = question->best_count;
    enum posenc_status status = POSENC_OK;
    struct posenc__guess *kept = posenc_allocate(question->memory, count, sizeof(*kept));

    if (!kept)
        return posenc__no_memory(question->problem);
    memcpy(kept, question->best, count * sizeof(*kept));
    question->best_count = 0;
    for (size_t i = 0; i < count && status == POSENC_OK; i++) {
        status = posenc__try_whole(question, &kept[i]);
        if (status == POSENC_OK)
            posenc__keep(question, &kept[i]);
    }
    drop_longer(question);
    return status;
}
