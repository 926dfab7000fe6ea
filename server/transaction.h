/*
 * One request and its answer, from the request line to the last byte sent, as libmicrohttpd's
 * callbacks drive it. The library calls the access callback once when the head is there, once for
 * each piece of the body, and once at the end; only in that last call can an answer be queued
 * without closing the connection, and in the middle ones none can be queued at all.
 */
#ifndef TRANSACTION_H
#define TRANSACTION_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "computation.h"
#include "exchange.h"
#include "gate.h"
#include "token.h"
#include "upload.h"

/* A refused body up to this size is read and dropped, so that the connection can go on. */
#define TRANSACTION_SKIP_BYTES_MAX 65536U

/* A body that turned out too large is read on for this long before the connection is cut. */
#define TRANSACTION_DROP_BYTES_MAX (1U << 20)

/* For the log, of a request whose client left before there was an answer; nginx calls it so. */
#define TRANSACTION_CLIENT_GONE 499U

/* Seconds that a client should wait after 503. */
#define TRANSACTION_RETRY_AFTER "1"

struct connection;

struct transaction {
    struct connection *connection;
    struct request request;
    struct response response;
    struct header headers[GATE_HEADERS_MAX]; /* texts belong to the library until completion */
    struct upload upload;
    struct computation computation; /* of the response; a worker may have it */
    uint64_t began_us;              /* clock_us() when the head was there */
    uint64_t received_bytes;        /* of the body */
    uint64_t dropped_bytes;         /* among them */
    uint64_t sent_bytes;            /* of the answer's body, handed to the library */
    uint64_t turn;                  /* in which the body had its last block; see turns.h */
    unsigned status;                /* of the answer, 0 while there is none */
    const char *problem;        /* slug of the answer, where it is not the response's; or NULL */
    char token[TOKEN_NAME_MAX]; /* whose name the caller's is; "" when none was asked for */
    bool has_begun;             /* counted in server->requests */
    bool has_response;          /* response is filled, queued or not */
    bool is_last;               /* the connection closes after the answer */
    char target[];              /* path, NUL, query */
};

/* The library's callbacks; cls is the loop. */
void *transaction_note_target(void *cls, const char *target, struct MHD_Connection *mhd);
enum MHD_Result transaction_access(void *cls, struct MHD_Connection *mhd, const char *url,
                                   const char *method, const char *version, const char *upload_data,
                                   size_t *upload_data_size, void **con_cls);
void transaction_completed(void *cls, struct MHD_Connection *mhd, void **con_cls,
                           enum MHD_RequestTerminationCode code);

/* What log and metrics will say of it, when the watchdog answers in our place; the slug of the
 * problem is of static storage. */
void transaction_set_outcome(struct transaction *transaction, unsigned status, const char *problem);

/* Frees the request's body, which neither the request nor the answer needs any more; whoever has
 * the transaction may call it, also a worker. */
void transaction_drop_body(struct transaction *transaction);

/* Frees it, NULL too. */
void transaction_free(struct transaction *transaction);

#endif
