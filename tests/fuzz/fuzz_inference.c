/*
 * Feeds requests of the Open Inference Protocol to the service. The first byte picks a model; up to
 * the end of the line stands what the header tells of the length of the JSON, or nothing: there is
 * no header then; what follows is the body. Answers are taken apart as a client does.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "inference_body.h"

#define RESULT_MAX (1 << 18) /* bytes of a result's tensors */
#define ANSWER_MAX (1 << 22) /* bytes of an answer, which are more in digits */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const paths[] = {
    "/v2/models/rope.apply/infer",  "/v2/models/sinusoidal/infer",
    "/v2/models/swin/infer",        "/v2/models/none.apply/infer",
    "/v2/models/rope/infer",        "/v2/models/analysis.wavelengths/infer",
    "/v2/models/positions/infer",   "/v2/models/identify/infer",
    "/v2/models/alibi.apply/infer", "/v2/repository/index",
};

#define PATHS (sizeof paths / sizeof *paths)

/* All of an answer's body; returns how much that is. */
static size_t pull(struct response *response, char *bytes)
{
    size_t done = 0;

    while (response->read && done < response->length) {
        const ssize_t got = response->read(response->state, done, bytes + done, ANSWER_MAX - done);

        if (got < 0 || (size_t)got >= ANSWER_MAX - done)
            abort();
        if (got == 0)
            break;
        done += (size_t)got;
    }
    if (response->length != RESPONSE_LENGTH_UNKNOWN && done != response->length)
        abort();
    return done;
}

/* Bytes behind the JSON that the outputs claim. */
static size_t binary_size(const json_t *answer)
{
    size_t sum = 0, i;
    const json_t *output;

    json_array_foreach(json_object_get(answer, "outputs"), i, output)
    {
        const json_t *const parameters = json_object_get(output, "parameters");

        if (!parameters == !json_object_get(output, "data"))
            abort();
        sum += (size_t)json_integer_value(json_object_get(parameters, "binary_data_size"));
    }
    return sum;
}

static void check(struct response *response)
{
    static char bytes[ANSWER_MAX];
    const size_t size = pull(response, bytes);
    size_t json_size = size;
    json_t *answer;

    for (size_t i = 0; i < response->header_count; i++)
        if (strcmp(response->headers[i].name, INFERENCE_LENGTH_HEADER) == 0)
            json_size = strtoull(response->headers[i].value, NULL, 10);
    if (json_size > size)
        abort();
    answer = json_loadb(bytes, json_size, JSON_REJECT_DUPLICATES, NULL);
    if (!answer)
        abort();
    if (response->status == 200 && binary_size(answer) != size - json_size)
        abort();
    if (response->status != 200 && !json_object_get(answer, "error"))
        abort();
    json_decref(answer);
}

/* The bytes as a text; NULL when memory is out. */
static char *text_of(const uint8_t *bytes, size_t size)
{
    char *const text = malloc(size + 1);

    if (text) {
        memcpy(text, bytes, size);
        text[size] = '\0';
    }
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct service service = {
        .body_bytes_max = 1 << 16, .result_bytes_max = RESULT_MAX, .memory_bytes_max = 1 << 24};
    const uint8_t *const end = size > 0 ? memchr(data + 1, '\n', size - 1) : NULL;
    char *const length = end ? text_of(data + 1, (size_t)(end - data) - 1) : NULL;
    struct response response;

    if (!length)
        return 0;
    const struct header headers[] = {{"Content-Type", "application/octet-stream"},
                                     {INFERENCE_LENGTH_HEADER, length}};
    const struct request request = {.method = "POST",
                                    .path = paths[data[0] % PATHS],
                                    .query = "",
                                    .headers = headers,
                                    .header_count = *length ? 2 : 1,
                                    .body = (const char *)end + 1,
                                    .body_size = size - (size_t)(end + 1 - data),
                                    .id = "fuzz"};

    handle_request(&service, &request, &response);
    if (response.status < 200 || (response.status >= 500 && response.status != 503))
        abort();
    check(&response);
    response_release(&response);
    free(length);
    return 0;
}
