/* The content coding of a request's body. */
#ifndef POSENC_BODY_CODING_H
#define POSENC_BODY_CODING_H

#include "exchange.h"

enum body_coding { BODY_CODING_IDENTITY, BODY_CODING_GZIP, BODY_CODING_OTHER };

/* What its Content-Encoding headers announce together; several codings are BODY_CODING_OTHER. */
enum body_coding body_coding_of(const struct request *request);

/*
 * Makes `plain` the request as if it had been sent without a coding; the body then lives in the
 * response's exchange. False when it has answered with a problem instead.
 */
bool unpack_body(const struct service *service, const struct request *request,
                 struct request *plain, struct response *response);

#endif
