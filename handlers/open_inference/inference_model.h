/*
 * The models of the Open Inference Protocol: every operation that has a path under /v1. A model's
 * name is that path with a dot for each slash, so that it is one segment of an address: /v1/rope is
 * `rope`, /v1/rope/apply is `rope.apply`, /v1/analysis/decay is `analysis.decay`. Its version is
 * the numeric version: what changes when any result does.
 */
#ifndef POSENC_INFERENCE_MODEL_H
#define POSENC_INFERENCE_MODEL_H

#include "posenc.h"
#include "route.h"

struct inference_model {
    const struct posenc_encoding *encoding; /* NULL: of none */
    const struct posenc_operation *operation;
    bool is_quantity;
};

/* The model of that name, aliases of encodings included; false when there is none. */
bool inference_model_find(const char *name, struct inference_model *model);

/* Models in the order of the catalogue; false past the last. */
bool inference_model_at(size_t index, struct inference_model *model);

/* Its canonical name. */
void inference_model_name(const struct inference_model *model, char name[ROUTE_VARIABLE_SIZE]);

/* The only version that there is, in digits. Static storage. */
const char *inference_model_version(void);

/* The encoding or the quantity that was probably meant, in static storage; NULL when the name has a
 * known one, or none is near. */
const char *inference_model_suggest(const char *name);

#endif
