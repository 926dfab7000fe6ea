/* What /readyz looks at, as rows of data: a new check is one row in readiness.c and its function.
 */
#ifndef READINESS_H
#define READINESS_H

#include <stdbool.h>
#include <stddef.h>

#include "exchange.h"

/* As struct service asks for them; context is the server. By any thread. Only a check of a state in
 * which requests should go elsewhere fails: one that is merely full passes again in a moment, and
 * taking a full replica away would fill the others. */
bool readiness_is_given(void *context);
size_t readiness_read(void *context, struct service_check checks[SERVICE_CHECKS_MAX]);

#endif
