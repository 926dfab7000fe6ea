#include "exchange_memory.h"

#include <stdlib.h>
#include <string.h>

#include "compress.h"
#include "table_store.h"

#define DOCUMENT_MEMORY_MAX ((size_t)1 << 20) /* of exchanges that only answer with a document */

struct exchange *exchange_begin(const struct request *request, struct response *response,
                                size_t memory_bytes_max)
{
    struct exchange *exchange = calloc(1, sizeof(*exchange));

    if (exchange) {
        posenc_memory_init(&exchange->memory, memory_bytes_max);
        exchange->memory.watch = exchange->text.watch = request->watch;
    }
    response->exchange = exchange;
    return exchange;
}

struct exchange *exchange_of(const struct request *request, struct response *response)
{
    return response->exchange ? response->exchange
                              : exchange_begin(request, response, DOCUMENT_MEMORY_MAX);
}

void response_release(struct response *response)
{
    struct exchange *exchange = response->exchange;

    if (exchange) {
        posenc_memory_release(&exchange->memory);
        json_text_release(&exchange->text);
        compressor_free(exchange->compressor);
        inflated_release(&exchange->unpacked, exchange->memory.watch);
        tables_release(exchange->tables);
        free(exchange);
    }
    memset(response, 0, sizeof(*response));
}
