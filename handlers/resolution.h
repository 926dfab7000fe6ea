/* A model's resolved configuration as JSON. */
#ifndef POSENC_RESOLUTION_H
#define POSENC_RESOLUTION_H

#include "json_text.h"
#include "posenc_models.h"
#include "python_tokens.h"

/* Writes the members of an answer of posenc_resolve() into the object that is open, with a warning
 * for each token that is kept; tokens may be NULL. */
void write_resolution(struct json_text *text, const struct posenc_value *answer,
                      const struct python_tokens *tokens);

#endif
