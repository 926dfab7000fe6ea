/* The explorer: a page for a browser, constant, that asks the other routes for all that it shows.
 */
#ifndef POSENC_EXPLORER_H
#define POSENC_EXPLORER_H

#include <stdint.h>

#include "route.h"

/* A file of the page, as it is served. */
struct explorer_file {
    const char *name; /* below /explorer/; of the page itself, which is at /, too */
    const char *media_type;
    const char *bytes; /* not ended by a NUL byte */
    const uint64_t *size;
};

/* The page, and then what it asks for; NULL past the last. */
const struct explorer_file *explorer_file_at(size_t index);

/* Answers with the page. The exchange has begun. */
void respond_explorer(const struct request *request, struct response *response);

#endif
