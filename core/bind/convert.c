/* Converting: a raw value becomes a value of its row's type, or a problem that says what the row
 * wants. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bind.h"

const char *posenc_type_name(enum posenc_type type)
{
    switch (type) {
    case POSENC_TYPE_INTEGER:
        return "integer";
    case POSENC_TYPE_REAL:
        return "real";
    case POSENC_TYPE_BOOLEAN:
        return "boolean";
    case POSENC_TYPE_CHOICE:
        return "choice";
    case POSENC_TYPE_CHOICES:
        return "list of choices";
    case POSENC_TYPE_TEXT:
        return "text";
    case POSENC_TYPE_INTEGERS:
        return "list of integers";
    case POSENC_TYPE_REALS:
        return "list of reals";
    case POSENC_TYPE_POSITIONS:
        return "list of positions";
    case POSENC_TYPE_TENSOR:
        return "tensor";
    case POSENC_TYPE_OBJECT:
        return "object";
    }
    return "unknown";
}

void posenc__describe(const struct posenc_value *raw, char *text, size_t size)
{
    switch (raw->kind) {
    case POSENC_NULL:
        (void)snprintf(text, size, "null");
        return;
    case POSENC_BOOLEAN:
        (void)snprintf(text, size, "%s", raw->as.boolean ? "true" : "false");
        return;
    case POSENC_NUMBER:
        if (raw->rounded)
            (void)snprintf(text, size, "%s", raw->rounded->text);
        else
            (void)snprintf(text, size, "%.17g", raw->as.number);
        return;
    case POSENC_TEXT:
        (void)snprintf(text, size, "%s", raw->as.text);
        return;
    case POSENC_UNTYPED:
        (void)snprintf(text, size, "%s", raw->as.untyped.text);
        return;
    case POSENC_ARRAY:
        (void)snprintf(text, size, "an array of rank %zu", raw->as.array.rank);
        return;
    case POSENC_RAGGED:
    case POSENC_LIST:
        (void)snprintf(text, size, "a list");
        return;
    case POSENC_OBJECT:
        (void)snprintf(text, size, "an object");
        return;
    }
}

/* The row's range in words, as " from 1 to 8" or " above 0"; empty when any finite number will do.
 */
static void range_text(const struct posenc_parameter *row, char *text, size_t size)
{
    const char *bound = row->flags & POSENC_ABOVE ? "above" : "of at least";
    const bool bounded_above = isfinite(row->maximum);

    text[0] = '\0';
    if (row->minimum == 0 && row->maximum == 0)
        return;
    if (bounded_above && row->flags & POSENC_ABOVE)
        (void)snprintf(text, size, " above %.17g and at most %.17g", row->minimum, row->maximum);
    else if (bounded_above)
        (void)snprintf(text, size, " from %.17g to %.17g", row->minimum, row->maximum);
    else
        (void)snprintf(text, size, " %s %.17g", bound, row->minimum);
}

static const char *wanted_words(enum posenc_type type)
{
    switch (type) {
    case POSENC_TYPE_INTEGER:
        return "an integer";
    case POSENC_TYPE_REAL:
        return "a finite number";
    case POSENC_TYPE_BOOLEAN:
        return "true or false";
    case POSENC_TYPE_CHOICE:
    case POSENC_TYPE_TEXT:
        return "a text";
    case POSENC_TYPE_CHOICES:
        return "a list of texts, each one of the choices in 'allowed'";
    case POSENC_TYPE_INTEGERS:
        return "a list of integers, each";
    case POSENC_TYPE_REALS:
        return "a list of finite numbers, each";
    case POSENC_TYPE_POSITIONS:
        return "a list of finite numbers, or one list per axis";
    case POSENC_TYPE_TENSOR:
        return "a tensor: nested arrays of numbers, or {\"dtype\", \"shape\", \"data\"}";
    case POSENC_TYPE_OBJECT:
        return "an object";
    }
    return "something else";
}

/* Lists the choices of a row that has some, and the one that was probably meant. */
static void suggest_choice(struct posenc_problem *problem, const struct posenc_parameter *row,
                           const char *value)
{
    const char *nearest = NULL;
    size_t best = SIZE_MAX;

    for (size_t i = 0; row->choices && row->choices[i] && i < POSENC_ALLOWED_MAX; i++) {
        problem->allowed[problem->allowed_count++] = row->choices[i];
        posenc__consider(value, row->choices[i], &best, &nearest);
    }
    if (nearest)
        (void)snprintf(problem->suggestion, sizeof(problem->suggestion), "%s", nearest);
}

