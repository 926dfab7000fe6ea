/* What a request may be answered with instead of its whole result. */
#ifndef POSENC_OPENAPI_PROBLEMS_H
#define POSENC_OPENAPI_PROBLEMS_H

#include "openapi_writing.h"

enum openapi_case {
    OPENAPI_ALWAYS = 1,
    OPENAPI_WITH_BODY = 2,
    OPENAPI_WITH_PARAMETERS = 4,
    OPENAPI_WITH_VARIABLE = 8,  /* in the path */
    OPENAPI_WITH_TENSORS = 16,  /* in the reply */
    OPENAPI_CACHED = 32,        /* a reply that can be asked for again */
    OPENAPI_RANGED = 64,        /* a reply that parts can be had of */
    OPENAPI_WITH_OWN_503 = 128, /* which the caller has written */
    OPENAPI_GUARDED = 256,      /* by tokens */
};

/* Members of `responses` for a request of these cases, referring to the components. */
void openapi_write_refusals(struct json_text *text, unsigned cases);

/* The same as members of `components.responses`. */
void openapi_write_refusal_components(const struct openapi *openapi);

#endif
