/* Building responses: documents, problems, and the memory that both live in. */
#ifndef POSENC_RESPOND_H
#define POSENC_RESPOND_H

#include "body.h"
#include "exchange.h"
#include "inflate.h"
#include "json_text.h"
#include "posenc.h"

struct tables;

/* What one exchange holds until its response has been sent. */
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

/* Answers with the document written into the exchange's text; status 503 instead when the
 * writing failed. One of status 200 may be kept by caches unless Cache-Control is there already. */
void respond_document(const struct request *request, unsigned status, const char *media_type,
                      struct response *response);

/* The 503 that needs no memory at all. */
void respond_no_memory(struct response *response);

/* True, and the response a problem, when work of about so many nanoseconds may not begin. */
bool respond_if_stopped(const struct request *request, uint64_t nanoseconds,
                        struct response *response);

/* A problem document (RFC 9457). Texts that are NULL or empty are left out. */
struct report {
    unsigned status;
    const char *slug; /* of the type, "urn:posenc:problem:<slug>"; in words it is the title */
    const char *detail;
    const char *parameter, *value, *suggestion;
    const char *const *allowed;
    size_t allowed_count;
    bool has_offset, has_limit;
    uint64_t offset, limit;
};

void respond_report(const struct request *request, const struct report *report,
                    struct response *response);

/* What the library refused. `limit` is the result's limit in bytes, told where the result is too
 * large. */
void respond_library_problem(const struct request *request, const struct posenc_problem *problem,
                             uint64_t limit, struct response *response);

/* What a body or a query could not be read for. */
void respond_body_problem(const struct request *request, const struct body_problem *problem,
                          const char *slug, struct response *response);

#endif
