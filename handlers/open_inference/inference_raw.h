/* A raw request: a body that is nothing but the bytes of the model's one input. */
#ifndef POSENC_INFERENCE_RAW_H
#define POSENC_INFERENCE_RAW_H

#include "inference_request.h"

/*
 * Makes the request that the bytes stand for. The input is the one that the model cannot do
 * without, or the only tensor or list that it has, in the datatype that it is announced with; its
 * shape may leave one length free, which the bytes tell. All outputs are wanted as bytes. False
 * when it has answered with a problem instead.
 */
bool make_raw_request(const struct inference_context *context, const struct inference_body *body,
                      struct inference_request *request);

#endif
