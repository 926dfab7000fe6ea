#include "inference_parameters.h"

#include <stdio.h>
#include <string.h>

#include "body.h"
#include "inference_rows.h"
#include "inference_tensor.h"
#include "parameters.h"
#include "query.h"
#include "refusal.h"

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

static struct posenc_value input_value(const struct gathering *gathering,
                                       const struct inference_input *input)
{
    const struct posenc_parameter *const row =
        inference_row_find(&gathering->context->model, input->name);
    const struct posenc_array *const array = &input->array;
    size_t count = 0;

    (void)posenc_shape_count(array->rank, array->shape, &count); /* it lies in memory, so it fits */
    return row && inference_row_is_single(row) && array->rank <= 1 && count == 1
               ? single_value(array, row)
               : posenc_nested(array);
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

        (void)snprintf(path, sizeof path, "inputs.%zu", i);
        if (!take_inference_tensor(gathering->context, body, path, input, &at))
            return false;
        const struct posenc_value value = input_value(gathering, input);

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
