/* The handlers of /v1/resolve and /v1/models, and what they share: a resolved configuration as
 * JSON. */
#ifndef POSENC_RESOLUTION_H
#define POSENC_RESOLUTION_H

#include "handlers.h"
#include "json_text.h"
#include "posenc_models.h"
#include "python_tokens.h"

/* resolve.c */
HANDLER(handle_resolve);

/* models.c */
HANDLER(handle_models);
HANDLER(handle_model);

/* Writes the members of an answer of posenc_resolve() into the object that is open, with a warning
 * for every token; tokens may be NULL. */
void write_resolution(struct json_text *text, const struct posenc_value *answer,
                      const struct python_tokens *tokens);

/*
 * What the query asks of a document: pretty. Any other name has been answered with a problem, and
 * false is returned.
 */
bool read_document_query(const struct request *request, bool *pretty, struct response *response);

/* Answers 200 with the JSON document in the exchange's text, indented where that was asked for. */
void respond_json(const struct request *request, bool pretty, struct response *response);

#endif
