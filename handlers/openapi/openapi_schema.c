#include "openapi_schema.h"

#include <stdio.h>

#include "openapi_notes.h"
#include "openapi_required.h"

#define SHARED_PREFIX "parameter." /* no operation's id starts with it */

/* Of one type; the recursion is as deep as objects stand in each other. */
static void write_values(const struct openapi *openapi, const struct openapi_row *item,
                         enum openapi_place place, bool or_null)
{
    const struct posenc_parameter *const row = item->row;

    openapi_write_values(openapi->text, item, place, or_null);
    if (row->type != POSENC_TYPE_OBJECT || !row->members)
        return;
    openapi_write_members(openapi, openapi_list_members(openapi, item), NULL);
    json_text_member_boolean(openapi->text, "additionalProperties", row->flags & POSENC_OPEN);
}

/* What several encodings understand by one name. */
static void write_variants(const struct openapi *openapi, const struct openapi_row *item,
                           enum openapi_place place, bool or_null)
{
    json_text_key(openapi->text, "anyOf");
    json_text_begin_array(openapi->text);
    for (; item; item = item->variant) {
        json_text_begin_object(openapi->text);
        write_values(openapi, item, place, or_null);
        json_text_end_object(openapi->text);
    }
    json_text_end_array(openapi->text);
}

void openapi_begin_schema(const struct openapi *openapi, const struct openapi_row *item,
                          enum openapi_place place)
{
    const bool or_null = place == OPENAPI_BODY && !item->is_required;
    const bool has_default = item->row->has_fallback && !item->is_borrowed;

    json_text_begin_object(openapi->text);
    if (item->variant)
        write_variants(openapi, item, place, or_null);
    else
        write_values(openapi, item, place, or_null);
    if (has_default && (or_null || item->row->fallback.kind != POSENC_NULL))
        json_text_member_value(openapi->text, "default", &item->row->fallback);
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
    openapi_write_required(openapi->text, rows);
}
