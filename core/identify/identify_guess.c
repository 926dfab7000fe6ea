/* A guess: an encoding's own operation, asked with the guess's parameters, beside the tensor. */
#include <string.h>

#include "identify.h"

#define TRIAL_NS        40000
#define TRIAL_NUMBER_NS 2000
#define TOLD_MAX        12 /* members that are told of the tensor: its axes, x, dtype */

/* Members of one trial. */
struct told {
    const struct posenc__guess *guess;
    struct posenc_member *items;
    size_t count;
};

const struct posenc_parameter *posenc__row_of(const struct posenc_operation *operation,
                                              const char *name)
{
    for (const struct posenc_parameter *const *group = operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row;
    return NULL;
}

const struct posenc_tensor_row *posenc__part_of(const struct posenc_operation *operation,
                                                const char *name)
{
    for (const struct posenc_tensor_row *tensor = operation->tensors; tensor->name; tensor++)
        if (strcmp(tensor->name, name) == 0)
            return tensor;
    return NULL;
}

/* Whether a member is this row's, by its name or an alias. */
static bool is_of_row(const struct posenc_operation *operation, const char *name,
                      const char *member)
{
    const struct posenc_parameter *row = posenc__row_of(operation, name);

    if (strcmp(name, member) == 0)
        return true;
    for (const char *const *alias = row ? row->aliases : NULL; alias && *alias; alias++)
        if (strcmp(*alias, member) == 0)
            return true;
    return false;
}

/* Whether a change of the guess sets or drops the member. */
static bool is_changed(const struct posenc__guess *guess, size_t change, const char *member)
{
    const struct posenc_operation *operation = guess->context->operation;
    const struct posenc__change *changed = guess->changes[change];

    for (size_t i = 0; i < changed->sets.count; i++)
        if (is_of_row(operation, changed->sets.items[i].name, member))
            return true;
    for (const char *const *name = changed->drops; name && *name; name++)
        if (is_of_row(operation, *name, member))
            return true;
    return false;
}

static bool is_told(const struct told *told, const char *name)
{
    for (size_t i = 0; i < told->count; i++)
        if (is_of_row(told->guess->context->operation, name, told->items[i].name))
            return true;
    return false;
}

/* Whether a change stands in the parameter's place; one that only takes it out leaves it to the
 * tensor. */
static bool is_replaced(const struct told *told, const char *name)
{
    for (size_t i = 0; i < told->guess->change_count; i++)
        if (told->guess->changes[i]->sets.count > 0 && is_changed(told->guess, i, name))
            return true;
    return false;
}

static bool is_dropped(const struct told *told, const char *name)
{
    for (size_t i = 0; i < told->guess->change_count; i++)
        if (is_changed(told->guess, i, name))
            return true;
    return false;
}

static void tell(struct told *told, const char *name, struct posenc_value value)
{
    told->items[told->count++] = (struct posenc_member){name, value};
}

/* The tensor's axes where an operation gives so many: axes of one entry may stand anywhere. */
static bool fit_axes(const struct posenc_array *array, size_t rank, size_t *shape)
{
    size_t spare = array->rank < rank ? 0 : array->rank - rank, count = 0;

    if (array->rank < rank)
        return false;
    for (size_t axis = 0; axis < array->rank; axis++) {
        if (spare > 0 && array->shape[axis] == 1)
            spare--;
        else if (count < rank)
            shape[count++] = array->shape[axis];
        else
            return false;
    }
    return count == rank;
}

/* What the lengths of the axes tell, where nothing else does. */
static enum posenc_status tell_axes(const struct posenc_array *array, struct told *told,
                                    struct posenc_memory *memory, bool *fits)
{
    const struct posenc__context *context = told->guess->context;
    const size_t rank = context->axis_count;
    size_t shape[POSENC__IDENTIFY_AXES_MAX];

    *fits = rank == 0 || fit_axes(array, rank, shape);
    for (size_t axis = 0; axis < rank && *fits; axis++) {
        const struct posenc_parameter *row = context->axes[axis];
        const size_t size = shape[axis] * (axis == rank - 1 ? context->times : 1);

        if (!row || is_told(told, row->name) || is_replaced(told, row->name) ||
            (strcmp(row->name, "length") == 0 && is_told(told, "positions")))
            continue;
        if (row->type == POSENC_TYPE_INTEGER) {
            tell(told, row->name, posenc_number((double)size));
            continue;
        }
        double *numbers = posenc_allocate(memory, size, sizeof(*numbers));

        if (!numbers)
            return POSENC_NO_MEMORY;
        for (size_t i = 0; i < size; i++)
            numbers[i] = (double)i;
        tell(told, row->name, posenc_numbers(numbers, size));
    }
    return POSENC_OK;
}

static const char *const length_names[] = {"length", "query_length", NULL};

/* A tensor whose only axis is none of positions is the same for any number of them; some operations
 * must be told one nevertheless. */
static void tell_lengths(struct told *told)
{
    for (const char *const *name = length_names; *name && told->guess->context->needs_length;
         name++)
        if (posenc__row_of(told->guess->context->operation, *name) && !is_told(told, *name) &&
            !is_told(told, "positions"))
            tell(told, *name, posenc_number(1));
}

/* Whether a length is all that is missing. */
static bool lacks_length(const struct posenc__context *context,
                         const struct posenc_problem *problem)
{
    if (context->axis_count != 1 || context->needs_length ||
        problem->status != POSENC_MISSING_PARAMETER)
        return false;
    for (const char *const *name = length_names; *name; name++)
        if (strcmp(problem->parameter, *name) == 0)
            return true;
    return false;
}

/* The request's own parameters, the changes, and what the tensor tells. */
static enum posenc_status gather(const struct posenc__question *question,
                                 const struct posenc__guess *guess,
                                 const struct posenc_array *array, struct posenc_memory *memory,
                                 struct told *told, bool *fits)
{
    const struct posenc__context *context = guess->context;
    size_t room = context->given.count + TOLD_MAX;

    for (size_t i = 0; i < guess->change_count; i++)
        room += guess->changes[i]->sets.count;
    *told = (struct told){guess, posenc_allocate(memory, room, sizeof(*told->items)), 0};
    if (!told->items)
        return POSENC_NO_MEMORY;
    for (size_t i = 0; i < context->given.count; i++)
        if (!is_dropped(told, context->given.items[i].name))
            tell(told, context->given.items[i].name, context->given.items[i].value);
    for (size_t i = 0; i < guess->change_count; i++)
        for (size_t j = 0; j < guess->changes[i]->sets.count; j++)
            tell(told, guess->changes[i]->sets.items[j].name,
                 guess->changes[i]->sets.items[j].value);
    if (context->is_applied)
        tell(told, context->part->name, posenc_nested(question->x));
    tell(told, "dtype", posenc_text("float64"));
    const enum posenc_status status = tell_axes(array, told, memory, fits);

    tell_lengths(told);
    return status;
}

/* Shapes without their axes of one entry. */
static bool have_same_shape(const struct posenc_array *array, const struct posenc_tensor *tensor)
{
    size_t i = 0, j = 0;

    for (;; i++, j++) {
        while (i < array->rank && array->shape[i] == 1)
            i++;
        while (j < tensor->rank && tensor->shape[j] == 1)
            j++;
        if (i == array->rank || j == tensor->rank)
            return i == array->rank && j == tensor->rank;
        if (array->shape[i] != tensor->shape[j])
            return false;
    }
}

/* A question that cannot be asked is an answer; one that was not asked, for want of memory or time,
 * is none. */
static bool is_final(enum posenc_status status)
{
    return status == POSENC_NO_MEMORY || status == POSENC_CANCELLED;
}

/* The operation, or what somebody made of it. */
static enum posenc_status plan(const struct posenc__guess *guess, struct posenc_memory *memory,
                               struct posenc__planned *planned, struct posenc_problem *problem)
{
    const struct posenc_encoding *encoding = guess->context->encoding;
    struct posenc_operation *wrong;

    if (!guess->fault)
        return posenc_plan(encoding, guess->context->operation, planned->arguments, memory,
                           &planned->result, problem);
    wrong = posenc_allocate(memory, 1, sizeof(*wrong));
    if (!wrong)
        return posenc__no_memory(problem);
    *wrong = *guess->context->operation;
    wrong->plan = guess->fault->plan;
    return posenc_plan(encoding, wrong, planned->arguments, memory, &planned->result, problem);
}

/* Binds and plans what was gathered. */
static enum posenc_status ask(const struct posenc__question *question,
                              const struct posenc__guess *guess, const struct told *told,
                              struct posenc_memory *memory, struct posenc__planned *planned)
{
    const struct posenc__context *context = guess->context;
    const struct posenc_schema schema = {.groups = context->operation->groups,
                                         .presets = context->encoding->presets,
                                         .takes_tensors = context->operation->takes_tensors};
    const struct posenc_value input = posenc_object(told->items, told->count);

    *planned = (struct posenc__planned){
        .arguments = posenc_allocate(memory, 1, sizeof(*planned->arguments))};
    if (!planned->arguments)
        return posenc__no_memory(question->problem);
    enum posenc_status status =
        posenc_bind(&schema, &input, memory, planned->arguments, question->problem);

    if (status == POSENC_OK)
        status = plan(guess, memory, planned, question->problem);
    if (status == POSENC_OK)
        planned->tensor = posenc_find_tensor(&planned->result, context->part->name);
    return status;
}

static enum posenc_status plan_as_is(struct posenc__question *question,
                                     const struct posenc__guess *guess,
                                     struct posenc_memory *memory, struct posenc__planned *planned)
{
    const struct posenc__context *context = guess->context;
    struct posenc_array array = question->sent.array;
    struct told told;
    bool fits;

    *planned = (struct posenc__planned){0};
    if (guess->view.kind == POSENC__VIEW_TRANSPOSED)
        posenc__swap_last_axes(&array);
    if (gather(question, guess, &array, memory, &told, &fits) != POSENC_OK)
        return posenc__no_memory(question->problem);
    if (!fits)
        return posenc__refuse(question->problem, POSENC_WRONG_SHAPE, "actual",
                              "'actual' has %zu axes; '%s' of '%s' is %s.", array.rank,
                              context->part->name, context->encoding->name, context->part->dims);
    const enum posenc_status status = ask(question, guess, &told, memory, planned);

    if (status != POSENC_OK)
        return status;
    if (planned->tensor && have_same_shape(&array, planned->tensor))
        return POSENC_OK;
    planned->tensor = NULL;
    return posenc__refuse(question->problem, POSENC_WRONG_SHAPE, "actual",
                          "'actual' has another shape than '%s' of '%s' has with these parameters.",
                          context->part->name, context->encoding->name);
}

enum posenc_status posenc__plan_free(struct posenc__question *question,
                                     const struct posenc__guess *guess,
                                     struct posenc_memory *memory, struct posenc__planned *planned)
{
    struct told told = {guess, NULL, 0};

    *planned = (struct posenc__planned){0};
    told.items =
        posenc_allocate(memory, guess->context->given.count + TOLD_MAX, sizeof(*told.items));
    if (!told.items)
        return posenc__no_memory(question->problem);
    for (size_t i = 0; i < guess->context->given.count; i++)
        tell(&told, guess->context->given.items[i].name, guess->context->given.items[i].value);
    tell(&told, "dtype", posenc_text("float64"));
    enum posenc_status status = ask(question, guess, &told, memory, planned);

    if (status != POSENC_OK && lacks_length(guess->context, question->problem)) {
        guess->context->needs_length = true;
        tell_lengths(&told);
        status = ask(question, guess, &told, memory, planned);
    }
    return is_final(status) ? status : POSENC_OK;
}

/* The same, told a length where that is all that is missing. */
static enum posenc_status plan_once(struct posenc__question *question,
                                    const struct posenc__guess *guess, struct posenc_memory *memory,
                                    struct posenc__planned *planned)
{
    const enum posenc_status status = plan_as_is(question, guess, memory, planned);

    if (status == POSENC_OK || !lacks_length(guess->context, question->problem))
        return status;
    guess->context->needs_length = true;
    return plan_as_is(question, guess, memory, planned);
}

/* A last axis may hold half of what its parameter counts, as a table of pairs does. */
enum posenc_status posenc__plan_guess(struct posenc__question *question,
                                      const struct posenc__guess *guess,
                                      struct posenc_memory *memory, struct posenc__planned *planned)
{
    const size_t usual = guess->context->times;
    enum posenc_status status = plan_once(question, guess, memory, planned);

    if (status == POSENC_OK || is_final(status))
        return status;
    if (guess->context->axis_count == 0)
        return POSENC_OK;
    const struct posenc_problem kept = *question->problem;

    guess->context->times = usual == 1 ? 2 : 1;
    status = plan_once(question, guess, memory, planned);
    if (status == POSENC_OK || is_final(status))
        return status;
    guess->context->times = usual;
    *question->problem = kept;
    return POSENC_OK;
}

struct posenc_memory posenc__trial_memory(const struct posenc__question *question)
{
    struct posenc_memory memory;

    posenc_memory_init(&memory, question->memory->limit);
    memory.watch = question->memory->watch;
    return memory;
}

void posenc__fill_sample(const struct posenc__sent *sent, const struct posenc_tensor *tensor,
                         double *out)
{
    double numbers[POSENC__IDENTIFY_SAMPLE_MAX];

    for (size_t i = 0; i < sent->sample_row_count; i++) {
        posenc_fill(tensor, sent->sample_rows[i] * sent->width, sent->sample_width, numbers);
        posenc_widen(tensor->dtype, numbers, sent->sample_width, out + i * sent->sample_width);
    }
}

static bool has_integers(const struct posenc_tensor *tensor)
{
    return tensor->dtype == POSENC_INT64 || tensor->dtype == POSENC_INT32;
}

/* Nanoseconds of a trial: some, and some for each number of a row. */
static uint64_t trial_ns(const struct posenc__sent *sent)
{
    return TRIAL_NS + TRIAL_NUMBER_NS * sent->sample_width;
}

enum posenc_status posenc__try(struct posenc__question *question, struct posenc__guess *guess,
                               bool *fits)
{
    const struct posenc__sent *sent = &question->sent;
    double numbers[POSENC__IDENTIFY_SAMPLE_MAX];
    struct posenc__comparison comparison;
    struct posenc__planned planned;
    struct posenc_memory memory = posenc__trial_memory(question);
    enum posenc_status status;

    *fits = false;
    if (question->trials == 0)
        return POSENC_OK;
    question->trials--;
    if (!posenc_may_work(question->memory, trial_ns(sent)))
        return posenc__cancelled(question->problem);
    status = posenc__plan_guess(question, guess, &memory, &planned);
    *fits = status == POSENC_OK && planned.tensor;
    if (*fits) {
        posenc__fill_sample(sent, planned.tensor, numbers);
        posenc__comparison_init(&comparison, sent, has_integers(planned.tensor));
        for (size_t i = 0; i < sent->sample_row_count; i++)
            posenc__compare(&comparison, sent->sample_rows[i] * sent->width, sent->sample_width,
                            numbers + i * sent->sample_width);
        guess->fit = posenc__comparison_end(&comparison);
    }
    posenc_memory_release(&memory);
    return status;
}

enum posenc_status posenc__try_whole(struct posenc__question *question, struct posenc__guess *guess)
{
    const struct posenc__sent *sent = &question->sent;
    struct posenc__comparison comparison;
    struct posenc__planned planned;
    struct posenc_memory memory = posenc__trial_memory(question);
    enum posenc_status status = posenc__plan_guess(question, guess, &memory, &planned);
    double *numbers = NULL;

    if (status == POSENC_OK && planned.tensor) {
        numbers = posenc_allocate(&memory, sent->count, sizeof(*numbers));
        status = POSENC_NO_MEMORY;
        if (numbers)
            status = posenc__view_all(question, guess, &planned, numbers);
        else
            posenc__fill_no_memory(question->problem);
    }
    if (status == POSENC_OK && planned.tensor) {
        posenc__comparison_init(&comparison, sent, has_integers(planned.tensor));
        status = posenc__compare_whole(&comparison, numbers, question->memory, question->problem);
        guess->fit = posenc__comparison_end(&comparison);
    }
    posenc_memory_release(&memory);
    return status;
}
