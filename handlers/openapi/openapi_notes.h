/* What is said of a row beside its values. */
#ifndef POSENC_OPENAPI_NOTES_H
#define POSENC_OPENAPI_NOTES_H

#include "json_text.h"
#include "openapi_rows.h"

/* A row's meaning and default as the member `description`, its aliases, and what it may be left out
 * for, as members of the object that is open. */
void openapi_write_notes(struct json_text *text, const struct openapi_row *item);

#endif
