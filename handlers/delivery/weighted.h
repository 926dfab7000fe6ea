/* List headers whose elements bear weights: "gzip;q=0.5, *" (RFC 9110, sections 5.6.1, 12.4.2). */
#ifndef POSENC_WEIGHTED_H
#define POSENC_WEIGHTED_H

#include "exchange.h"

#define WEIGHTED_MAX 64 /* elements of one list that are looked at; more are ignored */

/* One element: what stands before its parameters, not ended by a NUL byte. */
struct weighted {
    const char *name;
    size_t length;
    int quality; /* the parameter q in thousandths; 1000 without one, 0 where it is malformed */
};

/* A list, which all headers of one name make together. */
struct weighted_list {
    const struct request *request;
    const char *header;
    size_t next_header, seen;
    const char *at; /* in the value of the header before, or NULL */
};

void weighted_begin(struct weighted_list *list, const struct request *request, const char *header);

/* The next element; false past the last. Empty elements are passed over. */
bool weighted_next(struct weighted_list *list, struct weighted *element);

#endif
