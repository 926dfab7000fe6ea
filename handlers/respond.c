/* Building responses. A response can always be made: the last resort is a document that stands in
 * the program. */
#include "respond.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "compress.h"
#include "delivery.h"
#include "table_store.h"

#define DOCUMENT_MEMORY_MAX ((size_t)1 << 20) /* of exchanges that only answer with a document */

static const char no_memory_document[] =
    "{\"type\":\"urn:posenc:problem:out-of-memory\",\"title\":\"out of memory\",\"status\":503,"
    "\"detail\":\"The server has no memory for this request now; try again shortly.\"}\n";

const char *request_header(const struct request *request, const char *name)
{
    for (size_t i = 0; i < request->header_count; i++)
        if (strcasecmp(request->headers[i].name, name) == 0)
            return request->headers[i].value;
    return NULL;
}

bool response_add_header(struct response *response, const char *name, const char *value)
{
    if (response->header_count == RESPONSE_HEADERS_MAX || !value)
        return false;
    response->headers[response->header_count++] = (struct header){name, value};
    return true;
}

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

/* The exchange that the response holds, begun when there is none yet; NULL when memory is out. */
static struct exchange *exchange_of(const struct request *request, struct response *response)
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

static ssize_t copy_part(const char *bytes, size_t length, uint64_t offset, char *buffer,
                         size_t size)
{
    if (offset >= length)
        return 0;
    const size_t left = length - (size_t)offset, part = left < size ? left : size;

    memcpy(buffer, bytes + offset, part);
    return (ssize_t)part;
}

static ssize_t read_text(void *state, uint64_t offset, char *buffer, size_t size)
{
    const struct json_text *text = state;

    return copy_part(text->bytes, text->length, offset, buffer, size);
}

