/* The paths: one for each operation, and one for each route that answers with a document. */
#ifndef POSENC_OPENAPI_PATHS_H
#define POSENC_OPENAPI_PATHS_H

#include "openapi_writing.h"

/* The member `paths`. */
void openapi_write_paths(const struct openapi *openapi);

#endif
