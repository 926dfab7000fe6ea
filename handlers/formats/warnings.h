/* A result's warnings as JSON text: for the document, and for metadata of other formats. */
#ifndef POSENC_FORMATS_WARNINGS_H
#define POSENC_FORMATS_WARNINGS_H

#include "json_text.h"
#include "posenc.h"

/* [{"parameter": ..., "detail": ...}, ...], POSENC_WARNINGS_MAX of them at the most. */
void json_text_warnings(struct json_text *text, const struct posenc_result *result);

#endif
