/* Reading bound arguments by name. A name without a row is our own mistake, hence the asserts. */
#include <assert.h>
#include <string.h>

#include "internal.h"

/* Plans ask for their arguments by name again and again, and most names differ at once. */
static bool is_same_name(const char *a, const char *b)
{
    return *a == *b && strcmp(a, b) == 0;
}

const struct posenc_argument *posenc_find_argument(const struct posenc_arguments *arguments,
                                                   const char *name)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (is_same_name(arguments->items[i].row->name, name))
            return &arguments->items[i];
    return NULL;
}

struct posenc_argument *posenc__argument(struct posenc_arguments *arguments, const char *name)
{
    const struct posenc_argument *found = posenc_find_argument(arguments, name);

    assert(found);
    return &arguments->items[found - arguments->items];
}

static const struct posenc_argument *argument_of(const struct posenc_arguments *arguments,
                                                 const char *name, enum posenc_kind kind)
{
    const struct posenc_argument *argument = posenc_find_argument(arguments, name);

    assert(argument);
    assert(argument->value.kind == kind);
    (void)kind;
    return argument;
}

bool posenc__present(const struct posenc_arguments *arguments, const char *name)
{
    const struct posenc_argument *argument = posenc_find_argument(arguments, name);

    return argument && argument->origin != POSENC_ABSENT && argument->value.kind != POSENC_NULL;
}

bool posenc__given(const struct posenc_arguments *arguments, const char *name)
{
    const struct posenc_argument *argument = posenc_find_argument(arguments, name);

    return argument && argument->origin == POSENC_GIVEN;
}

double posenc__real(const struct posenc_arguments *arguments, const char *name)
{
    return argument_of(arguments, name, POSENC_NUMBER)->value.as.number;
}

size_t posenc__size(const struct posenc_arguments *arguments, const char *name)
{
    const double number = posenc__real(arguments, name);

    assert(number >= 0);
    return (size_t)number;
}

bool posenc__boolean(const struct posenc_arguments *arguments, const char *name)
{
    return argument_of(arguments, name, POSENC_BOOLEAN)->value.as.boolean;
}

unsigned posenc__choice(const struct posenc_arguments *arguments, const char *name)
{
    return (unsigned)argument_of(arguments, name, POSENC_TEXT)->choice;
}

size_t posenc__choices(const struct posenc_arguments *arguments, const char *name)
{
    return posenc__present(arguments, name) ? argument_of(arguments, name, POSENC_LIST)->choice : 0;
}

enum posenc_dtype posenc__dtype_of(const struct posenc_arguments *arguments, const char *name)
{
    enum posenc_dtype dtype = POSENC_FLOAT32;
    const bool known =
        posenc_dtype_find(argument_of(arguments, name, POSENC_TEXT)->value.as.text, &dtype);

    assert(known);
    (void)known;
    return dtype;
}

enum posenc_dtype posenc__dtype(const struct posenc_arguments *arguments)
{
    return posenc__dtype_of(arguments, "dtype");
}

const struct posenc_array *posenc__array(const struct posenc_arguments *arguments, const char *name)
{
    if (!posenc__present(arguments, name))
        return NULL;
    return &argument_of(arguments, name, POSENC_ARRAY)->value.as.array;
}

static size_t choice_index(const struct posenc_parameter *row, const char *text)
{
    size_t index = 0;

    while (strcmp(row->choices[index], text) != 0) {
        index++;
        assert(row->choices[index]);
    }
    return index;
}

void posenc__resolve(struct posenc_arguments *arguments, const char *name,
                     struct posenc_value value)
{
    struct posenc_argument *argument = posenc__argument(arguments, name);

    argument->origin = POSENC_DERIVED;
    argument->value = value;
    if (argument->row->type == POSENC_TYPE_CHOICE)
        argument->choice = choice_index(argument->row, value.as.text);
}

void posenc__drop(struct posenc_arguments *arguments, const char *name)
{
    struct posenc_argument *argument = posenc__argument(arguments, name);

    argument->origin = POSENC_ABSENT;
    argument->value = posenc_null();
}
