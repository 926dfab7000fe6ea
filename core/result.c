/* Results: planning an operation, and the echo that lets anybody repeat it. */
#include <stdio.h>

#include "internal.h"

#define DERIVED_MAX 32

enum posenc_status posenc__derive(struct posenc_result *result, struct posenc_memory *memory,
                                  struct posenc_problem *problem, const char *name,
                                  struct posenc_value value)
{
    struct posenc_member *members = (struct posenc_member *)result->derived.items; /* made below */

    if (!members)
        members = posenc_allocate(memory, DERIVED_MAX, sizeof(*members));
    if (!members || result->derived.count == DERIVED_MAX)
        return posenc__no_memory(problem);
    members[result->derived.count] = (struct posenc_member){name, value};
    result->derived.items = members;
    result->derived.count++;
    return POSENC_OK;
}

/* What is told of a tensor that came in: its dtype and shape, not its numbers. */
static bool describe_input(const struct posenc_array *array, struct posenc_memory *memory,
                           struct posenc_value *value)
{
    struct posenc_member *members = posenc_allocate(memory, 2, sizeof(*members));
    double *shape = posenc_allocate(memory, array->rank, sizeof(*shape));

    if (!members || !shape)
        return false;
    for (size_t axis = 0; axis < array->rank; axis++)
        shape[axis] = (double)array->shape[axis];
    members[0] = (struct posenc_member){"dtype", posenc_text(posenc_dtype_name(array->dtype))};
    members[1] = (struct posenc_member){"shape", posenc_numbers(shape, array->rank)};
    *value = posenc_object(members, 2);
    return true;
}

/* The echo: parameters as they were understood, tensors by their shape. */
static enum posenc_status echo(const struct posenc_arguments *arguments,
                               struct posenc_memory *memory, struct posenc_result *result,
                               struct posenc_problem *problem)
{
    struct posenc_member *parameters =
        posenc_allocate(memory, arguments->count, sizeof(*parameters));
    struct posenc_member *inputs = posenc_allocate(memory, arguments->count, sizeof(*inputs));
    size_t parameter_count = 0, input_count = 0;

    if (!parameters || !inputs)
        return posenc__no_memory(problem);
    for (size_t i = 0; i < arguments->count; i++) {
        const struct posenc_argument *argument = &arguments->items[i];

        if (argument->origin == POSENC_ABSENT || argument->row->flags & POSENC_SILENT)
            continue;
        if (argument->row->type != POSENC_TYPE_TENSOR || argument->value.kind != POSENC_ARRAY) {
            parameters[parameter_count++] =
                (struct posenc_member){argument->row->name, argument->value};
            continue;
        }
        inputs[input_count].name = argument->row->name;
        if (!describe_input(&argument->value.as.array, memory, &inputs[input_count++].value))
            return posenc__no_memory(problem);
    }
    result->parameters = (struct posenc_members){parameters, parameter_count};
    result->inputs = (struct posenc_members){inputs, input_count};
    return POSENC_OK;
}

enum posenc_status posenc_plan(const struct posenc_encoding *encoding,
                               const struct posenc_operation *operation,
                               struct posenc_arguments *arguments, struct posenc_memory *memory,
                               struct posenc_result *result, struct posenc_problem *problem)
{
    struct posenc_result planned = {.encoding = encoding, .operation = operation};
    enum posenc_status status = operation->plan(arguments, memory, &planned, problem);

    if (status == POSENC_OK)
        status = echo(arguments, memory, &planned, problem);
    if (status != POSENC_OK)
        return status;
    planned.warning_count = arguments->warning_count;
    planned.warnings = arguments->warnings;
    *result = planned;
    return POSENC_OK;
}

static enum posenc_status refuse_encoding(const char *name, struct posenc_problem *problem)
{
    const char *nearest = posenc_suggest_encoding(name);

    (void)posenc__refuse(problem, POSENC_UNKNOWN_ENCODING, "", "There is no encoding '%.80s'.",
                         name);
    if (nearest)
        (void)snprintf(problem->suggestion, sizeof(problem->suggestion), "%s", nearest);
    return POSENC_UNKNOWN_ENCODING;
}

/* The arguments live in the memory, because tensors of the result may read arrays through them. */
enum posenc_status posenc_make(const char *encoding_name, const char *operation_name,
                               struct posenc_value parameters, struct posenc_memory *memory,
                               struct posenc_result *result, struct posenc_problem *problem)
{
    const struct posenc_encoding *encoding = posenc_find(encoding_name);

    if (!encoding)
        return refuse_encoding(encoding_name, problem);
    const struct posenc_operation *operation = posenc_find_operation(encoding, operation_name);

    if (!operation)
        return posenc__refuse(problem, POSENC_UNKNOWN_OPERATION, "",
                              "The encoding '%s' has no operation '%.80s'.", encoding->name,
                              operation_name);
    const struct posenc_schema schema = {.groups = operation->groups,
                                         .presets = encoding->presets,
                                         .takes_tensors = operation->takes_tensors};
    struct posenc_arguments *arguments = posenc_allocate(memory, 1, sizeof(*arguments));

    if (!arguments)
        return posenc__no_memory(problem);
    const enum posenc_status status = posenc_bind(&schema, &parameters, memory, arguments, problem);

    if (status != POSENC_OK)
        return status;
    return posenc_plan(encoding, operation, arguments, memory, result, problem);
}
