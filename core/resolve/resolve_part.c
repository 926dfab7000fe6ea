/* Reading a part's members: the file first, its class next, and who said what. */
#include "resolve_part.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *posenc__part_path(const struct posenc__part *part, const char *member)
{
    const char *path = posenc__format(part->whole->memory, "%s%s", part->path, member);

    return path ? path : "";
}

const struct posenc_value *posenc__part_member(const struct posenc__part *part, const char *path)
{
    const struct posenc_value *value = posenc__find_path(part->file, path);

    return value && value->kind != POSENC_NULL ? value : NULL;
}

/* The first of the names that leads somewhere in the object. Only the name needs memory, so that a
 * member that is there is never missed. */
static bool look_in(const struct posenc__part *part, const struct posenc_value *object,
                    const char *names, struct posenc__fact *fact)
{
    for (size_t length; (length = posenc__next_word(&names)) > 0; names += length) {
        const struct posenc_value *value = posenc__find_span(object, names, length);
        const char *name;

        if (!value || value->kind == POSENC_NULL)
            continue;
        name = posenc__format(part->whole->memory, "%.*s", (int)length, names);
        fact->value = value;
        fact->member = name ? name : "";
        return true;
    }
    return false;
}

struct posenc__fact posenc__part_look(const struct posenc__part *part, const char *names)
{
    struct posenc__fact fact = {.member = ""};

    if (!look_in(part, part->file, names, &fact))
        fact.from_class = look_in(part, &part->defaults, names, &fact);
    return fact;
}

enum posenc_status posenc__part_refuse(const struct posenc__part *part, enum posenc_status status,
                                       const char *member, const char *detail, ...)
{
    char sentence[POSENC_DETAIL_MAX];
    va_list words;

    va_start(words, detail);
    (void)vsnprintf(sentence, sizeof(sentence), detail, words); /* cut if long */
    va_end(words);
    return posenc__refuse(part->whole->problem, status, posenc__part_path(part, member), "%s",
                          sentence);
}

enum posenc_status posenc__part_refuse_missing(const struct posenc__part *part, const char *member)
{
    return posenc__part_refuse(part, POSENC_MISSING_PARAMETER, member,
                               "'%s' is missing, and this model's class has no default for it.",
                               posenc__part_path(part, member));
}

/* Several groups of layers may find the same thing. */
static bool is_told(const struct posenc_arguments *log, const char *sentence)
{
    for (size_t i = 0; log->warnings && i < log->warning_count && i < POSENC_WARNINGS_MAX; i++)
        if (strcmp(log->warnings[i].detail, sentence) == 0)
            return true;
    return false;
}

void posenc__part_warn(const struct posenc__part *part, const char *member, const char *detail, ...)
{
    char sentence[POSENC_DETAIL_MAX];
    va_list words;

    va_start(words, detail);
    (void)vsnprintf(sentence, sizeof(sentence), detail, words); /* cut if long */
    va_end(words);
    if (!is_told(part->whole->log, sentence))
        posenc__warn(part->whole->log, part->whole->memory, posenc__part_path(part, member), "%s",
                     sentence);
}

enum posenc_status posenc__part_check(const struct posenc__part *part, const char *member,
                                      const struct posenc_value *value, bool integral,
                                      double minimum, double maximum, double *number)
{
    const char *path = posenc__part_path(part, member);

    if (value->kind != POSENC_NUMBER)
        return posenc__part_refuse(part, POSENC_WRONG_TYPE, member, "'%s' must be a number.", path);
    *number = value->as.number;
    if (integral && *number != floor(*number))
        return posenc__part_refuse(part, POSENC_WRONG_TYPE, member,
                                   "'%s' must be an integer; it is %.17g.", path, *number);
    if (!(*number >= minimum && *number <= maximum))
        return posenc__part_refuse(part, POSENC_OUT_OF_RANGE, member,
                                   "'%s' must be from %.17g to %.17g; it is %.17g.", path, minimum,
                                   maximum, *number);
    return POSENC_OK;
}

enum posenc_status posenc__part_number(const struct posenc__part *part, const char *names,
                                       double minimum, double maximum, struct posenc__fact *fact,
                                       double *number)
{
    *fact = posenc__part_look(part, names);
    *number = 0;
    return fact->value ? posenc__part_check(part, fact->member, fact->value, false, minimum,
                                            maximum, number)
                       : POSENC_OK;
}

enum posenc_status posenc__part_size(const struct posenc__part *part, const char *names,
                                     size_t minimum, size_t maximum, struct posenc__fact *fact,
                                     size_t *size)
{
    double number = 0;
    enum posenc_status status = POSENC_OK;

    *fact = posenc__part_look(part, names);
    if (fact->value)
        status = posenc__part_check(part, fact->member, fact->value, true, (double)minimum,
                                    (double)maximum, &number);
    *size = status == POSENC_OK ? (size_t)number : 0;
    return status;
}

bool posenc__part_flag(const struct posenc__part *part, const char *names)
{
    const struct posenc_value *value = posenc__part_look(part, names).value;

    if (!value)
        return false;
    return value->kind == POSENC_BOOLEAN ? value->as.boolean
                                         : value->kind == POSENC_NUMBER && value->as.number != 0;
}

const char *posenc__part_text(const struct posenc__part *part, const char *names)
{
    const struct posenc_value *value = posenc__part_look(part, names).value;

    return value && value->kind == POSENC_TEXT ? value->as.text : NULL;
}

void posenc__part_tell_assumed(const struct posenc__part *part, const struct posenc__fact *fact)
{
    if (!fact->from_class || fact->value->kind != POSENC_NUMBER)
        return;
    posenc__part_warn(part, fact->member,
                      "'%s' is not in the file; the default of its class, %.17g, was taken.",
                      posenc__part_path(part, fact->member), fact->value->as.number);
}

/* A list that has one entry a layer tells their number, too. */
static bool count_listed(const struct posenc__part *part, size_t *layers)
{
    const struct posenc_value *list =
        posenc__part_look(part, "layer_types layers_block_type").value;

    if (!list || list->kind != POSENC_LIST || list->as.list.count == 0 ||
        list->as.list.count > POSENC_CONFIG_LAYERS_MAX)
        return false;
    *layers = list->as.list.count;
    return true;
}

enum posenc_status posenc__part_layers(const struct posenc__part *part, bool *known, size_t *layers)
{
    struct posenc__fact fact = posenc__part_look(part, POSENC__LAYERS_NAMES);

    if ((!fact.value || fact.from_class) && count_listed(part, layers)) {
        *known = true;
        return POSENC_OK;
    }
    const enum posenc_status status =
        posenc__part_size(part, POSENC__LAYERS_NAMES, 1, POSENC_CONFIG_LAYERS_MAX, &fact, layers);

    *known = status == POSENC_OK && fact.value;
    return status;
}

bool posenc__members_init(struct posenc__members *members, size_t room,
                          struct posenc_memory *memory)
{
    members->items = posenc_allocate(memory, room, sizeof(*members->items));
    members->count = 0;
    members->room = room;
    return members->items;
}

void posenc__members_add(struct posenc__members *members, const char *name,
                         struct posenc_value value)
{
    assert(members->count < members->room);
    members->items[members->count++] = (struct posenc_member){name, value};
}

void posenc__members_add_all(struct posenc__members *members, const struct posenc_value *object)
{
    for (size_t i = 0; i < object->as.object.count; i++) {
        const struct posenc_member *member = &object->as.object.items[i];
        const struct posenc_value so_far = posenc__members_value(members);

        if (!posenc_find_member(&so_far, member->name))
            posenc__members_add(members, member->name, member->value);
    }
}
