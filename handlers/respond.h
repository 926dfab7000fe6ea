/* Responses whose bytes are at hand: an exchange's text, or what is left to say without memory. */
#ifndef POSENC_RESPOND_H
#define POSENC_RESPOND_H

#include "exchange.h"

/* Answers with the text of the response's exchange, which has begun, and a line end. False when the
 * writing of the text has failed, and the answer is respond_no_memory(). */
bool respond_text(unsigned status, const char *media_type, struct response *response);

/* Whether a path, or a route's template, is one of the Open Inference Protocol: problems then have
 * the member `error` besides. */
bool path_is_inference(const char *path);

/* The 503 that needs no memory at all. */
void respond_no_memory(struct response *response);

#endif
