/* GET /openapi.json. */
#include "document.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "openapi_components.h"
#include "openapi_paths.h"
#include "refusal.h"

#define WRITING_NS 40000000 /* what writing the whole document takes, about */

static const char description[] =
    "Everything is an encoding with parameters that gives named tensors. GET with a query and POST "
    "with a JSON object of the same names are the same request. HEAD works wherever GET does, and "
    "OPTIONS tells a route's methods. In a query, lists are separated by commas, and members of "
    "objects have dotted names; in JSON, null asks for the default. Parameters and encodings have "
    "aliases (x-aliases); replies name the canonical ones.";

static void write_info(struct json_text *text)
{
    json_text_key(text, "info");
    json_text_begin_object(text);
    json_text_member_string(text, "title", "posenc");
    json_text_member_string(
        text, "summary",
        "Positional encodings for transformers: tables, rotated vectors, attention biases");
    json_text_member_string(text, "description", description);
    json_text_member_string(text, "version", POSENC_VERSION);
    json_text_end_object(text);
}

static void write_tag(struct json_text *text, const char *name, const char *meaning)
{
    json_text_begin_object(text);
    json_text_member_string(text, "name", name);
    json_text_member_string(text, "description", meaning);
    json_text_end_object(text);
}

static void write_tags(struct json_text *text)
{
    const struct posenc_encoding *encoding;

    json_text_key(text, "tags");
    json_text_begin_array(text);
    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        write_tag(text, encoding->name, encoding->summary);
    write_tag(text, "tools", "operations that belong to no encoding");
    write_tag(text, "analysis", "quantities of an encoding that its request names");
    write_tag(text, "catalogue", "what there is, and what models use");
    write_tag(text, "inference", "the same operations by the Open Inference Protocol (KServe v2)");
    write_tag(text, "service", "the service itself");
    json_text_end_array(text);
}

/* What holds where an operation does not say otherwise. */
static void write_security(struct json_text *text)
{
    static const char json[] = "[{\"token\":[]}]";

    json_text_key(text, "security");
    json_text_raw(text, json, sizeof(json) - 1);
}

HANDLER(handle_openapi)
{
    struct exchange *exchange = response->exchange;
    const struct openapi openapi = {&exchange->text, &exchange->memory, service, request,
                                    match->routes};
    bool pretty;

    if (respond_if_stopped(request, WRITING_NS, response) ||
        !read_document_query(request, &pretty, response))
        return;
    json_text_begin_object(openapi.text);
    json_text_member_string(openapi.text, "openapi", "3.1.0");
    write_info(openapi.text);
    write_tags(openapi.text);
    if (service->needs_token)
        write_security(openapi.text);
    openapi_write_paths(&openapi);
    openapi_write_components(&openapi);
    json_text_end_object(openapi.text);
    respond_json(request, pretty, response);
}
