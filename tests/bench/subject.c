#include "subject.h"

#include "frame.h"

void subject_make(struct subject *subject, const char *encoding, const char *operation,
                  const struct posenc_member *members, size_t count)
{
    struct posenc_problem problem;

    posenc_memory_init(&subject->memory, (size_t)4 << 30);
    bench_require(posenc_make(encoding, operation, posenc_object(members, count), &subject->memory,
                              &subject->result, &problem) == POSENC_OK,
                  "an operation is not planned");
}

void subject_release(struct subject *subject)
{
    posenc_memory_release(&subject->memory);
}

const struct posenc_tensor *subject_tensor(const struct subject *subject, const char *name)
{
    const struct posenc_tensor *const tensor = posenc_find_tensor(&subject->result, name);

    bench_require(tensor != NULL, "a tensor is missing");
    return tensor;
}

void subject_fill(const struct posenc_tensor *tensor, char *out, bool reuses_block)
{
    const size_t size = posenc_dtype_size(tensor->dtype);
    const size_t block = SUBJECT_BLOCK / size;

    for (size_t first = 0; first < tensor->count; first += block) {
        const size_t left = tensor->count - first;

        posenc_fill(tensor, first, left < block ? left : block,
                    reuses_block ? out : out + first * size);
        bench_use(out);
    }
}
