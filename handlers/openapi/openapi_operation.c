#include "openapi_operation.h"

#include <stdio.h>

#include "openapi_problems.h"
#include "openapi_query.h"

#define DESCRIPTION_MAX 2048 /* bytes; no encoding says so much */

/* What a porter must know, and where the encoding comes from. */
static void write_description(struct json_text *text, const struct posenc_encoding *encoding)
{
    char description[DESCRIPTION_MAX];

    if (!encoding)
        return;
    (void)snprintf(description, sizeof(description), "%s. %s.\n\nSource: %s.", encoding->summary,
                   encoding->convention, encoding->source);
    json_text_member_string(text, "description", description);
}

static void write_responses(const struct openapi *openapi,
                            const struct openapi_operation *operation, unsigned cases)
{
    struct json_text *const text = openapi->text;

    json_text_key(text, "responses");
    json_text_begin_object(text);
    json_text_key(text, "200");
    openapi_write_reference(text, "responses", operation->id);
    openapi_write_refusals(text, cases | (openapi->service->needs_token ? OPENAPI_GUARDED : 0));
    json_text_end_object(text);
}

static void begin_method(struct json_text *text, const char *method,
                         const struct openapi_operation *operation)
{
    openapi_begin_method(text, method, operation->id, operation->tag,
                         operation->operation->summary);
    write_description(text, operation->encoding);
}

static void write_query(const struct openapi *openapi, const struct openapi_operation *operation)
{
    json_text_key(openapi->text, "parameters");
    json_text_begin_array(openapi->text);
    openapi_write_query(openapi, operation->rows.first);
    json_text_end_array(openapi->text);
}

static void write_binary(struct json_text *text, const char *media_type)
{
    json_text_key(text, media_type);
    json_text_begin_object(text);
    json_text_end_object(text);
}

static void write_body(struct json_text *text, const struct openapi_operation *operation)
{
    json_text_key(text, "requestBody");
    json_text_begin_object(text);
    if (operation->rows.has_tensors)
        json_text_member_string(
            text, "description",
            "With a JSON body the parameters stand in it; with a binary one, which holds tensors, "
            "they stand in the query. A name may not stand in both.");
    json_text_member_boolean(text, "required", true);
    json_text_key(text, "content");
    json_text_begin_object(text);
    json_text_key(text, "application/json");
    json_text_begin_object(text);
    json_text_key(text, "schema");
    openapi_write_reference(text, "schemas", operation->id);
    json_text_end_object(text);
    if (operation->rows.has_tensors) {
        write_binary(text, "application/x-npy");
        write_binary(text, "application/vnd.safetensors");
    }
    json_text_end_object(text);
    json_text_end_object(text);
}

static void write_get(const struct openapi *openapi, const struct openapi_operation *operation)
{
    begin_method(openapi->text, "get", operation);
    if (!operation->rows.has_tensors)
        write_query(openapi, operation);
    write_responses(openapi, operation,
                    OPENAPI_ALWAYS | OPENAPI_WITH_PARAMETERS | OPENAPI_WITH_TENSORS |
                        OPENAPI_CACHED | OPENAPI_RANGED);
    json_text_end_object(openapi->text);
}

static void write_post(const struct openapi *openapi, const struct openapi_operation *operation)
{
    begin_method(openapi->text, "post", operation);
    write_body(openapi->text, operation);
    write_responses(openapi, operation,
                    OPENAPI_ALWAYS | OPENAPI_WITH_PARAMETERS | OPENAPI_WITH_TENSORS |
                        OPENAPI_WITH_BODY);
    json_text_end_object(openapi->text);
}

void openapi_write_operation(const struct openapi *openapi,
                             const struct openapi_operation *operation)
{
    json_text_key(openapi->text, operation->path);
    json_text_begin_object(openapi->text);
    if (operation->rows
            .has_tensors) /* a binary body of POST leaves the parameters to the query, too */
        write_query(openapi, operation);
    if (operation->methods & ROUTE_GET)
        write_get(openapi, operation);
    if (operation->methods & ROUTE_POST)
        write_post(openapi, operation);
    json_text_end_object(openapi->text);
}