static enum posenc_status refuse_value(const struct posenc__binding *binding,
                                       enum posenc_status status,
                                       const struct posenc_parameter *row, const char *path,
                                       const struct posenc_value *raw)
{
    char range[80], value[64];

    posenc__describe(raw, value, sizeof(value));
    range_text(row, range, sizeof(range));
    if (range[0] == '\0' && row->type == POSENC_TYPE_INTEGER && status == POSENC_OUT_OF_RANGE)
        (void)snprintf(range, sizeof(range), " from %.17g to %.17g", -POSENC_INTEGER_MAX,
                       POSENC_INTEGER_MAX);
    if (row->type == POSENC_TYPE_CHOICE)
        (void)posenc__refuse(binding->problem, status, path,
                             "'%s' must be one of the choices in 'allowed'; it is '%s'.", path,
                             value);
    else
        (void)posenc__refuse(binding->problem, status, path, "'%s' must be %s%s; it is '%s'.", path,
                             wanted_words(row->type), range, value);
    (void)snprintf(binding->problem->value, sizeof(binding->problem->value), "%s", value);
    suggest_choice(binding->problem, row, value);
    return status;
}

/*
 * As the number was written: one that was rounded onto an end of the range lies outside when its
 * decimal does. Such an end is an integer of at most 2^53, so it stands for itself alone.
 */
static bool in_range(const struct posenc_parameter *row, double number,
                     const struct posenc_rounded *rounded)
{
    if (isnan(number) && row->flags & POSENC_NULLS)
        return true;
    if (!isfinite(number))
        return false;
    if (row->type == POSENC_TYPE_INTEGER && fabs(number) > POSENC_INTEGER_MAX)
        return false;
    if (row->minimum == 0 && row->maximum == 0)
        return true;
    if (row->flags & POSENC_ABOVE && number <= row->minimum)
        return false;
    if (rounded && number == (rounded->is_above ? row->maximum : row->minimum))
        return false;
    return number >= row->minimum && number <= row->maximum;
}

/* As it was written: between two neighbours up to 2^53 lies no other integer. */
static bool is_integral(double number, const struct posenc_rounded *rounded)
{
    return isfinite(number) && number == floor(number) &&
           !(rounded && fabs(number) <= POSENC_INTEGER_MAX);
}

static enum posenc_status check_number(const struct posenc__binding *binding,
                                       const struct posenc_parameter *row, const char *path,
                                       const struct posenc_value *raw, double number)
{
    if (row->type == POSENC_TYPE_INTEGER && !is_integral(number, raw->rounded))
        return refuse_value(binding, POSENC_WRONG_TYPE, row, path, raw);
    if (!in_range(row, number, raw->rounded))
        return refuse_value(binding, POSENC_OUT_OF_RANGE, row, path, raw);
    return POSENC_OK;
}

static enum posenc_status convert_number(const struct posenc__binding *binding,
                                         const struct posenc_parameter *row, const char *path,
                                         const struct posenc_value *raw,
                                         struct posenc_argument *argument)
{
    double number;

    if (raw->kind == POSENC_NUMBER)
        number = raw->as.number;
    else if (raw->kind == POSENC_UNTYPED && raw->as.untyped.numbers && raw->as.untyped.count == 1)
        number = raw->as.untyped.numbers[0];
    else
        return refuse_value(binding, POSENC_WRONG_TYPE, row, path, raw);
    /* Integers have one zero: -0 would be echoed as -0.0, and be another result's tag. */
    argument->value = posenc_number(row->type == POSENC_TYPE_INTEGER ? number + 0.0 : number);
    return check_number(binding, row, path, raw, number);
}

static enum posenc_status convert_boolean(const struct posenc__binding *binding,
                                          const struct posenc_parameter *row, const char *path,
                                          const struct posenc_value *raw,
                                          struct posenc_argument *argument)
{
    const char *text = raw->kind == POSENC_UNTYPED ? raw->as.untyped.text : "";

    if (raw->kind == POSENC_BOOLEAN)
        argument->value = *raw;
    else if (strcmp(text, "true") == 0 || strcmp(text, "1") == 0)
        argument->value = posenc_boolean(true);
    else if (strcmp(text, "false") == 0 || strcmp(text, "0") == 0)
        argument->value = posenc_boolean(false);
    else
        return refuse_value(binding, POSENC_WRONG_TYPE, row, path, raw);
    return POSENC_OK;
}

static enum posenc_status convert_text(const struct posenc__binding *binding,
                                       const struct posenc_parameter *row, const char *path,
                                       const struct posenc_value *raw,
                                       struct posenc_argument *argument)
{
    if (raw->kind != POSENC_TEXT && raw->kind != POSENC_UNTYPED)
        return refuse_value(binding, POSENC_WRONG_TYPE, row, path, raw);
    const char *text = raw->kind == POSENC_TEXT ? raw->as.text : raw->as.untyped.text;

