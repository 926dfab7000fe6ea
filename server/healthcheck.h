/* posencd --healthcheck: asks a running server whether it is ready, so that an image needs no curl.
 */
#ifndef HEALTHCHECK_H
#define HEALTHCHECK_H

#include <stdbool.h>

#include "address.h"

/* True when GET /readyz at the address a server listens at is answered with 200. */
bool healthcheck_passes(const struct address *listening);

#endif
