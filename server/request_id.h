/* Request ids: the client's own where it is harmless, else a new UUID version 7 (RFC 9562). */
#ifndef REQUEST_ID_H
#define REQUEST_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "exchange.h"

#define REQUEST_ID_SPAN_MAX   17  /* bytes of a span's id, with its end */
#define REQUEST_ID_POOL_BYTES 500 /* random bytes fetched at once: 50 ids */

/* Random bytes in store. One per thread; zeroed is empty. */
struct request_id_pool {
    unsigned char bytes[REQUEST_ID_POOL_BYTES];
    size_t left;
};

/* True for 1 to 128 of A-Z a-z 0-9 . _ - , which need no escaping anywhere. */
bool request_id_is_usable(const char *text);

/* Writes a new id. Never fails: without kernel randomness ids are only less random. */
void request_id_make(struct request_id_pool *pool, char id[REQUEST_ID_MAX]);

/* Writes 16 hexadecimal digits, not all of them 0: the id of a span (W3C Trace Context, 3.2.2.4).
 */
void request_id_make_span(struct request_id_pool *pool, char id[REQUEST_ID_SPAN_MAX]);

#endif
