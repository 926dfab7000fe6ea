#include "transaction.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "canned.h"
#include "clock.h"
#include "connection.h"
#include "head_layout.h"
#include "loop.h"
#include "reply.h"
#include "server.h"
#include "trace_context.h"
#include "watchdog.h"

static struct server *transaction_server(const struct transaction *transaction)
{
    return transaction->connection->loop->server;
}

void transaction_set_outcome(struct transaction *transaction, unsigned status, const char *problem)
{
    transaction->status = status;
    transaction->problem = problem;
}

void transaction_drop_body(struct transaction *transaction)
{
    transaction->request.body = NULL;
    transaction->request.body_size = 0;
    upload_release(&transaction->upload);
}

void transaction_free(struct transaction *transaction)
{
    if (!transaction)
        return;
    if (transaction->has_begun)
        atomic_fetch_sub(&transaction_server(transaction)->requests, 1);
    response_release(&transaction->response);
    computation_release(transaction);
    upload_release(&transaction->upload);
    free(transaction);
}

/* The one place where the target can be seen as it was sent; the library then takes it apart. */
void *transaction_note_target(void *cls, const char *target, struct MHD_Connection *mhd)
{
    struct connection *connection = connection_of(mhd);
    const size_t size = target ? strlen(target) : 0; /* NULL: the request line has one word */
    struct transaction *transaction;

    (void)cls;
    if (!connection)
        return NULL;
    connection->loop->callbacks++;
    transaction_free(connection->transaction);
    transaction = calloc(1, sizeof(*transaction) + size + 1);
    connection->transaction = transaction;
    if (!transaction)
        return NULL;
    transaction->connection = connection;
    if (size > 0)
        memcpy(transaction->target, target, size);
    watchdog_enter(connection, PHASE_HEAD, clock_ms());
    return transaction;
}

static enum MHD_Result transaction_add_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                              const char *value)
{
    struct transaction *transaction = cls;
    struct request *request = &transaction->request;

    (void)kind;
    if (request->header_count < GATE_HEADERS_MAX)
        transaction->headers[request->header_count] =
            (struct header){.name = name ? name : "", .value = value ? value : ""};
    request->header_count++;
    return MHD_YES;
}

/* Looks for NUL bytes, folded lines and the like, of which newer libraries refuse what is odd. */
static void transaction_check_layout(const struct transaction *transaction,
                                     struct MHD_Connection *mhd, const char *url,
                                     const char *version, struct gate_head *head)
{
#if MHD_VERSION < 0x01000000
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    const struct head_layout layout = {.method = transaction->request.method,
                                       .size = info ? info->header_size : 0,
                                       .url = url,
                                       .target_length = strlen(transaction->target),
                                       .version = version,
                                       .headers = transaction->headers,
                                       .header_count = head->header_count};

    head->has_odd_request_line = head_layout_has_odd_line(&layout);
    head->has_odd_fields =
        head->header_count <= GATE_HEADERS_MAX && head_layout_has_odd_fields(&layout);
#else
    (void)transaction, (void)mhd, (void)url, (void)version, (void)head;
#endif
}

static void transaction_split_target(struct transaction *transaction)
{
    char *mark = strchr(transaction->target, '?');

    transaction->request.path = transaction->target;
    transaction->request.query = "";
    if (mark) {
        *mark = '\0';
        transaction->request.query = mark + 1;
    }
}

static void transaction_choose_id(struct transaction *transaction)
{
    struct request *request = &transaction->request;

    for (size_t i = 0; i < request->header_count; i++) {
        const struct header *header = &request->headers[i];

        if (strcasecmp(header->name, "X-Request-Id") == 0 && request_id_is_usable(header->value)) {
            memcpy(request->id, header->value, strlen(header->value) + 1); /* it fits */
            return;
        }
    }
    request_id_make(&transaction->connection->loop->ids, request->id);
}

static void transaction_refuse(struct transaction *transaction, unsigned status, const char *slug,
                               const char *detail, uint64_t limit)
{
    respond_problem(&transaction->request, status, slug, detail, limit, &transaction->response);
    if (status == 503) /* without room the answer is right all the same */
        (void)response_add_header(&transaction->response, "Retry-After", TRANSACTION_RETRY_AFTER);
    transaction->has_response = true;
    transaction->is_last = true;
}

