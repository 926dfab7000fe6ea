/* The data of a tensor that comes in: from the JSON, or from the bytes behind it. */
#ifndef POSENC_INFERENCE_TENSOR_H
#define POSENC_INFERENCE_TENSOR_H

#include "inference_request.h"

/*
 * Gives the input's array its dtype and its data, which may lie in the body. `path` is the input's,
 * "inputs.0". The bytes of inputs follow one another: *at is where this one's start, and then where
 * they end. False when it has answered with a problem: data that is missing, that stands in both
 * places, or that does not fit shape and datatype.
 */
bool take_inference_tensor(const struct inference_context *context,
                           const struct inference_body *body, const char *path,
                           struct inference_input *input, size_t *at);

#endif
