#include "openapi_documents.h"

#include <stdio.h>
#include <string.h>

#include "openapi_inference.h"
#include "openapi_names.h"
#include "openapi_problems.h"
#include "respond.h"

static const char *const json_alone[] = {"application/json", NULL};
static const char *const index_types[] = {"application/json", "text/html", NULL};
static const char *const page_types[] = {"text/html", "text/css", "text/javascript", NULL};
static const char *const metrics_types[] = {"text/plain", "application/openmetrics-text", NULL};

#define TEXT_SCHEMA "{\"type\":\"string\"}"
#define STATUS_SCHEMA                                                                              \
    "{\"type\":\"object\",\"required\":[\"status\"],"                                              \
    "\"properties\":{\"status\":{\"type\":\"string\"}}}"
#define READINESS_SCHEMA                                                                           \
    "{\"type\":\"object\",\"required\":[\"status\"],\"properties\":{"                              \
    "\"status\":{\"enum\":[\"ready\",\"draining\"]},"                                              \
    "\"checks\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"object\","               \
    "\"required\":[\"status\",\"detail\"],\"properties\":{"                                        \
    "\"status\":{\"enum\":[\"pass\",\"warn\",\"fail\"]},\"detail\":{\"type\":\"string\"}}}}}}"
#define LIST_OF(name)   OPENAPI_LIST_OF(name)
#define REFERENCE(name) OPENAPI_REFERENCE(name)

static const struct openapi_document documents[] = {
    {"/",
     "{\"type\":\"object\",\"required\":[\"name\",\"version\",\"routes\"],\"properties\":{"
     "\"name\":{\"type\":\"string\"},\"version\":{\"type\":\"string\"},"
     "\"routes\":" LIST_OF("Route") "}}",
     false, false, false, index_types, NULL},
    {"/v1/encodings",
     "{\"type\":\"object\",\"required\":[\"encodings\",\"quantities\",\"tools\"],\"properties\":{"
     "\"encodings\":" LIST_OF("Encoding") ",\"quantities\":" LIST_OF(
         "Operation") ","
                      "\"tools\":" LIST_OF("Operation") "}}",
     false, false, false, NULL, NULL},
    {"/v1/encodings/{encoding}", REFERENCE("Encoding"), false, false, false, NULL, NULL},
    {"/v1/models",
     "{\"type\":\"object\",\"required\":[\"models\"],"
     "\"properties\":{\"models\":" LIST_OF("Model") "}}",
     true, false, false, NULL, NULL},
    {"/v1/models/{model}", "{\"allOf\":[" REFERENCE("Model") "," REFERENCE("Resolution") "]}", true,
     false, false, NULL, NULL},
    {"/v1/resolve", REFERENCE("Resolution"), true, false, false, NULL, NULL},
    {"/v1/tables",
     "{\"type\":\"object\",\"required\":[\"tables\"],"
     "\"properties\":{\"tables\":" LIST_OF("TableFile") "}}",
     true, false, false, NULL, NULL},
    {"/openapi.json", "{\"type\":\"object\"}", true, false, false, NULL, NULL},
    {"/explorer/{file}", TEXT_SCHEMA, false, false, false, page_types, NULL},
    {"/livez", STATUS_SCHEMA, false, false, false, NULL, NULL},
    {"/readyz", READINESS_SCHEMA, false, true, true, NULL, NULL},
    {"/metrics", TEXT_SCHEMA, false, false, false, metrics_types, NULL},
    {"/version",
     "{\"type\":\"object\",\"required\":[\"name\",\"version\",\"numeric_version\"],"
     "\"properties\":{\"name\":{\"type\":\"string\"},\"version\":{\"type\":\"string\"},"
     "\"numeric_version\":{\"type\":\"integer\"}}}",
     false, false, false, NULL, NULL},
};

static const struct openapi_document other = {
    NULL, "{\"type\":\"object\"}", false, false, false, NULL, NULL};

