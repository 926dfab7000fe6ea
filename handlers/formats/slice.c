/* Elements go straight into the caller's buffer, but for those that its edges or its address cut.
 */
#include "slice.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are written as they lie");

#define SLICE_BLOCK ((size_t)4096) /* bytes on the stack */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Writes up to `size` bytes of a tensor's from byte `at` on, which it has; at least one of them. */
static size_t read_tensor(const struct posenc_tensor *tensor, uint64_t at, char *buffer,
                          size_t size)
{
    const size_t element_size = posenc_dtype_size(tensor->dtype);
    const size_t first = (size_t)(at / element_size);
    const size_t skipped = (size_t)(at % element_size);
    const size_t left = tensor->count - first;
    _Alignas(64) char block[SLICE_BLOCK];
    size_t count, bytes;

    if (skipped == 0 && size >= element_size && (uintptr_t)buffer % element_size == 0) {
        count = smaller(left, size / element_size);
        posenc_fill(tensor, first, count, buffer);
        return count * element_size;
    }
    count = smaller(smaller(left, SLICE_BLOCK / element_size),
                    (skipped + smaller(size, SLICE_BLOCK) + element_size - 1) / element_size);
    posenc_fill(tensor, first, count, block);
    bytes = smaller(size, count * element_size - skipped);
    memcpy(buffer, block + skipped, bytes);
    return bytes;
}

/* The same for the file; 0 at its end. */
static size_t read_part(const struct slice_file *file, uint64_t at, char *buffer, size_t size)
{
    if (at < file->header_size) {
        const size_t bytes = smaller(size, file->header_size - (size_t)at);

        memcpy(buffer, file->header + at, bytes);
        return bytes;
    }
    at -= file->header_size;
    for (size_t i = 0; i < file->tensor_count; i++) {
        const uint64_t bytes = posenc_tensor_bytes(&file->tensors[i]);

        if (at < bytes)
            return read_tensor(&file->tensors[i], at, buffer, size);
        at -= bytes;
    }
    return 0;
}

static ssize_t slice_file_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    size_t written = 0, bytes;

    while (written < size &&
           (bytes = read_part(state, offset + written, buffer + written, size - written)) > 0)
        written += bytes;
    return (ssize_t)written;
}

static enum posenc_status slice_refuse(struct posenc_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->status = POSENC_TOO_LARGE;
    (void)snprintf(problem->detail, sizeof problem->detail,
                   "the file would have more bytes than can be counted; ask for fewer positions");
    return problem->status;
}

enum posenc_status slice_file_open(struct slice_file *file, struct format_body *body,
                                   struct posenc_problem *problem)
{
    uint64_t length = file->header_size;

    for (size_t i = 0; i < file->tensor_count; i++)
        if (__builtin_add_overflow(length, posenc_tensor_bytes(&file->tensors[i]), &length))
            return slice_refuse(problem);
    if (length > INT64_MAX) /* offsets are signed to most who read them */
        return slice_refuse(problem);
    body->length = length;
    body->read = slice_file_read;
    body->state = file;
    return POSENC_OK;
}
