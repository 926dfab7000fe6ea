/* Routes of the Open Inference Protocol. */
#ifndef POSENC_OPENAPI_INFERENCE_H
#define POSENC_OPENAPI_INFERENCE_H

#include "openapi_documents.h"

/* What such a route answers with and reads. */
const struct openapi_document *openapi_inference_document(const char *path);

/* Members of components.schemas that these refer to. */
void openapi_write_inference_schemas(struct json_text *text);

#endif