static void transaction_refuse_upload(struct transaction *transaction, enum upload_outcome outcome)
{
    switch (outcome) {
    case UPLOAD_OK:
        return;
    case UPLOAD_TOO_LARGE:
        transaction_refuse(transaction, 413, "body-too-large",
                           "The body is larger than this server takes; send less.",
                           transaction_server(transaction)->settings.body_bytes_max);
        break;
    case UPLOAD_NO_MEMORY:
        transaction_refuse(transaction, 503, "out-of-memory",
                           "The server has no memory for this body now; retry.", 0);
        break;
    }
    upload_release(&transaction->upload);
}

/* False, with the refusal as its response, when a token is asked for and not there. */
static bool transaction_may_call(struct transaction *transaction)
{
    const struct server *server = transaction_server(transaction);
    const struct request *request = &transaction->request;
    enum access_verdict verdict;

    if (!server->access || request->is_operators || request_is_open(request) ||
        cors_is_preflight(&server->settings.cors, request))
        return true;
    verdict = access_check(server->access, request, transaction->token);
    if (verdict == ACCESS_GRANTED)
        return true;
    access_refuse(verdict, request, &transaction->response);
    transaction->has_response = true;
    return false;
}

/* What a head that passed the gate can be refused for before its body arrives. */
static void transaction_refuse_early(struct transaction *transaction, const struct gate_body *body)
{
    struct server *server = transaction_server(transaction);

    if (transaction->connection->is_surplus) {
        transaction_refuse(transaction, 503, "too-many-connections",
                           "The server has as many connections as it can take; retry.",
                           server->settings.connections_max);
        return;
    }
    if (!transaction_may_call(transaction))
        return;
    transaction->has_response = handle_head(&server->service, &transaction->request,
                                            body->content_length, &transaction->response);
    if (!transaction->has_response && !body->is_chunked)
        transaction_refuse_upload(transaction,
                                  upload_reserve(&transaction->upload, body->content_length));
}

static void transaction_start(struct transaction *transaction, struct MHD_Connection *mhd,
                              const char *method)
{
    struct server *server = transaction_server(transaction);
    struct request *request = &transaction->request;

    transaction->has_begun = true;
    transaction->began_us = clock_us();
    atomic_fetch_add(&server->requests, 1);
    watchdog_enter(transaction->connection, PHASE_BODY, transaction->began_us / 1000);
    request->method = method;
    request->headers = transaction->headers;
    request->is_secure = transaction->connection->session != NULL;
    request->is_operators = transaction->connection->loop->kind == LOOP_OPERATORS;
    (void)MHD_get_connection_values(mhd, MHD_HEADER_KIND, transaction_add_header, transaction);
    computation_init(transaction);
    upload_init(&transaction->upload, server->service.body_bytes_max, &server->budget.used,
                budget_bodies_limit(server->budget.limit, server->service.body_bytes_max),
                &server->spares);
}

/* The gate sees the whole target and the true number of headers; handlers see neither. */
static const struct gate_refusal *transaction_pass_gate(struct transaction *transaction,
                                                        struct MHD_Connection *mhd, const char *url,
                                                        const char *version, struct gate_body *body)
{
    struct request *request = &transaction->request;
    struct gate_head head = {
        .method = request->method,
        .version = version,
        .target = transaction->target,
        .headers = transaction->headers,
        .header_count = request->header_count,
        .memory_bytes = (size_t)transaction_server(transaction)->settings.header_bytes_max,
    };
    const struct gate_refusal *refusal;

    transaction_check_layout(transaction, mhd, url, version, &head);
    refusal = gate_check(&head);

    if (!refusal)
        *body = gate_read_body(&head);
    if (request->header_count > GATE_HEADERS_MAX)
        request->header_count = GATE_HEADERS_MAX;
    transaction_split_target(transaction);
    return refusal;
}

static enum MHD_Result transaction_reply(struct transaction *transaction,
                                         struct MHD_Connection *mhd)
{
    if (atomic_load(&transaction_server(transaction)->is_draining))
        transaction->is_last = true;
    transaction->status = transaction->response.status;
    watchdog_enter(transaction->connection, PHASE_SENDING, clock_ms());
    return reply_queue(transaction, mhd);
}

