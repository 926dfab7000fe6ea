/* The parameters model, config and layer: a model's use of an encoding instead of its parameters.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "posenc_models.h"

/* One request on its way. */
struct applying {
    const struct posenc_encoding *encoding;
    const struct posenc_operation *operation;
    const struct posenc_value *input;
    const struct posenc_value *layer; /* NULL: not given */
    const char *source;               /* "model" or "config" */
    struct posenc_value answer;
    struct posenc_memory *memory;
    struct posenc_arguments *log;
    struct posenc_problem *problem;
};

static bool is_given(const struct posenc_value *value)
{
    return value && value->kind != POSENC_NULL;
}

/* Text as a body or a query string has it; NULL for anything else. */
static const char *text_of(const struct posenc_value *value)
{
    if (value->kind == POSENC_TEXT)
        return value->as.text;
    return value->kind == POSENC_UNTYPED ? value->as.untyped.text : NULL;
}

static bool number_of(const struct posenc_value *value, double *number)
{
    if (value->kind == POSENC_NUMBER)
        *number = value->as.number;
    else if (value->kind == POSENC_UNTYPED && value->as.untyped.numbers &&
             value->as.untyped.count == 1)
        *number = value->as.untyped.numbers[0];
    else
        return false;
    return true;
}

static enum posenc_status refuse_model(const char *name, struct posenc_problem *problem)
{
    const char *nearest = posenc_suggest_model(name);

    (void)posenc__refuse(problem, POSENC_OUT_OF_RANGE, "model",
                         "There is no built-in model '%.80s'; /v1/models lists those that there "
                         "are, and 'config' takes any config.json.",
                         name);
    (void)snprintf(problem->value, sizeof(problem->value), "%s", name); /* cut if long */
    (void)snprintf(problem->suggestion, sizeof(problem->suggestion), "%s", nearest ? nearest : "");
    return POSENC_OUT_OF_RANGE;
}

static enum posenc_status find_config(struct applying *applying, const struct posenc_value *model,
                                      struct posenc_value *config)
{
    const char *name = text_of(model);
    const struct posenc_model *found = name ? posenc_find_model(name) : NULL;

    if (!name)
        return posenc__refuse(applying->problem, POSENC_WRONG_TYPE, "model",
                              "'model' must be the name of a built-in model.");
    if (!found)
        return refuse_model(name, applying->problem);
    return posenc_model_config(found, applying->memory, config)
               ? POSENC_OK
               : posenc__no_memory(applying->problem);
}

/* The problem is the file's: its path stands behind the parameter that brought the file. */
static enum posenc_status prefix_problem(struct posenc_problem *problem)
{
    char path[POSENC_PATH_MAX];

    if (problem->status == POSENC_NO_MEMORY)
        return problem->status;
    (void)snprintf(path, sizeof(path), "config%s%.140s", *problem->parameter ? "." : "",
                   problem->parameter);
    (void)snprintf(problem->parameter, sizeof(problem->parameter), "%s", path);
    return problem->status;
}

static void take_warnings(const struct applying *applying)
{
    const struct posenc_value *list = posenc_find_member(&applying->answer, "warnings");

    for (size_t i = 0; i < list->as.list.count; i++) {
        const struct posenc_value *item = &list->as.list.items[i];
        char path[POSENC_PATH_MAX];

        (void)snprintf(path, sizeof(path), "config.%.140s",
                       posenc_find_member(item, "parameter")->as.text);
        posenc__warn(applying->log, applying->memory, path, "%s",
                     posenc_find_member(item, "detail")->as.text);
    }
}

static enum posenc_status resolve_source(struct applying *applying,
                                         const struct posenc_value *model,
                                         const struct posenc_value *config)
{
    struct posenc_value built_in;
    enum posenc_status status = POSENC_OK;

    applying->source = is_given(config) ? "config" : "model";
    if (is_given(config) && config->kind != POSENC_OBJECT)
        return posenc__refuse(applying->problem, POSENC_WRONG_TYPE, "config",
                              "'config' must be the object that a config.json is.");
    if (!is_given(config))
        status = find_config(applying, model, &built_in);
    if (status != POSENC_OK)
        return status;
    status = posenc_resolve(is_given(config) ? config : &built_in, applying->memory,
                            &applying->answer, applying->problem);
    if (status != POSENC_OK)
        return is_given(config) ? prefix_problem(applying->problem) : status;
    if (is_given(config))
        take_warnings(applying);
    return POSENC_OK;
}

