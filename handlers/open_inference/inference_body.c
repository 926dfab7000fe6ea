#include "inference_body.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "body_type.h"

#define LENGTH_DIGITS_MAX 19 /* that a uint64_t always holds */

/* Clients of the protocol send no Content-Type as often as the right one. */
bool inference_body_is_readable(const struct request *request)
{
    const char *const type = request_header(request, "Content-Type");
    const enum body_type kind = body_type_of(type);

    return !type || *type == '\0' || kind == BODY_JSON || kind == BODY_BYTES;
}

/* Digits alone. */
static bool read_length(const char *text, uint64_t *length)
{
    const size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits > LENGTH_DIGITS_MAX || text[digits] != '\0')
        return false;
    *length = strtoull(text, NULL, 10);
    return true;
}

static size_t count_headers(const struct request *request, const char *name)
{
    size_t count = 0;

    for (size_t i = 0; i < request->header_count; i++)
        count += strcasecmp(request->headers[i].name, name) == 0;
    return count;
}

bool split_inference_body(const struct request *request, struct inference_body *body,
                          struct body_problem *problem)
{
    const char *const header = request_header(request, INFERENCE_LENGTH_HEADER);
    uint64_t length = request->body_size;

    if (count_headers(request, INFERENCE_LENGTH_HEADER) > 1)
        return body_fail(problem, 0,
                         "the header " INFERENCE_LENGTH_HEADER " stands twice; send it once");
    if (header && !read_length(header, &length))
        return body_fail(problem, 0,
                         "the header " INFERENCE_LENGTH_HEADER " must be the number of bytes of "
                         "JSON at the start of the body; it is '%.40s'",
                         header);
    if (length > request->body_size)
        return body_fail(problem, request->body_size,
                         "the header " INFERENCE_LENGTH_HEADER " says that %llu bytes of the body "
                         "are JSON, but it has %zu; the rest is missing",
                         (unsigned long long)length, request->body_size);
    *body = (struct inference_body){.bytes = request->body,
                                    .size = request->body_size,
                                    .json_size = (size_t)length,
                                    .is_raw = header && length == 0};
    return true;
}

size_t inference_json_size(const struct request *request)
{
    struct inference_body body = {0};
    struct body_problem problem;

    (void)split_inference_body(request, &body, &problem); /* which leaves it alone on failure */
    return body.json_size;
}
