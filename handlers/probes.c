/* Probes: is the process alive, does it want requests, which version is it? */
#include "handlers.h"
#include "respond.h"

static void respond_status(const struct request *request, unsigned status, const char *word,
                           struct response *response)
{
    struct exchange *exchange = response->exchange;

    json_text_begin_object(&exchange->text);
    json_text_member_string(&exchange->text, "status", word);
    json_text_end_object(&exchange->text);
    (void)response_add_header(response, "Cache-Control", "no-store");
    respond_document(request, status, "application/json", response);
}

HANDLER(handle_livez)
{
    (void)service;
    (void)match;
    respond_status(request, 200, "alive", response);
}

HANDLER(handle_readyz)
{
    (void)match;
    if (service->is_ready && !service->is_ready(service->context))
        respond_status(request, 503, "draining", response);
    else
        respond_status(request, 200, "ready", response);
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
