/* Elements from bytes. The machine is little-endian, as the writers of the formats assert. */
#include "elements.h"

#include <string.h>

bool count_element_bytes(const struct posenc_array *array, size_t *bytes)
{
    size_t product = posenc_dtype_size(array->dtype);
    bool is_empty = false;

    for (size_t axis = 0; axis < array->rank; axis++) {
        if (array->shape[axis] == 0)
            is_empty = true;
        else if (__builtin_mul_overflow(product, array->shape[axis], &product))
            return false;
    }
    *bytes = is_empty ? 0 : product;
    return true;
}

static void copy_element(char *to, const char *from, size_t size)
{
    switch (size) {
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    default:
        memcpy(to, from, 8);
    }
}

/* The rows and columns of a body that is column-major: a row's neighbours lie to_stride bytes apart
 * where they go, a column's from_stride bytes apart where they come from. */
struct plane {
    size_t rows, columns, size;
    size_t from_stride, to_stride;
};

#define PLANE_TILE ((size_t)16) /* rows and columns at a time, so that cache lines are used up */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void transpose_tile(const struct plane *plane, size_t row, size_t column, const char *from,
                           char *to)
{
    const size_t row_end = smaller(plane->rows, row + PLANE_TILE);
    const size_t column_end = smaller(plane->columns, column + PLANE_TILE);

    for (size_t i = row; i < row_end; i++)
        for (size_t j = column; j < column_end; j++)
            copy_element(to + i * plane->to_stride + j * plane->size,
                         from + i * plane->size + j * plane->from_stride, plane->size);
}

static void transpose_plane(const struct plane *plane, const char *from, char *to)
{
    for (size_t row = 0; row < plane->rows; row += PLANE_TILE)
        for (size_t column = 0; column < plane->columns; column += PLANE_TILE)
            transpose_tile(plane, row, column, from, to);
}

/* Copies the planes of the first and the last axis one after the other. */
static void copy_column_major(const struct posenc_array *array, const char *from, char *to)
{
    const size_t size = posenc_dtype_size(array->dtype), last = array->rank - 1;
    size_t from_strides[POSENC_RANK_MAX], to_strides[POSENC_RANK_MAX], place[POSENC_RANK_MAX] = {0};
    size_t from_at = 0, to_at = 0, axis;

    from_strides[0] = to_strides[last] = size;
    for (axis = 1; axis <= last; axis++) {
        from_strides[axis] = from_strides[axis - 1] * array->shape[axis - 1];
        to_strides[last - axis] = to_strides[last - axis + 1] * array->shape[last - axis + 1];
    }
    const struct plane plane = {array->shape[0], array->shape[last], size, from_strides[last],
                                to_strides[0]};

    do {
        transpose_plane(&plane, from + from_at, to + to_at);
        for (axis = last - 1; axis > 0; axis--) {
            from_at += from_strides[axis];
            to_at += to_strides[axis];
            if (++place[axis] < array->shape[axis])
                break;
            from_at -= from_strides[axis] * array->shape[axis];
            to_at -= to_strides[axis] * array->shape[axis];
            place[axis] = 0;
        }
    } while (axis > 0);
}

static void swap_bytes(void *elements, size_t size, size_t bytes)
{
    uint16_t *const twos = elements;
    uint32_t *const fours = elements;
    uint64_t *const eights = elements;

    for (size_t i = 0; size == 2 && i < bytes / 2; i++)
        twos[i] = __builtin_bswap16(twos[i]);
    for (size_t i = 0; size == 4 && i < bytes / 4; i++)
        fours[i] = __builtin_bswap32(fours[i]);
    for (size_t i = 0; size == 8 && i < bytes / 8; i++)
        eights[i] = __builtin_bswap64(eights[i]);
}

/* Values go through doubles, and an integer must not change on its way. */
static bool check_integers(const struct element_source *source, size_t bytes,
                           struct body_problem *problem)
{
    const char *const first = source->body + source->offset;

    for (size_t at = 0; at < bytes; at += sizeof(int64_t)) {
        uint64_t bits;
        int64_t integer;

        memcpy(&bits, first + at, sizeof bits);
        bits = source->is_big_endian ? __builtin_bswap64(bits) : bits;
        memcpy(&integer, &bits, sizeof integer);
        if (integer > (int64_t)POSENC_INTEGER_MAX || integer < -(int64_t)POSENC_INTEGER_MAX)
            return body_fail(problem, source->offset + at,
                             "integers beyond 2^53 - 1 are not read, since doubles cannot hold "
                             "them all; this one is %lld",
                             (long long)integer);
    }
    return true;
}

bool take_elements(const struct element_source *source, struct posenc_memory *memory,
                   struct posenc_array *array, struct body_problem *problem)
{
    const char *const first = source->body + source->offset;
    const size_t size = posenc_dtype_size(array->dtype);
    size_t bytes = 0;
    char *copy;

    (void)count_element_bytes(array, &bytes); /* they lie in the body, so they can be counted */
    const bool is_reordered = source->is_column_major && array->rank > 1 && bytes > 0;

    if (array->dtype == POSENC_INT64 && !check_integers(source, bytes, problem))
        return false;
    array->data = first;
    if (!is_reordered && !source->is_big_endian && (uintptr_t)first % size == 0)
        return true;
    copy = posenc_allocate(memory, bytes, 1);
    if (!copy)
        return body_fail_memory(problem);
    if (is_reordered)
        copy_column_major(array, first, copy);
    else if (bytes > 0)
        memcpy(copy, first, bytes);
    if (source->is_big_endian)
        swap_bytes(copy, size, bytes);
    array->data = copy;
    return true;
}
