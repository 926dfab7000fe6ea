/* Routes that answer with a document of their own. */
#ifndef POSENC_OPENAPI_DOCUMENTS_H
#define POSENC_OPENAPI_DOCUMENTS_H

#include "openapi_writing.h"

/* Members of components.schemas that the documents refer to. */
void openapi_write_document_schemas(struct json_text *text);

/* The path item of such a route. */
void openapi_write_document(const struct openapi *openapi, const struct route *route);

#endif
