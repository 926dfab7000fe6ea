/*
 * POST /v2/repository/index: all models. This is the part of Triton's model repository extension
 * that lists; since nothing here can be loaded or unloaded, GET /v2 does not announce the
 * extension.
 */
#include "body.h"
#include "document.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "inference_context.h"

static const struct posenc_parameter rows[] = {{.name = "ready",
                                                .type = POSENC_TYPE_BOOLEAN,
                                                .has_fallback = true,
                                                .fallback = {.kind = POSENC_BOOLEAN},
                                                .meaning = "list models that are ready only"},
                                               {.name = NULL}};

/* Whether only models that are ready are wanted, as an object may say; an empty body is one, too.
 */
static bool read_wish(const struct inference_context *context, bool *only_ready)
{
    const struct request *const request = context->request;
    struct posenc_arguments *const arguments =
        posenc_allocate(context->memory, 1, sizeof *arguments);
    struct posenc_value object = posenc_object(NULL, 0);
    struct body_problem problem;

    if (!arguments)
        return inference_no_memory(context);
    if (request->body_size > 0 &&
        !read_json_body(request->body, request->body_size, context->memory, &object, &problem))
        return inference_refuse_body(context, &problem);
    if (!inference_bind(context, rows, "", &object, arguments))
        return false;
    *only_ready = posenc_find_argument(arguments, "ready")->value.as.boolean;
    return true;
}

static void write_models(struct json_text *text, bool is_ready)
{
    struct inference_model model;

    for (size_t i = 0; inference_model_at(i, &model); i++) {
        char name[ROUTE_VARIABLE_SIZE];

        inference_model_name(&model, name);
        json_text_begin_object(text);
        json_text_member_string(text, "name", name);
        json_text_member_string(text, "version", inference_model_version());
        json_text_member_string(text, "state", is_ready ? "READY" : "UNAVAILABLE");
        json_text_member_string(text, "reason", is_ready ? "" : "draining");
        json_text_end_object(text);
    }
}

HANDLER(handle_inference_index)
{
    struct exchange *const exchange = response->exchange;
    const struct inference_context context = {service, request, response, &exchange->memory, {0}};
    const bool is_ready = !service->is_ready || service->is_ready(service->context);
    bool only_ready = false, pretty;

    (void)match;
    if (!read_document_query(request, &pretty, response) || !read_wish(&context, &only_ready))
        return;
    json_text_begin_array(&exchange->text);
    if (is_ready || !only_ready)
        write_models(&exchange->text, is_ready);
    json_text_end_array(&exchange->text);
    (void)response_add_header(response, "Cache-Control", "no-store"); /* the first has room */
    respond_json(request, pretty, response);
}
