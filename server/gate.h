/*
 * What a request's head must satisfy before a handler sees it. libmicrohttpd 0.9.75 lets pass what
 * RFC 9112 forbids, some of it good for smuggling a request past a proxy; this is the second look.
 */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exchange.h"

#define GATE_HEADERS_MAX 100 /* header fields of one request */

/* A head as it arrived. */
struct gate_head {
    const char *method;
    const char *version; /* "HTTP/1.1" */
    const char *target;  /* the request target, escapes not decoded */
    const struct header *headers;
    size_t header_count;       /* as sent; at most GATE_HEADERS_MAX of them are in headers */
    bool has_odd_request_line; /* more than single blanks between its three words, or a NUL byte */
    bool has_odd_fields;       /* NUL bytes or folded lines among the fields */
    size_t memory_bytes;       /* that the library has for this head and the answer's */
};

/* Why a head is refused: what a problem document says. */
struct gate_refusal {
    unsigned status;
    const char *slug;
    const char *detail;
};

/* The first reason to refuse the head, or NULL. */
const struct gate_refusal *gate_check(const struct gate_head *head);

/* What a head that passed says about its body. */
struct gate_body {
    uint64_t content_length; /* UINT64_MAX for a chunked body */
    bool is_chunked;
    bool awaits_continue; /* the client wants to hear 100 before it sends */
};

struct gate_body gate_read_body(const struct gate_head *head);

#endif
