/* Which of a result's tensors an inference gives, and how. */
#ifndef POSENC_INFERENCE_OUTPUTS_H
#define POSENC_INFERENCE_OUTPUTS_H

#include "inference_request.h"

/* The outputs, in order. */
struct inference_outputs {
    struct posenc_result result; /* the result with these tensors alone */
    bool is_binary[POSENC_TENSORS_MAX];
    size_t binary_count;
};

/* Selects what the request asks for. False when it has answered with a problem: an output that the
 * result does not have, or one that is asked for twice. */
bool select_inference_outputs(const struct inference_context *context,
                              const struct inference_request *request,
                              const struct posenc_result *result,
                              struct inference_outputs *outputs);

#endif
