/* Which members an object must have. */
#ifndef POSENC_OPENAPI_REQUIRED_H
#define POSENC_OPENAPI_REQUIRED_H

#include "json_text.h"
#include "openapi_rows.h"

/*
 * The members `required` and `allOf` of the schema of an object that has these rows, where there is
 * something to say: a row with aliases, or with others that may stand for it, is required under any
 * one of those names.
 */
void openapi_write_required(struct json_text *text, const struct openapi_row *rows);

#endif
