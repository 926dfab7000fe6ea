/* The one handler of every operation of every encoding: bind, plan, represent. */
#include <string.h>

#include "handlers.h"
#include "parameters.h"
#include "representation.h"
#include "respond.h"

static const struct posenc_operation *operation_of(const struct route_match *match)
{
    const struct posenc_encoding *encoding = posenc_find(match->variables[0]);

    return encoding ? posenc_find_operation(encoding, match->variables[1]) : NULL;
}

/* The path names an encoding, or an operation that belongs to none; one that brings tensors needs a
 * body. */
bool find_encoding(const struct route_match *match, unsigned *methods)
{
    const struct posenc_operation *tool = posenc_find_tool(match->variables[0]);

    if (tool && tool->takes_tensors)
        *methods = ROUTE_POST;
    return tool || posenc_find(match->variables[0]);
}

/* "table" is what the encoding's own path gives, so it has no second path. */
bool find_encoding_operation(const struct route_match *match, unsigned *methods)
{
    (void)methods;
    return strcmp(match->variables[1], "table") != 0 && operation_of(match);
}

const char *suggest_path_variable(const struct route_match *match)
{
    return posenc_find(match->variables[0]) ? NULL : posenc_suggest_encoding(match->variables[0]);
}

/* Bytes of the tensors that the representation carries; UINT64_MAX when they cannot be counted. */
static uint64_t represented_bytes(const struct posenc_result *result,
                                  const struct representation *representation)
{
    uint64_t sum = 0;

    if (representation->format->carries_one_tensor)
        return posenc_tensor_bytes(representation->tensor);
    for (size_t i = 0; i < result->tensor_count; i++)
        if (__builtin_add_overflow(sum, posenc_tensor_bytes(&result->tensors[i]), &sum))
            return UINT64_MAX;
    return sum;
}

static void respond_result(const struct service *service, const struct request *request,
                           const struct posenc_result *result,
                           const struct representation *representation, struct response *response)
{
    struct exchange *exchange = response->exchange;
    const struct format_input input = {result, representation->tensor, representation->pretty};
    struct format_body body = {0};
    struct posenc_problem problem;

    if (represented_bytes(result, representation) > service->result_bytes_max) {
        respond_problem(request, 413, "result-too-large",
                        "The result is larger than this server sends in one answer; 'limit' says "
                        "how many bytes it "
                        "does. Ask for fewer positions at a time.",
                        service->result_bytes_max, response);
        return;
    }
    if (representation->format->open(&input, &exchange->memory, &body, &problem) != POSENC_OK) {
        respond_library_problem(request, &problem, service->result_bytes_max, response);
        return;
    }
    response->status = 200; /* what follows finds room in an empty table */
    (void)response_add_header(response, "Content-Type", representation->format->media_type);
    (void)response_add_header(response, "Vary", "Accept");
    if (representation->format->is_binary)
        (void)response_add_header(
            response, "Content-Disposition",
            format_disposition(representation->format, &input, &exchange->memory)); /* a hint */
    for (size_t i = 0; i < body.header_count; i++)
        (void)response_add_header(response, body.headers[i].name, body.headers[i].value);
    response->length = body.length;
    response->read = body.read;
    response->state = body.state;
}

/* What one exchange needs while it is planned; too large for the stack beside a deep call. */
struct work {
    struct posenc_arguments arguments;
    struct posenc_result result;
    struct posenc_problem problem;
};

static void run_operation(const struct service *service, const struct request *request,
                          const struct posenc_encoding *encoding,
                          const struct posenc_operation *operation, struct response *response)
{
    struct exchange *exchange = response->exchange;
    struct work *work = posenc_allocate(&exchange->memory, 1, sizeof(*work));
    const struct posenc_schema schema = {operation->groups, representation_rows,
                                         encoding ? encoding->presets : NULL,
                                         operation->takes_tensors};
    struct posenc_value parameters;
    struct representation representation;

    if (!work) {
        respond_no_memory(response);
        return;
    }
    if (!read_parameters(request, operation->groups, &parameters, response))
        return;
    if (posenc_bind(&schema, &parameters, &exchange->memory, &work->arguments, &work->problem) !=
            POSENC_OK ||
        posenc_plan(encoding, operation, &work->arguments, &exchange->memory, &work->result,
                    &work->problem) != POSENC_OK) {
        respond_library_problem(request, &work->problem, service->result_bytes_max, response);
        return;
    }
    if (read_representation(request, &work->arguments, &work->result, &representation, response))
        respond_result(service, request, &work->result, &representation, response);
}

HANDLER(handle_encoding)
{
    const struct posenc_encoding *encoding = posenc_find(match->variables[0]);
    const struct posenc_operation *operation =
        encoding ? posenc_find_operation(encoding, "table") : posenc_find_tool(match->variables[0]);

    run_operation(service, request, encoding, operation, response);
}

HANDLER(handle_encoding_operation)
{
    run_operation(service, request, posenc_find(match->variables[0]), operation_of(match),
                  response);
}
