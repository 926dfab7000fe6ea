/* Lazy tensors: values in double, rounded once to the dtype when somebody asks for them. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

#define ROUNDING_BLOCK 512     /* doubles on the stack between computing and rounding */
#define PART_NS        1000000 /* between two questions whether to go on */

static void round_values(posenc__values *values, const void *plan, enum posenc_dtype dtype,
                         size_t first, size_t count, void *out)
{
    const size_t size = posenc_dtype_size(dtype);
    double block[ROUNDING_BLOCK];

    if (dtype == POSENC_FLOAT64) {
        values(plan, first, count, out);
        return;
    }
    for (size_t done = 0; done < count;) {
        const size_t part = count - done < ROUNDING_BLOCK ? count - done : ROUNDING_BLOCK;

        values(plan, first + done, part, block);
        posenc_round(dtype, block, part, (char *)out + done * size);
        done += part;
    }
}

void posenc__fill_rows(const struct posenc__rows *rows, const void *plan, enum posenc_dtype dtype,
                       size_t first, size_t count, void *out)
{
    const size_t size = posenc_dtype_size(dtype), width = rows->width;
    const size_t begun = first % width == 0 ? 0 : width - first % width;
    const size_t head = begun < count ? begun : count;
    const size_t whole = (count - head) / width, tail = (count - head) % width;
    char *const bytes = out;

    if (head > 0)
        round_values(rows->values, plan, dtype, first, head, bytes);
    if (whole > 0)
        rows->rows(plan, dtype, (first + head) / width, whole, bytes + head * size);
    if (tail > 0)
        round_values(rows->values, plan, dtype, first + count - tail, tail,
                     bytes + (count - tail) * size);
}

/* A tensor's plan: one of values and elements is not NULL. */
struct lazy {
    posenc__values *values;
    posenc__elements *elements;
    const void *plan;
    enum posenc_dtype dtype;
};

static void lazy_fill(const void *plan, size_t first, size_t count, void *out)
{
    const struct lazy *lazy = plan;

    if (lazy->elements)
        lazy->elements(lazy->plan, lazy->dtype, first, count, out);
    else
        round_values(lazy->values, lazy->plan, lazy->dtype, first, count, out);
}

static enum posenc_status add_lazy(struct posenc_result *result, struct posenc_memory *memory,
                                   struct posenc_problem *problem, const char *name, size_t rank,
                                   const size_t *shape, struct lazy lazy)
{
    struct posenc_tensor tensor = {
        .name = name, .dtype = lazy.dtype, .rank = rank, .fill = lazy_fill};
    size_t bytes;

    assert(rank <= POSENC_RANK_MAX);
    assert(result->tensor_count < POSENC_TENSORS_MAX);
    if (rank > 0)
        memcpy(tensor.shape, shape, rank * sizeof(*shape));
    if (!posenc_shape_count(rank, shape, &tensor.count) ||
        __builtin_mul_overflow(tensor.count, posenc_dtype_size(lazy.dtype), &bytes))
        return posenc__refuse(problem, POSENC_TOO_LARGE, "",
                              "The tensor '%s' would have more bytes than can be counted.", name);
    struct lazy *kept = posenc_allocate(memory, 1, sizeof(*kept));

    if (!kept)
        return posenc__no_memory(problem);
    *kept = lazy;
    tensor.plan = kept;
    result->tensors[result->tensor_count++] = tensor;
    return POSENC_OK;
}

enum posenc_status posenc__add_tensor(struct posenc_result *result, struct posenc_memory *memory,
                                      struct posenc_problem *problem, const char *name,
                                      enum posenc_dtype dtype, size_t rank, const size_t *shape,
                                      posenc__values *values, const void *plan)
{
    return add_lazy(result, memory, problem, name, rank, shape,
                    (struct lazy){.values = values, .plan = plan, .dtype = dtype});
}

enum posenc_status posenc__add_elements(struct posenc_result *result, struct posenc_memory *memory,
                                        struct posenc_problem *problem, const char *name,
                                        enum posenc_dtype dtype, size_t rank, const size_t *shape,
                                        posenc__elements *elements, const void *plan)
{
    return add_lazy(result, memory, problem, name, rank, shape,
                    (struct lazy){.elements = elements, .plan = plan, .dtype = dtype});
}

void posenc__tell_cost(struct posenc_result *result, uint64_t element_ns)
{
    assert(result->tensor_count > 0);
    result->tensors[result->tensor_count - 1].element_ns = element_ns;
}

/* Elements that take about the time of a part; one at least. */
static size_t part_of(const struct posenc_tensor *tensor)
{
    const uint64_t element_ns = posenc_fill_ns(tensor, 1);

    return element_ns < PART_NS ? (size_t)(PART_NS / element_ns) : 1;
}

enum posenc_status posenc__fill_whole(const struct posenc_tensor *tensor,
                                      const struct posenc_memory *memory, void *out,
                                      struct posenc_problem *problem)
{
    const size_t size = posenc_dtype_size(tensor->dtype), most = part_of(tensor);

    if (!posenc_may_work(memory, posenc_fill_ns(tensor, tensor->count)))
        return posenc__cancelled(problem);
    for (size_t done = 0; done < tensor->count;) {
        const size_t part = tensor->count - done < most ? tensor->count - done : most;

        if (!posenc_may_work(memory, posenc_fill_ns(tensor, part)))
            return posenc__cancelled(problem);
        posenc_fill(tensor, done, part, (char *)out + done * size);
        done += part;
    }
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