static const char *member_text(const struct posenc_value *use, const char *name)
{
    const struct posenc_value *value = posenc_find_member(use, name);

    return value && value->kind == POSENC_TEXT ? value->as.text : "";
}

/* Whether a use covers a layer: an index, the name of a layer type or of a component. */
static bool covers(const struct posenc_value *use, const struct posenc_value *layer)
{
    const struct posenc_value *layers = posenc_find_member(use, "layers");
    double index;

    if (!number_of(layer, &index)) {
        const char *name = text_of(layer);

        return name && (strcmp(member_text(use, "layer_type"), name) == 0 ||
                        strcmp(member_text(use, "component"), name) == 0);
    }
    if (layers->kind != POSENC_ARRAY)
        return true;
    for (size_t i = 0; i < layers->as.array.shape[0]; i++)
        if (((const double *)layers->as.array.data)[i] == index)
            return true;
    return false;
}

static bool is_text(const struct posenc_value *use)
{
    return strcmp(member_text(use, "component"), "text") == 0;
}

/* The first use that fits; `others` counts those behind it in the same component. */
static const struct posenc_value *find_use(const struct applying *applying, bool any_encoding,
                                           bool text_only, size_t *others)
{
    const struct posenc_value *uses = posenc_find_member(&applying->answer, "uses");
    const struct posenc_value *found = NULL;

    *others = 0;
    for (size_t i = 0; i < uses->as.list.count; i++) {
        const struct posenc_value *use = &uses->as.list.items[i];

        if ((text_only && !is_text(use)) || (applying->layer && !covers(use, applying->layer)) ||
            (!any_encoding && strcmp(member_text(use, "encoding"), applying->encoding->name) != 0))
            continue;
        if (found)
            *others += strcmp(member_text(use, "component"), member_text(found, "component")) == 0;
        else
            found = use;
    }
    return found;
}

static enum posenc_status check_layer(const struct applying *applying)
{
    const struct posenc_value *count = posenc_find_member(&applying->answer, "num_hidden_layers");
    double index;

    if (!applying->layer)
        return POSENC_OK;
    if (!number_of(applying->layer, &index))
        return text_of(applying->layer)
                   ? POSENC_OK
                   : posenc__refuse(applying->problem, POSENC_WRONG_TYPE, "layer",
                                    "'layer' must be an index from 0 or the name of a layer type.");
    if (index >= 0 && index == floor(index) &&
        (count->kind != POSENC_NUMBER || index < count->as.number))
        return POSENC_OK;
    return posenc__refuse(applying->problem, POSENC_OUT_OF_RANGE, "layer",
                          "'layer' is %.17g; the model's layers count from 0 to %.17g.", index,
                          count->kind == POSENC_NUMBER ? count->as.number - 1 : 0.0);
}

static enum posenc_status refuse_use(const struct applying *applying)
{
    size_t others;
    const struct posenc_value *other = find_use(applying, true, false, &others);
    const char *parameter = applying->layer ? "layer" : applying->source;

    if (!other)
        return posenc__refuse(applying->problem, POSENC_OUT_OF_RANGE, parameter,
                              "The model has no such layer; /v1/resolve and /v1/models show which "
                              "it has.");
    return posenc__refuse(applying->problem, POSENC_CONFLICT, parameter,
                          "%s uses the encoding '%s', not '%s'.",
                          applying->layer ? "This layer" : "This model",
                          member_text(other, "encoding"), applying->encoding->name);
}

static enum posenc_status choose_use(const struct applying *applying,
                                     const struct posenc_value **use)
{
    size_t others;
    enum posenc_status status = check_layer(applying);

    if (status != POSENC_OK)
        return status;
    *use = find_use(applying, false, true, &others);
    if (!*use)
        *use = find_use(applying, false, false, &others);
    if (!*use)
        return refuse_use(applying);
    if (others > 0)
        posenc__warn(applying->log, applying->memory, "layer",
                     "The model's layers differ; the parameters are those of its first use of "
                     "'%s'%s%s. 'layer' chooses another.",
                     applying->encoding->name, *member_text(*use, "layer_type") ? ", " : "",
                     member_text(*use, "layer_type"));
    return POSENC_OK;
}

