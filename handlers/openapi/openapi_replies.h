/* The results of operations: a JSON document that holds all tensors, and the other formats. */
#ifndef POSENC_OPENAPI_REPLIES_H
#define POSENC_OPENAPI_REPLIES_H

#include "openapi_writing.h"

/* Members of `components.responses`: the result of each operation, by its id. */
void openapi_write_replies(const struct openapi *openapi);

#endif
