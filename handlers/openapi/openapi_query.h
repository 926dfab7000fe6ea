/* A list of rows as query parameters: lists separated by commas, members of objects under dotted
 * names. */
#ifndef POSENC_OPENAPI_QUERY_H
#define POSENC_OPENAPI_QUERY_H

#include "openapi_rows.h"

/* Elements of an array `parameters`. */
void openapi_write_query(const struct openapi *openapi, const struct openapi_row *rows);

/* Members of components.parameters for shared rows. */
void openapi_write_shared_parameters(const struct openapi *openapi);

#endif
