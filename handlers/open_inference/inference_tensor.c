/* Numbers of the JSON are rounded once to the datatype; integers must be some. */
#include "inference_tensor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PATH_MAX_TENSOR 96 /* "inputs.255.parameters.binary_data_size", with its end */

/* The input that is read. */
struct source {
    const struct inference_context *context;
    const struct inference_body *body;
    struct inference_input *input;
    const char *path;
    size_t count; /* elements that the shape has */
};

static bool refuse_data(const struct source *source, enum posenc_status status, const char *words)
{
    char path[PATH_MAX_TENSOR];

    (void)snprintf(path, sizeof path, "%s.data", source->path);
    return inference_refuse(source->context, status, path, "'%s' %s.", path, words);
}

static bool refuse_count(const struct source *source)
{
    return refuse_data(source, POSENC_WRONG_SHAPE,
                       "does not have the numbers that the shape beside it describes: write as "
                       "many, flat or nested by it");
}

/* How lists must be nested: as the shape says, or not at all. */

struct nesting {
    size_t rank;
    const size_t *shape;
};

static bool is_list(const struct posenc_value *value)
{
    return value->kind == POSENC_ARRAY || value->kind == POSENC_LIST ||
           value->kind == POSENC_RAGGED;
}

/* Lists that are no arrays of numbers have items, of which the first one shows it. */
static bool is_flat(const struct posenc_value *data)
{
    return data->kind == POSENC_LIST ? !is_list(&data->as.list.items[0])
                                     : data->kind == POSENC_ARRAY && data->as.array.rank == 1;
}

/* Readers of bodies limit the depth of brackets. */
static bool fits_nesting(const struct nesting *nesting, size_t axis,
                         const struct posenc_value *value)
{
    const size_t *const shape = nesting->shape + axis;
    const size_t rank = nesting->rank - axis;

    if (rank == 0)
        return !is_list(value);
    if (value->kind == POSENC_ARRAY)
        return value->as.array.rank == rank &&
               memcmp(value->as.array.shape, shape, rank * sizeof *shape) == 0;
    if (value->kind != POSENC_LIST || value->as.list.count != *shape)
        return false;
    for (size_t i = 0; i < *shape; i++)
        if (!fits_nesting(nesting, axis + 1, &value->as.list.items[i]))
            return false;
    return true;
}

static bool fits_shape(const struct source *source)
{
    const struct posenc_array *const array = &source->input->array;
    const struct nesting flat = {1, &source->count}, nested = {array->rank, array->shape};
    const struct posenc_value *const data = source->input->data;

    return fits_nesting(is_flat(data) ? &flat : &nested, 0, data);
}

/* Data of mixed kinds, which fits the shape: true, false and null among numbers. */

static bool refuse_fractions(const struct source *source)
{
    return refuse_data(source, POSENC_WRONG_TYPE, "has numbers that are no integers");
}

/* Null is how MLServer writes NaN. */
static bool take_leaf(const struct source *source, const struct posenc_value *leaf, double *number)
{
    const struct inference_datatype *const datatype = source->input->datatype;

    if (leaf->rounded && datatype->is_integer)
        return refuse_fractions(source);
    if (leaf->kind == POSENC_BOOLEAN && strcmp(datatype->name, "BOOL") == 0)
        *number = leaf->as.boolean;
    else if (leaf->kind == POSENC_NUMBER)
        *number = leaf->as.number;
    else if (leaf->kind == POSENC_NULL && !datatype->is_integer)
        *number = NAN;
    else
        return refuse_data(source, POSENC_WRONG_TYPE, "has items that are not of its datatype");
    return true;
}

static bool take_array(const struct source *source, const struct posenc_value *value, double **at)
{
    const struct posenc_array *const array = &value->as.array;
    size_t count = 0;

    if (value->rounded && source->input->datatype->is_integer)
        return refuse_fractions(source);
    (void)posenc_shape_count(array->rank, array->shape, &count); /* it lies in memory, so it fits */
    if (count > 0)
        memcpy(*at, array->data, count * sizeof **at);
    *at += count;
    return true;
}

static bool flatten(const struct source *source, const struct posenc_value *value, double **at)
{
    if (value->kind == POSENC_ARRAY)
        return take_array(source, value, at);
    if (value->kind != POSENC_LIST)
        return take_leaf(source, value, (*at)++);
    for (size_t i = 0; i < value->as.list.count; i++)
        if (!flatten(source, &value->as.list.items[i], at))
            return false;
    return true;
}

