/* The handlers that routes name: one file per family. */
#ifndef POSENC_HANDLERS_H
#define POSENC_HANDLERS_H

#include "route.h"

/* index.c; whether the index is the explorer to the client, which anybody may have. */
bool index_is_page(const struct request *request);
HANDLER(handle_index);

/* probes.c */
HANDLER(handle_livez);
HANDLER(handle_readyz);
HANDLER(handle_version);

/* scrape.c */
HANDLER(handle_metrics);

/* catalogue.c */
HANDLER(handle_catalogue);
HANDLER(handle_catalogue_entry);
bool find_catalogue_entry(const struct route_match *match, unsigned *methods);

/* encodings.c */
HANDLER(handle_encoding);
HANDLER(handle_encoding_operation);
bool find_encoding(const struct route_match *match, unsigned *methods);
bool find_encoding_operation(const struct route_match *match, unsigned *methods);

/* resolve.c */
HANDLER(handle_resolve);

/* models.c */
HANDLER(handle_models);
HANDLER(handle_model);

/* tables/tables.c */
HANDLER(handle_tables);

/* openapi/openapi.c */
HANDLER(handle_openapi);

/* explorer/explorer.c */
HANDLER(handle_explorer_file);
bool find_explorer_file(const struct route_match *match, unsigned *methods);

/* quantities.c */
HANDLER(handle_quantity);
bool find_quantity(const struct route_match *match, unsigned *methods);

/* open_inference/inference_model.c */
bool find_inference_model(const struct route_match *match, unsigned *methods);

/* open_inference/inference_status.c */
HANDLER(handle_inference_server);
HANDLER(handle_inference_live);
HANDLER(handle_inference_ready);
HANDLER(handle_inference_model_ready);

/* open_inference/inference_metadata.c */
HANDLER(handle_inference_model);

/* open_inference/inference_index.c */
HANDLER(handle_inference_index);

/* open_inference/infer.c */
HANDLER(handle_infer);

/* The name that the path's first variable, an encoding or a quantity, was probably meant to be; or
 * NULL. */
const char *suggest_path_variable(const struct route_match *match);

#endif
