/*
 * A whole answer written past the library, for where it cannot write one: while a request is still
 * arriving, and when a head has left no memory for the answer's. Nothing may have been answered to
 * the request before, and the connection must be closed after.
 */
#ifndef CANNED_H
#define CANNED_H

struct canned {
    unsigned status;
    const char *reason; /* of the status line, and the problem's title */
    const char *slug;
    const char *detail;
};

/* Sends a problem document. Best effort: a client that takes nothing now is not waited for. */
void canned_send(int fd, const struct canned *canned);

#endif
