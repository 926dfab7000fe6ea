#include "inference_model.h"

#include <stdio.h>
#include <string.h>

#include "handlers.h"

#define QUANTITIES "analysis" /* what stands before the dot of a quantity's name */
#define TABLE      "table"    /* the operation that is the encoding's own path */

#define DIGITS_OF(number)  DIGITS_OF_(number)
#define DIGITS_OF_(number) #number

const char *inference_model_version(void)
{
    return DIGITS_OF(POSENC_NUMERIC_VERSION);
}

/* An encoding's table, or a tool. */
static bool find_plain(const char *name, struct inference_model *model)
{
    model->encoding = posenc_find(name);
    model->operation =
        model->encoding ? posenc_find_operation(model->encoding, TABLE) : posenc_find_tool(name);
    return model->operation != NULL;
}

bool inference_model_find(const char *name, struct inference_model *model)
{
    const char *const dot = strchr(name, '.');
    char first[ROUTE_VARIABLE_SIZE];

    *model = (struct inference_model){0};
    if (!dot)
        return find_plain(name, model);
    (void)snprintf(first, sizeof first, "%.*s", (int)(dot - name), name);
    model->is_quantity = strcmp(first, QUANTITIES) == 0;
    model->encoding = model->is_quantity ? NULL : posenc_find(first);
    if (model->is_quantity)
        model->operation = posenc_find_quantity(dot + 1);
    else if (model->encoding && strcmp(dot + 1, TABLE) != 0)
        model->operation = posenc_find_operation(model->encoding, dot + 1);
    return model->operation != NULL;
}

/* The index-th operation of all encodings; what is left of the index where there are fewer. */
static const struct posenc_operation *encoding_operation_at(size_t *index,
                                                            struct inference_model *model)
{
    for (size_t i = 0; (model->encoding = posenc_encoding_at(i)) != NULL; i++)
        for (const struct posenc_operation *at = model->encoding->operations; at->name; at++)
            if ((*index)-- == 0)
                return at;
    return NULL;
}

bool inference_model_at(size_t index, struct inference_model *model)
{
    size_t tools = 0;

    *model = (struct inference_model){0};
    model->operation = encoding_operation_at(&index, model);
    if (model->operation)
        return true;
    while (posenc_tool_at(tools))
        tools++;
    model->is_quantity = index >= tools;
    model->operation =
        model->is_quantity ? posenc_quantity_at(index - tools) : posenc_tool_at(index);
    return model->operation != NULL;
}

void inference_model_name(const struct inference_model *model, char name[ROUTE_VARIABLE_SIZE])
{
    const char *const operation = model->operation->name;

    if (model->is_quantity)
        (void)snprintf(name, ROUTE_VARIABLE_SIZE, QUANTITIES ".%s", operation);
    else if (!model->encoding)
        (void)snprintf(name, ROUTE_VARIABLE_SIZE, "%s", operation);
    else if (strcmp(operation, TABLE) == 0)
        (void)snprintf(name, ROUTE_VARIABLE_SIZE, "%s", model->encoding->name);
    else
        (void)snprintf(name, ROUTE_VARIABLE_SIZE, "%s.%s", model->encoding->name, operation);
}

const char *inference_model_suggest(const char *name)
{
    const char *const dot = strchr(name, '.');
    char first[ROUTE_VARIABLE_SIZE];

    (void)snprintf(first, sizeof first, "%.*s", dot ? (int)(dot - name) : -1, name);
    if (dot && strcmp(first, QUANTITIES) == 0)
        return posenc_suggest_quantity(dot + 1);
    return posenc_find(first) ? NULL : posenc_suggest_encoding(first);
}

bool find_inference_model(const struct route_match *match, unsigned *methods)
{
    struct inference_model model;
    const bool has_version = strstr(match->route->path, "{version}") != NULL;

    (void)methods;
    return inference_model_find(match->variables[0], &model) &&
           (!has_version || strcmp(match->variables[1], inference_model_version()) == 0);
}
