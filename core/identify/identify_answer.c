/* The answer: a verdict, a sentence, and the explanations with what speaks for them, as values. */
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
    write(writing, "agreement_in_words",
          text_or_null(posenc__agreement_words(fit, writing->memory)));
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
    members[count++] =
        (struct posenc_member){"detail", text_or_null(posenc__view_words(view, memory))};
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
    const char *words = why ? why : posenc__statement(question);
    enum posenc_status status =
        posenc__derive(result, question->memory, question->problem, "verdict",
                       posenc_text(why ? "not_comparable" : posenc__verdict(question)));

    if (!words)
        return posenc__no_memory(question->problem);
    if (status == POSENC_OK)
        status = posenc__derive(result, question->memory, question->problem, "statement",
                                posenc_text(words));
    if (status == POSENC_OK && !why)
        status = derive_expected(question, result);
    return status == POSENC_OK ? derive_explanations(question, most, result) : status;
}
