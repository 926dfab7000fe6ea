/* What one exchange holds until its response has been sent. */
#ifndef POSENC_EXCHANGE_MEMORY_H
#define POSENC_EXCHANGE_MEMORY_H

#include "exchange.h"
#include "inflate.h"
#include "json_text.h"
#include "posenc.h"

struct compressor;
struct tables;

/* Where it is begun, the response owns it: response_release() frees it. */
struct exchange {
    struct posenc_memory memory;
    struct json_text text;         /* the body, where it is a document */
    struct inflated unpacked;      /* the request's body, where that came compressed */
    struct compressor *compressor; /* of the response's body */
    struct tables *tables;         /* what it reads of the operator's files, kept alive; or NULL */
};

/* Starts an exchange with memory_bytes_max bytes at most, under the request's watch; NULL when
 * memory is out (respond_no_memory() then). */
struct exchange *exchange_begin(const struct request *request, struct response *response,
                                size_t memory_bytes_max);

/* The exchange that the response holds; where there is none yet, one is begun that has memory for a
 * document. NULL when memory is out. */
struct exchange *exchange_of(const struct request *request, struct response *response);

#endif
