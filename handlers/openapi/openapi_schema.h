/* The JSON Schema of what rows take: of one, and of an object of many. */
#ifndef POSENC_OPENAPI_SCHEMA_H
#define POSENC_OPENAPI_SCHEMA_H

#include "openapi_rows.h"
#include "openapi_values.h"

/* Opens a row's schema; the caller may add members, and ends the object. */
void openapi_begin_schema(const struct openapi *openapi, const struct openapi_row *item,
                          enum openapi_place place);

/*
 * The members of an object's schema: properties and what is required. A property that bears an
 * alias refers to `base`, which points to the properties; where that is NULL it is written again.
 */
void openapi_write_members(const struct openapi *openapi, const struct openapi_row *rows,
                           const char *base);

/* Members of components.schemas for shared rows; their names start with "parameter.". */
void openapi_write_shared_schemas(const struct openapi *openapi);

#endif
