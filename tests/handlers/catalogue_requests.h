/* Requests made from the text of the catalogue alone. */
#ifndef CATALOGUE_REQUESTS_H
#define CATALOGUE_REQUESTS_H

#include <jansson.h>

/* The element of a list whose "name" this is, or NULL. */
const json_t *find_by_name(const json_t *list, const char *name);

/*
 * Adds to the body what the service says is missing, until it answers; `settings` are those of the
 * preset that the body names, or NULL. Asserts that it answers 200; returns the last status.
 */
unsigned grow_request(const char *path, const json_t *parameters, const json_t *settings,
                      json_t *body);

#endif
