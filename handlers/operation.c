/* The one way from a request to a reply for every operation: bind, plan, represent. */
#include "operation.h"

#include <string.h>

#include "delivery.h"
#include "exchange_memory.h"
#include "parameters.h"
#include "posenc_models.h"
#include "refusal.h"
#include "representation.h"
#include "respond.h"
#include "stored_tensors.h"

#define PS_PER_NS          1000
#define ELEMENT_TEXT_BYTES 8 /* of an element in digits, about */

/* What one exchange needs while it is planned; too large for the stack beside a deep call. */
struct work {
    struct posenc_arguments arguments;
    struct posenc_result result;
    struct posenc_problem problem;
    const struct posenc_warning *model_warnings;
    size_t model_warning_count;
};

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

/* What opening takes, elements included, in nanoseconds: an estimate. */
static uint64_t open_ns(const struct posenc_result *result,
                        const struct representation *representation)
{
    const struct format *format = representation->format;
    uint64_t ns = format->open_ns;

    for (size_t i = 0; i < result->tensor_count; i++) {
        const struct posenc_tensor *tensor = &result->tensors[i];
        const size_t most = (size_t)format->open_elements_max;

        if (format->carries_one_tensor && tensor != representation->tensor)
            continue;
        ns += posenc_fill_ns(tensor, tensor->count < most ? tensor->count : most);
    }
    return ns;
}

/* What a byte of the body takes, in picoseconds: of the tensor whose bytes take longest. */
static uint64_t byte_ps(const struct posenc_result *result,
                        const struct representation *representation)
{
    const struct format *format = representation->format;
    uint64_t longest = 0;

    for (size_t i = 0; i < result->tensor_count && !format->is_drawn; i++) {
        const struct posenc_tensor *tensor = &result->tensors[i];
        const size_t bytes =
            format->is_binary ? posenc_dtype_size(tensor->dtype) : ELEMENT_TEXT_BYTES;
        const uint64_t ps = posenc_fill_ns(tensor, PS_PER_NS) / bytes;

        if ((!format->carries_one_tensor || tensor == representation->tensor) && ps > longest)
            longest = ps;
    }
    return format->byte_ps + longest;
}

/* The whole body and what describes it. */
static void fill_response(const struct representation *representation,
                          const struct format_input *input, const struct format_body *body,
                          struct response *response)
{
    const struct format *format = representation->format;
    struct exchange *exchange = response->exchange;

    response->status = 200; /* what follows finds room in an empty table */
    (void)response_add_header(response, "Content-Type", format->media_type);
    if (format->is_binary)
        (void)response_add_header(
            response, "Content-Disposition",
            format_disposition(format, input, &exchange->memory)); /* a hint */
    for (size_t i = 0; i < body->header_count; i++)
        (void)response_add_header(response, body->headers[i].name, body->headers[i].value);
    response->length = body->length;
    response->read = body->read;
    response->state = body->state;
}

static void respond_result(const struct service *service, const struct request *request,
                           const struct posenc_result *result, const struct offer *offer,
                           const struct representation *representation, struct response *response)
{
    struct exchange *exchange = response->exchange;
    const struct format_input input = {result, representation->tensor, representation->pretty};
    struct format_body body = {0};
    struct posenc_problem problem;

    if (represented_bytes(result, representation) > service->result_bytes_max) {
        respond_problem(request, 413, "result-too-large",
                        "The result is larger than this server sends in one answer; 'limit' says "
                        "how many bytes it does. Ask for fewer positions at a time.",
                        service->result_bytes_max, response);
        return;
    }
    /* What is binary costs nothing until it is read, and then a 304 can tell its length. */
    if (!offer->is_binary && deliver_unchanged(request, offer, response))
        return;
    if (respond_if_stopped(request, open_ns(result, representation), response))
        return;
    if (representation->format->open(&input, &exchange->memory, &body, &problem) != POSENC_OK) {
        respond_library_problem(request, &problem, service->result_bytes_max, response);
        return;
    }
    fill_response(representation, &input, &body, response);
    response->byte_ps = byte_ps(result, representation);
    deliver(request, offer, response);
}

/* Represents the result, in the way that the request asks for. */
static void respond_work(const struct service *service, const struct request *request,
                         const struct work *work, struct response *response)
{
    struct representation representation;
    struct offer offer = {0};

    if (!read_representation(request, &work->arguments, &work->result, &representation, response))
        return;
    offer.cache_control = representation.is_versioned ? CACHE_VERSIONED : CACHE_RESULT;
    if (((const struct exchange *)response->exchange)->tables)
        offer.cache_control = "no-cache"; /* the operator may change what the address names */
    offer.is_binary = representation.format->is_binary;
    offer.is_dense = representation.format->is_dense;
    fingerprint_result(&work->result, &work->arguments, &representation, &offer.fingerprint);
    offer.fingerprint.is_weak = representation.format->is_drawn;
    respond_result(service, request, &work->result, &offer, &representation, response);
}

