/* Compact text of configuration members; see facts.h. */
#include "facts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 96 /* of one name in our own texts */

size_t posenc__next_word(const char **list)
{
    *list += strspn(*list, " ");
    return strcspn(*list, " ");
}

bool posenc__has_word(const char *list, const char *word)
{
    const size_t wanted = strlen(word);
    size_t length;

    for (; list && (length = posenc__next_word(&list)) > 0; list += length)
        if (length == wanted && memcmp(list, word, length) == 0)
            return true;
    return false;
}

const struct posenc_value *posenc__find_span(const struct posenc_value *object, const char *path,
                                             size_t length)
{
    const char *const end = path + length;
    char name[NAME_MAX_BYTES];

    while (object && path < end) {
        const char *dot = memchr(path, '.', (size_t)(end - path));
        const size_t part = (size_t)((dot ? dot : end) - path);

        if (part >= sizeof(name))
            return NULL;
        memcpy(name, path, part);
        name[part] = '\0';
        object = posenc_find_member(object, name);
        path += part + 1;
    }
    return object;
}

const struct posenc_value *posenc__find_path(const struct posenc_value *object, const char *path)
{
    return posenc__find_span(object, path, strlen(path));
}

static char *facts_copy(const char *text, size_t length, struct posenc_memory *memory)
{
    char *copy = posenc_allocate(memory, length + 1, 1);

    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* "16,24,24": as many numbers as commas, and one more when something follows the last. */
static bool facts_read_list(const char *text, struct posenc_memory *memory,
                            struct posenc_value *value)
{
    size_t count = 0, room = 1;
    double *numbers;

    for (const char *at = text; *at; at++)
        room += *at == ',';
    numbers = posenc_allocate(memory, room, sizeof(*numbers));
    if (!numbers)
        return false;
    for (char *end; *text; text = *end == ',' ? end + 1 : end) {
        numbers[count++] = strtod(text, &end);
        assert(end != text);
    }
    *value = posenc_numbers(numbers, count);
    return true;
}

static bool facts_read_value(const char *text, struct posenc_memory *memory,
                             struct posenc_value *value)
{
    char *end;
    const double number = strtod(text, &end);

    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        *value = posenc_boolean(text[0] == 't');
    else if (strcmp(text, "null") == 0)
        *value = posenc_null();
    else if (end != text && *end == '\0')
        *value = posenc_number(number);
    else if (end != text && *end == ',')
        return facts_read_list(text, memory, value);
    else
        *value = posenc_text(text);
    return true;
}

/* The member of that name, appended when it is not there; NULL when memory is out. */
static struct posenc_value *facts_member(struct posenc_value *object, const char *name,
                                         size_t length, struct posenc_memory *memory)
{
    const size_t count = object->as.object.count;
    struct posenc_member *members;
    char *copy;

    for (size_t i = 0; i < count; i++)
        if (strlen(object->as.object.items[i].name) == length &&
            memcmp(object->as.object.items[i].name, name, length) == 0)
            return (struct posenc_value *)&object->as.object.items[i].value; /* made below */
    members = posenc_allocate(memory, count + 1, sizeof(*members));
    copy = facts_copy(name, length, memory);
    if (!members || !copy)
        return NULL;
    if (count > 0)
        memcpy(members, object->as.object.items, count * sizeof(*members));
    members[count] = (struct posenc_member){copy, posenc_object(NULL, 0)};
    *object = posenc_object(members, count + 1);
    return &members[count].value;
}

/* One "name.name=value". */
static bool facts_add(const char *word, size_t length, struct posenc_memory *memory,
                      struct posenc_value *object)
{
    char *text = facts_copy(word, length, memory);
    char *equals = text ? strchr(text, '=') : NULL;
    struct posenc_value *place = object;

    if (!text)
        return false;
    assert(equals);
    *equals = '\0';
    for (const char *name = text; place && name < equals;) {
        const size_t part = strcspn(name, ".");

        place = facts_member(place, name, part, memory);
        name += part + 1;
    }
    return place && facts_read_value(equals + 1, memory, place);
}

bool posenc__read_facts(const char *text, struct posenc_memory *memory, struct posenc_value *object)
{
    size_t length;

    *object = posenc_object(NULL, 0);
    for (; text && (length = posenc__next_word(&text)) > 0; text += length)
        if (!facts_add(text, length, memory, object))
            return false;
    return true;
}
