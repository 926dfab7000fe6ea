/* A response can always be made: the last resort is a document that stands in the program. */
#include "respond.h"

#include "exchange_memory.h"
#include "whole_bytes.h"

static const char no_memory_document[] =
    "{\"type\":\"urn:posenc:problem:out-of-memory\",\"title\":\"out of memory\",\"status\":503,"
    "\"detail\":\"The server has no memory for this request now; try again shortly.\"}\n";

static ssize_t read_text(void *state, uint64_t offset, char *buffer, size_t size)
{
    const struct json_text *text = state;
    struct whole_bytes whole = {text->bytes, text->length};

    return whole_bytes_read(&whole, offset, buffer, size);
}

static ssize_t read_no_memory(void *state, uint64_t offset, char *buffer, size_t size)
{
    struct whole_bytes whole = {no_memory_document, sizeof(no_memory_document) - 1};

    (void)state;
    return whole_bytes_read(&whole, offset, buffer, size);
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
    response->length = sizeof(no_memory_document) - 1;
    response->read = read_no_memory;
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
