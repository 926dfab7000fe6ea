/* Settings in the environment: POSENC_* and no other name that begins so. */
#ifndef SETTINGS_ENVIRONMENT_H
#define SETTINGS_ENVIRONMENT_H

#include "settings_row.h"

#define SETTINGS_ENVIRONMENT_MAX 64 /* bytes of a variable's name, with its end */

/* "max-body-bytes" is POSENC_MAX_BODY_BYTES in the environment. */
void settings_environment_name(const char *name, char out[SETTINGS_ENVIRONMENT_MAX]);

/* The value of a row's variable in an environment that ends in NULL; NULL when it is not there. */
const char *settings_environment_value(const struct settings_row *row, char *const environment[]);

/*
 * Takes every variable that a row has. One that begins with POSENC_ and belongs to no row is a
 * problem, but for those that Kubernetes and Docker make for a service or container of that name.
 */
bool settings_take_environment(char *const environment[], struct settings *settings,
                               char problem[SETTINGS_PROBLEM_MAX]);

/* POSENC_SERVICE_HOST, POSENC_PORT_8080_TCP and the like, for any service whose name begins so. */
bool settings_is_service_link(const char *name, const char *value);

#endif
