/* Tensors that a request names instead of sending them. */
#ifndef POSENC_STORED_TENSORS_H
#define POSENC_STORED_TENSORS_H

#include "exchange_memory.h"
#include "posenc.h"

/*
 * Gives every bound tensor that rows name by file (posenc_parameter.stored_by) its array out of the
 * service's tables, which the exchange then keeps alive. The names stay as they are, so that the
 * echo can be repeated; that of a file's only tensor is added.
 */
enum posenc_status take_stored_tensors(const struct service *service, struct exchange *exchange,
                                       struct posenc_arguments *arguments,
                                       struct posenc_problem *problem);

#endif
