/* Conditional requests (RFC 9110, section 13): what a client says that it has already. */
#ifndef POSENC_CONDITIONAL_H
#define POSENC_CONDITIONAL_H

#include "exchange.h"

/* Whether If-None-Match names this tag, with its quotes; comparison is weak, "*" names none. What
 * cannot be read ends the list. */
bool has_tag(const struct request *request, const char *tag);

/* Whether If-None-Match is "*": any representation will do. */
bool has_any(const struct request *request);

/* Whether a range may be answered with a part: If-Range is missing, or is this very tag, which is
 * strong (NULL: there is none). A date is never met, since nothing here has one. */
bool may_continue(const struct request *request, const char *tag);

#endif
