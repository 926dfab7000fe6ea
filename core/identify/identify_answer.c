/* The answer: a verdict, a sentence, and the explanations with what speaks for them. */
#include <math.h>
#include <string.h>

#include "identify.h"

#define EXPLANATION_MEMBERS 12

/* Members under construction. */
struct writing {
    struct posenc__question *question;
    struct posenc_memory *memory;
    struct posenc_member *items;
    size_t count;
};

static struct posenc_value text_or_null(const char *text)
{
    return text ? posenc_text(text) : posenc_null();
}

static void write(struct writing *writing, const char *name, struct posenc_value value)
{
    writing->items[writing->count++] = (struct posenc_member){name, value};
}

static const char *agreement_name(enum posenc__agreement agreement)
{
    switch (agreement) {
    case POSENC__AGREE_SAME:
        return "same";
    case POSENC__AGREE_NEAR:
        return "near";
    case POSENC__AGREE_CLOSE:
        return "close";
    case POSENC__AGREE_NOT:
        break;
    }
    return "none";
}

/* How well it is right: the end of a sentence. */
static const char *agreement_words(const struct posenc__fit *fit, struct posenc_memory *memory)
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

static const char *view_name(enum posenc__view_kind kind)
{
    static const char *const names[] = {[POSENC__VIEW_NONE] = "none",
                                        [POSENC__VIEW_SCALED] = "scaled",
                                        [POSENC__VIEW_ROW_OFFSET] = "row_constant",
                                        [POSENC__VIEW_TRANSPOSED] = "transposed",
                                        [POSENC__VIEW_ZERO_TAIL] = "zero_tail",
                                        [POSENC__VIEW_LAST_TAIL] = "repeated_tail",
                                        [POSENC__VIEW_WRAPPED] = "wrapped",
                                        [POSENC__VIEW_INPUT_TAIL] = "input_tail",
                                        [POSENC__VIEW_COLUMNS] = "column_order",
                                        [POSENC__VIEW_HEADS] = "head_order"};

    return names[kind];
}

static const char *view_words(const struct posenc__view *view, struct posenc_memory *memory)
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
        parts[count++] = view_words(&guess->view, memory);
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

/* Row and column of an element, whatever axes stand in front. */
static struct posenc_value place_value(const struct writing *writing, size_t element)
{
    const struct posenc_array *array = &writing->question->sent.array;
    double *numbers = posenc_allocate(writing->memory, array->rank, sizeof(*numbers));

    if (!numbers)
        return posenc_null();
    for (size_t axis = array->rank; axis-- > 0; element /= array->shape[axis])
        numbers[axis] = (double)(element % array->shape[axis]);
    return posenc_numbers(numbers, array->rank);
}

static void write_fit(struct writing *writing, const struct posenc__fit *fit)
{
    write(writing, "agreement", posenc_text(agreement_name(fit->agreement)));
    write(writing, "agreement_in_words", text_or_null(agreement_words(fit, writing->memory)));
    write(writing, "max_difference",
          isfinite(fit->max_difference) ? posenc_number(fit->max_difference)
                                        : posenc_text("Infinity"));
    write(writing, "at", place_value(writing, fit->worst));
    write(writing, "first_different",
          fit->first_different == SIZE_MAX ? posenc_null()
                                           : place_value(writing, fit->first_different));
}

static struct posenc_value change_value(const struct posenc__change *change,
                                        struct posenc_memory *memory)
{
    struct posenc_member *members = posenc_allocate(memory, 4, sizeof(*members));

    if (!members)
        return posenc_null();
    members[0] = (struct posenc_member){"parameter", posenc_text(change->parameter)};
    members[1] = (struct posenc_member){"expected", change->was};
    members[2] = (struct posenc_member){"found", change->is};
    members[3] = (struct posenc_member){"detail", posenc_text(change->words)};
    return posenc_object(members, 4);
}

static struct posenc_value list_value(const struct posenc_value *items, size_t count)
{
    struct posenc_value list = {.kind = POSENC_LIST};

    list.as.list = (struct posenc_list){items, count};
    return list;
}

static struct posenc_value changes_value(const struct posenc__guess *guess,
                                         struct posenc_memory *memory)
{
    struct posenc_value *items = posenc_allocate(memory, guess->change_count, sizeof(*items));

    if (!items)
        return posenc_null();
    for (size_t i = 0; i < guess->change_count; i++)
        items[i] = change_value(guess->changes[i], memory);
    return list_value(items, guess->change_count);
}

static struct posenc_value view_value(const struct posenc__view *view, struct posenc_memory *memory)
{
    struct posenc_member *members = posenc_allocate(memory, 3, sizeof(*members));
    double *order = posenc_allocate(memory, view->order_count, sizeof(*order));
    size_t count = 0;

    if (!members || !order)
        return posenc_null();
    members[count++] = (struct posenc_member){"kind", posenc_text(view_name(view->kind))};
    members[count++] = (struct posenc_member){"detail", text_or_null(view_words(view, memory))};
    for (size_t i = 0; i < view->order_count; i++)
        order[i] = (double)view->order[i];
    if (view->order_count > 0)
        members[count++] =
            (struct posenc_member){"order", posenc_numbers(order, view->order_count)};
    else if (view->kind == POSENC__VIEW_SCALED)
        members[count++] = (struct posenc_member){"factor", posenc_number(view->number)};
    return posenc_object(members, count);
}

