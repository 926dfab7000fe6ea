/* A list of rows as the properties of an object. */
#include <stdio.h>
#include <string.h>

#include "openapi.h"

#define SHARED_PREFIX "parameter." /* no operation's id starts with it */

#define DESCRIPTION_MAX 1024 /* bytes; no row says so much */

static void write_description(struct json_text *text, const struct openapi_row *item)
{
    char description[DESCRIPTION_MAX];
    const struct posenc_parameter *const row = item->row;
    const size_t length = strlen(row->meaning);
    const bool is_ended = length > 0 && row->meaning[length - 1] == '.'; /* "0, 1, ..." */
    const char *note = row->fallback_note ? row->fallback_note : "";
    const char *between = "";

    if (item->is_borrowed) {
        between = " As the encoding's own operation takes it.";
        note = "";
    } else if (item->is_required) {
        between = *note ? " Required: " : " Required.";
    } else if (row->flags & POSENC_FROM_TENSOR && !row->has_fallback) {
        between = " Default: told by the tensor.";
        note = "";
    } else if (*note) {
        between = " Default: ";
    }
    (void)snprintf(description, sizeof(description), "%s%s%s%s%s", row->meaning,
                   is_ended ? "" : ".", between, note, *note ? "." : "");
    json_text_member_string(text, "description", description);
}

static const char *const preset_alone[] = {"preset", NULL};

/* The strings of a list, into an array that is open. */
static void write_strings(struct json_text *text, const char *const *strings)
{
    for (; strings && *strings; strings++)
        json_text_string(text, *strings);
}

static void write_list(struct json_text *text, const char *key, const char *const *first,
                       const char *const *second)
{
    if (!first && !second)
        return;
    json_text_key(text, key);
    json_text_begin_array(text);
    write_strings(text, first);
    write_strings(text, second);
    json_text_end_array(text);
}

void openapi_write_notes(struct json_text *text, const struct openapi_row *item)
{
    write_description(text, item);
    write_list(text, "x-aliases", item->row->aliases, NULL);
    if (item->is_required)
        write_list(text, "x-required-unless", item->row->aliases,
                   item->is_set_by_preset ? preset_alone : item->instead);
}

static void write_whole_schema(const struct openapi *openapi, const struct openapi_row *item)
{
    openapi_begin_schema(openapi, item, OPENAPI_BODY);
    openapi_write_notes(openapi->text, item);
    json_text_end_object(openapi->text);
}

static void write_property(const struct openapi *openapi, const struct openapi_row *item)
{
    char component[OPENAPI_PATH_MAX];

    json_text_key(openapi->text, item->row->name);
    if (!item->is_shared) {
        write_whole_schema(openapi, item);
        return;
    }
    (void)snprintf(component, sizeof(component), SHARED_PREFIX "%s", item->row->name);
    openapi_write_reference(openapi->text, "schemas", component);
}

void openapi_write_shared_schemas(const struct openapi *openapi)
{
    char component[OPENAPI_PATH_MAX];

    for (const struct openapi_row *item = openapi_list_shared(openapi); item; item = item->next) {
        (void)snprintf(component, sizeof(component), SHARED_PREFIX "%s", item->row->name);
        json_text_key(openapi->text, component);
        write_whole_schema(openapi, item);
    }
}

/* A row's value under another name. */
static void write_alias(const struct openapi *openapi, const struct openapi_row *item,
                        const char *alias, const char *base)
{
    char pointer[2 * OPENAPI_PATH_MAX];

    json_text_key(openapi->text, alias);
    if (!base) {
        openapi_begin_schema(openapi, item, OPENAPI_BODY);
        json_text_end_object(openapi->text);
        return;
    }
    (void)snprintf(pointer, sizeof(pointer), "%s/%s", base, item->row->name);
    json_text_begin_object(openapi->text);
    json_text_member_string(openapi->text, "$ref", pointer);
    json_text_end_object(openapi->text);
}

/* The first alias that is spelt so is written, unless it is another row's own name. */
static void write_aliases(const struct openapi *openapi, const struct openapi_row *rows,
                          const struct openapi_row *item, const char *base)
{
    for (const char *const *alias = item->row->aliases; alias && *alias; alias++)
        if (openapi_find_row(rows, *alias) == item)
            write_alias(openapi, item, *alias, base);
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
            const char *const one[] = {*item, NULL};

            json_text_begin_object(text);
            write_list(text, "required", one, NULL);
            json_text_end_object(text);
        }
    json_text_end_array(text);
    json_text_end_object(text);
}

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

static void write_required(struct json_text *text, const struct openapi_row *rows)
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

void openapi_write_members(const struct openapi *openapi, const struct openapi_row *rows,
                           const char *base)
{
    json_text_key(openapi->text, "properties");
    json_text_begin_object(openapi->text);
    for (const struct openapi_row *item = rows; item; item = item->next) {
        write_property(openapi, item);
        write_aliases(openapi, rows, item, base);
    }
    json_text_end_object(openapi->text);
    write_required(openapi->text, rows);
}