    argument->value = posenc_text(text);
    if (row->type == POSENC_TYPE_TEXT)
        return POSENC_OK;
    for (size_t i = 0; row->choices[i]; i++)
        if (strcmp(row->choices[i], text) == 0) {
            argument->choice = i;
            return POSENC_OK;
        }
    return refuse_value(binding, POSENC_OUT_OF_RANGE, row, path, raw);
}

/* What one element of a list must be. */
static struct posenc_parameter element_row(const struct posenc_parameter *list)
{
    struct posenc_parameter row = *list;

    row.type = list->type == POSENC_TYPE_INTEGERS ? POSENC_TYPE_INTEGER : POSENC_TYPE_REAL;
    if (list->type == POSENC_TYPE_POSITIONS) {
        row.minimum = -POSENC_POSITION_MAX;
        row.maximum = POSENC_POSITION_MAX;
    }
    return row;
}

/* The path of element `index` of an array: "positions.1" or, with two axes, "positions.0.3". */
static void element_path(char path[POSENC_PATH_MAX], const char *name,
                         const struct posenc_array *array, size_t index)
{
    if (array->rank == 2)
        (void)snprintf(path, POSENC_PATH_MAX, "%.100s.%zu.%zu", name, index / array->shape[1],
                       index % array->shape[1]);
    else
        (void)snprintf(path, POSENC_PATH_MAX, "%.120s.%zu", name, index);
}

static enum posenc_status check_elements(const struct posenc__binding *binding,
                                         const struct posenc_parameter *row, const char *path,
                                         const struct posenc_array *array,
                                         const struct posenc_rounded *rounded)
{
    const struct posenc_parameter element = element_row(row);
    const double *numbers = array->data;
    size_t count = 0;

    (void)posenc_shape_count(array->rank, array->shape, &count); /* it lies in memory, so it fits */
    for (size_t i = 0; i < count; i++) {
        struct posenc_value number = posenc_number(numbers[i]);
        char place[POSENC_PATH_MAX];

        if (rounded && rounded->index == i) {
            number.rounded = rounded;
            rounded = rounded->next;
        }
        if (in_range(&element, numbers[i], number.rounded) &&
            (element.type != POSENC_TYPE_INTEGER || is_integral(numbers[i], number.rounded)))
            continue;
        element_path(place, path, array, i);
        return check_number(binding, &element, place, &number, numbers[i]);
    }
    return POSENC_OK;
}

/* How deep the lists of a row may be nested. */
static size_t depth_max(const struct posenc_parameter *row)
{
    if (row->type == POSENC_TYPE_TENSOR)
        return POSENC_RANK_MAX;
    return row->type == POSENC_TYPE_POSITIONS ? 2 : 1;
}

/* The index of the first item that is neither a number nor, with `depth` axes, numbers in rows. */
static size_t first_other(const struct posenc_list *list, size_t depth)
{
    size_t i = 0;

    while (i < list->count && (list->items[i].kind == POSENC_NUMBER ||
                               (list->items[i].kind == POSENC_ARRAY && depth > 1)))
        i++;
    return i;
}

/* A list that is not all numbers: its first other element, however deep, is the one to name. */
static enum posenc_status refuse_list(const struct posenc__binding *binding,
                                      const struct posenc_parameter *row, const char *path,
                                      const struct posenc_value *raw)
{
    const struct posenc_parameter element = element_row(row);
    const struct posenc_parameter *wanted = row;
    char place[POSENC_PATH_MAX];

    (void)snprintf(place, sizeof(place), "%s", path); /* cut if long */
    for (size_t depth = depth_max(row); depth > 0 && raw->kind == POSENC_LIST; depth--) {
        const size_t other = first_other(&raw->as.list, depth), length = strlen(place);

        if (other == raw->as.list.count)
            break;
        (void)snprintf(place + length, sizeof(place) - length, ".%zu", other);
        raw = &raw->as.list.items[other];
        wanted = &element;
    }
    return refuse_value(binding, POSENC_WRONG_TYPE, wanted, place, raw);
}

static enum posenc_status refuse_ragged(const struct posenc__binding *binding, const char *path,
                                        const struct posenc_value *raw)
{
    return posenc__refuse(binding->problem, POSENC_WRONG_SHAPE, path,
                          "'%s' has rows of different lengths: the first that differs is %.80s.%s.",
                          path, path, raw->as.text);
}

bool posenc__widen_array(struct posenc_memory *memory, struct posenc_array *array)
{
    size_t count = 0;

    if (array->dtype == POSENC_FLOAT64)
        return true;
    (void)posenc_shape_count(array->rank, array->shape, &count); /* it lies in memory, so it fits */
    double *numbers = posenc_allocate(memory, count, sizeof(*numbers));

    if (!numbers)
        return false;
    posenc_widen(array->dtype, array->data, count, numbers);
    array->dtype = POSENC_FLOAT64;
    array->data = numbers;
    return true;
}

