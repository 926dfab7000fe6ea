/* Running an operation of the library: of an encoding, a tool, or a quantity of analysis. */
#ifndef POSENC_OPERATION_H
#define POSENC_OPERATION_H

#include "exchange.h"
#include "posenc.h"

/* What is asked for. */
struct call {
    const struct posenc_encoding *encoding; /* NULL for a tool, and for a quantity, whose request
                                               names the encoding */
    const struct posenc_operation *operation;
    const struct posenc_parameter
        *extra; /* rows of the caller's own, beside the operation's; NULL */
};

struct planned {
    struct posenc_arguments arguments;
    struct posenc_result result; /* its warnings begin with those about the model */
};

/*
 * Binds an object of parameters and plans the operation, in the response's exchange, which has
 * begun. The parameters of a model that they name take its place. NULL when it has answered with a
 * problem instead.
 */
const struct planned *plan_operation(const struct service *service, const struct request *request,
                                     const struct call *call, struct posenc_value *parameters,
                                     struct response *response);

/*
 * Reads the request's parameters, binds and plans the operation, and answers with its tensors in
 * the representation that the client wants, or with a problem. The exchange has begun. `encoding`
 * is NULL for a tool, and for a quantity, whose request names the encoding.
 */
void run_operation(const struct service *service, const struct request *request,
                   const struct posenc_encoding *encoding, const struct posenc_operation *operation,
                   struct response *response);

#endif
