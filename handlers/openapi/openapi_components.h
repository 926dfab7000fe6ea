/* What the document's parts share: schemas, parameters, headers, and the replies themselves. */
#ifndef POSENC_OPENAPI_COMPONENTS_H
#define POSENC_OPENAPI_COMPONENTS_H

#include "openapi_writing.h"

/* The member `components`. */
void openapi_write_components(const struct openapi *openapi);

#endif
