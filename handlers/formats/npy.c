/*
 * NumPy's file format 1.0 (numpy/lib/format.py): magic, a dictionary that ends on a multiple of 64
 * bytes, then the elements in C order. Any byte can be asked for without computing those before.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "format.h"
#include "slice.h"

#define NPY_ALIGNMENT  ((size_t)64)
#define NPY_PREFIX     ((size_t)10) /* magic, version, length of what follows */
#define NPY_HEADER_MAX 320          /* 8 axes of 20 digits, the words around them, the padding */

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

/* Writes the header into NPY_HEADER_MAX bytes and returns its size. */
static size_t npy_print_header(const struct posenc_tensor *tensor, char *header)
{
    static const char magic[8] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
    size_t length = NPY_PREFIX, size;

    length += (size_t)snprintf(
        header + length, NPY_HEADER_MAX - length,
        "{'descr': '%s', 'fortran_order': False, 'shape': ", npy_descr(tensor->dtype));
    length += npy_print_shape(tensor, header + length, NPY_HEADER_MAX - length);
    length += (size_t)snprintf(header + length, NPY_HEADER_MAX - length, ", }");
    size = (length + 1 + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    assert(size <= NPY_HEADER_MAX);
    memset(header + length, ' ', size - length);
    header[size - 1] = '\n';

    memcpy(header, magic, sizeof magic);
    header[8] = (char)((size - NPY_PREFIX) & 0xFF);
    header[9] = (char)((size - NPY_PREFIX) >> 8);
    return size;
}

static enum posenc_status npy_refuse_dtype(struct posenc_problem *problem, const char *dtype)
{
    memset(problem, 0, sizeof *problem);
    problem->status = POSENC_OUT_OF_RANGE;
    (void)snprintf(problem->parameter, sizeof problem->parameter, "dtype");
    (void)snprintf(problem->value, sizeof problem->value, "%s", dtype);
    (void)snprintf(problem->detail, sizeof problem->detail,
                   "NumPy has no %s; ask for dtype float32, or for format %s", dtype,
                   format_safetensors.name);
    return problem->status;
}

static enum posenc_status npy_open(const struct format_input *input, struct posenc_memory *memory,
                                   struct format_body *body, struct posenc_problem *problem)
{
    struct slice_file *const file = posenc_allocate(memory, 1, sizeof *file);
    char *const header = posenc_allocate(memory, NPY_HEADER_MAX, 1);

    if (!npy_descr(input->tensor->dtype))
        return npy_refuse_dtype(problem, posenc_dtype_name(input->tensor->dtype));
    if (!file || !header)
        return format_no_memory(problem);
    file->header = header;
    file->header_size = npy_print_header(input->tensor, header);
    file->tensor_count = 1;
    file->tensors[0] = *input->tensor;
    return slice_file_open(file, body, problem);
}

const struct format format_npy = {
    .name = "npy",
    .media_type = "application/x-npy",
    .extension = "npy",
    .summary = "one tensor as NumPy saves it, for numpy.load()",
    .carries_one_tensor = true,
    .is_binary = true,
    .open = npy_open,
};