/* The operation's row of that name, or NULL. */
static const struct posenc_parameter *find_row(const struct posenc_operation *operation,
                                               const char *name)
{
    for (const struct posenc_parameter *const *group = operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row;
    return NULL;
}

/* Whether the request gives the row's parameter, by name or alias. */
static bool gives(const struct applying *applying, const struct posenc_parameter *row)
{
    for (const char *const *alias = row->aliases; alias && *alias; alias++)
        if (is_given(posenc_find_member(applying->input, *alias)))
            return true;
    return is_given(posenc_find_member(applying->input, row->name));
}

static bool stands_instead_of(const struct posenc_parameter *row, const char *name)
{
    for (const char *const *other = row->instead_of; other && *other; other++)
        if (strcmp(*other, name) == 0)
            return true;
    return false;
}

/* Whether the request gives the parameter, or one that stands instead of it. */
static bool is_overridden(const struct applying *applying, const struct posenc_parameter *row)
{
    for (const struct posenc_parameter *const *group = applying->operation->groups; *group; group++)
        for (const struct posenc_parameter *other = *group; other->name; other++)
            if (stands_instead_of(other, row->name) && gives(applying, other))
                return true;
    for (const char *const *alias = row->aliases; alias && *alias; alias++)
        if (posenc_find_member(applying->input, *alias))
            return true;
    return posenc_find_member(applying->input, row->name);
}

static bool is_ours(const char *name)
{
    return strcmp(name, "model") == 0 || strcmp(name, "config") == 0 || strcmp(name, "layer") == 0;
}

/* The request's own members, and those of the use that it leaves open. */
static enum posenc_status merge(const struct applying *applying, const struct posenc_value *use,
                                struct posenc_value *input)
{
    const struct posenc_members *own = &applying->input->as.object;
    const struct posenc_members *told = &posenc_find_member(use, "parameters")->as.object;
    struct posenc_member *members =
        posenc_allocate(applying->memory, own->count + told->count, sizeof(*members));
    size_t count = 0;

    if (!members)
        return posenc__no_memory(applying->problem);
    for (size_t i = 0; i < own->count; i++)
        if (!is_ours(own->items[i].name))
            members[count++] = own->items[i];
    for (size_t i = 0; i < told->count; i++) {
        const struct posenc_parameter *row = find_row(applying->operation, told->items[i].name);

        if (row && !is_overridden(applying, row))
            members[count++] = told->items[i];
    }
    *input = posenc_object(members, count);
    return POSENC_OK;
}

enum posenc_status posenc_apply_model(const struct posenc_encoding *encoding,
                                      const struct posenc_operation *operation,
                                      struct posenc_value *input, struct posenc_memory *memory,
                                      const struct posenc_warning **warnings, size_t *warning_count,
                                      struct posenc_problem *problem)
{
    const struct posenc_value request = *input;
    const struct posenc_value *model = posenc_find_member(&request, "model");
    const struct posenc_value *config = posenc_find_member(&request, "config");
    const struct posenc_value *layer = posenc_find_member(&request, "layer");
    struct applying applying = {.encoding = encoding,
                                .operation = operation,
                                .input = &request,
                                .layer = is_given(layer) ? layer : NULL,
                                .memory = memory,
                                .problem = problem};
    const struct posenc_value *use;
    enum posenc_status status;

    *warning_count = 0;
    if (!is_given(model) && !is_given(config))
        return applying.layer ? posenc__refuse(problem, POSENC_MISSING_PARAMETER, "model",
                                               "'layer' chooses a layer of a 'model' or a "
                                               "'config'; send one of these, too.")
                              : POSENC_OK;
    if (is_given(model) && is_given(config))
        return posenc__refuse(problem, POSENC_CONFLICT, "config",
                              "'model' and 'config' both say which model it is; leave one out.");
    applying.log = posenc_allocate(memory, 1, sizeof(*applying.log));
    if (!applying.log)
        return posenc__no_memory(problem);
    memset(applying.log, 0, sizeof(*applying.log));
    status = resolve_source(&applying, model, config);
    if (status == POSENC_OK)
        status = choose_use(&applying, &use);
    if (status == POSENC_OK)
        status = merge(&applying, use, input);
    *warnings = applying.log->warnings;
    *warning_count = applying.log->warning_count;
    return status;
}
