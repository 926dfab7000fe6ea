/* A tensor written as {"dtype", "shape", "data"}: the data, nested or flat, rounded once to the
 * dtype. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bind.h"

static const struct posenc_parameter tensor_members[] = {
    {.name = "dtype",
     .type = POSENC_TYPE_CHOICE,
     .choices = POSENC__NAMES("float64", "float32", "float16", "bfloat16", "int64", "int32"),
     .meaning = "what the data is rounded to, once"},
    {.name = "shape",
     .type = POSENC_TYPE_INTEGERS,
     .minimum = 0,
     .maximum = INFINITY,
     .meaning = "the length of each axis, outermost first"},
    {.name = "data",
     .type = POSENC_TYPE_TENSOR,
     .meaning = "the numbers in C order, nested or flat"},
    {.name = NULL},
};

static const struct posenc_parameter tensor_row = {.name = "tensor", .members = tensor_members};

static enum posenc_status read_shape(const struct posenc_array *list, const char *path,
                                     struct posenc_array *array, struct posenc_problem *problem)
{
    const double *lengths = list->data;

    if (list->shape[0] > POSENC_RANK_MAX)
        return posenc__refuse(problem, POSENC_WRONG_SHAPE, path,
                              "'%s' names %zu axes; at most %d are served.", path, list->shape[0],
                              POSENC_RANK_MAX);
    array->rank = list->shape[0];
    for (size_t axis = 0; axis < array->rank; axis++)
        array->shape[axis] = (size_t)lengths[axis];
    return POSENC_OK;
}

/* Integer dtypes hold what they are given or refuse it: rounding an index would be a silent change.
 */
static bool fits_integer(enum posenc_dtype dtype, const double *numbers, size_t count)
{
    const double minimum = dtype == POSENC_INT32 ? INT32_MIN : -POSENC_INTEGER_MAX;
    const double maximum = dtype == POSENC_INT32 ? INT32_MAX : POSENC_INTEGER_MAX;

    for (size_t i = 0; i < count; i++)
        if (!(numbers[i] >= minimum && numbers[i] <= maximum) || numbers[i] != floor(numbers[i]))
            return false;
    return true;
}

enum posenc_status posenc__convert_tensor(const struct posenc__binding *binding, const char *path,
                                          const struct posenc_value *raw,
                                          struct posenc_argument *argument)
{
    struct posenc_value bound;
    char shape_path[POSENC_PATH_MAX], data_path[POSENC_PATH_MAX];
    enum posenc_status status = posenc__bind_object(binding, &tensor_row, path, raw, &bound);

    if (status != POSENC_OK)
        return status;
    const struct posenc_value *sent = posenc_find_member(&bound, "data");
    struct posenc_array data = sent->as.array;
    struct posenc_array array = {.dtype = POSENC_FLOAT64};
    size_t count = 0, numbers = 0;

    (void)snprintf(shape_path, sizeof(shape_path), "%.120s.shape", path);
    (void)snprintf(data_path, sizeof(data_path), "%.120s.data", path);
    (void)posenc_dtype_find(posenc_find_member(&bound, "dtype")->as.text,
                            &array.dtype); /* a choice, so known */
    status = read_shape(&posenc_find_member(&bound, "shape")->as.array, shape_path, &array,
                        binding->problem);
    if (status != POSENC_OK)
        return status;
    (void)posenc_shape_count(data.rank, data.shape, &numbers); /* it lies in memory, so it fits */
    if (!posenc_shape_count(array.rank, array.shape, &count) || count != numbers)
        return posenc__refuse(binding->problem, POSENC_WRONG_SHAPE, shape_path,
                              "'%s' does not describe the %zu numbers of '%s'.", shape_path,
                              numbers, data_path);
    if (!posenc__widen_array(binding->memory, &data))
        return posenc__no_memory(binding->problem);
    if ((array.dtype == POSENC_INT64 || array.dtype == POSENC_INT32) &&
        (sent->rounded || !fits_integer(array.dtype, data.data, count)))
        return posenc__refuse(binding->problem, POSENC_OUT_OF_RANGE, data_path,
                              "'%s' has numbers that are not integers of its dtype.", data_path);
    void *elements = posenc_allocate(binding->memory, count, posenc_dtype_size(array.dtype));

    if (!elements)
        return posenc__no_memory(binding->problem);
    posenc_round(array.dtype, data.data, count, elements);
    array.data = elements;
    argument->value = posenc_nested(&array);
    return POSENC_OK;
}
