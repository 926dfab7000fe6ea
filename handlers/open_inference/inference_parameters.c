#include "inference_parameters.h"

#include <stdio.h>
#include <string.h>

#include "body.h"
#include "inference_rows.h"
#include "inference_tensor.h"
#include "parameters.h"
#include "query.h"
#include "refusal.h"

#define NUMBER_SIZE 32 /* bytes of a double in 17 digits, with its end */

/* What is being gathered. */
struct gathering {
    const struct inference_context *context;
    struct name_tree tree;
};

/* The same name from two places, or one that cannot be. */
static bool refuse_name(const struct gathering *gathering, const char *name,
                        const struct body_problem *problem)
{
    if (problem->no_memory)
        return inference_no_memory(gathering->context);
    return inference_refuse(gathering->context, POSENC_CONFLICT, name, "'%.80s': %s.", name,
                            problem->detail);
}

static bool add(struct gathering *gathering, const char *name, const struct posenc_value *value)
{
    struct body_problem problem = {0};

    return name_tree_add(&gathering->tree, name, value, &problem) ||
           refuse_name(gathering, name, &problem);
}

static bool add_query(struct gathering *gathering)
{
    const struct inference_context *const context = gathering->context;
    struct body_problem problem;
    struct posenc_value query;

    if (!read_query(context->request->query, context->memory, &query, &problem)) {
        respond_body_problem(context->request, &problem, "malformed-query", context->response);
        return false;
    }
    for (size_t i = 0; i < query.as.object.count; i++)
        if (!add(gathering, query.as.object.items[i].name, &query.as.object.items[i].value))
            return false;
    return true;
}

/* Parameters. */

static bool refuse_json(const struct gathering *gathering, const char *name,
                        const struct body_problem *problem)
{
    return problem->no_memory
               ? inference_no_memory(gathering->context)
               : inference_refuse(
                     gathering->context, POSENC_WRONG_TYPE, name,
                     "'%.80s' starts with a bracket, but is not JSON: at byte %zu, %s.", name,
                     problem->offset, problem->detail);
}

static bool add_text(struct gathering *gathering, const char *name, const char *text)
{
    struct posenc_memory *const memory = gathering->context->memory;
    struct body_problem problem;
    struct posenc_value value;

    if (*text == '[' || *text == '{') {
        if (!read_json_body(text, strlen(text), memory, &value, &problem))
            return refuse_json(gathering, name, &problem);
    } else if (!read_untyped(text, memory, &value)) {
        return inference_no_memory(gathering->context);
    }
    return add(gathering, name, &value);
}

static bool add_parameters(struct gathering *gathering, const struct posenc_members *parameters)
{
    for (size_t i = 0; parameters && i < parameters->count; i++) {
        const struct posenc_member *const member = &parameters->items[i];
        const bool is_text = member->value.kind == POSENC_TEXT;

        if (inference_parameter_is_reserved(member->name))
            continue;
        if (is_text ? !add_text(gathering, member->name, member->value.as.text)
                    : !add(gathering, member->name, &member->value))
            return false;
    }
    return true;
}

/* Inputs. */

/* An array of one element as what a row of one value takes. */
static struct posenc_value single_value(const struct posenc_array *array,
                                        const struct posenc_parameter *row)
{
    double number;

    posenc_widen(array->dtype, array->data, 1, &number);
    if (row->type == POSENC_TYPE_BOOLEAN && (number == 0 || number == 1))
        return posenc_boolean(number == 1);
    return posenc_number(number);
}

/* The same for a row that is not known here: a member of an object, or of an encoding that a
 * quantity's request names. As in a query, it is a number, a truth or a list of one. */
static bool untyped_value(const struct gathering *gathering, const struct posenc_array *array,
                          struct posenc_value *value)
{
    struct posenc_memory *const memory = gathering->context->memory;
    char *const text = posenc_allocate(memory, NUMBER_SIZE, 1);
    double number;

    if (!text)
        return false;
    posenc_widen(array->dtype, array->data, 1, &number);
    (void)snprintf(text, NUMBER_SIZE, "%.17g", number);
    return read_untyped(text, memory, value);
}

/* False when memory is out. */
static bool input_value(const struct gathering *gathering, const struct inference_input *input,
                        struct posenc_value *value)
{
    const struct posenc_parameter *const row =
        inference_row_find(&gathering->context->model, input->name);
    const struct posenc_array *const array = &input->array;
    size_t count = 0;

    (void)posenc_shape_count(array->rank, array->shape, &count); /* it lies in memory, so it fits */
    *value = posenc_nested(array);
    if (array->rank > 1 || count != 1)
        return true;
    if (!row)
        return untyped_value(gathering, array, value);
    if (inference_row_is_single(row))
        *value = single_value(array, row);
    return true;
}

static bool refuse_trailing(const struct gathering *gathering, size_t at)
{
    struct body_problem problem;

    (void)body_fail(&problem, at, "the bytes from here on belong to no input");
    return inference_refuse_body(gathering->context, &problem);
}

static bool add_inputs(struct gathering *gathering, const struct inference_body *body,
                       const struct inference_request *request)
{
    size_t at = body->json_size;
    char path[32];

    for (size_t i = 0; i < request->input_count; i++) {
        struct inference_input *const input = &request->inputs[i];
        struct posenc_value value;

        (void)snprintf(path, sizeof path, "inputs.%zu", i);
        if (!take_inference_tensor(gathering->context, body, path, input, &at))
            return false;
        if (!input_value(gathering, input, &value))
            return inference_no_memory(gathering->context);
        if (!add(gathering, input->name, &value))
            return false;
    }
    return at == body->size || refuse_trailing(gathering, at);
}

bool read_inference_parameters(const struct inference_context *context,
                               const struct inference_body *body,
                               const struct inference_request *request,
                               struct posenc_value *parameters)
{
    struct gathering gathering = {context, {.memory = context->memory}};

    if (!add_query(&gathering) || !add_parameters(&gathering, request->parameters) ||
        !add_inputs(&gathering, body, request))
        return false;
    if (!name_tree_object(&gathering.tree, parameters) ||
        !keep_half(context->model.operation->groups, parameters, context->memory, parameters))
        return inference_no_memory(context);
    return true;
}
