#include "openapi_components.h"

#include <stdio.h>

#include "openapi_documents.h"
#include "openapi_headers.h"
#include "openapi_inference.h"
#include "openapi_problems.h"
#include "openapi_query.h"
#include "openapi_replies.h"
#include "openapi_schema.h"
#include "openapi_walk.h"

static const struct openapi_part schemas[] = {
    {"Problem",
     "{\"type\":\"object\",\"description\":\"Why a request was refused (RFC 9457).\","
     "\"required\":[\"type\",\"title\",\"status\",\"detail\"],\"properties\":{"
     "\"type\":{\"type\":\"string\",\"pattern\":\"^urn:posenc:problem:\"},"
     "\"title\":{\"type\":\"string\"},"
     "\"status\":{\"type\":\"integer\",\"minimum\":400,\"maximum\":599},"
     "\"detail\":{\"type\":\"string\",\"description\":\"One sentence that says what to do.\"},"
     "\"error\":{\"type\":\"string\",\"description\":\"Of routes under /v2: the same as detail.\"},"
     "\"instance\":{\"type\":\"string\",\"description\":\"The request's id.\"},"
     "\"parameter\":{\"type\":\"string\",\"description\":\"Its dotted path.\"},"
     "\"value\":{\"type\":\"string\",\"description\":\"What was refused, perhaps cut.\"},"
     "\"suggestion\":{\"type\":\"string\",\"description\":\"The nearest known name.\"},"
     "\"allowed\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
     "\"offset\":{\"type\":\"integer\",\"minimum\":0,"
     "\"description\":\"Bytes before the fault in a malformed body or query.\"},"
     "\"limit\":{\"type\":\"integer\",\"minimum\":0}},\"additionalProperties\":false}"},
    {"Numbers",
     "{\"description\":\"Numbers nested by axis; those that are not finite are texts.\",\"anyOf\":["
     "{\"type\":\"number\"},{\"enum\":[\"NaN\",\"Infinity\",\"-Infinity\"]},"
     "{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Numbers\"}}]}"},
    {"TensorInput",
     "{\"anyOf\":[{\"description\":\"Nested arrays, read as float64.\",\"type\":\"array\","
     "\"items\":{\"$ref\":\"#/components/schemas/Numbers\"}},"
     "{\"description\":\"The data, nested or flat, rounded once to the dtype.\","
     "\"type\":\"object\",\"required\":[\"dtype\",\"shape\",\"data\"],\"properties\":{"
     "\"dtype\":{\"$ref\":\"#/components/schemas/Dtype\"},"
     "\"shape\":{\"$ref\":\"#/components/schemas/Shape\"},"
     "\"data\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Numbers\"}}},"
     "\"additionalProperties\":false}]}"},
    {"Tensor",
     "{\"type\":\"object\",\"required\":[\"dtype\",\"shape\",\"data\"],\"properties\":{"
     "\"dtype\":{\"$ref\":\"#/components/schemas/Dtype\"},"
     "\"shape\":{\"$ref\":\"#/components/schemas/Shape\"},"
     "\"data\":{\"$ref\":\"#/components/schemas/Numbers\"}},\"additionalProperties\":false}"},
    {"Warning", "{\"type\":\"object\",\"required\":[\"parameter\",\"detail\"],\"properties\":{"
                "\"parameter\":{\"type\":\"string\"},\"detail\":{\"type\":\"string\"}},"
                "\"additionalProperties\":false}"},
    {"Result",
     "{\"type\":\"object\",\"required\":[\"parameters\",\"derived\",\"numeric_version\","
     "\"tensors\"],\"properties\":{\"encoding\":{\"type\":\"string\"},"
     "\"operation\":{\"type\":\"string\"},"
     "\"parameters\":{\"type\":\"object\",\"description\":\"Every parameter that shaped the "
     "result, defaults included: sent again, it gives the same.\"},"
     "\"inputs\":{\"type\":\"object\",\"description\":\"The tensors that came in.\","
     "\"additionalProperties\":{\"type\":\"object\",\"required\":[\"dtype\",\"shape\"],"
     "\"properties\":{\"dtype\":{\"$ref\":\"#/components/schemas/Dtype\"},"
     "\"shape\":{\"$ref\":\"#/components/schemas/Shape\"}}}},"
     "\"derived\":{\"type\":\"object\",\"description\":\"What followed from the parameters.\"},"
     "\"warnings\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Warning\"}},"
     "\"warning_count\":{\"type\":\"integer\",\"description\":\"Where they are too many to "
     "list.\"},\"numeric_version\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"Changes "
     "whenever any bit of any result does.\"},"
     "\"tensors\":{\"type\":\"object\",\"additionalProperties\":"
     "{\"$ref\":\"#/components/schemas/Tensor\"}}},\"additionalProperties\":false}"},
};

