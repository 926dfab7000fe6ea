/* Finding a built-in model. */
#include <string.h>
#include <strings.h>

#include "facts.h"
#include "models_list.h"

static const struct posenc_model *const tables[] = {posenc__llama_models, posenc__rotary_models,
                                                    posenc__layered_models, posenc__other_models};

const struct posenc_model *posenc_model_at(size_t index)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
        for (const struct posenc_model *model = tables[i]; model->name; model++)
            if (index-- == 0)
                return model;
    return NULL;
}

static bool is_called(const struct posenc_model *model, const char *name)
{
    for (const char *const *alias = model->aliases; alias && *alias; alias++)
        if (strcasecmp(*alias, name) == 0)
            return true;
    return strcasecmp(model->name, name) == 0 || strcasecmp(model->repository, name) == 0;
}

const struct posenc_model *posenc_find_model(const char *name)
{
    const struct posenc_model *model;

    for (size_t i = 0; (model = posenc_model_at(i)) != NULL; i++)
        if (is_called(model, name))
            return model;
    return NULL;
}

const char *posenc_suggest_model(const char *name)
{
    const struct posenc_model *model;
    const char *nearest = NULL;
    size_t best = SIZE_MAX;

    for (size_t i = 0; (model = posenc_model_at(i)) != NULL; i++) {
        const size_t distance = posenc__edit_distance(name, model->name);

        if (distance >= best || !posenc__is_near(name, model->name, distance))
            continue;
        best = distance;
        nearest = model->name;
    }
    return nearest;
}

bool posenc_model_config(const struct posenc_model *model, struct posenc_memory *memory,
                         struct posenc_value *config)
{
    return posenc__read_facts(model->facts, memory, config);
}
