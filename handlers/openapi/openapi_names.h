/* Lists of names that schemas enumerate: NULL-terminated, in the memory; NULL when that is out. */
#ifndef POSENC_OPENAPI_NAMES_H
#define POSENC_OPENAPI_NAMES_H

#include "openapi_writing.h"
#include "posenc.h"

/* Of presets; also NULL where the encoding, which may be NULL, has none. */
const char *const *openapi_preset_names(const struct openapi *openapi,
                                        const struct posenc_encoding *encoding);
const char *const *openapi_format_names(const struct openapi *openapi);

/* What stands for a {variable} of a route's template: known names, their aliases too, except of
 * models of the Open Inference Protocol; NULL: any text. */
const char *const *openapi_variable_names(const struct openapi *openapi, const char *path,
                                          const char *variable);

/* The encodings that have a quantity, and their aliases. */
const char *const *openapi_served_names(const struct openapi *openapi,
                                        const struct posenc_operation *quantity);

#endif
