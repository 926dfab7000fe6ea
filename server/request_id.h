/* Request ids: the client's own where it is harmless, else a new UUID version 7 (RFC 9562). */
#ifndef REQUEST_ID_H
#define REQUEST_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "exchange.h"

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

#endif
