#include "whole_bytes.h"

#include <string.h>

ssize_t whole_bytes_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    const struct whole_bytes *const whole = state;

    if (offset >= whole->size)
        return 0;
    const size_t left = whole->size - (size_t)offset, part = left < size ? left : size;

    memcpy(buffer, whole->bytes + offset, part);
    return (ssize_t)part;
}