/* Such a head may have left the library no memory for an answer: it would close without one. */
static enum MHD_Result transaction_refuse_large_head(struct transaction *transaction,
                                                     const struct gate_refusal *refusal)
{
    const struct canned canned = {refusal->status, "Request Header Fields Too Large", refusal->slug,
                                  refusal->detail};
    char text[CANNED_TEXT_MAX];

    connection_send(transaction->connection, text, canned_write(&canned, text));
    transaction_set_outcome(transaction, refusal->status, refusal->slug);
    transaction->connection->is_lingering = true;
    return MHD_NO;
}

/* The first call. A refusal waits for a short body, and does not for one that is long, open-ended
 * or not yet sent: then it goes out at once, and the connection closes. */
static enum MHD_Result transaction_begin(struct transaction *transaction,
                                         struct MHD_Connection *mhd, const char *url,
                                         const char *version)
{
    struct gate_body body = {0};
    const struct gate_refusal *refusal;

    refusal = transaction_pass_gate(transaction, mhd, url, version, &body);
    transaction_choose_id(transaction);
    if (refusal && refusal->status == 431)
        return transaction_refuse_large_head(transaction, refusal);
    if (refusal)
        transaction_refuse(transaction, refusal->status, refusal->slug, refusal->detail, 0);
    else
        transaction_refuse_early(transaction, &body);
    if (!transaction->has_response)
        return MHD_YES;
    if (!transaction->is_last && !body.awaits_continue &&
        body.content_length <= TRANSACTION_SKIP_BYTES_MAX)
        return MHD_YES;
    transaction->is_last = true;
    transaction->connection->is_lingering = true;
    return transaction_reply(transaction, mhd);
}

/* A middle call. All of the piece is consumed, wanted or not: what is left would come again. */
static enum MHD_Result transaction_take(struct transaction *transaction, const char *bytes,
                                        size_t size)
{
    transaction->received_bytes += size;
    if (!transaction->has_response) {
        transaction_refuse_upload(transaction, upload_append(&transaction->upload, bytes, size));
        watchdog_feed(transaction->connection, transaction->upload.size,
                      transaction->began_us / 1000);
        return MHD_YES;
    }
    transaction->dropped_bytes += size;
    if (transaction->dropped_bytes <= TRANSACTION_DROP_BYTES_MAX)
        return MHD_YES;
    transaction->status = transaction->response.status; /* nobody hears it but the log */
    return MHD_NO;
}

static enum MHD_Result transaction_finish(struct transaction *transaction,
                                          struct MHD_Connection *mhd)
{
    struct request *request = &transaction->request;

    if (!transaction->has_response) {
        request->body = transaction->upload.bytes;
        request->body_size = transaction->upload.size;
        switch (computation_answer(transaction, mhd)) {
        case COMPUTATION_AWAY:
            return MHD_YES;
        case COMPUTATION_GONE:
            transaction->status = TRANSACTION_CLIENT_GONE;
            return MHD_NO;
        case COMPUTATION_ANSWERED:
            transaction->has_response = true;
        }
        if (transaction->response.status >= COMPUTATION_REFUSED)
            transaction_drop_body(transaction);
    }
    return transaction_reply(transaction, mhd);
}

enum MHD_Result transaction_access(void *cls, struct MHD_Connection *mhd, const char *url,
                                   const char *method, const char *version, const char *upload_data,
                                   size_t *upload_data_size, void **con_cls)
{
    const struct connection *connection = connection_of(mhd);
    struct transaction *transaction = connection ? connection->transaction : NULL;
    const size_t size = *upload_data_size;

    (void)cls;
    (void)con_cls; /* the library has set it to what transaction_note_target() returned */
    if (!transaction)
        return reply_without_memory(mhd);
    connection->loop->callbacks++;
    if (connection->phase == PHASE_CUT)
        return MHD_NO; /* what had arrived before is not worth the work: nobody hears the answer */
    if (!transaction->has_begun) {
        transaction_start(transaction, mhd, method);
        return transaction_begin(transaction, mhd, url, version);
    }
    if (size == 0)
        return transaction_finish(transaction, mhd);
    *upload_data_size = 0;
    return transaction_take(transaction, upload_data, size);
}

