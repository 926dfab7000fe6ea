/* The parameters of a request, from its query string and its body: one object, whichever way they
 * came. */
#ifndef POSENC_PARAMETERS_H
#define POSENC_PARAMETERS_H

#include "exchange.h"
#include "posenc.h"

/*
 * Reads the parameters of an operation whose rows are `groups` (NULL-terminated, as an operation
 * has them). A body is a JSON object of them, or brings tensors in a binary form: an npy body is
 * the operation's first required tensor, or its first; those of a safetensors body bear names.
 * Their data may stay in the body. Tensors that all are float16, or all bfloat16, then set the
 * parameter `dtype` where the operation has one and the query has not.
 *
 * False when it has answered with a problem instead. The object lives in the response's exchange.
 */
bool read_parameters(const struct request *request, const struct posenc_parameter *const *groups,
                     struct posenc_value *parameters, struct response *response);

/*
 * Adds the member `dtype` to an object of parameters, unless `given` has it: where all members that
 * are tensors have one half type, and the operation can keep it. False when memory is out.
 */
bool keep_half(const struct posenc_parameter *const *groups, const struct posenc_value *given,
               struct posenc_memory *memory, struct posenc_value *parameters);

#endif
