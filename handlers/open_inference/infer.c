/* POST /v2/models/{model}/infer: a request of the protocol becomes one of any operation's. */
#include "answer.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "inference_format.h"
#include "inference_parameters.h"
#include "inference_raw.h"
#include "operation.h"

static bool read_request(const struct inference_context *context, const struct inference_body *body,
                         struct inference_request *wanted)
{
    return body->is_raw ? make_raw_request(context, body, wanted)
                        : read_inference_request(context, body, wanted);
}

/* All outputs have one representation: who accepts what is not negotiated, but asked for. */
static void respond_outputs(const struct inference_context *context,
                            const struct inference_request *wanted,
                            const struct inference_outputs *outputs)
{
    char name[ROUTE_VARIABLE_SIZE];
    const struct inference_answer answer = {name, wanted->id, outputs};
    struct representation representation = {.format = &inference_format_json, .more = &answer};
    struct offer offer = {0};

    inference_model_name(&context->model, name);
    if (outputs->binary_count > 0)
        representation.format = outputs->binary_count == outputs->result.tensor_count
                                    ? &inference_format_bytes
                                    : &inference_format_mixed;
    offer.is_binary = representation.format->is_binary;
    respond_result(context->service, context->request, &outputs->result, &offer, &representation,
                   context->response);
}

static void infer(const struct inference_context *context, const struct inference_body *body)
{
    const struct call call = {context->model.encoding, context->model.operation, NULL};
    struct inference_outputs *const outputs = posenc_allocate(context->memory, 1, sizeof *outputs);
    struct inference_request wanted;
    struct posenc_value parameters;
    const struct planned *planned;

    if (!outputs) {
        inference_answer_no_memory(context);
        return;
    }
    if (!read_request(context, body, &wanted) ||
        !read_inference_parameters(context, body, &wanted, &parameters))
        return;
    planned =
        plan_operation(context->service, context->request, &call, &parameters, context->response);
    if (planned && select_inference_outputs(context, &wanted, &planned->result, outputs))
        respond_outputs(context, &wanted, outputs);
}

HANDLER(handle_infer)
{
    struct exchange *const exchange = response->exchange;
    struct inference_context context = {service, request, response, &exchange->memory, {0}};
    struct inference_body body;
    struct body_problem problem;

    (void)inference_model_find(match->variables[0], &context.model); /* the router has found it */
    if (split_inference_body(request, &body, &problem))
        infer(&context, &body);
    else
        inference_answer_malformed(&context, &problem);
}
