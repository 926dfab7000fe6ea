/* The objects of the protocol are bound to rows, as any request's parameters are. */
#include "inference_request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body.h"

/* A hint of MLServer's, whose other codecs mean other things than tensors of numbers. */
static const char *const content_types[] = {"np", NULL};

#define CONTENT_TYPE                                                                               \
    {                                                                                              \
        .name = "content_type", .type = POSENC_TYPE_CHOICE, .flags = POSENC_OPTIONAL,              \
        .choices = content_types, .meaning = "how a tensor is to be understood: as numbers"        \
    }

/* A member that is taken out before the others are bound; its row is there to be suggested. */
#define TAKEN_OUT(member, words)                                                                   \
    {                                                                                              \
        .name = (member), .type = POSENC_TYPE_OBJECT, .flags = POSENC_OPTIONAL, .meaning = (words) \
    }

static const struct posenc_parameter request_rows[] = {
    {.name = "id",
     .type = POSENC_TYPE_TEXT,
     .flags = POSENC_OPTIONAL,
     .meaning = "a name for this request, which the answer repeats"},
    {.name = "model_name",
     .type = POSENC_TYPE_TEXT,
     .flags = POSENC_OPTIONAL,
     .meaning = "the model's name, as the address has it"},
    {.name = "model_version",
     .type = POSENC_TYPE_TEXT,
     .flags = POSENC_OPTIONAL,
     .meaning = "the model's version"},
    {.name = "parameters",
     .type = POSENC_TYPE_OBJECT,
     .flags = POSENC_OPTIONAL,
     .meaning = "the model's parameters, and those of the protocol"},
    TAKEN_OUT("inputs", "the tensors that come in"),
    TAKEN_OUT("outputs", "the tensors that are asked for"),
    {.name = NULL}};

/* Those among a request's parameters that are the protocol's own. */
static const struct posenc_parameter own_rows[] = {{.name = "binary_data_output",
                                                    .type = POSENC_TYPE_BOOLEAN,
                                                    .flags = POSENC_OPTIONAL,
                                                    .meaning = "outputs as bytes behind the JSON"},
                                                   CONTENT_TYPE,
                                                   {.name = NULL}};

static const struct posenc_parameter input_parameter_rows[] = {
    {.name = "binary_data_size",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_OPTIONAL,
     .minimum = 0,
     .maximum = POSENC_INTEGER_MAX,
     .meaning = "bytes of the tensor behind the JSON"},
    CONTENT_TYPE,
    {.name = NULL}};

static const struct posenc_parameter input_rows[] = {
    {.name = "name", .type = POSENC_TYPE_TEXT, .meaning = "which input it is"},
    {.name = "shape",
     .type = POSENC_TYPE_INTEGERS,
     .minimum = 0,
     .maximum = INFINITY,
     .meaning = "the length of each axis, outermost first"},
    {.name = "datatype",
     .type = POSENC_TYPE_CHOICE,
     .choices = inference_datatype_names,
     .meaning = "what its elements are"},
    {.name = "parameters",
     .type = POSENC_TYPE_OBJECT,
     .flags = POSENC_OPTIONAL,
     .members = input_parameter_rows,
     .meaning = "where its data is"},
    TAKEN_OUT("data", "its elements"),
    {.name = NULL}};

static const struct posenc_parameter output_parameter_rows[] = {
    {.name = "binary_data",
     .type = POSENC_TYPE_BOOLEAN,
     .flags = POSENC_OPTIONAL,
     .meaning = "as bytes behind the JSON"},
    CONTENT_TYPE,
    {.name = NULL}};

static const struct posenc_parameter output_rows[] = {
    {.name = "name", .type = POSENC_TYPE_TEXT, .meaning = "which output is wanted"},
    {.name = "parameters",
     .type = POSENC_TYPE_OBJECT,
     .flags = POSENC_OPTIONAL,
     .members = output_parameter_rows,
     .meaning = "how it is wanted"},
    {.name = NULL}};

