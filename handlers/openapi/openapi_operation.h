/* The path item of an operation: GET with its parameters in the query, POST with a body. */
#ifndef POSENC_OPENAPI_OPERATION_H
#define POSENC_OPENAPI_OPERATION_H

#include "openapi_walk.h"

/* A member of `paths`; may be an openapi_visit. */
void openapi_write_operation(const struct openapi *openapi,
                             const struct openapi_operation *operation);

#endif
