/* The parameters of an inference: what the query, the request's parameters and its inputs say, as
 * one object. */
#ifndef POSENC_INFERENCE_PARAMETERS_H
#define POSENC_INFERENCE_PARAMETERS_H

#include "inference_request.h"

/*
 * Reads the query, the parameters of the request and all its inputs' data. Names may be dotted. A
 * text among the parameters is read as a query's is, so that it may stand for a number or a list of
 * them; one that starts with a bracket is JSON. An input is the parameter of its name: a tensor, a
 * list of numbers, or, of one element, a number or a truth. Tensors of one half type keep it, as in
 * bodies of /v1.
 *
 * False when it has answered with a problem instead.
 */
bool read_inference_parameters(const struct inference_context *context,
                               const struct inference_body *body,
                               const struct inference_request *request,
                               struct posenc_value *parameters);

#endif
