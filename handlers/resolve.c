/* POST /v1/resolve. */
#include "body.h"
#include "body_type.h"
#include "document.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "refusal.h"
#include "resolution.h"
#include "respond.h"

/* The body as a value, with what Python wrote made readable. */
static bool read_config(const struct request *request, struct python_tokens *tokens,
                        struct posenc_value *config, struct response *response)
{
    struct exchange *exchange = response->exchange;
    char *body = posenc_allocate(&exchange->memory, request->body_size, 1);
    struct body_problem problem;

    if (!body) {
        respond_no_memory(response);
        return false;
    }
    replace_python_tokens(request->body, request->body_size, body, tokens);
    if (read_json_body(body, request->body_size, &exchange->memory, config, &problem))
        return true;
    respond_body_problem(request, &problem, "malformed-body", response);
    return false;
}

static bool refuse_type(const struct request *request, struct response *response)
{
    if (body_type_of(request_header(request, "Content-Type")) == BODY_JSON)
        return false;
    respond_problem(request, 415, "unsupported-media-type",
                    "Send the config.json as it is, with 'Content-Type: application/json'.", 0,
                    response);
    return true;
}

HANDLER(handle_resolve)
{
    struct exchange *exchange = response->exchange;
    struct python_tokens *tokens = posenc_allocate(&exchange->memory, 1, sizeof(*tokens));
    struct posenc_value config, answer;
    struct posenc_problem problem;
    bool pretty;

    (void)match;
    if (!tokens) {
        respond_no_memory(response);
        return;
    }
    if (refuse_type(request, response) || !read_document_query(request, &pretty, response) ||
        !read_config(request, tokens, &config, response))
        return;
    if (posenc_resolve(&config, &exchange->memory, &answer, &problem) != POSENC_OK) {
        respond_library_problem(request, &problem, service->result_bytes_max, response);
        return;
    }
    json_text_begin_object(&exchange->text);
    write_resolution(&exchange->text, &answer, tokens);
    json_text_end_object(&exchange->text);
    respond_json(request, pretty, response);
}