/* As for a single integer: -0 is 0. The numbers may be the caller's, so a copy is changed. */
static bool drop_minus_zeros(struct posenc_memory *memory, struct posenc_array *array)
{
    const double *const given = array->data;
    size_t count = 0, first = 0;

    (void)posenc_shape_count(array->rank, array->shape, &count); /* it lies in memory, so it fits */
    while (first < count && !(given[first] == 0 && signbit(given[first])))
        first++;
    if (first == count)
        return true;
    double *numbers = posenc_allocate(memory, count, sizeof(*numbers));

    if (!numbers)
        return false;
    for (size_t i = 0; i < count; i++)
        numbers[i] = given[i] + 0.0;
    array->data = numbers;
    return true;
}

static enum posenc_status convert_list(const struct posenc__binding *binding,
                                       const struct posenc_parameter *row, const char *path,
                                       const struct posenc_value *raw,
                                       struct posenc_argument *argument)
{
    const struct posenc_rounded *rounded = raw->rounded;
    struct posenc_value with_nulls;

    if (raw->kind == POSENC_RAGGED)
        return refuse_ragged(binding, path, raw);
    if (raw->kind == POSENC_UNTYPED && raw->as.untyped.numbers)
        argument->value = posenc_numbers(raw->as.untyped.numbers, raw->as.untyped.count);
    else if (raw->kind == POSENC_ARRAY && raw->as.array.rank >= 1 &&
             raw->as.array.rank <= depth_max(row))
        argument->value = posenc_nested(&raw->as.array);
    else if (row->flags & POSENC_NULLS &&
             posenc__convert_nulls(raw, binding->memory, &with_nulls)) {
        if (!with_nulls.as.array.data)
            return posenc__no_memory(binding->problem);
        argument->value = posenc_nested(&with_nulls.as.array);
        rounded = with_nulls.rounded;
    } else {
        return refuse_list(binding, row, path, raw);
    }
    if (!posenc__widen_array(binding->memory, &argument->value.as.array) ||
        (row->type == POSENC_TYPE_INTEGERS &&
         !drop_minus_zeros(binding->memory, &argument->value.as.array)))
        return posenc__no_memory(binding->problem);
    return check_elements(binding, row, path, &argument->value.as.array, rounded);
}

static bool is_empty_list(const struct posenc_value *raw)
{
    return raw->kind == POSENC_ARRAY && raw->as.array.rank == 1 && raw->as.array.shape[0] == 0;
}

enum posenc_status posenc__convert(const struct posenc__binding *binding,
                                   const struct posenc_parameter *row, const char *path,
                                   const struct posenc_value *raw, struct posenc_argument *argument)
{
    switch (row->type) {
    case POSENC_TYPE_INTEGER:
    case POSENC_TYPE_REAL:
        return convert_number(binding, row, path, raw, argument);
    case POSENC_TYPE_BOOLEAN:
        return convert_boolean(binding, row, path, raw, argument);
    case POSENC_TYPE_CHOICE:
    case POSENC_TYPE_TEXT:
        return convert_text(binding, row, path, raw, argument);
    case POSENC_TYPE_CHOICES:
        if (raw->kind != POSENC_LIST && raw->kind != POSENC_UNTYPED && !is_empty_list(raw))
            return refuse_value(binding, POSENC_WRONG_TYPE, row, path, raw);
        return posenc__convert_choices(binding, row, path, raw, argument);
    case POSENC_TYPE_INTEGERS:
    case POSENC_TYPE_REALS:
    case POSENC_TYPE_POSITIONS:
        return convert_list(binding, row, path, raw, argument);
    case POSENC_TYPE_TENSOR:
        if (raw->kind == POSENC_RAGGED)
            return refuse_ragged(binding, path, raw);
        if (raw->kind == POSENC_OBJECT)
            return posenc__convert_tensor(binding, path, raw, argument);
        argument->value = *raw;
        return raw->kind == POSENC_ARRAY ? POSENC_OK : refuse_list(binding, row, path, raw);
    case POSENC_TYPE_OBJECT:
        if (raw->kind != POSENC_OBJECT)
            return refuse_value(binding, POSENC_WRONG_TYPE, row, path, raw);
        if (!row->members) { /* another schema binds it */
            argument->value = *raw;
            return POSENC_OK;
        }
        return posenc__bind_object(binding, row, path, raw, &argument->value);
    }
    return refuse_value(binding, POSENC_WRONG_TYPE, row, path, raw);
}
