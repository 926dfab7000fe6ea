/* What the library, a reader of bodies or the request's watch refused, as the problem it is. */
#ifndef POSENC_REFUSAL_H
#define POSENC_REFUSAL_H

#include "body_problem.h"
#include "exchange.h"
#include "posenc.h"

/* What the library refused. `limit` is the result's limit in bytes, told where the result is too
 * large. */
void respond_library_problem(const struct request *request, const struct posenc_problem *problem,
                             uint64_t limit, struct response *response);

/* What a body or a query could not be read for. */
void respond_body_problem(const struct request *request, const struct body_problem *problem,
                          const char *slug, struct response *response);

/* True, and the response a problem, when work of about so many nanoseconds may not begin. The
 * exchange has begun. */
bool respond_if_stopped(const struct request *request, uint64_t nanoseconds,
                        struct response *response);

#endif
