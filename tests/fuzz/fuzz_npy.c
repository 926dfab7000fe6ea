/* Feeds bytes to the reader of npy bodies, and holds its promises against what comes out. */
#include <stdlib.h>

#include "npy_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads every element, so that a sanitizer sees data that is not there. */
static void read_all(const struct posenc_array *array)
{
    size_t count;

    if (array->rank > POSENC_RANK_MAX || !posenc_shape_count(array->rank, array->shape, &count))
        abort();
    double *const values = calloc(count ? count : 1, sizeof *values);

    if (values)
        posenc_widen(array->dtype, array->data, count, values);
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct posenc_memory memory;
    struct posenc_array array;
    struct body_problem problem;

    posenc_memory_init(&memory, (size_t)1 << 26);
    if (read_npy_body((const char *)data, size, &memory, &array, &problem))
        read_all(&array);
    else if (problem.no_memory || problem.offset > size || problem.detail[0] == '\0')
        abort();
    posenc_memory_release(&memory);
    return 0;
}
