/* Built-in models: configurations of well-known public models, cut down to what positions need. */
#ifndef POSENC_MODELS_H
#define POSENC_MODELS_H

#include "posenc.h"

/* A model as the list shows it. */
struct posenc_model {
    const char *name;           /* "llama-3.1-8b" */
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *repository;     /* where it was published: "meta-llama/Llama-3.1-8B" */
    const char *facts;          /* members of its config.json, as core/facts.h reads them */
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

#endif
