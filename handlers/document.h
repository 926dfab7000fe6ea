/* Routes that answer with a document: what their query asks for, and the answer. */
#ifndef POSENC_DOCUMENT_H
#define POSENC_DOCUMENT_H

#include "exchange.h"

/*
 * What the query asks of a document: pretty. Any other name has been answered with a problem, and
 * false is returned. The exchange has begun.
 */
bool read_document_query(const struct request *request, bool *pretty, struct response *response);

/* Answers with the document written into the exchange's text; status 503 instead when the
 * writing failed. One of status 200 may be kept by caches unless Cache-Control is there already. */
void respond_document(const struct request *request, unsigned status, const char *media_type,
                      struct response *response);

/* Answers 200 with the JSON document in the exchange's text, indented where that was asked for. */
void respond_json(const struct request *request, bool pretty, struct response *response);

#endif
