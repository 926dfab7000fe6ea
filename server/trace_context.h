/*
 * W3C Trace Context: the trace that a request belongs to, for the log. This server calls nobody, so
 * nothing is passed on, and the standard has no header for answers.
 */
#ifndef TRACE_CONTEXT_H
#define TRACE_CONTEXT_H

#include <stdbool.h>

#include "exchange.h"
#include "request_id.h"

#define TRACE_ID_MAX    33 /* bytes of a trace's id, with its end */
#define TRACE_SPAN_MAX  REQUEST_ID_SPAN_MAX
#define TRACE_FLAGS_MAX 3   /* bytes of the flags, with their end */
#define TRACE_STATE_MAX 512 /* bytes of a tracestate that are looked at */

/* Texts are "" when there is no valid traceparent. */
struct trace_context {
    char trace_id[TRACE_ID_MAX];
    char parent_id[TRACE_SPAN_MAX]; /* of the caller's span */
    char span_id[TRACE_SPAN_MAX];   /* of ours, new */
    char flags[TRACE_FLAGS_MAX];
    const char *state; /* the tracestate as sent, NULL without one; lives as long as the headers */
};

/* Reads the headers (section 3.2); anything malformed counts as absent, as the standard wants. */
void trace_context_read(const struct request *request, struct request_id_pool *pool,
                        struct trace_context *context);

#endif
