/* What the steps of one inference share, and how each of them refuses. */
#ifndef POSENC_INFERENCE_CONTEXT_H
#define POSENC_INFERENCE_CONTEXT_H

#include "body_problem.h"
#include "exchange.h"
#include "inference_model.h"

struct inference_context {
    const struct service *service;
    const struct request *request;
    struct response *response;    /* whose exchange has begun */
    struct posenc_memory *memory; /* the exchange's */
    struct inference_model model;
};

/*
 * inference_refuse(context, status, parameter, detail, ...) answers with a problem and is false;
 * `detail` is a format for one sentence. inference_refuse_body(context, problem) does so for what
 * is malformed, also when its memory is out, and inference_no_memory(context) for memory alone.
 * Macros, so that compilers and analyzers see that none is ever true.
 */
#define inference_refuse(context, ...) (inference_answer_refusal((context), __VA_ARGS__), false)
#define inference_refuse_body(context, problem)                                                    \
    (inference_answer_malformed((context), (problem)), false)
#define inference_no_memory(context) (inference_answer_no_memory(context), false)

void inference_answer_refusal(const struct inference_context *context, enum posenc_status status,
                              const char *parameter, const char *detail, ...)
    __attribute__((format(printf, 4, 5)));
void inference_answer_malformed(const struct inference_context *context,
                                const struct body_problem *problem);
void inference_answer_no_memory(const struct inference_context *context);

/*
 * Binds the members of an object to rows (a table), as a request's parameters are. A problem names
 * its parameter behind the path, "inputs.0", that is given, and its words begin with that path.
 */
bool inference_bind(const struct inference_context *context, const struct posenc_parameter *rows,
                    const char *path, const struct posenc_value *object,
                    struct posenc_arguments *arguments);

#endif
