/* What an inference request says in its JSON, before any tensor's data is looked at. */
#ifndef POSENC_INFERENCE_REQUEST_H
#define POSENC_INFERENCE_REQUEST_H

#include "inference_body.h"
#include "inference_context.h"
#include "inference_datatype.h"

#define INFERENCE_INPUTS_MAX  256 /* of one request */
#define INFERENCE_OUTPUTS_MAX POSENC_TENSORS_MAX

/* A tensor that comes in. */
struct inference_input {
    const char *name;
    const struct inference_datatype *datatype;
    struct posenc_array array;       /* its shape, which can be counted; no dtype and no data yet */
    const struct posenc_value *data; /* as the JSON has it; NULL where that has none */
    bool is_binary;                  /* its bytes stand behind the JSON */
    uint64_t binary_size;            /* so many of them, as the JSON says */
};

/* A tensor that is asked for. */
struct inference_output {
    const char *name;
    bool is_binary;
};

struct inference_request {
    const char *id;                          /* NULL: none */
    const struct posenc_members *parameters; /* the protocol's own among them; NULL: none */
    size_t input_count, output_count;
    struct inference_input *inputs;
    struct inference_output *outputs; /* in their order; output_count 0: all */
    bool are_outputs_binary;          /* where an output does not say it itself */
};

/* Whether a parameter of a request is the protocol's own, and not the model's. */
bool inference_parameter_is_reserved(const char *name);

/* Reads the JSON of a body that has some. False when it has answered with a problem instead. */
bool read_inference_request(const struct inference_context *context,
                            const struct inference_body *body, struct inference_request *request);

#endif
