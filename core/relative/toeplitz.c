/* Tensors of which each row is a window of one ramp. */
#include "toeplitz.h"

#include <math.h>
#include <string.h>

#include "copy.h"

/* A run of one head's values, of which those after the query may be masked. */
static void fill_run(const struct posenc__toeplitz *toeplitz, size_t head, int64_t first,
                     size_t count, double *out)
{
    size_t seen = count;

    if (toeplitz->causal && first > 0)
        seen = 0;
    else if (toeplitz->causal && (uint64_t)(1 - first) < count)
        seen = (size_t)(1 - first);
    if (seen > 0)
        toeplitz->ramp(toeplitz->plan, head, first, seen, out);
    for (size_t i = seen; i < count; i++)
        out[i] = -(double)INFINITY;
}

/* At most POSENC__RAMP_MAX times what a value takes. */
static uint64_t ramp_ns(const struct posenc__toeplitz *toeplitz, size_t count)
{
    return count * posenc__toeplitz_value_ns(toeplitz);
}

/* One head's ramp, in parts that are not worth a question where it is short. */
static enum posenc_status fill_ramp(const struct posenc__toeplitz *toeplitz, size_t head,
                                    bool is_long, const struct posenc_memory *memory, double *out,
                                    struct posenc_problem *problem)
{
    const struct posenc__relative *lengths = &toeplitz->lengths;
    const size_t width = lengths->query_length + lengths->key_length - 1;
    const int64_t lowest = 1 - (int64_t)lengths->query_length - lengths->offset;
    const size_t most = 1 + (size_t)(POSENC__ASKING_NS / posenc__toeplitz_value_ns(toeplitz));

    for (size_t done = 0; done < width;) {
        const size_t part = width - done < most ? width - done : most;

        if (is_long && !posenc_may_work(memory, ramp_ns(toeplitz, part)))
            return posenc__cancelled(problem);
        fill_run(toeplitz, head, lowest + (int64_t)done, part, out + done);
        done += part;
    }
    return POSENC_OK;
}

uint64_t posenc__toeplitz_value_ns(const struct posenc__toeplitz *toeplitz)
{
    const bool is_ready = toeplitz->ramps != NULL;

    return is_ready || toeplitz->value_ns < POSENC_ELEMENT_NS ? POSENC_ELEMENT_NS
                                                              : toeplitz->value_ns;
}

enum posenc_status posenc__toeplitz_init(struct posenc__toeplitz *toeplitz, size_t ramp_max,
                                         struct posenc_memory *memory,
                                         struct posenc_problem *problem)
{
    const struct posenc__relative *lengths = &toeplitz->lengths;
    size_t count;

    toeplitz->ramps = NULL;
    if (lengths->query_length < 2 || lengths->key_length == 0)
        return POSENC_OK;
    const size_t width = lengths->query_length + lengths->key_length - 1;

    if (__builtin_mul_overflow(width, toeplitz->heads, &count) || count > ramp_max)
        return POSENC_OK;
    double *ramps = posenc_allocate(memory, count, sizeof(*ramps));

    if (!ramps)
        return posenc__no_memory(problem);
    if (!posenc__may_plan(memory, ramp_ns(toeplitz, count)))
        return posenc__cancelled(problem);
    const bool is_long = ramp_ns(toeplitz, count) >= POSENC__ASKING_NS;
    enum posenc_status status = POSENC_OK;

    for (size_t head = 0; head < toeplitz->heads && status == POSENC_OK; head++)
        status = fill_ramp(toeplitz, head, is_long, memory, ramps + head * width, problem);
    if (status == POSENC_OK)
        toeplitz->ramps = ramps;
    return status;
}

static size_t ramp_width(const struct posenc__toeplitz *toeplitz)
{
    return toeplitz->lengths.query_length + toeplitz->lengths.key_length - 1;
}

void posenc__toeplitz_run(const struct posenc__toeplitz *toeplitz, size_t head, int64_t first,
                          size_t count, double *out)
{
    const int64_t lowest = 1 - (int64_t)toeplitz->lengths.query_length - toeplitz->lengths.offset;

    if (toeplitz->ramps)
        memcpy(out, toeplitz->ramps + head * ramp_width(toeplitz) + (first - lowest),
               count * sizeof(*out));
    else
        fill_run(toeplitz, head, first, count, out);
}

/* The part of a row that a run of elements begins with. */
struct part {
    size_t head, query, key, count;
};

static struct part part_at(const struct posenc__toeplitz *toeplitz, size_t element, size_t limit)
{
    const size_t queries = toeplitz->lengths.query_length, keys = toeplitz->lengths.key_length;
    const size_t row = element / keys, key = element % keys, left = keys - key;

    return (struct part){row / queries, row % queries, key, left < limit ? left : limit};
}

void posenc__toeplitz_values(const void *context, size_t first, size_t count, double *out)
{
    const struct posenc__toeplitz *toeplitz = context;

    for (size_t done = 0; done < count;) {
        const struct part part = part_at(toeplitz, first + done, count - done);

        posenc__toeplitz_run(toeplitz, part.head,
                             (int64_t)part.key - (int64_t)part.query - toeplitz->lengths.offset,
                             part.count, out + done);
        done += part.count;
    }
}

/* The ramps in the tensor's dtype. */
struct windows {
    const struct posenc__toeplitz *toeplitz;
    const char *ramps;
};

static void window_elements(const void *context, enum posenc_dtype dtype, size_t first,
                            size_t count, void *out)
{
    const struct windows *windows = context;
    const struct posenc__toeplitz *toeplitz = windows->toeplitz;
    const size_t queries = toeplitz->lengths.query_length, width = ramp_width(toeplitz);
    const size_t size = posenc_dtype_size(dtype);

    for (size_t done = 0; done < count;) {
        const struct part part = part_at(toeplitz, first + done, count - done);
        const size_t start = part.head * width + (queries - 1 - part.query) + part.key;

        posenc__copy((char *)out + done * size, windows->ramps + start * size, part.count * size);
        done += part.count;
    }
}

/* NULL when memory is out. */
static const void *round_ramps(const struct posenc__toeplitz *toeplitz, enum posenc_dtype dtype,
                               struct posenc_memory *memory)
{
    const size_t count = toeplitz->heads * ramp_width(toeplitz);

    if (dtype == POSENC_FLOAT64)
        return toeplitz->ramps;
    void *rounded = posenc_allocate(memory, count, posenc_dtype_size(dtype));

    if (rounded)
        posenc_round(dtype, toeplitz->ramps, count, rounded);
    return rounded;
}

enum posenc_status posenc__add_toeplitz(struct posenc_result *result, struct posenc_memory *memory,
                                        struct posenc_problem *problem, const char *name,
                                        enum posenc_dtype dtype, size_t rank, const size_t *shape,
                                        const struct posenc__toeplitz *toeplitz)
{
    if (!toeplitz->ramps) {
        const enum posenc_status status = posenc__add_tensor(
            result, memory, problem, name, dtype, rank, shape, posenc__toeplitz_values, toeplitz);

        if (status == POSENC_OK)
            posenc__tell_cost(result, posenc__toeplitz_value_ns(toeplitz));
        return status;
    }
    struct windows *windows = posenc_allocate(memory, 1, sizeof(*windows));

    if (!windows)
        return posenc__no_memory(problem);
    *windows = (struct windows){toeplitz, round_ramps(toeplitz, dtype, memory)};
    if (!windows->ramps)
        return posenc__no_memory(problem);
    return posenc__add_elements(result, memory, problem, name, dtype, rank, shape, window_elements,
                                windows);
}
