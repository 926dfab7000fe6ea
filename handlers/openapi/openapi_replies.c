#include "openapi_replies.h"

#include <stdio.h>
#include <string.h>

#include "format.h"
#include "openapi_headers.h"
#include "openapi_walk.h"

#define DESCRIPTION_MAX 1024 /* bytes; no row says so much */

static void write_const(struct json_text *text, const char *name, const char *value)
{
    json_text_key(text, name);
    json_text_begin_object(text);
    json_text_member_string(text, "const", value);
    json_text_end_object(text);
}

/* The encoding that the result names: the operation's own, or the one that its request named. */
static void write_encoding(struct json_text *text, const struct openapi_operation *operation)
{
    const struct posenc_encoding *encoding;

    if (operation->encoding) {
        write_const(text, "encoding", operation->encoding->name);
        return;
    }
    if (!operation->operation->asks_encoding)
        return;
    json_text_key(text, "encoding");
    json_text_begin_object(text);
    json_text_key(text, "enum");
    json_text_begin_array(text);
    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        if (posenc_quantity_serves(operation->operation, encoding))
            json_text_string(text, encoding->name);
    json_text_end_array(text);
    json_text_end_object(text);
}

static void write_tensor(struct json_text *text, const struct posenc_tensor_row *row)
{
    char description[DESCRIPTION_MAX];

    (void)snprintf(description, sizeof(description), "%s: %s.", row->dims, row->meaning);
    json_text_key(text, row->name);
    json_text_begin_object(text);
    json_text_member_string(text, "$ref", "#/components/schemas/Tensor");
    json_text_member_string(text, "description", description);
    json_text_end_object(text);
}

static void write_tensors(struct json_text *text, const struct posenc_operation *operation)
{
    json_text_key(text, "tensors");
    json_text_begin_object(text);
    json_text_member_string(text, "type", "object");
    json_text_key(text, "properties");
    json_text_begin_object(text);
    for (const struct posenc_tensor_row *row = operation->tensors; row->name; row++)
        write_tensor(text, row);
    json_text_end_object(text);
    json_text_member_boolean(text, "additionalProperties", false);
    json_text_end_object(text);
}

/* The result as a JSON document: its base in the components, and what is this operation's. */
static void write_result(struct json_text *text, const struct openapi_operation *operation)
{
    json_text_begin_object(text);
    json_text_key(text, "allOf");
    json_text_begin_array(text);
    openapi_write_reference(text, "schemas", "Result");
    json_text_end_array(text);
    json_text_key(text, "properties");
    json_text_begin_object(text);
    write_encoding(text, operation);
    if (strcmp(operation->operation->name, "table") != 0)
        write_const(text, "operation", operation->operation->name);
    write_tensors(text, operation->operation);
    json_text_end_object(text);
    json_text_end_object(text);
}

static void write_format(struct json_text *text, const struct format *format,
                         const struct openapi_operation *operation)
{
    json_text_key(text, format->media_type);
    json_text_begin_object(text);
    if (!format->is_binary && !format->is_dense) { /* bytes have no schema */
        json_text_key(text, "schema");
        if (format == &format_json) {
            write_result(text, operation);
        } else {
            json_text_begin_object(text);
            json_text_member_string(text, "type", "string");
            json_text_member_string(text, "description", format->summary);
            json_text_end_object(text);
        }
    }
    json_text_end_object(text);
}

static void write_reply(const struct openapi *openapi, const struct openapi_operation *operation)
{
    struct json_text *const text = openapi->text;
    const struct format *format;

    json_text_key(text, operation->id);
    json_text_begin_object(text);
    json_text_member_string(text, "description", operation->operation->summary);
    json_text_key(text, "headers");
    openapi_write_result_headers(text);
    json_text_key(text, "content");
    json_text_begin_object(text);
    for (size_t i = 0; (format = format_at(i)) != NULL; i++)
        write_format(text, format, operation);
    json_text_end_object(text);
    json_text_end_object(text);
}

void openapi_write_replies(const struct openapi *openapi)
{
    for (const struct route *route = openapi->routes; route->path; route++)
        (void)openapi_walk(openapi, route, write_reply); /* false: it answers with a document */
}
