#include "trace_context.h"

#include <string.h>
#include <strings.h>

/* version "-" trace-id "-" parent-id "-" flags */
#define TRACE_VERSION_DIGITS 2
#define TRACE_ID_AT          3
#define TRACE_ID_DIGITS      32
#define TRACE_PARENT_AT      36
#define TRACE_PARENT_DIGITS  16
#define TRACE_FLAGS_AT       53
#define TRACE_FLAGS_DIGITS   2
#define TRACE_PARENT_SIZE    55 /* of version 00; later ones may be longer, behind another dash */

/* Lower case alone, section 3.2.2. */
static bool trace_is_hex(const char *text, size_t digits)
{
    return strspn(text, "0123456789abcdef") >= digits;
}

static bool trace_is_id(const char *text, size_t digits)
{
    return trace_is_hex(text, digits) && strspn(text, "0") < digits;
}

static bool trace_is_parent(const char *text)
{
    const size_t size = strlen(text);
    const bool is_first_version = strncmp(text, "00", TRACE_VERSION_DIGITS) == 0;

    if (size < TRACE_PARENT_SIZE || text[2] != '-' || text[35] != '-' || text[52] != '-')
        return false;
    if (size > TRACE_PARENT_SIZE && (is_first_version || text[TRACE_PARENT_SIZE] != '-'))
        return false;
    return trace_is_hex(text, TRACE_VERSION_DIGITS) &&
           strncmp(text, "ff", TRACE_VERSION_DIGITS) != 0 &&
           trace_is_id(text + TRACE_ID_AT, TRACE_ID_DIGITS) &&
           trace_is_id(text + TRACE_PARENT_AT, TRACE_PARENT_DIGITS) &&
           trace_is_hex(text + TRACE_FLAGS_AT, TRACE_FLAGS_DIGITS);
}

/* The only header of that name; NULL when there is none, or several. */
static const char *trace_find(const struct request *request, const char *name)
{
    const char *found = NULL;

    for (size_t i = 0; i < request->header_count; i++) {
        if (strcasecmp(request->headers[i].name, name) != 0)
            continue;
        if (found)
            return NULL;
        found = request->headers[i].value;
    }
    return found;
}

static void trace_copy(char *to, const char *from, size_t digits)
{
    memcpy(to, from, digits);
    to[digits] = '\0';
}

void trace_context_read(const struct request *request, struct request_id_pool *pool,
                        struct trace_context *context)
{
    const char *parent = trace_find(request, "traceparent");

    memset(context, 0, sizeof(*context));
    if (!parent || !trace_is_parent(parent))
        return;
    trace_copy(context->trace_id, parent + TRACE_ID_AT, TRACE_ID_DIGITS);
    trace_copy(context->parent_id, parent + TRACE_PARENT_AT, TRACE_PARENT_DIGITS);
    trace_copy(context->flags, parent + TRACE_FLAGS_AT, TRACE_FLAGS_DIGITS);
    request_id_make_span(pool, context->span_id);
    context->state = trace_find(request, "tracestate");
    if (context->state && strlen(context->state) > TRACE_STATE_MAX)
        context->state = NULL;
}
