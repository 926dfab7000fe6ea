/* The JSON Schema (2020-12) of the values that a row's type takes. */
#ifndef POSENC_OPENAPI_VALUES_H
#define POSENC_OPENAPI_VALUES_H

#include "json_text.h"
#include "openapi_rows.h"

enum openapi_place {
    OPENAPI_QUERY, /* flat texts */
    OPENAPI_BODY,  /* any JSON; null stands for the default */
};

/* Members of the schema that is open: type, range, choices and elements. Of an object its type
 * alone. */
void openapi_write_values(struct json_text *text, const struct openapi_row *item,
                          enum openapi_place place, bool or_null);

#endif
