/* No name is ever a path: it is looked up among the files that have been read. */
#include "stored_tensors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "table_store.h"

/* A tensor's argument, and the two that name where it is stored. */
struct stored {
    struct posenc_argument *tensor;
    struct posenc_argument *file_name;
    struct posenc_argument *tensor_name; /* perhaps absent */
};

static enum posenc_status refuse(struct posenc_problem *problem, enum posenc_status status,
                                 const struct posenc_argument *argument, const char *detail, ...)
    __attribute__((format(printf, 4, 5)));

static enum posenc_status refuse(struct posenc_problem *problem, enum posenc_status status,
                                 const struct posenc_argument *argument, const char *detail, ...)
{
    va_list arguments;

    memset(problem, 0, sizeof(*problem));
    problem->status = status;
    (void)snprintf(problem->parameter, sizeof(problem->parameter), "%s",
                   argument->row->name); /* both are cut if long */
    if (argument->value.kind == POSENC_TEXT)
        (void)snprintf(problem->value, sizeof(problem->value), "%s", argument->value.as.text);
    va_start(arguments, detail);
    (void)vsnprintf(problem->detail, sizeof(problem->detail), detail, arguments);
    va_end(arguments);
    return status;
}

static void allow(struct posenc_problem *problem, const char *name)
{
    if (problem->allowed_count < POSENC_ALLOWED_MAX && name)
        problem->allowed[problem->allowed_count++] = name;
}

static enum posenc_status refuse_file(const struct stored *stored, const struct tables *tables,
                                      struct posenc_problem *problem)
{
    const char *const parameter = stored->file_name->row->name;
    const char *const name = stored->file_name->value.as.text;

    if (!tables)
        return refuse(problem, POSENC_OUT_OF_RANGE, stored->file_name,
                      "'%s' names a file, but this server was started without --tables and has "
                      "none; send the tensor itself as '%s'.",
                      parameter, stored->tensor->row->name);
    (void)refuse(problem, POSENC_OUT_OF_RANGE, stored->file_name,
                 strchr(name, '/') || name[0] == '.'
                     ? "'%s' is the name of a file as GET /v1/tables lists it, and never a path."
                     : "'%s' names no file that this server has read; GET /v1/tables lists those "
                       "that it has.",
                 parameter);
    for (size_t i = 0; i < tables->count; i++)
        allow(problem, tables->files[i].name);
    return POSENC_OUT_OF_RANGE;
}

static enum posenc_status refuse_tensor(const struct stored *stored, const struct table_file *file,
                                        struct posenc_problem *problem)
{
    const bool is_named = stored->tensor_name->value.kind == POSENC_TEXT;
    const char *const parameter = stored->tensor_name->row->name;

    if (!file->tensors)
        return refuse(problem, POSENC_OUT_OF_RANGE, stored->file_name,
                      "The file of '%s' holds no tensor.", stored->file_name->row->name);
    if (!file->tensors[0].name)
        return refuse(problem, POSENC_CONFLICT, stored->tensor_name,
                      "An npy file holds one tensor, which has no name; leave out '%s'.",
                      parameter);
    if (is_named)
        (void)refuse(problem, POSENC_OUT_OF_RANGE, stored->tensor_name,
                     "'%s' names no tensor of this file; GET /v1/tables lists those that it has.",
                     parameter);
    else
        (void)refuse(problem, POSENC_MISSING_PARAMETER, stored->tensor_name,
                     "'%s' is required: the file has %zu tensors.", parameter, file->tensor_count);
    for (size_t i = 0; i < file->tensor_count; i++)
        allow(problem, file->tensors[i].name);
    return problem->status;
}

/* The tensor that is named, or the only one; NULL when there is neither. */
static const struct table_tensor *find_tensor(const struct table_file *file,
                                              const struct posenc_argument *name)
{
    if (name->value.kind != POSENC_TEXT)
        return file->tensor_count == 1 ? &file->tensors[0] : NULL;
    for (size_t i = 0; i < file->tensor_count; i++)
        if (file->tensors[i].name && strcmp(file->tensors[i].name, name->value.as.text) == 0)
            return &file->tensors[i];
    return NULL;
}

static enum posenc_status take_tensor(const struct stored *stored, const struct tables *tables,
                                      struct posenc_problem *problem)
{
    const struct table_file *const file =
        tables ? tables_find(tables, stored->file_name->value.as.text) : NULL;
    const struct table_tensor *const found = file ? find_tensor(file, stored->tensor_name) : NULL;

    if (stored->tensor->origin != POSENC_ABSENT)
        return refuse(problem, POSENC_CONFLICT, stored->file_name,
                      "'%s' names a stored tensor, but '%s' is sent; leave out one of the two.",
                      stored->file_name->row->name, stored->tensor->row->name);
    if (!file)
        return refuse_file(stored, tables, problem);
    if (!found)
        return refuse_tensor(stored, file, problem);
    stored->tensor->origin = POSENC_GIVEN;
    stored->tensor->value = posenc_nested(&found->array);
    if (found->name && stored->tensor_name->origin == POSENC_ABSENT) {
        stored->tensor_name->origin = POSENC_DERIVED;
        stored->tensor_name->value = posenc_text(found->name);
    }
    return POSENC_OK;
}

/* Rows that a schema must have, since another row names them. */
static struct posenc_argument *find_argument(struct posenc_arguments *arguments, const char *name)
{
    const struct posenc_argument *const found = posenc_find_argument(arguments, name);

    return found ? &arguments->items[found - arguments->items] : NULL;
}

enum posenc_status take_stored_tensors(const struct service *service, struct exchange *exchange,
                                       struct posenc_arguments *arguments,
                                       struct posenc_problem *problem)
{
    enum posenc_status status = POSENC_OK;

    for (size_t i = 0; i < arguments->count && status == POSENC_OK; i++) {
        const char *const *const names = arguments->items[i].row->stored_by;
        const struct stored stored = {&arguments->items[i],
                                      names ? find_argument(arguments, names[0]) : NULL,
                                      names ? find_argument(arguments, names[1]) : NULL};

        if (!stored.file_name || !stored.tensor_name || stored.file_name->value.kind != POSENC_TEXT)
            continue;
        if (!exchange->tables)
            exchange->tables = table_store_acquire(service->tables);
        status = take_tensor(&stored, exchange->tables, problem);
    }
    return status;
}
