/* What an answer takes in bytes and time is told before any of it is made. */
#include "answer.h"

#include "exchange_memory.h"
#include "problem.h"
#include "refusal.h"

#define PS_PER_NS          1000
#define ELEMENT_TEXT_BYTES 8 /* of an element in digits, about */

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
    if (format->is_binary && format->extension)
        (void)response_add_header(
            response, "Content-Disposition",
            format_disposition(format, input, &exchange->memory)); /* a hint */
    for (size_t i = 0; i < body->header_count; i++)
        (void)response_add_header(response, body->headers[i].name, body->headers[i].value);
    response->length = body->length;
    response->read = body->read;
    response->state = body->state;
}

void respond_result(const struct service *service, const struct request *request,
                    const struct posenc_result *result, const struct offer *offer,
                    const struct representation *representation, struct response *response)
{
    struct exchange *exchange = response->exchange;
    const struct format_input input = {result, representation->tensor, representation->pretty,
                                       representation->more};
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
