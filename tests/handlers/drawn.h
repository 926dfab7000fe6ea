/* Requests drawn from the rows of an operation: the same seed makes the same request. */
#ifndef DRAWN_H
#define DRAWN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "posenc.h"

/* The next number of a sequence, below `limit`. */
size_t drawn_below(uint64_t *seed, size_t limit);

/* An operation as requests see it. */
struct drawn_call {
    const char *path;
    const struct posenc_parameter *const *groups; /* NULL-terminated */
    const struct posenc_parameter *const *more;   /* rows beside these; or NULL */
    const struct posenc_preset *presets;          /* or NULL */
};

/* Adds to the body, a JSON object, what the service says is missing, and draws anew what it
 * refuses. False when no admissible request was found. */
bool draw_needed(const struct drawn_call *call, uint64_t *seed, json_t *body);

/* The same, and then parameters that are not needed, where they leave the request admissible. */
bool draw_request(const struct drawn_call *call, uint64_t *seed, json_t *body);

#endif
