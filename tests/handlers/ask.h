/* Calling handlers without a socket. */
#ifndef ASK_H
#define ASK_H

#include <jansson.h>

#include "exchange.h"

/* A reply that has been read to its end. Release with answer_release(). */
struct answer {
    unsigned status;
    char *body; /* ended by a NUL byte */
    size_t size;
    json_t *document;         /* NULL when the body is not JSON */
    struct response response; /* its headers; already released otherwise */
    char headers[2048];       /* "Name: value" lines, all of them */
    char allow[64], content_type[64], content_disposition[128], shape[64];
};

/* A service with roomy limits, for tests to change. */
struct service ask_service(void);

/* method, path with its query, a JSON body or NULL. */
struct answer ask(const char *method, const char *target, const char *body);
struct answer ask_service_with(const struct service *service, const char *method,
                               const char *target, const char *body, const struct header *headers,
                               size_t header_count);

/* The same with a body of any bytes. */
struct answer ask_bytes(const struct service *service, const char *method, const char *target,
                        const char *body, size_t body_size, const struct header *headers,
                        size_t header_count);

/* The value of a header, in a buffer that the next call overwrites; "" when it is not there. */
const char *answer_header(const struct answer *answer, const char *name);

void answer_release(struct answer *answer);

/* The text of a member of the document; "" when it is no text. */
const char *answer_text(const struct answer *answer, const char *member);

#endif