/* The parameters that make it, complete. */
static enum posenc_status find_parameters(struct posenc__question *question,
                                          const struct posenc__guess *guess,
                                          struct posenc_value *parameters)
{
    struct posenc__planned planned;
    const enum posenc_status status =
        posenc__plan_guess(question, guess, question->memory, &planned);

    *parameters = posenc_object(planned.result.parameters.items, planned.result.parameters.count);
    return status;
}

static enum posenc_status explanation(struct posenc__question *question,
                                      const struct posenc__guess *guess, struct posenc_value *out)
{
    struct posenc_memory *memory = question->memory;
    struct writing writing = {
        question, memory, posenc_allocate(memory, EXPLANATION_MEMBERS, sizeof(*writing.items)), 0};
    struct posenc_value parameters;

    if (!writing.items)
        return posenc__no_memory(question->problem);
    const enum posenc_status status = find_parameters(question, guess, &parameters);

    if (status != POSENC_OK)
        return status;
    write(&writing, "encoding", posenc_text(guess->context->encoding->name));
    write(&writing, "operation", posenc_text(guess->context->operation->name));
    write(&writing, "part", posenc_text(guess->context->part->name));
    write(&writing, "changes", changes_value(guess, memory));
    if (guess->fault)
        write(&writing, "fault", posenc_text(guess->fault->name));
    if (guess->view.kind != POSENC__VIEW_NONE)
        write(&writing, "view", view_value(&guess->view, memory));
    write_fit(&writing, &guess->fit);
    write(&writing, "parameters", parameters);
    *out = posenc_object(writing.items, writing.count);
    return POSENC_OK;
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

    return posenc__format(question->memory,
                          "No explanation was found. Nearest is %s%s%s, with differences up to "
                          "%.3g.",
                          subject(question->best[0].context, question->memory),
                          words ? " where " : "", words ? words : "",
                          question->best[0].fit.max_difference);
}

static const char *explained(const struct posenc__question *question)
{
    struct posenc_memory *memory = question->memory;
    const struct posenc__guess *best = &question->best[0];
    const char *agreement = agreement_words(&best->fit, memory);
    const char *words = guess_words(best, memory), *what = subject(best->context, memory);

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

    return posenc__format(memory,
                          "Nearly %s%s%s: it differs by up to %.3g, which is more than rounding "
                          "once; a step was probably computed in a small type.",
                          subject(best->context, memory), words ? " where " : "",
                          words ? words : " as expected", best->fit.max_difference);
}

static const char *verdict(const struct posenc__question *question)
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

static const char *statement(const struct posenc__question *question)
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

/* How the tensor differs from what was expected, where that could be computed. */
static enum posenc_status derive_expected(struct posenc__question *question,
                                          struct posenc_result *result)
{
    struct posenc_memory *memory = question->memory;
    struct writing writing = {
        question, memory, posenc_allocate(memory, EXPLANATION_MEMBERS, sizeof(*writing.items)), 0};
    struct posenc__guess guess = {.context = &question->contexts[0]};

    for (size_t i = 0; i < question->context_count && !guess.context->has_fit; i++)
        guess.context = &question->contexts[i];
    if (!question->has_expectation || !guess.context->has_fit)
        return POSENC_OK;
    if (!writing.items)
        return posenc__no_memory(question->problem);
    const enum posenc_status status = posenc__try_whole(question, &guess);

    if (status != POSENC_OK)
        return status;
    write_fit(&writing, &guess.fit);
    return posenc__derive(result, memory, question->problem, "expected",
                          posenc_object(writing.items, writing.count));
}

/* Beside one that explains the tensor, those that come close to it; else whatever is nearest. */
static size_t count_told(const struct posenc__question *question)
{
    size_t count = 0;

    while (count < question->best_count &&
           (!posenc__is_explained(question) ||
            question->best[count].fit.agreement != POSENC__AGREE_NOT))
        count++;
    return count;
}

static enum posenc_status derive_explanations(struct posenc__question *question, size_t most,
                                              struct posenc_result *result)
{
    const size_t told = count_told(question);
    const size_t count = told < most ? told : most;
    struct posenc_value *items = posenc_allocate(question->memory, count, sizeof(*items));
    enum posenc_status status = items ? POSENC_OK : posenc__no_memory(question->problem);

    for (size_t i = 0; i < count && status == POSENC_OK; i++)
        status = explanation(question, &question->best[i], &items[i]);
    if (status != POSENC_OK)
        return status;
    return posenc__derive(result, question->memory, question->problem, "explanations",
                          list_value(items, count));
}

enum posenc_status posenc__answer(struct posenc__question *question, size_t most,
                                  struct posenc_result *result)
{
    const char *why = posenc__not_comparable(&question->sent, question->memory);
    const char *words = why ? why : statement(question);
    enum posenc_status status =
        posenc__derive(result, question->memory, question->problem, "verdict",
                       posenc_text(why ? "not_comparable" : verdict(question)));

    if (!words)
        return posenc__no_memory(question->problem);
    if (status == POSENC_OK)
        status = posenc__derive(result, question->memory, question->problem, "statement",
                                posenc_text(words));
    if (status == POSENC_OK && !why)
        status = derive_expected(question, result);
    return status == POSENC_OK ? derive_explanations(question, most, result) : status;
}
