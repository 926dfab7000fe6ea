/* The body of an inference request: JSON, and behind it the bytes of tensors (the binary tensor
 * data extension). */
#ifndef POSENC_INFERENCE_BODY_H
#define POSENC_INFERENCE_BODY_H

#include "body_problem.h"
#include "exchange.h"

/* Names the bytes of JSON in a body that goes on behind it; in requests and in responses. */
#define INFERENCE_LENGTH_HEADER "Inference-Header-Content-Length"

/* As a 415 lists them in Accept-Post. */
#define INFERENCE_BODY_TYPES_TEXT "application/json, application/octet-stream"

struct inference_body {
    const char *bytes;
    size_t size;
    size_t json_size; /* the first of the bytes; the others belong to tensors */
    bool is_raw;      /* the header says 0: there is no JSON, all bytes are the one input's */
};

/* Whether the Content-Type, or its absence, fits a body of this kind. */
bool inference_body_is_readable(const struct request *request);

/* Splits the body; refuses a length that is no number or larger than the body. */
bool split_inference_body(const struct request *request, struct inference_body *body,
                          struct body_problem *problem);

/* Bytes of a body that are JSON; 0 where it cannot be split. */
size_t inference_json_size(const struct request *request);

#endif
