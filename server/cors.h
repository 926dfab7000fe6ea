/*
 * Cross-origin resource sharing (the Fetch standard, "CORS protocol"): which pages of other origins
 * may read answers in a browser. Off, and nothing is sent, unless the operator names origins.
 * Tokens travel in a header that a page sets itself, so no credentials mode is allowed.
 */
#ifndef CORS_H
#define CORS_H

#include <stdbool.h>
#include <stddef.h>

#include "exchange.h"

#define CORS_ORIGINS_MAX 16
#define CORS_ORIGIN_MAX  280   /* bytes of an origin, with its end: a scheme, a name, a port */
#define CORS_HEADERS_MAX 4     /* that cors_headers() adds at most */
#define CORS_MAX_AGE     "600" /* seconds for which a browser may remember what it may send */

/* The origins that may read. Zeroed is none: off. */
struct cors {
    size_t count;
    char origins[CORS_ORIGINS_MAX][CORS_ORIGIN_MAX]; /* "https://example.org", in lower case */
    bool is_open;                                    /* to every origin */
};

/* Adds "*", or an origin as browsers write it: scheme://host, and a port unless it is the scheme's
 * own. False when the text is neither, or there is no room. */
bool cors_add(struct cors *cors, const char *text, size_t size);

/* Whether a browser asks what a page may send, which it never does with a token. Only where CORS is
 * on. */
bool cors_is_preflight(const struct cors *cors, const struct request *request);

/* Whether answers depend on the origin that asks, so that a cache must not hand one's to another.
 */
bool cors_varies(const struct cors *cors);

/*
 * Writes the headers that the answer needs beside Vary; a preflight's methods are those of the
 * response's Allow. Texts are static, or live as long as request and response. Returns how many.
 */
size_t cors_headers(const struct cors *cors, const struct request *request,
                    const struct response *response, struct header headers[CORS_HEADERS_MAX]);

#endif
