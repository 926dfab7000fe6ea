/*
 * GET /v2 and its health. A server that is not ready answers 503, as /readyz does: clients look
 * whether the status is 200, and what stands between them and the server takes 503 for "not now",
 * while 400 would blame the request.
 */
#include "document.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "inference_model.h"

HANDLER(handle_inference_server)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;
    bool pretty;

    (void)service;
    (void)match;
    if (!read_document_query(request, &pretty, response))
        return;
    json_text_begin_object(text);
    json_text_member_string(text, "name", "posenc");
    json_text_member_string(text, "version", POSENC_VERSION);
    json_text_key(text, "extensions");
    json_text_begin_array(text);
    json_text_string(text, "binary_tensor_data");
    json_text_end_array(text);
    json_text_end_object(text);
    respond_json(request, pretty, response);
}

/* {"ready": true}, behind the members that stand in the text already. */
static void respond_state(const struct request *request, const char *name, bool is_so,
                          struct response *response)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;

    json_text_member_boolean(text, name, is_so);
    json_text_end_object(text);
    (void)response_add_header(response, "Cache-Control", "no-store"); /* the first has room */
    respond_document(request, is_so ? 200 : 503, "application/json", response);
}

static bool is_ready(const struct service *service)
{
    return !service->is_ready || service->is_ready(service->context);
}

HANDLER(handle_inference_live)
{
    (void)service;
    (void)match;
    json_text_begin_object(&((struct exchange *)response->exchange)->text);
    respond_state(request, "live", true, response);
}

HANDLER(handle_inference_ready)
{
    (void)match;
    json_text_begin_object(&((struct exchange *)response->exchange)->text);
    respond_state(request, "ready", is_ready(service), response);
}

/* A model is ready when the server is: there is nothing to load. */
HANDLER(handle_inference_model_ready)
{
    struct json_text *text = &((struct exchange *)response->exchange)->text;
    char name[ROUTE_VARIABLE_SIZE];
    struct inference_model model;

    (void)inference_model_find(match->variables[0], &model); /* the router has found it */
    inference_model_name(&model, name);
    json_text_begin_object(text);
    json_text_member_string(text, "name", name);
    respond_state(request, "ready", is_ready(service), response);
}
