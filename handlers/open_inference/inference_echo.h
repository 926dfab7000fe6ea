/* The `parameters` of an answer. */
#ifndef POSENC_INFERENCE_ECHO_H
#define POSENC_INFERENCE_ECHO_H

#include "json_text.h"

/*
 * Writes the member `parameters`: every parameter that shaped the result, so that a request can
 * send them again. The protocol's parameters are numbers, truths and texts, so lists and objects
 * are their JSON in a text, which requests may send, too; null is the text "null". What followed
 * from them (`derived`) and `warnings` are one such text each, where there are any.
 */
void write_inference_echo(struct json_text *text, const struct posenc_result *result);

#endif