static ssize_t read_no_memory(void *state, uint64_t offset, char *buffer, size_t size)
{
    (void)state;
    return copy_part(no_memory_document, sizeof(no_memory_document) - 1, offset, buffer, size);
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

static bool response_has_header(const struct response *response, const char *name)
{
    for (size_t i = 0; i < response->header_count; i++)
        if (strcasecmp(response->headers[i].name, name) == 0)
            return true;
    return false;
}

static void deliver_document(const struct request *request, struct response *response)
{
    const struct json_text *text = &((struct exchange *)response->exchange)->text;
    struct offer offer = {.cache_control = CACHE_DOCUMENT};

    fingerprint_bytes(text->bytes, text->length, &offer.fingerprint);
    deliver(request, &offer, response);
}

void respond_document(const struct request *request, unsigned status, const char *media_type,
                      struct response *response)
{
    struct exchange *exchange = response->exchange;

    json_text_raw(&exchange->text, "\n", 1);
    if (exchange->text.failed) {
        respond_no_memory(response);
        return;
    }
    response->status = status;
    (void)response_add_header(response, "Content-Type", media_type);
    response->length = exchange->text.length;
    response->read = read_text;
    response->state = &exchange->text;
    if (status == 200 && !response_has_header(response, "Cache-Control"))
        deliver_document(request, response);
}

/* "body-too-large" -> "body too large". */
static void write_title(struct json_text *text, const char *slug)
{
    char title[64];
    size_t length = 0;

    for (; slug[length] && length + 1 < sizeof(title); length++)
        title[length] = slug[length];
    title[length] = '\0';
    for (char *dash = strchr(title, '-'); dash; dash = strchr(dash, '-'))
        *dash = ' ';
    json_text_member_string(text, "title", title);
}

static void write_type(struct json_text *text, const char *slug)
{
    char type[96] = "urn:posenc:problem:";

    strncat(type, slug, sizeof(type) - strlen(type) - 1);
    json_text_member_string(text, "type", type);
}

static void write_optional(struct json_text *text, const char *name, const char *value)
{
    if (value && *value)
        json_text_member_string(text, name, value);
}

/* The detail as a whole sentence: readers of bodies leave its first letter and its full stop to us.
 */
static void write_detail(struct json_text *text, const char *detail)
{
    char sentence[POSENC_DETAIL_MAX + 1];
    size_t length;

    (void)snprintf(sentence, POSENC_DETAIL_MAX, "%s", detail ? detail : "");
    length = strlen(sentence);
    if (length == 0)
        return;
    if (sentence[0] >= 'a' && sentence[0] <= 'z')
        sentence[0] = (char)(sentence[0] - 'a' + 'A');
    if (sentence[length - 1] != '.' && sentence[length - 1] != '?')
        strcpy(sentence + length, ".");
    json_text_member_string(text, "detail", sentence);
}

static void write_report(struct json_text *text, const struct request *request,
                         const struct report *report)
{
    json_text_begin_object(text);
    write_type(text, report->slug);
    write_title(text, report->slug);
    json_text_member_integer(text, "status", report->status);
    write_detail(text, report->detail);
    write_optional(text, "instance", request->id);
    write_optional(text, "parameter", report->parameter);
    write_optional(text, "value", report->value);
    write_optional(text, "suggestion", report->suggestion);
    if (report->allowed_count > 0) {
        json_text_key(text, "allowed");
        json_text_begin_array(text);
        for (size_t i = 0; i < report->allowed_count; i++)
            json_text_string(text, report->allowed[i]);
        json_text_end_array(text);
    }
    if (report->has_offset)
        json_text_member_integer(text, "offset", (int64_t)report->offset);
    if (report->has_limit)
        json_text_member_integer(text, "limit", (int64_t)report->limit);
    json_text_end_object(text);
}

void respond_report(const struct request *request, const struct report *report,
                    struct response *response)
{
    struct exchange *exchange = exchange_of(request, response);

    if (!exchange || report->status == 503)
        (void)response_add_header(response, "Retry-After", "1");
    if (!exchange) {
        respond_no_memory(response);
        return;
    }
    response->problem = report->slug;
    exchange->text.length = 0;
    exchange->text.failed = false;
    write_report(&exchange->text, request, report);
    (void)response_add_header(response, "Cache-Control",
                              "no-store"); /* a full table only loses the hint */
    respond_document(request, report->status, "application/problem+json", response);
}

void respond_problem(const struct request *request, unsigned status, const char *slug,
                     const char *detail, uint64_t limit, struct response *response)
{
    const struct report report = {
        .status = status, .slug = slug, .detail = detail, .has_limit = limit != 0, .limit = limit};

    respond_report(request, &report, response);
}

static unsigned http_status(enum posenc_status status)
{
    switch (status) {
    case POSENC_OK:
        return 200;
    case POSENC_UNKNOWN_ENCODING:
    case POSENC_UNKNOWN_OPERATION:
        return 404;
    case POSENC_UNKNOWN_PARAMETER:
    case POSENC_MISSING_PARAMETER:
    case POSENC_WRONG_TYPE:
    case POSENC_OUT_OF_RANGE:
    case POSENC_CONFLICT:
    case POSENC_WRONG_SHAPE:
        return 422;
    case POSENC_TOO_LARGE:
        return 413;
    case POSENC_NO_MEMORY:
    case POSENC_CANCELLED:
        return 503;
    }
    return 500;
}

static const char *slug_of(enum posenc_status status)
{
    switch (status) {
    case POSENC_OK:
        return "ok";
    case POSENC_UNKNOWN_ENCODING:
        return "unknown-encoding";
    case POSENC_UNKNOWN_OPERATION:
        return "unknown-operation";
    case POSENC_UNKNOWN_PARAMETER:
        return "unknown-parameter";
    case POSENC_MISSING_PARAMETER:
        return "missing-parameter";
    case POSENC_WRONG_TYPE:
        return "wrong-type";
    case POSENC_OUT_OF_RANGE:
        return "out-of-range";
    case POSENC_CONFLICT:
        return "contradicting-parameters";
    case POSENC_WRONG_SHAPE:
        return "wrong-shape";
    case POSENC_TOO_LARGE:
        return "result-too-large";
    case POSENC_NO_MEMORY:
        return "out-of-memory";
    case POSENC_CANCELLED:
        return "computation-stopped";
    }
    return "internal";
}

void respond_library_problem(const struct request *request, const struct posenc_problem *problem,
                             uint64_t limit, struct response *response)
{
    const struct report report = {.status = http_status(problem->status),
                                  .slug = slug_of(problem->status),
                                  .detail = problem->detail,
                                  .parameter = problem->parameter,
                                  .value = problem->value,
                                  .suggestion = problem->suggestion,
                                  .allowed = problem->allowed,
                                  .allowed_count = problem->allowed_count,
                                  .has_limit = problem->status == POSENC_TOO_LARGE,
                                  .limit = limit};

    respond_report(request, &report, response);
}

bool respond_if_stopped(const struct request *request, uint64_t nanoseconds,
                        struct response *response)
{
    const struct exchange *exchange = response->exchange;

    if (posenc_may_work(&exchange->memory, nanoseconds))
        return false;
    respond_problem(request, 503, slug_of(POSENC_CANCELLED),
                    "The computation was stopped before its end; ask for less.", 0, response);
    return true;
}

void respond_body_problem(const struct request *request, const struct body_problem *problem,
                          const char *slug, struct response *response)
{
    const struct report report = {.status = problem->no_memory ? 503 : 400,
                                  .slug = problem->no_memory ? "out-of-memory" : slug,
                                  .detail = problem->detail,
                                  .parameter = problem->parameter,
                                  .has_offset = !problem->no_memory,
                                  .offset = problem->offset};

    respond_report(request, &report, response);
}
