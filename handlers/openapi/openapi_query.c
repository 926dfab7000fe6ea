#include "openapi_query.h"

#include <stdio.h>

#include "openapi_notes.h"
#include "openapi_schema.h"

static bool is_list(enum posenc_type type)
{
    return type == POSENC_TYPE_CHOICES || type == POSENC_TYPE_INTEGERS ||
           type == POSENC_TYPE_REALS || type == POSENC_TYPE_POSITIONS;
}

static void write_parameter(const struct openapi *openapi, const struct openapi_row *item,
                            const char *name, bool is_required)
{
    struct json_text *const text = openapi->text;

    json_text_begin_object(text);
    json_text_member_string(text, "name", name);
    json_text_member_string(text, "in", "query");
    openapi_write_notes(text, item);
    if (is_required && item->is_required && !item->is_set_by_preset && !item->row->aliases &&
        !item->instead)
        json_text_member_boolean(text, "required", true);
    if (is_list(item->row->type)) {
        json_text_member_string(text, "style", "form");
        json_text_member_boolean(text, "explode", false);
    }
    json_text_key(text, "schema");
    openapi_begin_schema(openapi, item, OPENAPI_QUERY);
    json_text_end_object(text);
    json_text_end_object(text);
}

/* The recursion is as deep as objects stand in each other, and a query allows few dots. What an
 * object requires is required only where the object is. */
static void write_rows(const struct openapi *openapi, const struct openapi_row *rows,
                       const char *prefix, bool is_required)
{
    for (const struct openapi_row *item = rows; item; item = item->next) {
        char name[OPENAPI_PATH_MAX];

        (void)snprintf(name, sizeof(name), "%s%s%s", prefix, *prefix ? "." : "", item->row->name);
        if (item->row->type == POSENC_TYPE_TENSOR)
            continue;
        if (item->is_shared && item->row->type != POSENC_TYPE_OBJECT)
            openapi_write_reference(openapi->text, "parameters", name);
        else if (item->row->type != POSENC_TYPE_OBJECT)
            write_parameter(openapi, item, name, is_required);
        else if (item->row->members)
            write_rows(openapi, openapi_list_members(openapi, item), name,
                       is_required && item->is_required);
    }
}

void openapi_write_query(const struct openapi *openapi, const struct openapi_row *rows)
{
    write_rows(openapi, rows, "", true);
}

void openapi_write_shared_parameters(const struct openapi *openapi)
{
    for (const struct openapi_row *item = openapi_list_shared(openapi); item; item = item->next) {
        if (item->row->type == POSENC_TYPE_OBJECT) /* has no rows for members */
            continue;
        json_text_key(openapi->text, item->row->name);
        write_parameter(openapi, item, item->row->name, true);
    }
}
