/* The headers that a result comes with. */
#ifndef POSENC_OPENAPI_HEADERS_H
#define POSENC_OPENAPI_HEADERS_H

#include "json_text.h"

/* The object of headers of a response, referring to the components. */
void openapi_write_result_headers(struct json_text *text);

/* The same as members of components.headers. */
void openapi_write_headers(struct json_text *text);

#endif