/* Data in the JSON. */

static bool read_list(const struct source *source, const double **numbers)
{
    double *const all = posenc_allocate(source->context->memory, source->count, sizeof *all);
    double *at = all;

    if (!all)
        return inference_no_memory(source->context);
    *numbers = all;
    return flatten(source, source->input->data, &at);
}

static bool read_numbers(const struct source *source, const double **numbers)
{
    const struct posenc_value *const data = source->input->data;

    if (!is_list(data))
        return refuse_data(source, POSENC_WRONG_TYPE, "must be a list of its elements");
    if (!fits_shape(source))
        return refuse_count(source);
    if (data->kind == POSENC_LIST)
        return read_list(source, numbers);
    if (data->rounded && source->input->datatype->is_integer)
        return refuse_fractions(source);
    *numbers = data->as.array.data;
    return true;
}

static bool fits_datatype(const struct inference_datatype *datatype, double number)
{
    if (datatype->is_integer)
        return number >= datatype->minimum && number <= datatype->maximum &&
               number == floor(number);
    return !isfinite(number) || fabs(number) < datatype->maximum;
}

static bool check_numbers(const struct source *source, const double *numbers)
{
    const struct inference_datatype *const datatype = source->input->datatype;

    for (size_t i = 0; i < source->count; i++)
        if (!fits_datatype(datatype, numbers[i])) {
            char words[96];

            (void)snprintf(words, sizeof words, "has %.17g as element %zu, which is no %s",
                           numbers[i], i, datatype->name);
            return refuse_data(source, POSENC_OUT_OF_RANGE, words);
        }
    return true;
}

static bool read_json_data(const struct source *source)
{
    struct posenc_array *const array = &source->input->array;
    const double *numbers;
    void *elements;

    if (!read_numbers(source, &numbers) || !check_numbers(source, numbers))
        return false;
    elements =
        posenc_allocate(source->context->memory, source->count, posenc_dtype_size(array->dtype));
    if (!elements)
        return inference_no_memory(source->context);
    posenc_round(array->dtype, numbers, source->count, elements);
    array->data = elements;
    return true;
}

/* Data behind the JSON. */

static bool refuse_size(const struct source *source, size_t bytes)
{
    char path[PATH_MAX_TENSOR];

    (void)snprintf(path, sizeof path, "%s.parameters.binary_data_size", source->path);
    return inference_refuse(source->context, POSENC_WRONG_SHAPE, path,
                            "'%s' is %llu, but a tensor of this shape and datatype has %zu bytes.",
                            path, (unsigned long long)source->input->binary_size, bytes);
}

static bool read_binary_data(const struct source *source, size_t *at)
{
    const struct inference_input *const input = source->input;
    const size_t bytes = source->count * input->datatype->size;
    const struct element_source elements = {.body = source->body->bytes, .offset = *at};
    struct body_problem problem;

    if (input->binary_size != bytes)
        return refuse_size(source, bytes);
    if (bytes > source->body->size - *at) {
        (void)body_fail(&problem, source->body->size,
                        "the body ends within the %zu bytes of '%s'; the rest of them is missing",
                        bytes, source->path);
        return inference_refuse_body(source->context, &problem);
    }
    *at += bytes;
    return inference_datatype_take(input->datatype, &elements, source->context->memory,
                                   &source->input->array, &problem) ||
           inference_refuse_body(source->context, &problem);
}

bool take_inference_tensor(const struct inference_context *context,
                           const struct inference_body *body, const char *path,
                           struct inference_input *input, size_t *at)
{
    struct source source = {context, body, input, path, 0};

    /* It has been counted with elements that are no smaller. */
    (void)posenc_shape_count(input->array.rank, input->array.shape, &source.count);
    if (input->is_binary && input->data)
        return refuse_data(&source, POSENC_CONFLICT,
                           "has no place beside binary_data_size: send the data once");
    if (!input->is_binary && !input->data)
        return refuse_data(&source, POSENC_MISSING_PARAMETER,
                           "is required, or 'binary_data_size' among the input's parameters with "
                           "the bytes behind the JSON");
    return input->is_binary ? read_binary_data(&source, at) : read_json_data(&source);
}
