/* Feeds whole requests to the service: the first byte picks a route, then come query and body. */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"

#define READ_MAX 65536 /* bytes of an answer that are pulled */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const paths[] = {
    "/v1/sinusoidal",
    "/v1/sinusoidal_grid",
    "/v1/timestep",
    "/v1/learned",
    "/v1/rope",
    "/v1/alibi",
    "/v1/t5",
    "/v1/deberta",
    "/v1/swin",
    "/v1/shaw",
    "/v1/transformer_xl",
    "/v1/kerple",
    "/v1/sandwich",
    "/v1/fire",
    "/v1/cope",
    "/v1/none",
    "/v1/music_transformer",
    "/v1/rope/apply",
    "/v1/alibi/apply",
    "/v1/learned/gradient",
    "/v1/attention",
    "/v1/positions",
    "/v1/permutation",
    "/v1/analysis/wavelengths",
    "/v1/analysis/similarity",
    "/v1/analysis/decay",
    "/v1/resolve",
    "/v1/models/llama-3.1-8b",
    "/v1/identify",
};

#define PATHS (sizeof paths / sizeof *paths)

/* A status of the contract, and a body that can be pulled to its end or to its limit. */
static void check(struct response *response)
{
    static char bytes[READ_MAX];
    uint64_t done = 0;

    if (response->status < 200 || (response->status >= 500 && response->status != 503))
        abort();
    while (response->read && done < response->length && done < READ_MAX) {
        const ssize_t got = response->read(response->state, done, bytes, READ_MAX - (size_t)done);

        if (got <= 0)
            break;
        if ((size_t)got > READ_MAX - done)
            abort();
        done += (uint64_t)got;
    }
    if (response->status >= 400 && memmem(bytes, (size_t)done, "urn:posenc:problem:", 19) == NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct header type = {"Content-Type", "application/json"};
    const struct service service = {
        .body_bytes_max = 1 << 16, .result_bytes_max = 1 << 20, .memory_bytes_max = 1 << 24};
    const uint8_t *const mark = size > 0 ? memchr(data + 1, '\n', size - 1) : NULL;
    const size_t query_size = mark ? (size_t)(mark - data) - 1 : size > 0 ? size - 1 : 0;
    char *const query = malloc(query_size + 1);
    struct response response;

    if (!query || size == 0) {
        free(query);
        return 0;
    }
    memcpy(query, data + 1, query_size);
    query[query_size] = '\0';

    const struct request request = {.method = mark ? "POST" : "GET",
                                    .path = paths[data[0] % PATHS],
                                    .query = query,
                                    .headers = &type,
                                    .header_count = 1,
                                    .body = mark ? (const char *)mark + 1 : "",
                                    .body_size = mark ? size - query_size - 2 : 0,
                                    .id = "fuzz"};

    handle_request(&service, &request, &response);
    check(&response);
    response_release(&response);
    free(query);
    return 0;
}
