/* The tables of built-in models, by kind; each ends with a row without a name. */
#ifndef POSENC_MODELS_LIST_H
#define POSENC_MODELS_LIST_H

#include "posenc_models.h"

extern const struct posenc_model posenc__llama_models[];   /* llama, mistral and their kin */
extern const struct posenc_model posenc__rotary_models[];  /* other rotary ones */
extern const struct posenc_model posenc__layered_models[]; /* layers that differ, several axes */
extern const struct posenc_model posenc__other_models[];   /* ALiBi, tables, buckets, none */

#endif
