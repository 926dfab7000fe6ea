/* Lazy tensors: values in double, rounded once to the dtype when somebody asks for them. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

#define ROUNDING_BLOCK 512 /* doubles on the stack between computing and rounding */

struct rounded {
    posenc__values *values;
    const void *plan;
    enum posenc_dtype dtype;
};

static void rounded_fill(const void *plan, size_t first, size_t count, void *out)
{
    const struct rounded *tensor = plan;
    const size_t size = posenc_dtype_size(tensor->dtype);
    double block[ROUNDING_BLOCK];

    if (tensor->dtype == POSENC_FLOAT64) {
        tensor->values(tensor->plan, first, count, out);
        return;
    }
    for (size_t done = 0; done < count;) {
        const size_t part = count - done < ROUNDING_BLOCK ? count - done : ROUNDING_BLOCK;

        tensor->values(tensor->plan, first + done, part, block);
        posenc_round(tensor->dtype, block, part, (char *)out + done * size);
        done += part;
    }
}

enum posenc_status posenc__add_tensor(struct posenc_result *result, struct posenc_memory *memory,
                                      struct posenc_problem *problem, const char *name,
                                      enum posenc_dtype dtype, size_t rank, const size_t *shape,
                                      posenc__values *values, const void *plan)
{
    struct posenc_tensor tensor = {
        .name = name, .dtype = dtype, .rank = rank, .fill = rounded_fill};
    size_t bytes;

    assert(rank <= POSENC_RANK_MAX);
    assert(result->tensor_count < POSENC_TENSORS_MAX);
    if (rank > 0)
        memcpy(tensor.shape, shape, rank * sizeof(*shape));
    if (!posenc_shape_count(rank, shape, &tensor.count) ||
        __builtin_mul_overflow(tensor.count, posenc_dtype_size(dtype), &bytes))
        return posenc__refuse(problem, POSENC_TOO_LARGE, "",
                              "The tensor '%s' would have more bytes than can be counted.", name);
    struct rounded *rounded = posenc_allocate(memory, 1, sizeof(*rounded));

    if (!rounded)
        return posenc__no_memory(problem);
    *rounded = (struct rounded){values, plan, dtype};
    tensor.plan = rounded;
    result->tensors[result->tensor_count++] = tensor;
    return POSENC_OK;
}

const struct posenc_tensor *posenc_find_tensor(const struct posenc_result *result, const char *name)
{
    for (size_t i = 0; i < result->tensor_count; i++)
        if (strcmp(result->tensors[i].name, name) == 0)
            return &result->tensors[i];
    return NULL;
}

char *posenc__format(struct posenc_memory *memory, const char *format, ...)
{
    va_list words;

    va_start(words, format);
    const int length = vsnprintf(NULL, 0, format, words);

    va_end(words);
    char *text = length < 0 ? NULL : posenc_allocate(memory, (size_t)length + 1, 1);

    if (!text)
        return NULL;
    va_start(words, format);
    (void)vsnprintf(text, (size_t)length + 1, format, words); /* as long as measured */
    va_end(words);
    return text;
}
