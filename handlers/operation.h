/* Running an operation of the library: of an encoding, a tool, or a quantity of analysis. */
#ifndef POSENC_OPERATION_H
#define POSENC_OPERATION_H

#include "exchange.h"
#include "posenc.h"

/*
 * Reads the request's parameters, binds and plans the operation, and answers with its tensors in
 * the representation that the client wants, or with a problem. The exchange has begun. `encoding`
 * is NULL for a tool, and for a quantity, whose request names the encoding.
 */
void run_operation(const struct service *service, const struct request *request,
                   const struct posenc_encoding *encoding, const struct posenc_operation *operation,
                   struct response *response);

#endif