/* Members of components.schemas. */
static const char schemas[] =
    "\"Route\":{\"type\":\"object\",\"required\":[\"methods\",\"path\",\"summary\",\"example\"]},"
    "\"Encoding\":{\"type\":\"object\",\"required\":[\"name\",\"summary\",\"source\","
    "\"convention\","
    "\"operations\",\"presets\"],\"properties\":{"
    "\"operations\":" LIST_OF(
        "Operation") ","
                     "\"presets\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
                     "\"required\":[\"name\",\"meaning\",\"settings\"]}}}},"
                     "\"Operation\":{\"type\":\"object\",\"required\":[\"name\",\"path\","
                     "\"methods\",\"summary\","
                     "\"parameters\",\"tensors\"],\"properties\":{\"parameters\":" LIST_OF(
                         "Parameter") ","
                                      "\"tensors\":{\"type\":\"array\",\"items\":{\"type\":"
                                      "\"object\","
                                      "\"required\":[\"name\",\"dims\",\"meaning\"]}}}},"
                                      "\"Parameter\":{\"type\":\"object\",\"required\":[\"name\","
                                      "\"type\",\"required\",\"meaning\"],"
                                      "\"properties\":{\"members\":" LIST_OF(
                                          "Parameter") "}},"
                                                       "\"TableFile\":{\"type\":\"object\","
                                                       "\"required\":[\"name\",\"bytes\","
                                                       "\"tensors\"],"
                                                       "\"properties\":{\"tensors\":{\"type\":"
                                                       "\"array\",\"items\":{\"type\":\"object\","
                                                       "\"required\":[\"name\",\"dtype\",\"shape\"]"
                                                       "}}}},"
                                                       "\"Model\":{\"type\":\"object\","
                                                       "\"required\":[\"name\",\"aliases\","
                                                       "\"repository\"]},"
                                                       "\"Resolution\":{\"type\":\"object\","
                                                       "\"required\":[\"model_type\",\"num_hidden_"
                                                       "layers\","
                                                       "\"uses\",\"warnings\"],\"properties\":{"
                                                       "\"model_type\":{\"type\":[\"string\","
                                                       "\"null\"]},"
                                                       "\"num_hidden_layers\":{\"type\":["
                                                       "\"integer\",\"null\"]},"
                                                       "\"uses\":{\"type\":\"array\",\"items\":{"
                                                       "\"type\":\"object\",\"required\":["
                                                       "\"component\","
                                                       "\"layers\",\"encoding\",\"parameters\","
                                                       "\"notes\"]}},"
                                                       "\"warnings\":" LIST_OF("Warning") "}}";

void openapi_write_document_schemas(struct json_text *text)
{
    json_text_raw(text, ",", 1); /* behind other schemas */
    json_text_raw(text, schemas, sizeof(schemas) - 1);
}

static const struct openapi_document *find_document(const struct route *route)
{
    for (size_t i = 0; i < sizeof(documents) / sizeof(*documents); i++)
        if (strcmp(documents[i].path, route->path) == 0)
            return &documents[i];
    return path_is_inference(route->path) ? openapi_inference_document(route->path) : &other;
}

/* The variable of a template such as "/v1/models/{model}" that comes first, and what stands behind
 * it; NULL when there is none. */
static const char *next_variable(const char *path, char variable[ROUTE_VARIABLE_SIZE])
{
    const char *const brace = strchr(path, '{');

    if (!brace)
        return NULL;
    (void)snprintf(variable, ROUTE_VARIABLE_SIZE, "%.*s", (int)strcspn(brace + 1, "}"), brace + 1);
    return strchr(brace, '}') + 1;
}

static void write_variable(const struct openapi *openapi, const struct route *route,
                           const char *variable)
{
    struct json_text *const text = openapi->text;
    const char *const *names = openapi_variable_names(openapi, route->path, variable);

    json_text_begin_object(text);
    json_text_member_string(text, "name", variable);
    json_text_member_string(text, "in", "path");
    json_text_member_boolean(text, "required", true);
    json_text_key(text, "schema");
    json_text_begin_object(text);
    json_text_member_string(text, "type", "string");
    if (names) {
        json_text_key(text, "enum");
        json_text_begin_array(text);
        for (; *names; names++)
            json_text_string(text, *names);
        json_text_end_array(text);
    }
    json_text_end_object(text);
    json_text_end_object(text);
}

static void write_verbose(struct json_text *text)
{
    static const char parameter[] =
        "{\"name\":\"verbose\",\"in\":\"query\",\"allowEmptyValue\":true,"
        "\"description\":\"add what was looked at\",\"schema\":{\"type\":\"boolean\"}}";

    json_text_raw(text, parameter, sizeof(parameter) - 1);
}

