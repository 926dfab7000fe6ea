/*
 * From a body that a handler has made to what its client gets of it: nothing where it has it
 * already (304), a part (206, 416), or all of it, compressed where that is wanted; and what caches
 * are told (RFC 9110 and RFC 9111).
 */
#ifndef POSENC_DELIVERY_H
#define POSENC_DELIVERY_H

#include "etag.h"

/* What a handler says of its body. */
struct offer {
    struct fingerprint fingerprint;
    const char *cache_control; /* where the method lets caches keep anything */
    bool is_binary; /* shrinks little, and may be read at any offset when its length is known */
    bool is_dense;  /* compressed already */
};

#define CACHE_RESULT    "public, max-age=86400"
#define CACHE_VERSIONED "public, max-age=31536000, immutable" /* its address names the version */
#define CACHE_DOCUMENT  "public, max-age=300"                 /* changes with a release */
#define CACHE_CHECKED   "public, no-cache" /* so do these, but only together: always asked about */

/*
 * Answers 304 when the client names a tag of what is offered, in a coding that it takes. Said
 * before the body is made, this spares making it. False, and no answer, otherwise.
 */
bool deliver_unchanged(const struct request *request, const struct offer *offer,
                       struct response *response);

/*
 * Finishes a response of status 200 that has its headers and its whole body: adds what tells how it
 * may be kept, and narrows or compresses it as the request asks. May answer with 304, 206, or a
 * problem instead. The exchange has begun.
 */
void deliver(const struct request *request, const struct offer *offer, struct response *response);

#endif
