/*
 * From a model's config.json, read into values, to the positional encodings of its layers. The file
 * is data: what a class of models does with it stands in the table of model types.
 */
#ifndef POSENC_RESOLVE_H
#define POSENC_RESOLVE_H

#include "posenc.h"

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

#endif
