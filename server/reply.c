#include "reply.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "connection.h"
#include "loop.h"
#include "server.h"
#include "transaction.h"

/* Of an answer of unknown length: used where the client cannot be sent chunks. */
#define REPLY_OPEN_BLOCK_BYTES 16384U

#define REPLY_VARY_MAX 256 /* bytes of a Vary header's value, with its end */

/* Pages have no business with what is for operators. */
static const struct cors *reply_cors(const struct transaction *transaction)
{
    static const struct cors off;

    if (transaction->request.is_operators)
        return &off;
    return &transaction->connection->loop->server->settings.cors;
}

static ssize_t reply_read(struct transaction *transaction, uint64_t offset, char *buffer,
                          size_t size)
{
    const struct response *response = &transaction->response;
    const ssize_t got = computation_read(transaction, offset, buffer, size);

    if (got > 0) {
        transaction->sent_bytes += (uint64_t)got;
        return got;
    }
    if (got == COMPUTATION_READ_LATER)
        return 0; /* the library asks again when the connection is resumed */
    /* An end before the announced length must look like an error to the client. */
    if (got == 0 && response->length == RESPONSE_LENGTH_UNKNOWN)
        return MHD_CONTENT_READER_END_OF_STREAM;
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

/* Nothing, of a body that is put off: the library asks again in its next round. */
static ssize_t reply_send(void *cls, uint64_t offset, char *buffer, size_t size)
{
    struct transaction *transaction = cls;
    struct loop *loop = transaction->connection->loop;
    uint64_t began_us;
    ssize_t got;

    loop->callbacks++;
    if (!turns_take(&loop->turns, &transaction->turn))
        return 0;
    began_us = clock_us();
    got = reply_read(transaction, offset, buffer, size);
    turns_spend(&loop->turns, clock_us() - began_us, got > 0 ? (size_t)got : 0);
    return got;
}

/* Header and body of a small answer then leave in one system call. */
static struct MHD_Response *reply_make_small(struct transaction *transaction)
{
    const size_t length = (size_t)transaction->response.length;
    struct MHD_Response *reply;
    char *bytes = malloc(length);
    size_t filled = 0;

    if (!bytes)
        return NULL;
    while (filled < length) {
        const ssize_t got = reply_read(transaction, filled, bytes + filled, length - filled);

        if (got <= 0) {
            free(bytes);
            return NULL;
        }
        filled += (size_t)got;
    }
    reply = MHD_create_response_from_buffer(length, bytes, MHD_RESPMEM_MUST_FREE);
    if (!reply)
        free(bytes);
    return reply;
}

/* What a worker has made entirely; it stays the transaction's. */
static struct MHD_Response *reply_make_whole(struct transaction *transaction)
{
    const struct ahead *ahead = &transaction->computation.ahead;

    transaction->sent_bytes += ahead->size;
    return MHD_create_response_from_buffer(ahead->size, ahead->bytes, MHD_RESPMEM_PERSISTENT);
}

static struct MHD_Response *reply_make_empty(void)
{
    return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
}

static struct MHD_Response *reply_make_open(struct transaction *transaction)
{
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, REPLY_OPEN_BLOCK_BYTES, reply_send,
                                             transaction, NULL);
}

/*
 * A head alone, of a body whose length is not known. Libraries before 0.9.76 end it with the last
 * chunk of a body all the same, which the client would take for the next answer; in their HTTP/1.0
 * manner they send neither length nor chunk, and close.
 */
static struct MHD_Response *reply_make_head(struct transaction *transaction)
{
#if MHD_VERSION < 0x00097600
    const enum MHD_ResponseFlags flag = MHD_RF_HTTP_1_0_COMPATIBLE_STRICT;
    struct MHD_Response *reply =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, reply_send, transaction, NULL);
#else
    const enum MHD_ResponseFlags flag = MHD_RF_HEAD_ONLY_RESPONSE;
    struct MHD_Response *reply = reply_make_empty();

    (void)transaction;
#endif

    if (reply && MHD_set_response_options(reply, flag, MHD_RO_END) == MHD_YES)
        return reply;
    if (reply)
        MHD_destroy_response(reply);
    return NULL;
}

static struct MHD_Response *reply_make(struct transaction *transaction)
{
    const struct response *response = &transaction->response;
    const bool is_head = strcmp(transaction->request.method, "HEAD") == 0;
    /* RFC 9110, 15.3.5 and 15.4.5: these have no body, but 304 has the length of one. */
    const bool is_bodiless = response->status == 204 || response->status == 304;

