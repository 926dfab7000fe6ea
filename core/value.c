/* Values and shapes: what requests are made of before any encoding looks at them. */
#include <string.h>

#include "internal.h"

bool posenc_shape_count(size_t rank, const size_t *shape, size_t *count)
{
    size_t product = 1;
    bool empty = false;

    for (size_t axis = 0; axis < rank; axis++)
        empty = empty || shape[axis] == 0;
    for (size_t axis = 0; axis < rank && !empty; axis++)
        if (__builtin_mul_overflow(product, shape[axis], &product))
            return false;
    *count = empty ? 0 : product;
    return true;
}

const struct posenc_value *posenc_find_member(const struct posenc_value *object, const char *name)
{
    if (!object || object->kind != POSENC_OBJECT)
        return NULL;
    for (size_t i = 0; i < object->as.object.count; i++)
        if (strcmp(object->as.object.items[i].name, name) == 0)
            return &object->as.object.items[i].value;
    return NULL;
}

void posenc__read_array(const struct posenc_array *array, size_t first, size_t count, double *out)
{
    const char *bytes = array->data;

    posenc_widen(array->dtype, bytes + first * posenc_dtype_size(array->dtype), count, out);
}
