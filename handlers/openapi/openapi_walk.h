/* The operations that a route's template stands for. */
#ifndef POSENC_OPENAPI_WALK_H
#define POSENC_OPENAPI_WALK_H

#include "openapi_rows.h"
#include "openapi_writing.h"

/* An operation at its path. */
struct openapi_operation {
    char path[OPENAPI_PATH_MAX];
    char id[OPENAPI_PATH_MAX]; /* as openapi_fill_id() makes it */
    const char *tag;
    unsigned methods;
    const struct posenc_encoding *encoding; /* NULL: of none */
    const struct posenc_operation *operation;
    struct openapi_rows rows;
};

typedef void openapi_visit(const struct openapi *openapi,
                           const struct openapi_operation *operation);

/* Visits each operation that the route's template stands for; false when it stands for none. */
bool openapi_walk(const struct openapi *openapi, const struct route *route, openapi_visit *visit);

#endif
