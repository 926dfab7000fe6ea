#include "openapi_required.h"

/* In how many ways a row's value may be given, when one of them must be; 0: none must. */
enum ways { NO_WAY, ONE_WAY, MANY_WAYS };

static enum ways ways_of(const struct openapi_row *item)
{
    if (!item->is_required || item->is_set_by_preset) /* which stands outside this object */
        return NO_WAY;
    return item->row->aliases || item->instead ? MANY_WAYS : ONE_WAY;
}

static const struct openapi_row *find_ways(const struct openapi_row *rows, enum ways ways)
{
    while (rows && ways_of(rows) != ways)
        rows = rows->next;
    return rows;
}

/* A schema that any of the names, each alone, satisfies. */
static void write_either(struct json_text *text, const char *name, const char *const *aliases,
                         const char *const *instead)
{
    const char *const names[] = {name, NULL};
    const char *const *const lists[] = {names, aliases, instead};

    json_text_begin_object(text);
    json_text_key(text, "anyOf");
    json_text_begin_array(text);
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        for (const char *const *item = lists[i]; item && *item; item++) {
            json_text_begin_object(text);
            json_text_key(text, "required");
            json_text_begin_array(text);
            json_text_string(text, *item);
            json_text_end_array(text);
            json_text_end_object(text);
        }
    json_text_end_array(text);
    json_text_end_object(text);
}

void openapi_write_required(struct json_text *text, const struct openapi_row *rows)
{
    const struct openapi_row *one = find_ways(rows, ONE_WAY), *many = find_ways(rows, MANY_WAYS);

    if (one) {
        json_text_key(text, "required");
        json_text_begin_array(text);
        for (; one; one = find_ways(one->next, ONE_WAY))
            json_text_string(text, one->row->name);
        json_text_end_array(text);
    }
    if (many) {
        json_text_key(text, "allOf");
        json_text_begin_array(text);
        for (; many; many = find_ways(many->next, MANY_WAYS))
            write_either(text, many->row->name, many->row->aliases, many->instead);
        json_text_end_array(text);
    }
}
