/* What could be other than expected in a context: from its operation's rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bind.h"
#include "identify.h"

#define COST_SLIP   1
#define COST_NUMBER 2

#define NUMBERS_OF_ROW_MAX 10
#define SHORT_LIST_MAX     4 /* entries that are written out */

/* Listing under way. */
struct listing {
    struct posenc__question *question;
    struct posenc__context *context;
    struct posenc__changes *changes;
};

const struct posenc_value *posenc__current(const struct posenc__context *context, const char *name)
{
    const struct posenc_value members = posenc_object(context->echo.items, context->echo.count);
    const struct posenc_value *value = posenc_find_member(&members, name);

    return value && value->kind != POSENC_NULL ? value : NULL;
}

/* "[2, 3]" */
static void describe_list(const struct posenc_array *array, char *text, size_t size)
{
    double numbers[SHORT_LIST_MAX];
    const size_t count = array->shape[0];
    int end = 0;

    posenc__read_array(array, 0, count, numbers);
    for (size_t i = 0; i < count; i++) {
        const size_t used = (size_t)end < size ? (size_t)end : size;

        end += snprintf(text + used, size - used, "%s%.9g", i == 0 ? "[" : ", ", numbers[i]);
    }
    (void)snprintf(text + ((size_t)end < size - 2 ? (size_t)end : size - 2), 2, "]");
}

/* Numbers, and lists of a few, as people write them. */
static void describe(const struct posenc_value *value, char *text, size_t size)
{
    const struct posenc_array *array = &value->as.array;

    if (value->kind == POSENC_NUMBER)
        (void)snprintf(text, size, "%.15g", value->as.number);
    else if (value->kind == POSENC_ARRAY && array->rank == 1 && array->shape[0] > 0 &&
             array->shape[0] <= SHORT_LIST_MAX)
        describe_list(array, text, size);
    else
        posenc__describe(value, text, size);
}

const char *posenc__change_words(struct posenc_memory *memory, const char *path,
                                 const struct posenc_value *was, const struct posenc_value *is)
{
    char before[96], after[96];

    if (is && is->kind == POSENC_OBJECT && was)
        return posenc__format(memory, "'%s' is another one", path);
    if (was)
        describe(was, before, sizeof(before));
    if (is)
        describe(is, after, sizeof(after));
    if (!is || is->kind == POSENC_NULL)
        return posenc__format(memory, "'%s' is left out", path);
    if (!was || was->kind == POSENC_NULL)
        return posenc__format(memory, "'%s' is %s", path, after);
    return was->kind == POSENC_OBJECT
               ? posenc__format(memory, "'%s' is %s", path, after)
               : posenc__format(memory, "'%s' is %s instead of %s", path, after, before);
}

bool posenc__add_change(struct posenc__changes *changes, struct posenc_memory *memory,
                        const struct posenc__change *change)
{
    struct posenc__change *item = &changes->items[changes->count];

    if (changes->count == POSENC__IDENTIFY_CHANGES_MAX)
        return true;
    *item = *change;
    if (!item->words)
        item->words = posenc__change_words(
            memory, item->parameter, item->was.kind == POSENC_NULL ? NULL : &item->was, &item->is);
    if (!item->words)
        return false;
    changes->count++;
    return true;
}

/* A change of a whole parameter. */
static bool add_setting(const struct listing *listing, const struct posenc_parameter *row,
                        const struct posenc_value *was, struct posenc_value is, unsigned cost)
{
    struct posenc_memory *memory = listing->question->memory;
    struct posenc_member *member = posenc_allocate(memory, 1, sizeof(*member));

    if (!member)
        return false;
    *member = (struct posenc_member){row->name, is};
    const struct posenc__change change = {.parameter = row->name,
                                          .was = was ? *was : posenc_null(),
                                          .is = is,
                                          .sets = {member, 1},
                                          .cost = cost};

    return posenc__add_change(listing->changes, memory, &change);
}