bool inference_parameter_is_reserved(const char *name)
{
    for (const struct posenc_parameter *row = own_rows; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return true;
    return false;
}

/* What is read, and room for the arguments of one object at a time. */
struct reading {
    const struct inference_context *context;
    struct inference_request *request;
    struct posenc_arguments arguments;
};

static const struct posenc_value *argument(const struct reading *reading, const char *name)
{
    const struct posenc_value *const value =
        &posenc_find_argument(&reading->arguments, name)->value;

    return value->kind == POSENC_NULL ? NULL : value;
}

static const char *text_argument(const struct reading *reading, const char *name)
{
    const struct posenc_value *const value = argument(reading, name);

    return value ? value->as.text : NULL;
}

/* A member that is there and not null. */
static const struct posenc_value *find_member(const struct posenc_value *object, const char *name)
{
    const struct posenc_value *const value = object ? posenc_find_member(object, name) : NULL;

    return value && value->kind != POSENC_NULL ? value : NULL;
}

/* The object without the members that are lists. False when memory is out. */
static bool leave_out(const struct posenc_value *object, const char *first, const char *second,
                      struct posenc_memory *memory, struct posenc_value *rest)
{
    const size_t count = object->as.object.count;
    struct posenc_member *const members = posenc_allocate(memory, count, sizeof *members);
    size_t kept = 0;

    if (!members)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct posenc_member *const member = &object->as.object.items[i];

        if (strcmp(member->name, first) != 0 && strcmp(member->name, second) != 0)
            members[kept++] = *member;
    }
    *rest = posenc_object(members, kept);
    return true;
}

/* Inputs. */

static bool refuse_shape(const struct inference_context *context, const char *path,
                         const char *words)
{
    char parameter[POSENC_PATH_MAX];

    (void)snprintf(parameter, sizeof parameter, "%s.shape", path);
    return inference_refuse(context, POSENC_WRONG_SHAPE, parameter, "'%s' %s.", parameter, words);
}

static bool take_shape(const struct reading *reading, const char *path,
                       struct inference_input *input)
{
    const struct posenc_array *const list = &argument(reading, "shape")->as.array;
    const double *const lengths = list->data;
    size_t bytes;

    if (list->shape[0] > POSENC_RANK_MAX)
        return refuse_shape(reading->context, path, "names more axes than the 8 that are served");
    input->array = (struct posenc_array){.dtype = input->datatype->dtype, .rank = list->shape[0]};
    for (size_t axis = 0; axis < input->array.rank; axis++)
        input->array.shape[axis] = (size_t)lengths[axis];
    if (!count_element_bytes(&input->array, &bytes))
        return refuse_shape(reading->context, path, "has more elements than can be counted");
    return true;
}

/* Takes an input's data out of its object, whose other members are bound. */
static bool read_input(struct reading *reading, const struct posenc_value *object, const char *path,
                       struct inference_input *input)
{
    const struct posenc_value *size;
    struct posenc_value rest;

    if (!leave_out(object, "data", "data", reading->context->memory, &rest))
        return inference_no_memory(reading->context);
    if (!inference_bind(reading->context, input_rows, path, &rest, &reading->arguments))
        return false;
    size = find_member(argument(reading, "parameters"), "binary_data_size");
    *input = (struct inference_input){
        .name = text_argument(reading, "name"),
        .datatype = inference_datatype_find(text_argument(reading, "datatype")),
        .data = find_member(object, "data"),
        .is_binary = size != NULL,
        .binary_size = size ? (uint64_t)size->as.number : 0};
    return take_shape(reading, path, input);
}

/* Outputs. */

static bool read_output(struct reading *reading, const struct posenc_value *object,
                        const char *path, struct inference_output *output)
{
    const struct posenc_value *is_binary;

    if (!inference_bind(reading->context, output_rows, path, object, &reading->arguments))
        return false;
    is_binary = find_member(argument(reading, "parameters"), "binary_data");
    output->name = text_argument(reading, "name");
    output->is_binary = is_binary ? is_binary->as.boolean : reading->request->are_outputs_binary;
    return true;
}

/* Lists of objects. */

static bool is_empty(const struct posenc_value *list)
{
    return list->kind == POSENC_ARRAY && list->as.array.rank == 1 && list->as.array.shape[0] == 0;
}

static bool refuse_item(const struct reading *reading, const char *name, size_t index)
{
    char parameter[32];

    (void)snprintf(parameter, sizeof parameter, "%s.%zu", name, index);
    return inference_refuse(reading->context, POSENC_WRONG_TYPE, parameter,
                            "'%s' must be an object.", parameter);
}

/* The list's items and how many; none where it is missing. */
static bool open_list(const struct reading *reading, const struct posenc_value *object,
                      const char *name, size_t most, struct posenc_list *list)
{
    const struct posenc_value *const value = find_member(object, name);

    *list = (struct posenc_list){0};
    if (!value || is_empty(value))
        return true;
    if (value->kind != POSENC_LIST)
        return inference_refuse(reading->context, POSENC_WRONG_TYPE, name,
                                "'%s' must be a list of objects.", name);
    *list = value->as.list;
    if (list->count > most)
        return inference_refuse(reading->context, POSENC_OUT_OF_RANGE, name,
                                "'%s' has %zu items; at most %zu are read.", name, list->count,
                                most);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind != POSENC_OBJECT)
            return refuse_item(reading, name, i);
    return true;
}

