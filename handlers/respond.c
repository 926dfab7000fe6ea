/* A response can always be made: the last resort is a document that stands in the program. */
#include "respond.h"

#include <string.h>

#include "exchange_memory.h"
#include "whole_bytes.h"

#define NO_MEMORY_DETAIL "The server has no memory for this request now; try again shortly."
#define NO_MEMORY                                                                                  \
    "{\"type\":\"urn:posenc:problem:out-of-memory\",\"title\":\"out of memory\",\"status\":503,"   \
    "\"detail\":\"" NO_MEMORY_DETAIL "\""

static const struct whole_bytes no_memory = {NO_MEMORY "}\n", sizeof(NO_MEMORY "}\n") - 1};

#define NO_MEMORY_INFERENCE NO_MEMORY ",\"error\":\"" NO_MEMORY_DETAIL "\"}\n"

static const struct whole_bytes no_memory_inference = {NO_MEMORY_INFERENCE,
                                                       sizeof(NO_MEMORY_INFERENCE) - 1};

bool path_is_inference(const char *path)
{
    return path && strncmp(path, "/v2", 3) == 0 && (path[3] == '/' || path[3] == '\0');
}

static ssize_t read_text(void *state, uint64_t offset, char *buffer, size_t size)
{
    const struct json_text *text = state;
    struct whole_bytes whole = {text->bytes, text->length};

    return whole_bytes_read(&whole, offset, buffer, size);
}

static ssize_t read_no_memory(void *state, uint64_t offset, char *buffer, size_t size)
{
    (void)state;
    return whole_bytes_read((void *)&no_memory, offset, buffer, size); /* which only reads */
}

static ssize_t read_no_memory_inference(void *state, uint64_t offset, char *buffer, size_t size)
{
    (void)state;
    return whole_bytes_read((void *)&no_memory_inference, offset, buffer, size);
}

void respond_no_memory(struct response *response)
{
    response->status = 503;
    response->problem = "out-of-memory";
    response->header_count = 0;
    (void)response_add_header(response, "Content-Type",
                              "application/problem+json"); /* there is room */
    (void)response_add_header(response, "Cache-Control", "no-store");
    (void)response_add_header(response, "Retry-After", "1");
    if (path_is_inference(response->route)) {
        response->length = no_memory_inference.size;
        response->read = read_no_memory_inference;
    } else {
        response->length = no_memory.size;
        response->read = read_no_memory;
    }
}

bool respond_text(unsigned status, const char *media_type, struct response *response)
{
    struct exchange *exchange = response->exchange;

    json_text_raw(&exchange->text, "\n", 1);
    if (exchange->text.failed) {
        respond_no_memory(response);
        return false;
    }
    response->status = status;
    (void)response_add_header(response, "Content-Type", media_type); /* or the body says it */
    response->length = exchange->text.length;
    response->read = read_text;
    response->state = &exchange->text;
    return true;
}
