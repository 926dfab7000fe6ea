/* What all parts of the document at /openapi.json are written with. */
#ifndef POSENC_OPENAPI_WRITING_H
#define POSENC_OPENAPI_WRITING_H

#include "json_text.h"
#include "route.h"

#define OPENAPI_PATH_MAX 160 /* bytes of a path, with its end */

/*
 * What the document is written from, and where it goes. Everything is written anew for each
 * request; no part is kept. Memory that runs out is noted in text->failed.
 */
struct openapi {
    struct json_text *text;
    struct posenc_memory *memory;
    const struct service *service;
    const struct request *request; /* whose sender sees the routes that there are for it */
    const struct route *routes;    /* ended by one without a path */
};

/* A named part that no row knows, as JSON text. */
struct openapi_part {
    const char *name;
    const char *json;
};

/* Members of the object that is open. */
void openapi_write_parts(struct json_text *text, const struct openapi_part *parts, size_t count);

/* {"$ref": "#/components/<kind>/<name>"} where a value is due. */
void openapi_write_reference(struct json_text *text, const char *kind, const char *name);

/* A path without its version, its braces and with dots: "rope.apply". */
void openapi_fill_id(const char *path, char id[OPENAPI_PATH_MAX]);

/* Opens a method's object: operationId, tag and summary. */
void openapi_begin_method(struct json_text *text, const char *method, const char *id,
                          const char *tag, const char *summary);

#endif
