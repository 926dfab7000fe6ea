/* A list of choices: texts between brackets, or in a query string between
 * commas. */
#include <stdio.h>
#include <string.h>

#include "bind.h"

/* The pieces between commas as texts; NULL items when memory is out. */
static struct posenc_list split_text(const char *text, struct posenc_memory *memory)
{
    const size_t size = strlen(text) + 1;
    char *copy = posenc_allocate(memory, size, 1);
    struct posenc_value *items = posenc_allocate(memory, size, sizeof(*items));
    size_t count = 0;

    if (!copy || !items)
        return (struct posenc_list){NULL, 0};
    memcpy(copy, text, size);
    for (char *piece = copy; piece;) {
        char *comma = strchr(piece, ',');

        if (comma)
            *comma++ = '\0';
        items[count++] = posenc_text(piece);
        piece = comma;
    }
    return (struct posenc_list){items, count};
}

/* Each item must be one of the row's choices, and none may come twice. */
static enum posenc_status check_items(const struct posenc__binding *binding,
                                      const struct posenc_parameter *row, const char *path,
                                      const struct posenc_list *list, size_t *chosen)
{
    struct posenc_parameter element = *row;

    element.type = POSENC_TYPE_CHOICE;
    *chosen = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct posenc_argument item = {.row = &element};
        char place[POSENC_PATH_MAX];

        (void)snprintf(place, sizeof(place), "%.120s.%zu", path, i);
        const enum posenc_status status =
            posenc__convert(binding, &element, place, &list->items[i], &item);

        if (status != POSENC_OK)
            return status;
        if (*chosen >> item.choice & 1)
            return posenc__refuse(binding->problem, POSENC_CONFLICT, place,
                                  "'%s' comes twice in '%s'.", item.value.as.text, path);
        *chosen |= (size_t)1 << item.choice;
    }
    return POSENC_OK;
}

enum posenc_status posenc__convert_choices(const struct posenc__binding *binding,
                                           const struct posenc_parameter *row, const char *path,
                                           const struct posenc_value *raw,
                                           struct posenc_argument *argument)
{
    struct posenc_list list = {NULL, 0}; /* an empty list comes as an array of no numbers */

    if (raw->kind == POSENC_LIST)
        list = raw->as.list;
    if (raw->kind == POSENC_UNTYPED) {
        list = split_text(raw->as.untyped.text, binding->memory);
        if (!list.items)
            return posenc__no_memory(binding->problem);
    }
    argument->value = (struct posenc_value){.kind = POSENC_LIST, .as.list = list};
    return check_items(binding, row, path, &list, &argument->choice);
}
