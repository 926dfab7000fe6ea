/*
 * Whether a head is what its parts say. libmicrohttpd 0.9.75 cuts a head up in place, with NUL
 * bytes behind each part, and takes other NUL bytes for its own: a line that begins with one, or
 * with a colon, ends the head, so that a proxy and we would see different requests; and a folded
 * line (RFC 9112, 5.2) goes to the name of the field before it, which can so become Content-Length.
 * All of that shows in where the parts stand. Newer libraries refuse it themselves.
 */
#ifndef HEAD_LAYOUT_H
#define HEAD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "exchange.h"

/* Where the library says the parts are. They are compared, and read only within the head. */
struct head_layout {
    const char *method; /* where the head begins */
    size_t size;        /* of the head, its empty line included */
    const char *url;
    size_t target_length; /* as sent, with its query */
    const char *version;
    const struct header *headers;
    size_t header_count;
};

/* The request line is not three words with single blanks between them. */
bool head_layout_has_odd_line(const struct head_layout *layout);

/* Other bytes stand in the head than names, colons, blanks, values and line ends. */
bool head_layout_has_odd_fields(const struct head_layout *layout);

#endif
