/*
 * Models: a config.json, read into values, is resolved to the positional encodings of its layers;
 * well-known public models are built in. Threads, memory and problems are those of posenc.h.
 */
#ifndef POSENC_MODELS_H
#define POSENC_MODELS_H

#include "posenc.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POSENC_CONFIG_LAYERS_MAX 4096 /* layers of one stack */
#define POSENC_CONFIG_USES_MAX   64   /* different encodings of one model */

/*
 * Resolves a config.json: which encoding each layer uses, with complete parameters. `config` is the
 * file's object. The answer is an object:
 *
 *   model_type                text, or null where the file names none
 *   num_hidden_layers         number, or null where neither file nor class tells it
 *   uses                      list of {component, layers, layer_type?, encoding, parameters,
 *                             derived?, query_scale?, notes}; layers is "all", "embedding" or a
 *                             list of indices from 0; parameters are what posenc_make() takes
 *   softmax_scale_multiplier  of the text component's attention: 1 for most
 *   warnings                  list of {parameter, detail}: members by dotted path; the first
 *                             POSENC_WARNINGS_MAX, then warning_count says how many there are
 *
 * Everything it points to lives in `memory`, or belongs to `config`, or is static.
 *
 * Returns POSENC_OK or the status of what the file contradicts or lacks, with the member's path.
 */
enum posenc_status posenc_resolve(const struct posenc_value *config, struct posenc_memory *memory,
                                  struct posenc_value *answer, struct posenc_problem *problem);

/*
 * Replaces the members `model`, `config` and `layer` of a request by the parameters that they stand
 * for; what the request gives itself, by name or alias, wins. `input` is the request's object, and
 * becomes another one in `memory`; without `model` and `config` it stays as it is. A layer is an
 * index from 0, or the name of a layer type or component. Without a layer the first use of the
 * component text counts; where others differ a warning says so.
 *
 * warnings, warning_count  what is worth telling the caller, in `memory`; 0 of them when all is
 *                          clear
 *
 * Returns POSENC_OK, or a problem that names `model`, `config...` or `layer`.
 */
enum posenc_status posenc_apply_model(const struct posenc_encoding *encoding,
                                      const struct posenc_operation *operation,
                                      struct posenc_value *input, struct posenc_memory *memory,
                                      const struct posenc_warning **warnings, size_t *warning_count,
                                      struct posenc_problem *problem);

/* What posenc_apply_model() takes out of a request, as rows for binding and for catalogues. */
extern const struct posenc_parameter posenc_model_parameters[];

/* A model as the list shows it. */
struct posenc_model {
    const char *name;           /* "llama-3.1-8b" */
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *repository;     /* where it was published: "meta-llama/Llama-3.1-8B" */
    const char *facts;          /* members of its config.json, as core/resolve/facts.h reads them */
};

/* Models in the order of the list; NULL past the last. */
const struct posenc_model *posenc_model_at(size_t index);

/* By name, alias or repository, in any case; NULL when there is none. */
const struct posenc_model *posenc_find_model(const char *name);

/* The known name nearest to a misspelt one, or NULL when none is near. */
const char *posenc_suggest_model(const char *name);

/* The model's configuration as posenc_resolve() takes it; false when memory is out. */
bool posenc_model_config(const struct posenc_model *model, struct posenc_memory *memory,
                         struct posenc_value *config);

#ifdef __cplusplus
}
#endif

#endif
