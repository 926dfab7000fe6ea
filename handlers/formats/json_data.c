/* Brackets follow from the place of an element alone: where axes start and end. */
#include "json_data.h"

#include <assert.h>
#include <string.h>

#include "number_text.h"

static_assert((2 * POSENC_RANK_MAX + 1) * (2 * (JSON_DATA_DEPTH + POSENC_RANK_MAX) + 3) +
                      NUMBER_TEXT_MAX <=
                  JSON_ELEMENT_MAX,
              "the brackets of a full rank fit");

/* Axes before the first of length 0. */
static size_t printed_rank(const struct posenc_tensor *tensor)
{
    size_t rank = 0;

    while (rank < tensor->rank && tensor->shape[rank] > 0)
        rank++;
    return rank;
}

bool json_data_count(const struct posenc_tensor *tensor, size_t *cells)
{
    return posenc_shape_count(printed_rank(tensor), tensor->shape, cells);
}

void json_data_begin(struct json_data *data, const struct posenc_tensor *tensor)
{
    size_t stride = 1;

    data->tensor = tensor;
    data->rank = printed_rank(tensor);
    for (size_t axis = data->rank; axis-- > 0;) {
        stride *= tensor->shape[axis];
        data->strides[axis] = stride;
    }
    data->cells = stride;
    data->row = data->rank > 0 ? tensor->shape[data->rank - 1] : 1;
    data->cell = data->column = 0;
    data->block_first = data->block_count = 0;
}

static char *print_line(char *at, size_t depth)
{
    *at++ = '\n';
    memset(at, ' ', 2 * depth);
    return at + 2 * depth;
}

/* Where a row starts: the comma behind the row before, then the brackets of all axes that start. */
static char *print_row_start(const struct json_data *data, bool pretty, char *at)
{
    size_t axis = data->rank;

    while (axis > 0 && data->cell % data->strides[axis - 1] == 0)
        axis--;
    if (data->cell > 0) {
        *at++ = ',';
        if (pretty)
            at = print_line(at, JSON_DATA_DEPTH + axis);
    }
    for (; axis < data->rank; axis++) {
        *at++ = '[';
        if (pretty && axis + 1 < data->rank)
            at = print_line(at, JSON_DATA_DEPTH + axis + 1);
    }
    return at;
}

/* Where a row ends: the brackets of all axes that end with cell - 1. */
static char *print_row_end(const struct json_data *data, bool pretty, char *at)
{
    for (size_t axis = data->rank; axis > 0 && data->cell % data->strides[axis - 1] == 0; axis--) {
        if (pretty && axis < data->rank)
            at = print_line(at, JSON_DATA_DEPTH + axis - 1);
        *at++ = ']';
    }
    return at;
}

static void data_fill_block(struct json_data *data)
{
    data->block_first = data->cell;
    data->block_count =
        data->cells - data->cell < JSON_BLOCK ? data->cells - data->cell : JSON_BLOCK;
    posenc_fill(data->tensor, data->block_first, data->block_count, data->elements);
    posenc_widen(data->tensor->dtype, data->elements, data->block_count, data->numbers);
}

static size_t print_number(struct json_data *data, char *at)
{
    const enum posenc_dtype dtype = data->tensor->dtype;
    size_t index;

    if (data->rank < data->tensor->rank) {
        at[0] = '[';
        at[1] = ']';
        return 2;
    }
    if (data->cell == data->block_first + data->block_count)
        data_fill_block(data);
    index = data->cell - data->block_first;
    if (dtype == POSENC_INT64)
        return number_print_integer(((const int64_t *)(const void *)data->elements)[index], at);
    return number_print(dtype, data->numbers[index], at);
}

char *json_data_print(struct json_data *data, bool pretty, char *at)
{
    if (data->column == 0) {
        at = print_row_start(data, pretty, at);
    } else {
        *at++ = ',';
        if (pretty)
            *at++ = ' ';
    }
    at += print_number(data, at);
    data->cell++;
    if (++data->column == data->row) {
        data->column = 0;
        at = print_row_end(data, pretty, at);
    }
    return at;
}
