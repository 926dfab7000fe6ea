#include "openapi_headers.h"

#include "openapi_writing.h"

static const struct openapi_part headers[] = {
    {"X-Request-Id", "{\"description\":\"the id that the request had, or was given\","
                     "\"schema\":{\"type\":\"string\"}}"},
    {"Vary", "{\"description\":\"the headers that chose the representation\","
             "\"schema\":{\"type\":\"string\"}}"},
    {"Cache-Control",
     "{\"description\":\"how long it may be kept\",\"schema\":{\"type\":\"string\"}}"},
    {"ETag", "{\"description\":\"the result's tag, weak when compressed: of parameters, "
             "representation and numeric "
             "version\",\"schema\":{\"type\":\"string\",\"pattern\":\"^(W/"
             ")?\\\\x22[^\\\\x22]+\\\\x22$\"}}"},
    {"Accept-Ranges", "{\"description\":\"of binary formats\",\"schema\":{\"const\":\"bytes\"}}"},
    {"Content-Encoding",
     "{\"description\":\"of formats that are text, where Accept-Encoding has it\","
     "\"schema\":{\"type\":\"string\"}}"},
    {"Content-Disposition", "{\"description\":\"of binary formats: a name to save it under\","
                            "\"schema\":{\"type\":\"string\"}}"},
    {"X-Tensor-Shape",
     "{\"description\":\"of the format raw: the length of each axis, outermost first\","
     "\"schema\":{\"type\":\"string\",\"pattern\":\"^([0-9]+(, ?[0-9]+)*)?$\"}}"},
    {"X-Tensor-Dtype", "{\"description\":\"of the format raw\","
                       "\"schema\":{\"$ref\":\"#/components/schemas/Dtype\"}}"},
    {"X-Tensor-Byte-Order",
     "{\"description\":\"of the format raw\",\"schema\":{\"const\":\"little\"}}"},
};

#define HEADERS (sizeof(headers) / sizeof(*headers))

void openapi_write_result_headers(struct json_text *text)
{
    json_text_begin_object(text);
    for (size_t i = 0; i < HEADERS; i++) {
        json_text_key(text, headers[i].name);
        openapi_write_reference(text, "headers", headers[i].name);
    }
    json_text_end_object(text);
}

void openapi_write_headers(struct json_text *text)
{
    openapi_write_parts(text, headers, HEADERS);
}
