/* By this program's handlers, and before them by its HTTP layer. */
#include "openapi_problems.h"

#include <stdio.h>

#include "format.h"

enum content {
    A_PROBLEM,
    NOTHING,
    A_PART, /* of a format that can be read at any byte */
};

struct refusal {
    unsigned status;
    enum content content;
    unsigned cases; /* in any of which it can come */
    const char *description;
    const char *header; /* that comes with it; or NULL */
    const char *header_description;
};

static const struct refusal refusals[] = {
    {206, A_PART, OPENAPI_RANGED, "The part of the result that Range asked for.", "Content-Range",
     "which bytes of how many"},
    {304, NOTHING, OPENAPI_CACHED, "What If-None-Match names is still the result.", "ETag",
     "its tag"},
    {400, A_PROBLEM, OPENAPI_ALWAYS,
     "The request line, a header, the query or the body is malformed, or a name stands twice.",
     NULL, NULL},
    {401, A_PROBLEM, OPENAPI_GUARDED, "There is no token, or none that this server knows.",
     "WWW-Authenticate", "a challenge of RFC 6750"},
    {404, A_PROBLEM, OPENAPI_WITH_VARIABLE, "There is nothing of this name.", NULL, NULL},
    {405, A_PROBLEM, OPENAPI_ALWAYS, "The route does not take this method.", "Allow",
     "the methods it takes"},
    {406, A_PROBLEM, OPENAPI_ALWAYS,
     "None of the representations, or of their codings, is one that the client accepts.", NULL,
     NULL},
    {408, A_PROBLEM, OPENAPI_ALWAYS, "The request came too slowly.", NULL, NULL},
    {413, A_PROBLEM, OPENAPI_WITH_BODY | OPENAPI_WITH_TENSORS,
     "The body, or the result, is larger than this server handles; `limit` says how large.", NULL,
     NULL},
    {415, A_PROBLEM, OPENAPI_WITH_BODY, "The body is of a type that is not read here.",
     "Accept-Post", "the types that are read"},
    {416, A_PROBLEM, OPENAPI_RANGED, "Nothing of the range lies in the result.", "Content-Range",
     "how many bytes it has"},
    {417, A_PROBLEM, OPENAPI_ALWAYS, "The only expectation that is met is 100-continue.", NULL,
     NULL},
    {422, A_PROBLEM, OPENAPI_WITH_PARAMETERS,
     "A parameter is unknown, missing, of the wrong type, out of range, or contradicts another.",
     NULL, NULL},
    {429, A_PROBLEM, OPENAPI_ALWAYS,
     "The client's address has as many connections as one address may have.", NULL, NULL},
    {431, A_PROBLEM, OPENAPI_ALWAYS, "The request target and the headers are too large together.",
     NULL, NULL},
    {501, A_PROBLEM, OPENAPI_ALWAYS, "The method or the transfer encoding is not implemented.",
     NULL, NULL},
    {503, A_PROBLEM, OPENAPI_ALWAYS,
     "Out of memory, over the limit of connections or computations, or of one computation's time; "
     "try again, or ask for less.",
     "Retry-After", "seconds to wait"},
    {505, A_PROBLEM, OPENAPI_ALWAYS, "The server speaks HTTP/1.0 and HTTP/1.1.", NULL, NULL},
};

#define REFUSALS (sizeof(refusals) / sizeof(*refusals))

#define STATUS_TEXT_MAX 12 /* bytes of a status as text, with its end */

void openapi_write_refusals(struct json_text *text, unsigned cases)
{
    for (size_t i = 0; i < REFUSALS; i++) {
        char status[STATUS_TEXT_MAX];

        if (!(refusals[i].cases & cases) ||
            (refusals[i].status == 503 && cases & OPENAPI_WITH_OWN_503))
            continue;
        (void)snprintf(status, sizeof(status), "%u", refusals[i].status);
        json_text_key(text, status);
        openapi_write_reference(text, "responses", status);
    }
}

static void write_headers(struct json_text *text, const struct refusal *refusal)
{
    json_text_key(text, "headers");
    json_text_begin_object(text);
    json_text_key(text, "X-Request-Id");
    openapi_write_reference(text, "headers", "X-Request-Id");
    if (refusal->header) {
        json_text_key(text, refusal->header);
        json_text_begin_object(text);
        json_text_member_string(text, "description", refusal->header_description);
        json_text_key(text, "schema");
        json_text_begin_object(text);
        json_text_member_string(text, "type", "string");
        json_text_end_object(text);
        json_text_end_object(text);
    }
    json_text_end_object(text);
}

static void write_problem(struct json_text *text)
{
    json_text_key(text, "application/problem+json");
    json_text_begin_object(text);
    json_text_key(text, "schema");
    openapi_write_reference(text, "schemas", "Problem");
    json_text_end_object(text);
}

static void write_parts(struct json_text *text)
{
    const struct format *format;

    for (size_t i = 0; (format = format_at(i)) != NULL; i++)
        if (format->is_binary) {
            json_text_key(text, format->media_type);
            json_text_begin_object(text);
            json_text_end_object(text);
        }
}

static void write_component(struct json_text *text, const struct refusal *refusal)
{
    char status[STATUS_TEXT_MAX];

    (void)snprintf(status, sizeof(status), "%u", refusal->status);
    json_text_key(text, status);
    json_text_begin_object(text);
    json_text_member_string(text, "description", refusal->description);
    write_headers(text, refusal);
    if (refusal->content != NOTHING) {
        json_text_key(text, "content");
        json_text_begin_object(text);
        if (refusal->content == A_PART)
            write_parts(text);
        else
            write_problem(text);
        json_text_end_object(text);
    }
    json_text_end_object(text);
}

void openapi_write_refusal_components(const struct openapi *openapi)
{
    for (size_t i = 0; i < REFUSALS; i++)
        if (openapi->service->needs_token || refusals[i].cases != OPENAPI_GUARDED)
            write_component(openapi->text, &refusals[i]);
}
