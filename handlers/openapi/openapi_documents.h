/* Routes that answer with a document of their own. */
#ifndef POSENC_OPENAPI_DOCUMENTS_H
#define POSENC_OPENAPI_DOCUMENTS_H

#include "openapi_writing.h"

/* What a route answers with, and what it reads. Those that are not listed answer with some object.
 */
struct openapi_document {
    const char *path;   /* the route's template */
    const char *schema; /* of its JSON; a text is some string */
    bool takes_pretty;
    bool is_busy_too; /* its 503 is such a document, too */
    bool takes_verbose;
    const char *const *media_types; /* NULL-terminated; NULL: JSON alone */
    const char *request; /* the schema of a body of the Open Inference Protocol; NULL: another */
};

#define OPENAPI_REFERENCE(name) "{\"$ref\":\"#/components/schemas/" name "\"}"
#define OPENAPI_LIST_OF(name)   "{\"type\":\"array\",\"items\":" OPENAPI_REFERENCE(name) "}"

/* Members of components.schemas that the documents refer to. */
void openapi_write_document_schemas(struct json_text *text);

/* The path item of such a route. */
void openapi_write_document(const struct openapi *openapi, const struct route *route);

#endif