static bool read_inputs(struct reading *reading, const struct posenc_value *object)
{
    struct inference_request *const request = reading->request;
    struct posenc_list list;
    char path[32];

    if (!open_list(reading, object, "inputs", INFERENCE_INPUTS_MAX, &list))
        return false;
    request->input_count = list.count;
    request->inputs =
        posenc_allocate(reading->context->memory, list.count, sizeof *request->inputs);
    if (!request->inputs)
        return inference_no_memory(reading->context);
    for (size_t i = 0; i < list.count; i++) {
        (void)snprintf(path, sizeof path, "inputs.%zu", i);
        if (!read_input(reading, &list.items[i], path, &request->inputs[i]))
            return false;
    }
    return true;
}

static bool read_outputs(struct reading *reading, const struct posenc_value *object)
{
    struct inference_request *const request = reading->request;
    struct posenc_list list;
    char path[32];

    if (!open_list(reading, object, "outputs", INFERENCE_OUTPUTS_MAX, &list))
        return false;
    request->output_count = list.count;
    request->outputs =
        posenc_allocate(reading->context->memory, list.count, sizeof *request->outputs);
    if (!request->outputs)
        return inference_no_memory(reading->context);
    for (size_t i = 0; i < list.count; i++) {
        (void)snprintf(path, sizeof path, "outputs.%zu", i);
        if (!read_output(reading, &list.items[i], path, &request->outputs[i]))
            return false;
    }
    return true;
}

/* The request. */

/* A name or version in the body is a repetition, or a contradiction. */
static bool check_model(const struct reading *reading)
{
    const char *const name = text_argument(reading, "model_name");
    const char *const version = text_argument(reading, "model_version");
    struct inference_model model;

    if (name && (!inference_model_find(name, &model) ||
                 model.operation != reading->context->model.operation))
        return inference_refuse(reading->context, POSENC_CONFLICT, "model_name",
                                "'model_name' is '%.80s', but the address names another model.",
                                name);
    if (version && *version && strcmp(version, inference_model_version()) != 0)
        return inference_refuse(reading->context, POSENC_CONFLICT, "model_version",
                                "'model_version' is '%.80s'; this server has version %s.", version,
                                inference_model_version());
    return true;
}

/* Binds the protocol's own among the request's parameters. */
static bool read_own(struct reading *reading, const struct posenc_value *parameters)
{
    const struct posenc_members *const all = &parameters->as.object;
    struct posenc_member own[sizeof own_rows / sizeof *own_rows];
    const struct posenc_value *is_binary;
    struct posenc_value object;
    size_t count = 0;

    reading->request->parameters = all;
    for (size_t i = 0; i < all->count; i++) /* names stand once in an object */
        if (inference_parameter_is_reserved(all->items[i].name))
            own[count++] = all->items[i];
    object = posenc_object(own, count);
    if (!inference_bind(reading->context, own_rows, "parameters", &object, &reading->arguments))
        return false;
    is_binary = argument(reading, "binary_data_output");
    reading->request->are_outputs_binary = is_binary && is_binary->as.boolean;
    return true;
}

static bool read_envelope(struct reading *reading, const struct posenc_value *object)
{
    const struct posenc_value *parameters;
    struct posenc_value rest;

    if (!leave_out(object, "inputs", "outputs", reading->context->memory, &rest))
        return inference_no_memory(reading->context);
    if (!inference_bind(reading->context, request_rows, "", &rest, &reading->arguments) ||
        !check_model(reading))
        return false;
    reading->request->id = text_argument(reading, "id");
    parameters = find_member(&rest, "parameters");
    return !parameters || read_own(reading, parameters);
}

bool read_inference_request(const struct inference_context *context,
                            const struct inference_body *body, struct inference_request *request)
{
    struct reading *const reading = posenc_allocate(context->memory, 1, sizeof *reading);
    struct posenc_value object;
    struct body_problem problem;

    if (!reading)
        return inference_no_memory(context);
    *request = (struct inference_request){0};
    reading->context = context;
    reading->request = request;
    if (!read_python_body(body->bytes, body->json_size, context->memory, &object, &problem))
        return inference_refuse_body(context, &problem);
    if (object.kind != POSENC_OBJECT)
        return inference_refuse(context, POSENC_WRONG_TYPE, "",
                                "The body must be a JSON object with 'inputs' and 'parameters'.");
    return read_envelope(reading, &object) && read_inputs(reading, &object) &&
           read_outputs(reading, &object);
}
