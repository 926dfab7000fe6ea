/*
 * NumPy's file format 1.0 (numpy/lib/format.py): magic, a dictionary that ends on a multiple of 64
 * bytes, then the elements in C order. Any byte can be asked for without computing those before.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "format.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are written as they lie");

#define NPY_ALIGNMENT  ((size_t)64)
#define NPY_PREFIX     ((size_t)10) /* magic, version, length of what follows */
#define NPY_HEADER_MAX 320          /* 8 axes of 20 digits, the words around them, the padding */
#define NPY_BLOCK      ((size_t)4096)

struct npy_body {
    struct posenc_tensor tensor;
    size_t header_size;
    char header[NPY_HEADER_MAX];
};

/* NULL where NumPy has no such type. */
static const char *npy_descr(enum posenc_dtype dtype)
{
    switch (dtype) {
    case POSENC_FLOAT64:
        return "<f8";
    case POSENC_FLOAT32:
        return "<f4";
    case POSENC_FLOAT16:
        return "<f2";
    case POSENC_INT64:
        return "<i8";
    case POSENC_INT32:
        return "<i4";
    case POSENC_BFLOAT16:
    case POSENC_DTYPE_COUNT:
        break;
    }
    return NULL;
}

/* Python's tuples: "()", "(5,)", "(2, 3)". */
static size_t npy_print_shape(const struct posenc_tensor *tensor, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "(");

    for (size_t axis = 0; axis < tensor->rank; axis++)
        length += (size_t)snprintf(text + length, size - length, axis ? ", %zu" : "%zu",
                                   tensor->shape[axis]);
    return length + (size_t)snprintf(text + length, size - length, tensor->rank == 1 ? ",)" : ")");
}

static void npy_print_header(struct npy_body *body)
{
    static const char magic[8] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
    char *const header = body->header;
    size_t length = NPY_PREFIX, size;

    length += (size_t)snprintf(
        header + length, NPY_HEADER_MAX - length,
        "{'descr': '%s', 'fortran_order': False, 'shape': ", npy_descr(body->tensor.dtype));
    length += npy_print_shape(&body->tensor, header + length, NPY_HEADER_MAX - length);
    length += (size_t)snprintf(header + length, NPY_HEADER_MAX - length, ", }");
    size = (length + 1 + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    assert(size <= NPY_HEADER_MAX);
    memset(header + length, ' ', size - length);
    header[size - 1] = '\n';

    memcpy(header, magic, sizeof magic);
    header[8] = (char)((size - NPY_PREFIX) & 0xFF);
    header[9] = (char)((size - NPY_PREFIX) >> 8);
    body->header_size = size;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Writes up to `size` bytes of the elements' bytes from `at` on; at least one of those there are.
 */
static size_t npy_read_data(const struct posenc_tensor *tensor, uint64_t at, char *buffer,
                            size_t size)
{
    const size_t element_size = posenc_dtype_size(tensor->dtype);
    const size_t first = (size_t)(at / element_size);
    const size_t skipped = (size_t)(at % element_size);
    const size_t left = tensor->count - first;
    _Alignas(64) char block[NPY_BLOCK];
    size_t count, bytes;

    if (skipped == 0 && size >= element_size && (uintptr_t)buffer % element_size == 0) {
        count = smaller(left, size / element_size);
        posenc_fill(tensor, first, count, buffer);
        return count * element_size;
    }
    /* An element is cut, or the buffer is not aligned to them: by way of a block that is. */
    count = smaller(smaller(left, NPY_BLOCK / element_size),
                    (skipped + smaller(size, NPY_BLOCK) + element_size - 1) / element_size);
    posenc_fill(tensor, first, count, block);
    bytes = smaller(size, count * element_size - skipped);
    memcpy(buffer, block + skipped, bytes);
    return bytes;
}

static ssize_t npy_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    const struct npy_body *const body = state;
    const uint64_t length = body->header_size + posenc_tensor_bytes(&body->tensor);
    size_t written = 0;

    while (written < size && offset + written < length) {
        const uint64_t at = offset + written;

        if (at < body->header_size) {
            const size_t bytes = smaller(size - written, body->header_size - (size_t)at);

            memcpy(buffer + written, body->header + at, bytes);
            written += bytes;
        } else {
            written += npy_read_data(&body->tensor, at - body->header_size, buffer + written,
                                     size - written);
        }
    }
    return (ssize_t)written;
}

static enum posenc_status npy_no_memory(struct posenc_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->status = POSENC_NO_MEMORY;
    (void)snprintf(problem->detail, sizeof problem->detail, "out of memory; try again later");
    return problem->status;
}

static enum posenc_status npy_refuse_dtype(struct posenc_problem *problem, const char *dtype)
{
    const char *const other = format_find("safetensors") ? "safetensors"
                              : format_find("raw")       ? "raw"
                                                         : "json";

    memset(problem, 0, sizeof *problem);
    problem->status = POSENC_OUT_OF_RANGE;
    (void)snprintf(problem->parameter, sizeof problem->parameter, "dtype");
    (void)snprintf(problem->value, sizeof problem->value, "%s", dtype);
    (void)snprintf(problem->detail, sizeof problem->detail,
                   "NumPy has no %s; ask for dtype float32, or for format %s", dtype, other);
    return problem->status;
}

static enum posenc_status npy_open(const struct format_input *input, struct posenc_memory *memory,
                                   struct format_body *body, struct posenc_problem *problem)
{
    struct npy_body *state;

    if (!npy_descr(input->tensor->dtype))
        return npy_refuse_dtype(problem, posenc_dtype_name(input->tensor->dtype));
    state = posenc_allocate(memory, 1, sizeof *state);
    if (!state)
        return npy_no_memory(problem);
    state->tensor = *input->tensor;
    npy_print_header(state);
    body->length = state->header_size + posenc_tensor_bytes(&state->tensor);
    body->read = npy_read;
    body->state = state;
    return POSENC_OK;
}

const struct format format_npy = {
    .name = "npy",
    .media_type = "application/x-npy",
    .extension = "npy",
    .summary = "one tensor as NumPy saves it, for numpy.load()",
    .carries_one_tensor = true,
    .open = npy_open,
};