/* An encoding's rows, and those by which a request names a model. NULL when memory is out. */
static const struct posenc_parameter *const *with_model_rows(
    const struct posenc_parameter *const *groups, struct posenc_memory *memory)
{
    const struct posenc_parameter **all;
    size_t count = 0;

    while (groups[count])
        count++;
    all = posenc_allocate(memory, count + 2, sizeof(*all));
    if (!all)
        return NULL;
    for (size_t i = 0; i < count; i++)
        all[i] = groups[i];
    all[count] = posenc_model_parameters;
    all[count + 1] = NULL;
    return all;
}

/* The rows that a request is bound to. Those of a quantity depend on the encoding that it names. */
static enum posenc_status settle_schema(const struct posenc_operation *operation,
                                        const struct posenc_value *parameters,
                                        struct posenc_memory *memory,
                                        const struct posenc_encoding **encoding,
                                        struct posenc_schema *schema,
                                        struct posenc_problem *problem)
{
    schema->extra = representation_rows;
    if (operation->asks_encoding)
        return posenc_quantity_schema(operation, parameters, memory, encoding, schema, problem);
    schema->groups = *encoding ? with_model_rows(operation->groups, memory) : operation->groups;
    schema->presets = *encoding ? (*encoding)->presets : NULL;
    schema->takes_tensors = operation->takes_tensors;
    if (schema->groups)
        return POSENC_OK;
    problem->status = POSENC_NO_MEMORY;
    return POSENC_NO_MEMORY;
}

/* The parameters of a model or configuration, where the request names one, in place of those names.
 */
static enum posenc_status apply_model(const struct posenc_encoding *encoding,
                                      const struct posenc_operation *operation,
                                      struct posenc_value *parameters, struct posenc_memory *memory,
                                      struct work *work)
{
    if (!encoding)
        return POSENC_OK;
    return posenc_apply_model(encoding, operation, parameters, memory, &work->model_warnings,
                              &work->model_warning_count, &work->problem);
}

/* What was noted about the model stands in front of what was noted about the parameters. */
static bool merge_warnings(struct work *work, struct posenc_memory *memory)
{
    const size_t first = work->model_warning_count < POSENC_WARNINGS_MAX ? work->model_warning_count
                                                                         : POSENC_WARNINGS_MAX;
    const size_t room = POSENC_WARNINGS_MAX - first;
    const size_t second = work->result.warning_count < room ? work->result.warning_count : room;
    struct posenc_warning *all;

    if (first == 0)
        return true;
    all = posenc_allocate(memory, first + second, sizeof(*all));
    if (!all)
        return false;
    memcpy(all, work->model_warnings, first * sizeof(*all));
    if (second > 0)
        memcpy(all + first, work->result.warnings, second * sizeof(*all));
    work->result.warnings = all;
    work->result.warning_count += work->model_warning_count;
    return true;
}

void run_operation(const struct service *service, const struct request *request,
                   const struct posenc_encoding *encoding, const struct posenc_operation *operation,
                   struct response *response)
{
    struct exchange *exchange = response->exchange;
    struct work *work = posenc_allocate(&exchange->memory, 1, sizeof(*work));
    struct posenc_schema schema;
    struct posenc_value parameters;

    if (!work) {
        respond_no_memory(response);
        return;
    }
    if (!read_parameters(request, operation->groups, &parameters, response))
        return;
    *work = (struct work){0};
    if (apply_model(encoding, operation, &parameters, &exchange->memory, work) != POSENC_OK ||
        settle_schema(operation, &parameters, &exchange->memory, &encoding, &schema,
                      &work->problem) != POSENC_OK ||
        posenc_bind(&schema, &parameters, &exchange->memory, &work->arguments, &work->problem) !=
            POSENC_OK ||
        take_stored_tensors(service, exchange, &work->arguments, &work->problem) != POSENC_OK ||
        posenc_plan(encoding, operation, &work->arguments, &exchange->memory, &work->result,
                    &work->problem) != POSENC_OK) {
        respond_library_problem(request, &work->problem, service->result_bytes_max, response);
        return;
    }
    if (!merge_warnings(work, &exchange->memory))
        respond_no_memory(response);
    else
        respond_work(service, request, work, response);
}
