/* The parameters of a request, from its query string and its JSON body: one object, whichever way
 * they came. */
#ifndef POSENC_PARAMETERS_H
#define POSENC_PARAMETERS_H

#include "exchange.h"
#include "posenc.h"

/* False when it has answered with a problem instead. The object lives in the response's exchange.
 */
bool read_parameters(const struct request *request, struct posenc_value *parameters,
                     struct response *response);

#endif
