#include "body_coding.h"

#include <string.h>
#include <strings.h>

#include "exchange_memory.h"
#include "inflate.h"
#include "respond.h"

enum body_coding body_coding_of(const struct request *request)
{
    enum body_coding coding = BODY_CODING_IDENTITY;

    for (size_t i = 0; i < request->header_count; i++) {
        const char *value = request->headers[i].value;

        if (strcasecmp(request->headers[i].name, "Content-Encoding") != 0 || !*value ||
            strcasecmp(value, "identity") == 0)
            continue;
        if (coding != BODY_CODING_IDENTITY ||
            (strcasecmp(value, "gzip") != 0 && strcasecmp(value, "x-gzip") != 0))
            return BODY_CODING_OTHER;
        coding = BODY_CODING_GZIP;
    }
    return coding;
}

static bool refuse(const struct service *service, const struct request *request,
                   enum inflate_outcome outcome, struct response *response)
{
    switch (outcome) {
    case INFLATE_OK:
        break;
    case INFLATE_BROKEN:
        respond_problem(request, 400, "malformed-body",
                        "The body is not what 'Content-Encoding: gzip' announces, or is damaged, "
                        "or ends too soon.",
                        0, response);
        break;
    case INFLATE_TOO_LARGE:
        respond_problem(request, 413, "body-too-large",
                        "Unpacked, the body is larger than this server reads; 'limit' says how "
                        "many bytes it does.",
                        service->body_bytes_max, response);
        break;
    case INFLATE_TOO_DENSE:
        respond_problem(request, 413, "body-too-dense",
                        "The body unpacks to more than 'limit' times its size; send it without a "
                        "Content-Encoding.",
                        INFLATE_RATIO_MAX, response);
        break;
    case INFLATE_NO_MEMORY:
        respond_no_memory(response);
        break;
    }
    return false;
}

bool unpack_body(const struct service *service, const struct request *request,
                 struct request *plain, struct response *response)
{
    struct exchange *exchange = response->exchange;
    enum inflate_outcome outcome;

    *plain = *request;
    if (strcmp(request->method, "POST") != 0 || body_coding_of(request) == BODY_CODING_IDENTITY)
        return true;
    outcome = inflate_gzip(request->body, request->body_size, service->body_bytes_max,
                           request->watch, &exchange->unpacked);
    if (outcome != INFLATE_OK)
        return refuse(service, request, outcome, response);
    plain->body = exchange->unpacked.bytes;
    plain->body_size = exchange->unpacked.size;
    return true;
}
