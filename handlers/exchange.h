/*
 * One HTTP exchange as handlers see it: no sockets, no library. server/ fills the request, calls,
 * and sends the response; tests do the same without a port.
 */
#ifndef POSENC_EXCHANGE_H
#define POSENC_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define REQUEST_ID_MAX          129 /* bytes of a request id, with its end */
#define RESPONSE_HEADERS_MAX    16
#define RESPONSE_LENGTH_UNKNOWN UINT64_MAX

struct json_text;
struct posenc_watch;
struct table_store;

struct header {
    const char *name;
    const char *value;
};

/* One look at what the service depends on: good; not as it should be, but it serves; not ready. */
enum service_health { SERVICE_PASS, SERVICE_WARN, SERVICE_FAIL };

#define SERVICE_CHECKS_MAX       16
#define SERVICE_CHECK_DETAIL_MAX 128 /* bytes of a check's detail, with its end */

struct service_check {
    const char *name; /* static storage */
    enum service_health health;
    char detail[SERVICE_CHECK_DETAIL_MAX]; /* a few words with numbers */
};

/* What an operator may set that handlers need. Read-only while the server runs. */
struct service {
    size_t body_bytes_max;     /* of a request's body */
    uint64_t result_bytes_max; /* of all tensors of one result */
    size_t memory_bytes_max; /* that one request may use for parameters, plans and input tensors */
    struct table_store *tables; /* the operator's files of tensors; NULL: there are none */
    bool needs_token; /* for all but what request_is_open() lets pass; told by /openapi.json */
    bool has_operators_listener;     /* metrics are told there, and to nobody else */
    bool (*is_ready)(void *context); /* NULL: always */
    /* Fills the checks that readiness consists of, and returns how many; the service is ready when
     * none of them fails. NULL: there are none. */
    size_t (*read_checks)(void *context, struct service_check checks[SERVICE_CHECKS_MAX]);
    /* Writes the page of metrics, without its last line end: OpenMetrics 1.0, or the Prometheus
     * text format 0.0.4. NULL: there are none. */
    void (*write_metrics)(void *context, bool is_openmetrics, struct json_text *text);
    void *context;
};

/* A request whose head and body have arrived. Strings end in a NUL byte and outlive the response.
 */
struct request {
    const char *method;           /* as sent: "GET" */
    const char *path;             /* as sent, percent escapes not decoded, without the query */
    const char *query;            /* what stands behind '?', not decoded; "" when there is none */
    const struct header *headers; /* names compare without case */
    size_t header_count;
    const char *body; /* body_size bytes; not ended by a NUL byte */
    size_t body_size;
    /* Asked before long work and before memory grows, and until the response is released; NULL:
     * nobody is. A request that it stops is answered with 503, and may be handled again. */
    const struct posenc_watch *watch;
    bool is_secure;    /* it came over TLS */
    bool is_operators; /* it came by the listener for operators, who are served by no other route */
    char id[REQUEST_ID_MAX]; /* the request id, echoed as `instance` in problems */
};

/* The first header of that name, or NULL. */
const char *request_header(const struct request *request, const char *name);

/*
 * A response that is pulled: read() writes up to `size` bytes of the body from `offset` on and
 * returns how many, 0 at the end, or -1 when nothing more can come (the connection is then cut).
 * size is at least 1. Offsets rise without gaps; read() is called by one thread at a time, and
 * never when the body is not wanted (HEAD).
 */
struct response {
    unsigned status;
    struct header headers[RESPONSE_HEADERS_MAX]; /* Content-Type among them; Content-Length is the
                                                    server's to write */
    size_t header_count;
    uint64_t length; /* of the body, or RESPONSE_LENGTH_UNKNOWN */
    ssize_t (*read)(void *state, uint64_t offset, char *buffer, size_t size);
    void *state;
    uint64_t byte_ps; /* about what a byte of the body takes to make, in picoseconds */
    const char
        *route; /* the route's template, for logs and metrics: "/v1/{encoding}"; static storage */
    const char *problem; /* the slug of the problem document that it is, or NULL; static storage */
    void *exchange;      /* private to handlers: what response_release() frees */
};

/*
 * Answers a request. Always leaves a sendable response, also when memory is out; response_release()
 * must follow once it has been sent. Thread-safe: keeps nothing between calls.
 */
void handle_request(const struct service *service, const struct request *request,
                    struct response *response);

/*
 * What can be said before the body arrives: true when the request would be refused whatever its
 * body is (no such route, method not allowed, body too large as `content_length` announces it;
 * UINT64_MAX: not announced). The response is then filled, as by handle_request().
 */
bool handle_head(const struct service *service, const struct request *request,
                 uint64_t content_length, struct response *response);

/* Whether it needs no token: it is for a probe, which says next to nothing, or for the explorer,
 * whose files are the same everywhere. */
bool request_is_open(const struct request *request);

/*
 * A problem that the server itself found: status, a slug such as "too-many-connections" (of static
 * storage), one sentence; and a limit when `limit` is not 0. Never fails.
 */
void respond_problem(const struct request *request, unsigned status, const char *slug,
                     const char *detail, uint64_t limit, struct response *response);

/* Adds a header; both strings must outlive the response. False when there is no room. */
bool response_add_header(struct response *response, const char *name, const char *value);

/* Whether there is a header of that name. */
bool response_has_header(const struct response *response, const char *name);

/* Frees what the response holds. Safe on a zeroed response, and twice. */
void response_release(struct response *response);

#endif