static void write_parameters(const struct openapi *openapi, const struct route *route,
                             const struct openapi_document *document)
{
    char variable[ROUTE_VARIABLE_SIZE];

    json_text_key(openapi->text, "parameters");
    json_text_begin_array(openapi->text);
    for (const char *at = route->path; (at = next_variable(at, variable)) != NULL;)
        write_variable(openapi, route, variable);
    if (document->takes_pretty)
        openapi_write_reference(openapi->text, "parameters", "pretty");
    if (document->takes_verbose)
        write_verbose(openapi->text);
    json_text_end_array(openapi->text);
}

static void write_media_type(struct json_text *text, const char *media_type, const char *schema)
{
    json_text_key(text, media_type);
    json_text_begin_object(text);
    json_text_key(text, "schema");
    json_text_raw(text, schema, strlen(schema));
    json_text_end_object(text);
}

static void write_response(struct json_text *text, const char *status, const char *description,
                           const struct openapi_document *document, bool or_problem)
{
    const char *const *types = document->media_types ? document->media_types : json_alone;

    json_text_key(text, status);
    json_text_begin_object(text);
    json_text_member_string(text, "description", description);
    json_text_key(text, "content");
    json_text_begin_object(text);
    for (; *types; types++)
        write_media_type(text, *types,
                         strcmp(*types, json_alone[0]) == 0 ? document->schema : TEXT_SCHEMA);
    if (or_problem)
        write_media_type(text, "application/problem+json", REFERENCE("Problem"));
    json_text_end_object(text);
    json_text_end_object(text);
}

/* A document that no row describes is sent as it is: a config.json. */
static void write_body(struct json_text *text, const struct openapi_document *document)
{
    const bool is_inference = document->request != NULL;

    json_text_key(text, "requestBody");
    json_text_begin_object(text);
    json_text_member_boolean(text, "required", true);
    json_text_key(text, "content");
    json_text_begin_object(text);
    write_media_type(text, "application/json",
                     is_inference ? document->request : "{\"type\":\"object\"}");
    if (is_inference)
        write_media_type(text, "application/octet-stream", "{}");
    json_text_end_object(text);
    json_text_end_object(text);
}

/* Of what anybody may ask for: none of the document's security. */
static void write_open_security(struct json_text *text)
{
    json_text_key(text, "security");
    json_text_begin_array(text);
    json_text_end_array(text);
}

static const char *tag_of(const struct route *route)
{
    if (path_is_inference(route->path))
        return "inference";
    return strncmp(route->path, "/v1/", 4) == 0 ? "catalogue" : "service";
}

static void write_method(const struct openapi *openapi, const struct route *route,
                         const struct openapi_document *document, unsigned method)
{
    struct json_text *const text = openapi->text;
    char id[OPENAPI_PATH_MAX];
    const bool has_variable = strchr(route->path, '{') != NULL;
    const bool is_guarded = openapi->service->needs_token && route->audience != ROUTE_FOR_PROBES &&
                            route->audience != ROUTE_FOR_ANYBODY;
    const unsigned cases =
        OPENAPI_ALWAYS | (method == ROUTE_POST ? OPENAPI_WITH_BODY : OPENAPI_CACHED) |
        (has_variable ? OPENAPI_WITH_VARIABLE : 0) |
        (document->takes_pretty || document->takes_verbose || document->request
             ? OPENAPI_WITH_PARAMETERS
             : 0) |
        (document->is_busy_too ? OPENAPI_WITH_OWN_503 : 0) | (is_guarded ? OPENAPI_GUARDED : 0);

    openapi_fill_id(route->path, id);
    openapi_begin_method(text, method == ROUTE_POST ? "post" : "get", id, tag_of(route),
                         route->summary);
    if (openapi->service->needs_token && !is_guarded)
        write_open_security(text);
    write_parameters(openapi, route, document);
    if (method == ROUTE_POST)
        write_body(text, document);
    json_text_key(text, "responses");
    json_text_begin_object(text);
    write_response(text, "200", route->summary, document, false);
    if (document->is_busy_too)
        write_response(text, "503", "Not now; or out of memory.", document, true);
    openapi_write_refusals(text, cases);
    json_text_end_object(text);
    json_text_end_object(text);
}

void openapi_write_document(const struct openapi *openapi, const struct route *route)
{
    const struct openapi_document *const document = find_document(route);

    json_text_key(openapi->text, route->path);
    json_text_begin_object(openapi->text);
    if (route->methods & ROUTE_GET)
        write_method(openapi, route, document, ROUTE_GET);
    if (route->methods & ROUTE_POST)
        write_method(openapi, route, document, ROUTE_POST);
    json_text_end_object(openapi->text);
}
