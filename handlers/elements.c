/* Elements from bytes. The machine is little-endian, as the writers of the formats assert. */
#include "elements.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool body_fail(struct body_problem *problem, size_t offset, const char *detail, ...)
{
    va_list arguments;

    memset(problem, 0, sizeof *problem);
    problem->offset = offset;
    va_start(arguments, detail);
    (void)vsnprintf(problem->detail, sizeof problem->detail, detail, arguments); /* cut if long */
    va_end(arguments);
    return false;
}

bool body_fail_memory(struct body_problem *problem)
{
    (void)body_fail(problem, 0, "out of memory; send a smaller body or try again later");
    problem->no_memory = true;
    return false;
}

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

/* Copies the rows of the last axis one after the other; neighbours in a row lie a plane apart. */
static void copy_column_major(const struct posenc_array *array, const char *from, size_t size,
                              char *to, size_t bytes)
{
    const size_t last = array->rank - 1, row = array->shape[last];
    size_t strides[POSENC_RANK_MAX], place[POSENC_RANK_MAX] = {0}, stride = size, offset = 0;

    for (size_t axis = 0; axis < array->rank; axis++) {
        strides[axis] = stride;
        stride *= array->shape[axis];
    }
    for (const char *const end = to + bytes; to < end;) {
        for (size_t i = 0; i < row; i++, to += size)
            copy_element(to, from + offset + i * strides[last], size);
        for (size_t axis = last; axis-- > 0;) {
            offset += strides[axis];
            if (++place[axis] < array->shape[axis])
                break;
            offset -= strides[axis] * array->shape[axis];
            place[axis] = 0;
        }
    }
}

static void swap_bytes(char *elements, size_t size, size_t bytes)
{
    for (char *const end = elements + bytes; elements < end; elements += size) {
        for (size_t i = 0; i < size / 2; i++) {
            const char byte = elements[i];

            elements[i] = elements[size - 1 - i];
            elements[size - 1 - i] = byte;
        }
    }
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
    const bool is_reordered = source->is_column_major && array->rank > 1;
    size_t bytes = 0;
    char *copy;

    (void)count_element_bytes(array, &bytes); /* they lie in the body, so they can be counted */
    if (array->dtype == POSENC_INT64 && !check_integers(source, bytes, problem))
        return false;
    array->data = first;
    if (!is_reordered && !source->is_big_endian && (uintptr_t)first % size == 0)
        return true;
    copy = posenc_allocate(memory, bytes, 1);
    if (!copy)
        return body_fail_memory(problem);
    if (is_reordered)
        copy_column_major(array, first, size, copy, bytes);
    else if (bytes > 0)
        memcpy(copy, first, bytes);
    if (source->is_big_endian)
        swap_bytes(copy, size, bytes);
    array->data = copy;
    return true;
}
