/* A request's body that came compressed, unpacked under limits that are checked on the way. */
#ifndef POSENC_INFLATE_H
#define POSENC_INFLATE_H

#include <stddef.h>

#include "posenc.h"

#define INFLATE_RATIO_MAX  256     /* bytes made of each byte that came, ... */
#define INFLATE_FREE_BYTES 1048576 /* ... which counts beyond this size */

enum inflate_outcome {
    INFLATE_OK,
    INFLATE_BROKEN,    /* not gzip, damaged, or cut off */
    INFLATE_TOO_LARGE, /* more than bytes_max */
    INFLATE_TOO_DENSE, /* more than the ratio allows */
    INFLATE_NO_MEMORY,
};

struct inflated {
    char *bytes; /* owned */
    size_t size, capacity;
};

/*
 * Unpacks gzip (RFC 1952), of one member or several. On INFLATE_OK the caller owns *inflated, for
 * inflated_release(); else it is untouched. No more than one byte past the lower limit is made. The
 * watch, which may be NULL, is asked before the bytes grow, and whether work may go on; where it
 * may not, the outcome is INFLATE_NO_MEMORY.
 */
enum inflate_outcome inflate_gzip(const char *packed, size_t packed_size, size_t bytes_max,
                                  const struct posenc_watch *watch, struct inflated *inflated);

/* Frees it, with the same watch; a zeroed one, too. */
void inflated_release(struct inflated *inflated, const struct posenc_watch *watch);

#endif
