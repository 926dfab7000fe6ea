/* A client's connection, from accept to close; one loop owns it and alone touches it. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

struct address_count;
struct loop;
struct tls_identity;
struct transaction;

/* What a connection is doing, each with a deadline of its own. */
enum phase {
    PHASE_HEAD,      /* a request's head is arriving */
    PHASE_BODY,      /* a request's body is arriving */
    PHASE_COMPUTING, /* a worker has its request; what bounds it is the computation's own limit */
    PHASE_SENDING,
    PHASE_IDLE, /* between requests */
    PHASE_CUT,  /* the watchdog has shut it; the library will notice */
};

struct connection {
    struct connection *previous, *next; /* in its loop's list */
    struct loop *loop;
    struct transaction *transaction; /* the request being served, or NULL; owned */
    int fd;                          /* the library's */
    enum phase phase;
    uint64_t deadline_ms; /* clock_ms() */
    uint64_t look_ms;     /* clock_ms(): when to look whether the client has ended its side */
    uint64_t left_ms;     /* of the time to send, while the next block is computed; 0: all of it */
    uint64_t taken_bytes; /* that the client had taken when the time to send began */
    struct address_count *peer; /* its address; or NULL */
    bool is_surplus;            /* beyond the limit: gets 503 */
    bool is_lingering;        /* keep the socket open for a while after the library has closed it */
    gnutls_session_t session; /* the library's; NULL without TLS */
    struct tls_identity *identity; /* that the session shows; NULL without TLS */
    bool is_unix;                  /* it came by a Unix socket */
    char client[INET6_ADDRSTRLEN]; /* its address, or "unix"; for the log */
};

/* The library's callback at the start and the end of a connection; cls is the loop. */
void connection_notify(void *cls, struct MHD_Connection *mhd, void **socket_context,
                       enum MHD_ConnectionNotificationCode code);

/* Writes past the library, as canned answers are. Best effort: a client that takes nothing now is
 * not waited for. */
void connection_send(struct connection *connection, const char *bytes, size_t size);

/* What connection_notify() made of it; NULL when memory was out. */
struct connection *connection_of(struct MHD_Connection *mhd);

#endif