/* A change of one member of an object parameter: `is` NULL takes it out. */
static bool add_member_setting(const struct listing *listing, const struct posenc_parameter *row,
                               const struct posenc_value *object, const char *name,
                               const struct posenc_value *was, const struct posenc_value *is,
                               unsigned cost)
{
    struct posenc_memory *memory = listing->question->memory;
    const struct posenc_members *old = &object->as.object;
    struct posenc_member *members = posenc_allocate(memory, old->count + 1, sizeof(*members));
    struct posenc_member *member = posenc_allocate(memory, 1, sizeof(*member));
    const char *path = posenc__format(memory, "%s.%s", row->name, name);
    size_t count = 0;

    if (!members || !member || !path)
        return false;
    for (size_t i = 0; i < old->count; i++)
        if (strcmp(old->items[i].name, name) != 0)
            members[count++] = old->items[i];
    if (is)
        members[count++] = (struct posenc_member){name, *is};
    *member = (struct posenc_member){row->name, posenc_object(members, count)};
    const struct posenc__change change = {.parameter = path,
                                          .was = was ? *was : posenc_null(),
                                          .is = is ? *is : posenc_null(),
                                          .sets = {member, 1},
                                          .cost = cost};

    return posenc__add_change(listing->changes, memory, &change);
}

static void add_number(double numbers[NUMBERS_OF_ROW_MAX], size_t *count, double number, double was)
{
    if (!isfinite(number) || number == was)
        return;
    for (size_t i = 0; i < *count; i++)
        if (numbers[i] == number)
            return;
    numbers[(*count)++] = number;
}

/* How a number slips: squared or its root taken, inverted, doubled, off by one, wrapped. */
static size_t list_numbers(const struct posenc_parameter *row, double was,
                           double numbers[NUMBERS_OF_ROW_MAX])
{
    const double wrapped = fmod(was * 1000, 0x1p32) / 1000; /* thousandths in 32 bits */
    size_t count = 0;

    if (row->type == POSENC_TYPE_INTEGER) {
        add_number(numbers, &count, was + 1, was);
        add_number(numbers, &count, was - 1, was);
        add_number(numbers, &count, was * 2, was);
        add_number(numbers, &count, floor(was / 2), was);
        add_number(numbers, &count, 1, was);
        add_number(numbers, &count, 0, was);
        add_number(numbers, &count, -was, was);
        return count;
    }
    add_number(numbers, &count, was * was, was);
    add_number(numbers, &count, sqrt(fabs(was)), was);
    add_number(numbers, &count, 1 / was, was);
    add_number(numbers, &count, was * 2, was);
    add_number(numbers, &count, was / 2, was);
    add_number(numbers, &count, was * 1000, was);
    add_number(numbers, &count, wrapped, was);
    add_number(numbers, &count, -was, was);
    add_number(numbers, &count, 1, was);
    add_number(numbers, &count, 0, was);
    return count;
}

/* The other values that a row's parameter can slip to; their number, at most `room`. */
static size_t list_values(const struct posenc_parameter *row, const struct posenc_value *was,
                          struct posenc_value *values, size_t room)
{
    double numbers[NUMBERS_OF_ROW_MAX];
    size_t count = 0;

    switch (row->type) {
    case POSENC_TYPE_CHOICE:
        for (size_t i = 0; row->choices[i] && count < room; i++)
            if (!was || was->kind != POSENC_TEXT || strcmp(was->as.text, row->choices[i]) != 0)
                values[count++] = posenc_text(row->choices[i]);
        return count;
    case POSENC_TYPE_BOOLEAN:
        if (!was || !was->as.boolean)
            values[count++] = posenc_boolean(true);
        if (!was || was->as.boolean)
            values[count++] = posenc_boolean(false);
        return count;
    case POSENC_TYPE_INTEGER:
    case POSENC_TYPE_REAL:
        if (!was || was->kind != POSENC_NUMBER)
            return 0;
        for (size_t slips = list_numbers(row, was->as.number, numbers); count < slips; count++)
            values[count] = posenc_number(numbers[count]);
        return count;
    case POSENC_TYPE_CHOICES:
    case POSENC_TYPE_TEXT:
    case POSENC_TYPE_INTEGERS:
    case POSENC_TYPE_REALS:
    case POSENC_TYPE_POSITIONS:
    case POSENC_TYPE_TENSOR:
    case POSENC_TYPE_OBJECT:
        break;
    }
    return 0;
}

