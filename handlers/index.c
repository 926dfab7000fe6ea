/* The index at /: every route, each with an example to paste; or the explorer, for a browser. */
#include <stdio.h>
#include <string.h>

#include "document.h"
#include "exchange_memory.h"
#include "explorer.h"
#include "handlers.h"
#include "negotiate.h"
#include "problem.h"

#define HOST_MAX 200

/* Whether nothing of it means anything to a shell: a Host may have quotes (RFC 3986 section 3.2.2),
 * or be empty. */
static bool is_plain_host(const char *host)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-._:[]";
    const size_t length = strspn(host, plain);

    return length > 0 && length <= HOST_MAX && host[length] == '\0';
}

/* A curl command against the address that the client itself used. */
static void write_example(struct json_text *text, const struct request *request,
                          const struct route *route)
{
    const char *scheme = request->is_secure ? "https" : "http";
    const char *host = request_header(request, "Host");
    char example[512];

    if (!host || !is_plain_host(host))
        host = "localhost:8080";
    if (route->example_body)
        (void)snprintf(example, sizeof(example), "curl --json '%s' '%s://%s%s'",
                       route->example_body, scheme, host, route->example);
    else
        (void)snprintf(example, sizeof(example), "curl '%s://%s%s'", scheme, host, route->example);
    json_text_member_string(text, "example", example);
}

static void write_methods(struct json_text *text, unsigned methods)
{
    json_text_key(text, "methods");
    json_text_begin_array(text);
    if (methods & ROUTE_GET)
        json_text_string(text, "GET");
    if (methods & ROUTE_POST)
        json_text_string(text, "POST");
    json_text_end_array(text);
}

enum { LIST, PAGE, OFFERED };

static const char *const offered[OFFERED] = {"application/json", "text/html"};

/* The list where the client likes both equally well, as curl does; -1 for neither. */
static int choose(const struct request *request)
{
    return negotiate(request, offered, OFFERED);
}

bool index_is_page(const struct request *request)
{
    return choose(request) == PAGE;
}

static void refuse(const struct request *request, struct response *response)
{
    const struct report report = {
        .status = 406,
        .slug = "not-acceptable",
        .detail = "None of the representations here is among those that the client accepts.",
        .allowed = offered,
        .allowed_count = OFFERED};

    respond_report(request, &report, response);
}

static void respond_list(const struct service *service, const struct request *request,
                         const struct route_match *match, struct response *response)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;
    json_text_begin_object(text);
    json_text_member_string(text, "name", "posenc");
    json_text_member_string(
        text, "summary",
        "positional encodings for transformers: tables, rotated vectors, attention biases");
    json_text_member_string(text, "version", POSENC_VERSION);
    json_text_key(text, "routes");
    json_text_begin_array(text);
    for (const struct route *route = match->routes; route->path; route++) {
        if (!route_is_served(service, request, route))
            continue;
        json_text_raw(text, "\n ", 2);
        json_text_begin_object(text);
        write_methods(text, route->methods);
        json_text_member_string(text, "path", route->path);
        json_text_member_string(text, "summary", route->summary);
        write_example(text, request, route);
        json_text_end_object(text);
    }
    json_text_raw(text, "\n", 1);
    json_text_end_array(text);
    json_text_end_object(text);
    respond_document(request, 200, "application/json", response);
}

HANDLER(handle_index)
{
    switch (choose(request)) {
    case LIST:
        respond_list(service, request, match, response);
        return;
    case PAGE:
        respond_explorer(request, response);
        return;
    default:
        refuse(request, response);
        return;
    }
}
