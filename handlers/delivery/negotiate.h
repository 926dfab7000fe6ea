/* Content negotiation: which of several media types a client likes best. */
#ifndef POSENC_NEGOTIATE_H
#define POSENC_NEGOTIATE_H

#include "exchange.h"

/*
 * The best of the offered media types for these Accept headers (RFC 9110, section 12.5.1), as an
 * index into `offered`; the first when there are no Accept headers; -1 when none is acceptable.
 */
int negotiate(const struct request *request, const char *const *offered, size_t count);

#endif
