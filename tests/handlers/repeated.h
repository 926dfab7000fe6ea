/* Sending an echo: what an answer says it understood is a request for the same answer. */
#ifndef REPEATED_H
#define REPEATED_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Posts the body, a JSON object, and then what the answer says it understood, beside the tensors of
 * the body. Expects the same answer to the last byte; but warnings may be fewer, since what was
 * left out is not echoed. Where the path has GET and a query can say it, also by GET; and the same
 * text in the metadata of safetensors.
 */
void expect_repeated(const char *path, bool has_get, const json_t *body);

#endif