static const char *transaction_outcome(enum MHD_RequestTerminationCode code)
{
    switch (code) {
    case MHD_REQUEST_TERMINATED_COMPLETED_OK:
        return "complete";
    case MHD_REQUEST_TERMINATED_WITH_ERROR:
        return "cut";
    case MHD_REQUEST_TERMINATED_TIMEOUT_REACHED:
        return "timeout";
    case MHD_REQUEST_TERMINATED_DAEMON_SHUTDOWN:
        return "shutdown";
    case MHD_REQUEST_TERMINATED_READ_ERROR:
    case MHD_REQUEST_TERMINATED_CLIENT_ABORT:
        return "client-gone";
    }
    return "unknown";
}

static void transaction_count(const struct transaction *transaction, uint64_t duration_us)
{
    const struct metrics_request request = {
        .route = transaction->response.route,
        .method = transaction->request.method,
        .problem = transaction->problem ? transaction->problem : transaction->response.problem,
        .status = transaction->status,
        .duration_us = duration_us,
        .received_bytes = transaction->received_bytes,
        .sent_bytes = transaction->sent_bytes};

    metrics_note_request(&transaction_server(transaction)->metrics,
                         transaction->connection->loop->shard, &request);
}

static enum log_kind transaction_kind(const struct transaction *transaction)
{
    if (transaction->status == 0 || transaction->status >= 500)
        return LOG_FAILED;
    return transaction->status >= 400 ? LOG_REFUSED : LOG_SERVED;
}

/* The trace that the caller says this request is part of. */
static void transaction_log_trace(const struct transaction *transaction, struct log_line *line)
{
    struct trace_context trace;

    trace_context_read(&transaction->request, &transaction->connection->loop->ids, &trace);
    if (!*trace.trace_id)
        return;
    log_add_text(line, "trace_id", trace.trace_id);
    log_add_text(line, "span_id", trace.span_id);
    log_add_text(line, "parent_id", trace.parent_id);
    log_add_text(line, "trace_flags", trace.flags);
    if (trace.state)
        log_add_text(line, "tracestate", trace.state);
}

static void transaction_log(const struct transaction *transaction, uint64_t duration_us,
                            enum MHD_RequestTerminationCode code)
{
    const struct log *log = &transaction_server(transaction)->log;
    const enum log_level level = transaction->status >= 500 ? LOG_ERROR : LOG_INFO;
    const struct request *request = &transaction->request;
    const char *route = transaction->response.route;
    struct log_line line;

    if (level < log->level || !log_admits(log, transaction_kind(transaction), clock_ms()))
        return;
    log_begin(&line, log, level, "request");
    log_add_text(&line, "id", request->id);
    log_add_text(&line, "method", request->method);
    log_add_text(&line, "route", route ? route : "none");
    log_add_text(&line, "path", request->path);
    log_add_number(&line, "status", transaction->status);
    log_add_number(&line, "bytes", transaction->sent_bytes);
    log_add_ms(&line, "duration_ms", duration_us);
    if (*transaction->token)
        log_add_text(&line, "token", transaction->token);
    log_add_text(&line, "client", transaction->connection->client);
    log_add_text(&line, "outcome", transaction_outcome(code));
    transaction_log_trace(transaction, &line);
    log_end(&line);
}

void transaction_completed(void *cls, struct MHD_Connection *mhd, void **con_cls,
                           enum MHD_RequestTerminationCode code)
{
    struct connection *connection = connection_of(mhd);
    struct transaction *transaction = connection ? connection->transaction : NULL;

    (void)cls;
    *con_cls = NULL;
    if (!transaction)
        return;
    connection->loop->callbacks++;
    if (transaction->has_begun) {
        const uint64_t duration_us = clock_us() - transaction->began_us;

        transaction_count(transaction, duration_us);
        transaction_log(transaction, duration_us, code);
    }
    transaction_free(transaction);
    connection->transaction = NULL;
    watchdog_enter(connection, PHASE_IDLE, clock_ms());
}
