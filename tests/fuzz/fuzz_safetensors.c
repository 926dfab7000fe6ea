/* Feeds bytes to the reader of safetensors bodies, and holds its promises against what comes out.
 */
#include <stdlib.h>

#include "safetensors_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads every element, so that a sanitizer sees data that is not there; returns their bytes. */
static size_t read_all(const struct posenc_array *array)
{
    size_t count;

    if (array->rank > POSENC_RANK_MAX || !posenc_shape_count(array->rank, array->shape, &count))
        abort();
    double *const values = calloc(count ? count : 1, sizeof *values);

    if (values)
        posenc_widen(array->dtype, array->data, count, values);
    free(values);
    return count * posenc_dtype_size(array->dtype);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct posenc_memory memory;
    struct posenc_value object;
    struct body_problem problem;
    size_t bytes = 0;

    posenc_memory_init(&memory, (size_t)1 << 26);
    if (read_safetensors_body((const char *)data, size, &memory, &object, &problem)) {
        for (size_t i = 0; i < object.as.object.count; i++)
            bytes += read_all(&object.as.object.items[i].value.as.array);
        if (bytes > size) /* no byte belongs to two tensors */
            abort();
    } else if (problem.no_memory || problem.offset > size || problem.detail[0] == '\0') {
        abort();
    }
    posenc_memory_release(&memory);
    return 0;
}
