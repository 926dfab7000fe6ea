/*
 * A whole answer written past the library, for where it cannot write one: while a request is still
 * arriving, and when a head has left no memory for the answer's. Nothing may have been answered to
 * the request before, and the connection must be closed after.
 */
#ifndef CANNED_H
#define CANNED_H

#include <stddef.h>

#define CANNED_TEXT_MAX 1024 /* bytes of an answer, with its end */

struct canned {
    unsigned status;
    const char *reason; /* of the status line, and the problem's title */
    const char *slug;
    const char *detail;
};

/* Writes a problem document with its head; returns how many bytes it has. */
size_t canned_write(const struct canned *canned, char text[CANNED_TEXT_MAX]);

#endif
