/* Responses whose bytes are at hand: an exchange's text, or what is left to say without memory. */
#ifndef POSENC_RESPOND_H
#define POSENC_RESPOND_H

#include "exchange.h"

/* Answers with the text of the response's exchange, which has begun, and a line end. False when the
 * writing of the text has failed, and the answer is respond_no_memory(). */
bool respond_text(unsigned status, const char *media_type, struct response *response);

/* The 503 that needs no memory at all. */
void respond_no_memory(struct response *response);

#endif
