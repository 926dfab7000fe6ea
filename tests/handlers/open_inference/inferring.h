/* Asking for inferences, with and without a route. */
#ifndef INFERRING_H
#define INFERRING_H

#include "answering.h"
#include "ask.h"
#include "inference_context.h"

/* Of one test: a context whose answer is answering_response's. Its model is `rope.apply`. */
extern struct inference_context inferring;
extern struct service inferring_service;

void inferring_begin(void);
#define INFERRING_SUITE(name) TestSuite(name, .init = inferring_begin, .fini = answering_end)

/* The problem that was answered, which must be one of that status. */
const json_t *refused(unsigned status);

/* POST /v2/models/MODEL/infer with JSON alone. */
struct answer infer_json(const char *model, const char *json);

/* The same with bytes behind the JSON, whose length the header tells. */
struct answer infer_bytes(const char *model, const char *json, const void *bytes, size_t size);

/* The same with the header as it is given, or without one. */
struct answer infer_headed(const char *target, const char *header, const void *body, size_t size);

/* An answer with bytes behind its JSON, taken apart. */
struct inferred {
    json_t *head; /* release it */
    const char *bytes;
    size_t size;
};

struct inferred take_apart(const struct answer *answer);

/* A member's text in an answer's JSON, or in an item of it. */
const char *text_of(const json_t *object, const char *member);

/* The output of that name. */
const json_t *output_of(const json_t *head, const char *name);

#endif
