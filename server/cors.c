#include "cors.h"

#include <string.h>
#include <strings.h>

#define CORS_PORT_DIGITS_MAX 5

/* What a page may read beside the few that it always may. */
static const char cors_exposed[] =
    "ETag, X-Request-Id, Content-Disposition, Content-Encoding, Content-Length, Content-Range, "
    "Accept-Ranges, Allow, Accept-Post, Retry-After, WWW-Authenticate, X-Tensor-Shape, "
    "X-Tensor-Dtype, X-Tensor-Byte-Order, Inference-Header-Content-Length";

/* What a page may send beside the few that it always may. */
static const char cors_accepted[] =
    "Authorization, Content-Type, Content-Encoding, If-None-Match, If-Range, Range, "
    "X-Request-Id, traceparent, tracestate, Inference-Header-Content-Length";

static bool cors_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool cors_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* RFC 3986, 3.1; returns how long it is, "://" included, or 0. */
static size_t cors_scheme_size(const char *text)
{
    size_t size = 0;

    while (cors_is_lower(text[size]) ||
           (size > 0 && (cors_is_digit(text[size]) || (text[size] && strchr("+-.", text[size])))))
        size++;
    return size > 0 && strncmp(text + size, "://", 3) == 0 ? size + 3 : 0;
}

/* A name, an IPv4 address, or an IPv6 address in brackets; 0 when it is none. */
static size_t cors_host_size(const char *text)
{
    size_t size = 0;

    if (*text == '[') {
        size = 1 + strspn(text + 1, "0123456789abcdef:.");
        return size > 1 && text[size] == ']' ? size + 1 : 0;
    }
    while (cors_is_lower(text[size]) || cors_is_digit(text[size]) ||
           (text[size] && strchr("-._", text[size])))
        size++;
    return size;
}

/* Nothing, or a colon and digits. */
static bool cors_is_port(const char *text)
{
    size_t digits = 0;

    if (*text == '\0')
        return true;
    while (cors_is_digit(text[1 + digits]))
        digits++;
    return *text == ':' && digits > 0 && digits <= CORS_PORT_DIGITS_MAX && text[1 + digits] == '\0';
}

static bool cors_is_origin(const char *text)
{
    const size_t scheme_size = cors_scheme_size(text);
    const size_t host_size = scheme_size > 0 ? cors_host_size(text + scheme_size) : 0;

    return host_size > 0 && cors_is_port(text + scheme_size + host_size);
}

bool cors_add(struct cors *cors, const char *text, size_t size)
{
    char *origin;

    if (size == 1 && *text == '*') {
        cors->is_open = true;
        return true;
    }
    if (cors->count == CORS_ORIGINS_MAX || size >= CORS_ORIGIN_MAX || memchr(text, '\0', size))
        return false;
    origin = cors->origins[cors->count];
    for (size_t i = 0; i < size; i++)
        origin[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    origin[size] = '\0';
    if (!cors_is_origin(origin))
        return false;
    cors->count++;
    return true;
}

static bool cors_is_on(const struct cors *cors)
{
    return cors->is_open || cors->count > 0;
}

bool cors_is_preflight(const struct cors *cors, const struct request *request)
{
    return cors_is_on(cors) && strcmp(request->method, "OPTIONS") == 0 &&
           request_header(request, "Origin") &&
           request_header(request, "Access-Control-Request-Method");
}

/* The request's origin as it may be repeated, "*", or NULL: it is none of those that may read. */
static const char *cors_grant(const struct cors *cors, const struct request *request)
{
    const char *origin = request_header(request, "Origin");

    if (cors->is_open)
        return "*";
    for (size_t i = 0; origin && i < cors->count; i++) {
        if (strcasecmp(cors->origins[i], origin) == 0)
            return origin;
    }
    return NULL;
}

/* The methods of a path that is there. */
static const char *cors_find_methods(const struct response *response)
{
    for (size_t i = 0; i < response->header_count; i++) {
        if (strcasecmp(response->headers[i].name, "Allow") == 0)
            return response->headers[i].value;
    }
    return NULL;
}

bool cors_varies(const struct cors *cors)
{
    return cors->count > 0 && !cors->is_open;
}

size_t cors_headers(const struct cors *cors, const struct request *request,
                    const struct response *response, struct header headers[CORS_HEADERS_MAX])
{
    const char *grant = cors_is_on(cors) ? cors_grant(cors, request) : NULL;
    const char *methods = cors_is_preflight(cors, request) ? cors_find_methods(response) : NULL;
    size_t count = 0;

    if (!grant)
        return 0;
    headers[count++] = (struct header){"Access-Control-Allow-Origin", grant};
    if (!methods) {
        headers[count++] = (struct header){"Access-Control-Expose-Headers", cors_exposed};
        return count;
    }
    headers[count++] = (struct header){"Access-Control-Allow-Methods", methods};
    headers[count++] = (struct header){"Access-Control-Allow-Headers", cors_accepted};
    headers[count++] = (struct header){"Access-Control-Max-Age", CORS_MAX_AGE};
    return count;
}
