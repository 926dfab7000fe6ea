/*
 * Prints a digest of each tensor of every sample request in every dtype: a line that is the same on
 * every machine, or a promise is broken. Linked with libposenc and tests/core/samples.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "samples.h"

static const enum posenc_dtype dtypes[] = {POSENC_FLOAT64, POSENC_FLOAT32, POSENC_FLOAT16,
                                           POSENC_BFLOAT16};

/* FNV-1a (Fowler, Noll and Vo). */
static uint64_t digest_of(const unsigned char *bytes, size_t count)
{
    uint64_t digest = 0xcbf29ce484222325u;

    for (size_t i = 0; i < count; i++)
        digest = (digest ^ bytes[i]) * 0x100000001b3u;
    return digest;
}

static int print_tensor(const struct sample *sample, enum posenc_dtype dtype,
                        const struct posenc_tensor *tensor)
{
    const size_t bytes = (size_t)posenc_tensor_bytes(tensor);
    unsigned char *const elements = malloc(bytes + 1);

    if (!elements)
        return 1;
    posenc_fill(tensor, 0, tensor->count, elements);
    printf("%s %s %s %s %s %016" PRIx64 "\n", sample->encoding, sample->operation, sample->request,
           posenc_dtype_name(dtype), tensor->name, digest_of(elements, bytes));
    free(elements);
    return 0;
}

static int print_sample(const struct sample *sample, enum posenc_dtype dtype)
{
    struct posenc_memory memory;
    struct posenc_result result;
    struct posenc_problem problem;
    int failed = 0;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    if (sample_plan(sample, dtype, &memory, &result, &problem) == POSENC_OK) {
        for (size_t i = 0; i < result.tensor_count; i++)
            failed |= print_tensor(sample, dtype, &result.tensors[i]);
    } else {
        fprintf(stderr, "%s %s %s: %s\n", sample->encoding, sample->operation, sample->request,
                problem.detail);
        failed = 1;
    }
    posenc_memory_release(&memory);
    return failed;
}

int main(void)
{
    int failed = 0;

    for (size_t i = 0; i < sample_count; i++)
        for (size_t j = 0; j < sizeof(dtypes) / sizeof(*dtypes); j++)
            failed |= print_sample(&samples[i], dtypes[j]);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
