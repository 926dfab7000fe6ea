#include "openapi_names.h"

#include <string.h>

#include "explorer.h"
#include "format.h"
#include "inference_model.h"
#include "posenc_models.h"
#include "respond.h"

/* A list that grows; `names` is NULL once memory is out. */
struct names {
    const char **names;
    size_t count, capacity;
};

static struct names names_begin(const struct openapi *openapi, size_t capacity)
{
    struct names list = {posenc_allocate(openapi->memory, capacity + 1, sizeof(*list.names)), 0,
                         capacity};

    if (!list.names)
        openapi->text->failed = true;
    return list;
}

static void names_add(struct names *list, const char *name)
{
    if (list->names && list->count < list->capacity)
        list->names[list->count++] = name;
}

static void names_add_all(struct names *list, const char *name, const char *const *aliases)
{
    names_add(list, name);
    for (; aliases && *aliases; aliases++)
        names_add(list, *aliases);
}

static const char *const *names_end(struct names *list)
{
    if (list->names)
        list->names[list->count] = NULL;
    return list->names;
}

static size_t count_aliases(const char *const *aliases)
{
    size_t count = 0;

    while (aliases && aliases[count])
        count++;
    return count;
}

const char *const *openapi_preset_names(const struct openapi *openapi,
                                        const struct posenc_encoding *encoding)
{
    const struct posenc_preset *const presets = encoding ? encoding->presets : NULL;
    size_t count = 0;

    while (presets && presets[count].name)
        count++;
    if (count == 0)
        return NULL;
    struct names list = names_begin(openapi, count);

    for (size_t i = 0; i < count; i++)
        names_add(&list, presets[i].name);
    return names_end(&list);
}

const char *const *openapi_format_names(const struct openapi *openapi)
{
    size_t count = 0;

    while (format_at(count))
        count++;
    struct names list = names_begin(openapi, count);

    for (size_t i = 0; i < count; i++)
        names_add(&list, format_at(i)->name);
    return names_end(&list);
}

static const char *const *model_names(const struct openapi *openapi)
{
    const struct posenc_model *model;
    size_t count = 0;

    for (size_t i = 0; (model = posenc_model_at(i)) != NULL; i++)
        count += 1 + count_aliases(model->aliases);
    struct names list = names_begin(openapi, count);

    for (size_t i = 0; (model = posenc_model_at(i)) != NULL; i++)
        names_add_all(&list, model->name, model->aliases);
    return names_end(&list);
}

static const char *const *file_names(const struct openapi *openapi)
{
    size_t count = 0;

    while (explorer_file_at(count))
        count++;
    struct names list = names_begin(openapi, count);

    for (size_t i = 0; i < count; i++)
        names_add(&list, explorer_file_at(i)->name);
    return names_end(&list);
}

const char *const *openapi_served_names(const struct openapi *openapi,
                                        const struct posenc_operation *quantity)
{
    const struct posenc_encoding *encoding;
    size_t count = 0;

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        count += 1 + count_aliases(encoding->aliases);
    struct names list = names_begin(openapi, count);

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        if (!quantity || posenc_quantity_serves(quantity, encoding))
            names_add_all(&list, encoding->name, encoding->aliases);
    return names_end(&list);
}

static const char *const *inference_names(const struct openapi *openapi)
{
    struct inference_model model;
    size_t count = 0;

    while (inference_model_at(count, &model))
        count++;
    struct names list = names_begin(openapi, count);

    for (size_t i = 0; inference_model_at(i, &model); i++) {
        char *const name = posenc_allocate(openapi->memory, ROUTE_VARIABLE_SIZE, 1);

        if (!name) {
            openapi->text->failed = true;
            return NULL;
        }
        inference_model_name(&model, name);
        names_add(&list, name);
    }
    return names_end(&list);
}

static const char *const *version_names(const struct openapi *openapi)
{
    struct names list = names_begin(openapi, 1);

    names_add(&list, inference_model_version());
    return names_end(&list);
}

const char *const *openapi_variable_names(const struct openapi *openapi, const char *path,
                                          const char *variable)
{
    if (strcmp(variable, "version") == 0)
        return version_names(openapi);
    if (path_is_inference(path))
        return inference_names(openapi);
    if (strcmp(variable, "encoding") == 0)
        return openapi_served_names(openapi, NULL);
    if (strcmp(variable, "file") == 0)
        return file_names(openapi);
    return strcmp(variable, "model") == 0 ? model_names(openapi) : NULL;
}
