/* Probes: is the process alive, does it want requests, which version is it? */
#include <string.h>

#include "document.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "problem.h"

HANDLER(handle_livez)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;

    (void)service;
    (void)match;
    json_text_begin_object(text);
    json_text_member_string(text, "status", "alive");
    json_text_end_object(text);
    (void)response_add_header(response, "Cache-Control", "no-store"); /* the first has room */
    respond_document(request, 200, "application/json", response);
}

static const char *health_name(enum service_health health)
{
    switch (health) {
    case SERVICE_PASS:
        return "pass";
    case SERVICE_WARN:
        return "warn";
    case SERVICE_FAIL:
        break;
    }
    return "fail";
}

static void write_checks(const struct service *service, struct json_text *text)
{
    struct service_check checks[SERVICE_CHECKS_MAX];
    const size_t count = service->read_checks ? service->read_checks(service->context, checks) : 0;

    json_text_key(text, "checks");
    json_text_begin_object(text);
    for (size_t i = 0; i < count; i++) {
        json_text_key(text, checks[i].name);
        json_text_begin_object(text);
        json_text_member_string(text, "status", health_name(checks[i].health));
        json_text_member_string(text, "detail", checks[i].detail);
        json_text_end_object(text);
    }
    json_text_end_object(text);
}

/* The only query that this route knows; false when it is another, and that has been answered. */
static bool read_verbose(const struct request *request, bool *is_verbose, struct response *response)
{
    static const char *const allowed[] = {"true", "false"};
    const char *query = request->query;

    *is_verbose = strcmp(query, "verbose") == 0 || strcmp(query, "verbose=true") == 0;
    if (*is_verbose || *query == '\0' || strcmp(query, "verbose=false") == 0)
        return true;
    respond_report(request,
                   &(struct report){.status = 422,
                                    .slug = "out-of-range",
                                    .parameter = "verbose",
                                    .detail = "This route's query is 'verbose' alone, or with a "
                                              "value of true or false.",
                                    .allowed = allowed,
                                    .allowed_count = 2},
                   response);
    return false;
}

HANDLER(handle_readyz)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;
    const bool is_ready = !service->is_ready || service->is_ready(service->context);
    bool is_verbose;

    (void)match;
    if (!read_verbose(request, &is_verbose, response))
        return;
    json_text_begin_object(text);
    json_text_member_string(text, "status", is_ready ? "ready" : "draining");
    if (is_verbose)
        write_checks(service, text);
    json_text_end_object(text);
    (void)response_add_header(response, "Cache-Control", "no-store"); /* the first has room */
    respond_document(request, is_ready ? 200 : 503, "application/json", response);
}

HANDLER(handle_version)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;

    (void)service;
    (void)match;
    json_text_begin_object(text);
    json_text_member_string(text, "name", "posenc");
    json_text_member_string(text, "version", POSENC_VERSION);
    json_text_member_integer(text, "numeric_version", POSENC_NUMERIC_VERSION);
    json_text_end_object(text);
    (void)response_add_header(response, "Cache-Control", "no-store");
    respond_document(request, 200, "application/json", response);
}
