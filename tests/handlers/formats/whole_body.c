#include "whole_body.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct format_body opened_body(const struct format *format, const struct format_input *input,
                               struct posenc_memory *memory)
{
    struct format_body body = {0};
    struct posenc_problem problem;

    cr_assert_eq(format->open(input, memory, &body, &problem), POSENC_OK);
    return body;
}

char *whole_body(const struct format_body *body, size_t step, size_t *size)
{
    char *const buffer = malloc(step);
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity);
    ssize_t count;

    cr_assert(buffer && bytes);
    *size = 0;
    while ((count = body->read(body->state, *size, buffer, step)) > 0) {
        cr_assert_leq((size_t)count, step);
        while (capacity - *size <= (size_t)count)
            capacity *= 2;
        bytes = realloc(bytes, capacity);
        cr_assert(bytes);
        memcpy(bytes + *size, buffer, (size_t)count);
        *size += (size_t)count;
    }
    cr_assert_eq(count, 0);
    if (body->length != UINT64_MAX)
        cr_assert_eq(*size, body->length);
    bytes[*size] = '\0';
    free(buffer);
    return bytes;
}
