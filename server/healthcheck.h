/* posencd --healthcheck: asks a running server whether it is ready, so that an image needs no curl.
 */
#ifndef HEALTHCHECK_H
#define HEALTHCHECK_H

#include <stdbool.h>

#include "settings.h"

/* True when GET /readyz, at the first address that a server of these settings listens at, is
 * answered with 200: that for operators where there is one. */
bool healthcheck_passes(const struct settings *settings);

#endif