#define SCHEMAS (sizeof(schemas) / sizeof(*schemas))

static void write_dtype(struct json_text *text)
{
    json_text_key(text, "Dtype");
    json_text_begin_object(text);
    json_text_key(text, "enum");
    json_text_begin_array(text);
    for (int dtype = 0; dtype < POSENC_DTYPE_COUNT; dtype++)
        json_text_string(text, posenc_dtype_name((enum posenc_dtype)dtype));
    json_text_end_array(text);
    json_text_end_object(text);
}

static void write_shape(struct json_text *text)
{
    json_text_key(text, "Shape");
    json_text_begin_object(text);
    json_text_member_string(text, "type", "array");
    json_text_member_integer(text, "maxItems", POSENC_RANK_MAX);
    json_text_key(text, "items");
    json_text_begin_object(text);
    json_text_member_string(text, "type", "integer");
    json_text_member_integer(text, "minimum", 0);
    json_text_end_object(text);
    json_text_end_object(text);
}

/* The body of an operation's POST. */
static void write_request(const struct openapi *openapi, const struct openapi_operation *operation)
{
    char base[2 * OPENAPI_PATH_MAX];

    (void)snprintf(base, sizeof(base), "#/components/schemas/%s/properties", operation->id);
    json_text_key(openapi->text, operation->id);
    json_text_begin_object(openapi->text);
    json_text_member_string(openapi->text, "type", "object");
    openapi_write_members(openapi, operation->rows.first, base);
    json_text_member_boolean(openapi->text, "additionalProperties", false);
    json_text_end_object(openapi->text);
}

static void write_requests(const struct openapi *openapi)
{
    for (const struct route *route = openapi->routes; route->path; route++)
        (void)openapi_walk(openapi, route, write_request); /* false: it has no parameters */
}

static void write_security_schemes(struct json_text *text)
{
    static const struct openapi_part scheme = {
        "token", "{\"type\":\"http\",\"scheme\":\"bearer\","
                 "\"description\":\"A token that the operator has given you (RFC 6750).\"}"};

    json_text_key(text, "securitySchemes");
    json_text_begin_object(text);
    openapi_write_parts(text, &scheme, 1);
    json_text_end_object(text);
}

void openapi_write_components(const struct openapi *openapi)
{
    struct json_text *const text = openapi->text;

    json_text_key(text, "components");
    json_text_begin_object(text);
    json_text_key(text, "schemas");
    json_text_begin_object(text);
    write_dtype(text);
    write_shape(text);
    openapi_write_parts(text, schemas, SCHEMAS);
    openapi_write_document_schemas(text);
    openapi_write_inference_schemas(text);
    openapi_write_shared_schemas(openapi);
    write_requests(openapi);
    json_text_end_object(text);
    json_text_key(text, "parameters");
    json_text_begin_object(text);
    openapi_write_shared_parameters(openapi);
    json_text_end_object(text);
    json_text_key(text, "headers");
    json_text_begin_object(text);
    openapi_write_headers(text);
    json_text_end_object(text);
    if (openapi->service->needs_token)
        write_security_schemes(text);
    json_text_key(text, "responses");
    json_text_begin_object(text);
    openapi_write_refusal_components(openapi);
    openapi_write_replies(openapi);
    json_text_end_object(text);
    json_text_end_object(text);
}