static unsigned cost_of(const struct posenc_parameter *row)
{
    return row->type == POSENC_TYPE_INTEGER || row->type == POSENC_TYPE_REAL ? COST_NUMBER
                                                                             : COST_SLIP;
}

/* The members of a dictionary: left out, and of other values. */
static bool list_members(const struct listing *listing, const struct posenc_parameter *row,
                         const struct posenc_value *object)
{
    struct posenc_value values[POSENC_ALLOWED_MAX];
    bool has_room = add_setting(listing, row, object, posenc_null(), COST_SLIP);

    for (const struct posenc_parameter *member = row->members; member->name && has_room; member++) {
        const struct posenc_value *was = posenc_find_member(object, member->name);

        if (was && was->kind == POSENC_NULL)
            was = NULL;
        if (was)
            has_room = add_member_setting(listing, row, object, member->name, was, NULL, COST_SLIP);
        const size_t count = list_values(member, was, values, POSENC_ALLOWED_MAX);

        for (size_t i = 0; i < count && has_room; i++)
            has_room = add_member_setting(listing, row, object, member->name, was, &values[i],
                                          cost_of(member));
    }
    return has_room;
}

/* A dictionary that is not there: with one choice of one member, as far as nothing else is needed
 * beside it. */
static bool list_dictionaries(const struct listing *listing, const struct posenc_parameter *row)
{
    const struct posenc_value none = posenc_object(NULL, 0);
    struct posenc_value values[POSENC_ALLOWED_MAX];

    for (const struct posenc_parameter *member = row->members; member->name; member++) {
        const size_t count = member->type == POSENC_TYPE_CHOICE
                                 ? list_values(member, NULL, values, POSENC_ALLOWED_MAX)
                                 : 0;

        for (size_t i = 0; i < count; i++)
            if (!add_member_setting(listing, row, &none, member->name, NULL, &values[i], COST_SLIP))
                return false;
    }
    return true;
}

/* A list the other way round: rows and columns, frames and rows. */
static bool list_reversed(const struct listing *listing, const struct posenc_parameter *row,
                          const struct posenc_value *was)
{
    const struct posenc_array *array = &was->as.array;
    const size_t count = array->shape[0];
    double *numbers = posenc_allocate(listing->question->memory, count, sizeof(*numbers));

    if (!numbers)
        return false;
    posenc__read_array(array, 0, count, numbers);
    for (size_t i = 0; i < count / 2; i++) {
        const double kept = numbers[i];

        numbers[i] = numbers[count - 1 - i];
        numbers[count - 1 - i] = kept;
    }
    return add_setting(listing, row, was, posenc_numbers(numbers, count), COST_SLIP);
}

/* The number that a missing parameter would have been. */
static bool list_default(const struct listing *listing, const struct posenc_parameter *row,
                         const struct posenc_value *was)
{
    if (!was || was->kind != POSENC_NUMBER || !row->has_fallback ||
        row->fallback.kind != POSENC_NUMBER || row->fallback.as.number == was->as.number)
        return true;
    return add_setting(listing, row, was, row->fallback, COST_SLIP);
}

/* What was given though it need not be: as if it had not. */
static bool list_left_out(const struct listing *listing, const struct posenc_parameter *row)
{
    const struct posenc_value given =
        posenc_object(listing->context->given.items, listing->context->given.count);
    const struct posenc_value *was = posenc_find_member(&given, row->name);

    if (!was || was->kind == POSENC_NULL || !(row->flags & POSENC_OPTIONAL))
        return true;
    return add_setting(listing, row, was, posenc_null(), COST_SLIP);
}

