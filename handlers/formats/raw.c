/* The bytes of one tensor and nothing else: what they are stands in headers of the response. */
#include <stdio.h>
#include <string.h>

#include "format.h"
#include "slice.h"

#define RAW_SHAPE_MAX 192 /* 8 axes of 20 digits and a comma each */

static void raw_print_shape(const struct posenc_tensor *tensor, char *text)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t axis = 0; axis < tensor->rank; axis++)
        length += (size_t)snprintf(text + length, RAW_SHAPE_MAX - length, axis ? ",%zu" : "%zu",
                                   tensor->shape[axis]);
}

static enum posenc_status raw_open(const struct format_input *input, struct posenc_memory *memory,
                                   struct format_body *body, struct posenc_problem *problem)
{
    const struct posenc_tensor *const tensor = input->tensor;
    struct slice_file *const file = posenc_allocate(memory, 1, sizeof *file);
    char *const shape = posenc_allocate(memory, RAW_SHAPE_MAX, 1);

    if (!file || !shape)
        return format_no_memory(problem);
    raw_print_shape(tensor, shape);
    body->headers[0] = (struct header){"X-Tensor-Dtype", posenc_dtype_name(tensor->dtype)};
    body->headers[1] = (struct header){"X-Tensor-Byte-Order", "little"};
    body->headers[2] = (struct header){"X-Tensor-Shape", shape};
    /* A scalar has no axes, and a header without a value cannot be sent everywhere. */
    body->header_count = tensor->rank > 0 ? 3 : 2;
    *file = (struct slice_file){.header = "", .tensor_count = 1, .tensors = {*tensor}};
    return slice_file_open(file, body, problem);
}

const struct format format_raw = {
    .name = "raw",
    .media_type = "application/octet-stream",
    .extension = "bin",
    .summary = "one tensor's bytes, little-endian; the headers X-Tensor-Shape, X-Tensor-Dtype and "
               "X-Tensor-Byte-Order describe them",
    .carries_one_tensor = true,
    .is_binary = true,
    .open = raw_open,
};
