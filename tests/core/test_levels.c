/* Every encoding at every level that this processor has: the bits of the plain kernels. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench/forced_level.h"
#include "exact.h"
#include "samples.h"

#define RUNS 12 /* of each tensor, beside the whole */

static const enum posenc_dtype dtypes[] = {POSENC_FLOAT64, POSENC_FLOAT32, POSENC_FLOAT16,
                                           POSENC_BFLOAT16};

/* A planned sample. */
struct planned {
    struct posenc_memory memory;
    struct posenc_result result;
};

static void plan_at(struct planned *planned, enum posenc__level level, const struct sample *sample,
                    enum posenc_dtype dtype)
{
    struct posenc_problem problem;

    force_level(level);
    posenc_memory_init(&planned->memory, POSENC_MEMORY_DEFAULT);
    cr_assert_eq(sample_plan(sample, dtype, &planned->memory, &planned->result, &problem),
                 POSENC_OK, "%s %s: %s", sample->encoding, sample->request, problem.detail);
}

/* Runs that begin and end anywhere, at any alignment of the target; nothing beside them changes. */
static void compare_runs(const struct posenc_tensor *tensor, const unsigned char *plain,
                         unsigned char *room, uint64_t *seed, const char *what)
{
    const size_t size = posenc_dtype_size(tensor->dtype), all = tensor->count;

    for (int i = 0; i <= RUNS && all > 0; i++) {
        const size_t first = i == 0 ? 0 : exact_bits(seed) % all;
        const size_t most = i % 2 ? all - first : (all - first + 15) / 16;
        const size_t count = i == 0 ? all : 1 + exact_bits(seed) % most;
        unsigned char *const out = room + 64 + exact_bits(seed) % 8 * size;

        memset(room, 0xa5, all * size + 256);
        posenc_fill(tensor, first, count, out);
        cr_assert_eq(memcmp(out, plain + first * size, count * size), 0, "%s: %s, %zu + %zu", what,
                     tensor->name, first, count);
        cr_assert_eq(out[-1], 0xa5, "%s: before %s, %zu", what, tensor->name, first);
        cr_assert_eq(out[count * size], 0xa5, "%s: behind %s, %zu", what, tensor->name, first);
    }
}

static void compare_tensor(const struct posenc_tensor *plain, const struct posenc_tensor *other,
                           enum posenc__level level, uint64_t *seed, const char *what)
{
    const size_t bytes = (size_t)posenc_tensor_bytes(plain);
    unsigned char *const whole = malloc(bytes + 1), *const room = malloc(bytes + 256);

    cr_assert(whole && room);
    cr_assert_eq(other->count, plain->count);
    force_level(POSENC__PLAIN);
    posenc_fill(plain, 0, plain->count, whole);
    compare_runs(plain, whole, room, seed, what);
    force_level(level);
    compare_runs(other, whole, room, seed, what);
    free(whole), free(room);
}

Test(levels, give_the_bits_of_plain_kernels_for_every_encoding_in_any_run)
{
    uint64_t seed = 2024;

    for (size_t i = 0; i < sample_count; i++)
        for (size_t j = 0; j < sizeof(dtypes) / sizeof(*dtypes); j++)
            for (int level = POSENC__PLAIN; level < POSENC__LEVEL_COUNT; level++) {
                struct planned plain, other;

                if (!posenc__level_runs((enum posenc__level)level))
                    continue;
                plan_at(&plain, POSENC__PLAIN, &samples[i], dtypes[j]);
                plan_at(&other, (enum posenc__level)level, &samples[i], dtypes[j]);
                for (size_t k = 0; k < plain.result.tensor_count; k++)
                    compare_tensor(&plain.result.tensors[k], &other.result.tensors[k],
                                   (enum posenc__level)level, &seed, samples[i].request);
                posenc_memory_release(&plain.memory);
                posenc_memory_release(&other.memory);
            }
}

Test(levels, samples_are_there_for_every_encoding)
{
    for (size_t i = 0; posenc_encoding_at(i); i++) {
        const char *name = posenc_encoding_at(i)->name;
        size_t found = 0;

        for (size_t j = 0; j < sample_count; j++)
            found += strcmp(samples[j].encoding, name) == 0;
        cr_expect_gt(found, 0, "%s", name);
    }
}