static bool list_row(const struct listing *listing, const struct posenc_parameter *row)
{
    const struct posenc_value *was = posenc__current(listing->context, row->name);
    struct posenc_value values[POSENC_ALLOWED_MAX];

    if (!list_default(listing, row, was) || !list_left_out(listing, row))
        return false;
    if (row->type == POSENC_TYPE_OBJECT && was && was->kind == POSENC_OBJECT)
        return list_members(listing, row, was);
    if (row->type == POSENC_TYPE_OBJECT && row->members && !was)
        return list_dictionaries(listing, row);
    if (row->type == POSENC_TYPE_INTEGERS && was && was->kind == POSENC_ARRAY)
        return list_reversed(listing, row, was);
    const size_t count = list_values(row, was, values, POSENC_ALLOWED_MAX);

    for (size_t i = 0; i < count; i++)
        if (!add_setting(listing, row, was, values[i], cost_of(row)))
            return false;
    return true;
}

static bool list_presets(const struct listing *listing)
{
    static const struct posenc_parameter row = {.name = "preset", .type = POSENC_TYPE_TEXT};
    const struct posenc_preset *preset = listing->context->encoding->presets;

    if (!posenc__row_of(listing->context->operation, "preset"))
        return true;
    for (; preset && preset->name; preset++)
        if (!add_setting(listing, &row, NULL, posenc_text(preset->name), COST_SLIP))
            return false;
    return true;
}

/* What the tensor's axes tell, where the request says otherwise. */
static bool list_axes(const struct listing *listing)
{
    const struct posenc__context *context = listing->context;
    const struct posenc_value given = posenc_object(context->given.items, context->given.count);
    struct posenc_memory *memory = listing->question->memory;

    for (size_t axis = 0; axis < context->axis_count; axis++) {
        const struct posenc_parameter *row = context->axes[axis];
        const struct posenc_value *was = row ? posenc_find_member(&given, row->name) : NULL;
        const char **drops = posenc_allocate(memory, 2, sizeof(*drops));
        char number[32];

        if (!drops)
            return false;
        if (!was || was->kind != POSENC_NUMBER)
            continue;
        describe(was, number, sizeof(number));
        drops[0] = row->name;
        drops[1] = NULL;
        const struct posenc__change change = {
            .parameter = row->name,
            .was = *was,
            .is = posenc_text("as the tensor tells"),
            .words = posenc__format(memory, "'%s' is not %s", row->name, number),
            .drops = drops,
            .cost = COST_SLIP};

        if (!change.words || !posenc__add_change(listing->changes, memory, &change))
            return false;
    }
    return true;
}

bool posenc__is_settled(const struct posenc__context *context, const struct posenc_parameter *row)
{
    static const char *const settled[] = {"dtype", "frequency_dtype", "preset", "length",
                                          "positions"};

    for (size_t axis = 0; axis < context->axis_count; axis++)
        if (context->axes[axis] == row)
            return true;
    for (size_t i = 0; i < sizeof(settled) / sizeof(*settled); i++)
        if (strcmp(settled[i], row->name) == 0)
            return true;
    return row->flags & POSENC_SILENT;
}

enum posenc_status posenc__list_changes(struct posenc__question *question,
                                        struct posenc__context *context,
                                        struct posenc__changes *changes)
{
    const struct listing listing = {question, context, changes};

    changes->count = 0;
    changes->items =
        posenc_allocate(question->memory, POSENC__IDENTIFY_CHANGES_MAX, sizeof(*changes->items));
    if (!changes->items || !list_axes(&listing))
        return posenc__no_memory(question->problem);
    for (const struct posenc_parameter *const *group = context->operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (!posenc__is_settled(context, row) && !list_row(&listing, row))
                return posenc__no_memory(question->problem);
    /* Behind the parameters, so that one of these is named rather than a whole preset. */
    if (!list_presets(&listing))
        return posenc__no_memory(question->problem);
    const enum posenc_status status = posenc__list_list_changes(question, context, changes);

    return status == POSENC_OK ? posenc__list_position_changes(question, context, changes) : status;
}