    if (computation_has_whole(transaction))
        return reply_make_whole(transaction);
    if (response->length == RESPONSE_LENGTH_UNKNOWN)
        return is_head || is_bodiless ? reply_make_head(transaction) : reply_make_open(transaction);
    if (response->length == 0)
        return reply_make_empty();
    if (is_head || is_bodiless) /* never read, but its length is told */
        return MHD_create_response_from_callback(response->length, 1, reply_send, transaction,
                                                 NULL);
    if (response->length <= REPLY_SMALL_BYTES && !transaction->computation.is_slow)
        return reply_make_small(transaction);
    return MHD_create_response_from_callback(
        response->length,
        response->length < REPLY_BLOCK_BYTES ? (size_t)response->length : REPLY_BLOCK_BYTES,
        reply_send, transaction, NULL);
}

/* All in one line: some caches look at one only. */
static bool reply_add_vary(struct MHD_Response *reply, const struct transaction *transaction)
{
    const struct response *response = &transaction->response;
    const bool varies = cors_varies(reply_cors(transaction));
    const char *given = NULL;
    char value[REPLY_VARY_MAX];

    for (size_t i = 0; i < response->header_count; i++) {
        if (strcmp(response->headers[i].name, MHD_HTTP_HEADER_VARY) == 0)
            given = response->headers[i].value;
    }
    if (!given && !varies)
        return true;
    (void)snprintf(value, sizeof(value), "%s%s%s", given ? given : "", given && varies ? ", " : "",
                   varies ? MHD_HTTP_HEADER_ORIGIN : "");
    return MHD_add_response_header(reply, MHD_HTTP_HEADER_VARY, value) == MHD_YES;
}

static bool reply_add_cors(struct MHD_Response *reply, const struct transaction *transaction)
{
    struct header headers[CORS_HEADERS_MAX];
    const size_t count = cors_headers(reply_cors(transaction), &transaction->request,
                                      &transaction->response, headers);

    for (size_t i = 0; i < count; i++) {
        if (MHD_add_response_header(reply, headers[i].name, headers[i].value) != MHD_YES)
            return false;
    }
    return true;
}

/* RFC 6797: a promise that is only heard over TLS. */
static bool reply_add_hsts(struct MHD_Response *reply, const struct transaction *transaction)
{
    const struct connection *connection = transaction->connection;
    const uint64_t seconds = connection->loop->server->settings.hsts_seconds;
    char value[48];

    if (seconds == 0 || !connection->session)
        return true;
    (void)snprintf(value, sizeof(value), "max-age=%" PRIu64, seconds);
    return MHD_add_response_header(reply, "Strict-Transport-Security", value) == MHD_YES;
}

/* The library refuses line breaks in names and values, so nothing can be smuggled in here. */
static bool reply_add_headers(struct MHD_Response *reply, const struct transaction *transaction)
{
    const struct response *response = &transaction->response;

    for (size_t i = 0; i < response->header_count; i++) {
        if (strcmp(response->headers[i].name, MHD_HTTP_HEADER_VARY) == 0)
            continue;
        if (MHD_add_response_header(reply, response->headers[i].name, response->headers[i].value) !=
            MHD_YES)
            return false;
    }
    if (transaction->is_last &&
        MHD_add_response_header(reply, MHD_HTTP_HEADER_CONNECTION, "close") != MHD_YES)
        return false;
    if (!reply_add_vary(reply, transaction) || !reply_add_cors(reply, transaction) ||
        !reply_add_hsts(reply, transaction))
        return false;
    return MHD_add_response_header(reply, "X-Request-Id", transaction->request.id) == MHD_YES &&
           MHD_add_response_header(reply, "X-Content-Type-Options", "nosniff") == MHD_YES;
}

enum MHD_Result reply_queue(struct transaction *transaction, struct MHD_Connection *mhd)
{
    struct MHD_Response *reply = reply_make(transaction);
    enum MHD_Result result = MHD_NO;

    if (!reply)
        return MHD_NO;
    if (reply_add_headers(reply, transaction))
        result = MHD_queue_response(mhd, transaction->response.status, reply);
    MHD_destroy_response(reply); /* ours; the queue holds one of its own */
    return result;
}

enum MHD_Result reply_without_memory(struct MHD_Connection *mhd)
{
    static char body[] =
        "{\"type\":\"urn:posenc:problem:out-of-memory\",\"title\":\"Out of memory\",\"status\":503,"
        "\"detail\":\"The server has no memory for this request now; retry.\"}";
    struct MHD_Response *reply =
        MHD_create_response_from_buffer(sizeof(body) - 1, body, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_NO;

    if (!reply)
        return MHD_NO;
    if (MHD_add_response_header(reply, MHD_HTTP_HEADER_CONTENT_TYPE, "application/problem+json") ==
            MHD_YES &&
        MHD_add_response_header(reply, MHD_HTTP_HEADER_RETRY_AFTER, TRANSACTION_RETRY_AFTER) ==
            MHD_YES &&
        MHD_add_response_header(reply, MHD_HTTP_HEADER_CONNECTION, "close") == MHD_YES)
        result = MHD_queue_response(mhd, MHD_HTTP_SERVICE_UNAVAILABLE, reply);
    MHD_destroy_response(reply);
    return result;
}
