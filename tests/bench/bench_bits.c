/* Goal 13: the same bits at every level that the processor has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forced_level.h"
#include "frame.h"
#include "subject.h"

/* Requests whose bytes are compared; `rest` is a text parameter. */
struct sample {
    const char *encoding, *tensor, *size_name;
    const char *rest_name, *rest;
    bool has_width;
};

static const struct sample samples[] = {
    {"sinusoidal", "encoding", "length", "layout", "sin_cos", true},
    {"sinusoidal", "encoding", "length", "layout", "interleaved", true},
    {"rope", "cos", "length", "arithmetic", "exact", true},
    {"rope", "sin", "length", "arithmetic", "float32", true},
    {"alibi", "bias", "query_length", "dtype", NULL, false},
};

static const char *const dtypes[] = {"float64", "float32", "float16", "bfloat16"};

static char *fill(const struct sample *sample, const char *dtype, size_t *bytes)
{
    const double size = (double)bench_size(3000, 300);
    struct posenc_member members[5] = {
        {sample->size_name, posenc_number(sample->has_width ? size : 211)},
        {"dtype", posenc_text(dtype)},
        {sample->has_width ? "dim" : "heads", posenc_number(sample->has_width ? 74 : 12)},
        {sample->has_width ? "offset" : "key_length",
         posenc_number(sample->has_width ? 1e6 + 0.5 : 211)},
        {sample->rest_name, posenc_text(sample->rest)},
    };
    struct subject subject;
    char *out;

    subject_make(&subject, sample->encoding, "table", members, sample->rest ? 5 : 4);

    const struct posenc_tensor *const tensor = subject_tensor(&subject, sample->tensor);

    *bytes = posenc_tensor_bytes(tensor);
    out = bench_allocate(*bytes);
    subject_fill(tensor, out, false);
    subject_release(&subject);
    return out;
}

/* Bytes of all samples that differ from those of the plain kernels. */
static double count_differences(enum posenc__level level)
{
    double different = 0;

    for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
        for (size_t j = 0; j < sizeof(dtypes) / sizeof(*dtypes); j++) {
            size_t bytes;

            force_level(POSENC__PLAIN);
            char *const plain = fill(&samples[i], dtypes[j], &bytes);

            force_level(level);
            char *const other = fill(&samples[i], dtypes[j], &bytes);

            for (size_t k = 0; k < bytes; k++)
                different += plain[k] != other[k];
            free(plain);
            free(other);
        }
    return different;
}

int main(void)
{
    for (int i = POSENC__PLAIN + 1; i < POSENC__LEVEL_COUNT; i++)
        if (posenc__level_runs((enum posenc__level)i))
            bench_at_most(13, 0, count_differences((enum posenc__level)i), "",
                          "bytes of tables and biases that differ; %s to plain",
                          level_name((enum posenc__level)i));
    return 0;
}
