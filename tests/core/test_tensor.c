/* Lazy tensors. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support.h"

/* Element e is e + 1/3, which every dtype must round. */
static void thirds(const void *plan, size_t first, size_t count, double *out)
{
    const double *scale = plan;

    for (size_t i = 0; i < count; i++)
        out[i] = *scale * ((double)(first + i) + 1.0 / 3.0);
}

static enum posenc_status add(struct asked *asked, enum posenc_dtype dtype, size_t rank,
                              const size_t *shape)
{
    static const double scale = 1;

    asked_init(asked);
    memset(&asked->result, 0, sizeof(asked->result));
    return posenc__add_tensor(&asked->result, &asked->memory, &asked->problem, "thirds", dtype,
                              rank, shape, thirds, &scale);
}

Test(tensor, rounds_each_value_once_in_runs_of_any_length)
{
    const size_t shape[] = {13, 101}; /* more than two blocks of rounding */
    uint64_t seed = 3;

    for (int dtype = POSENC_FLOAT64; dtype <= POSENC_BFLOAT16; dtype++) {
        struct asked asked;

        cr_assert_eq(add(&asked, (enum posenc_dtype)dtype, 2, shape), POSENC_OK);
        const double *values = asked_values(&asked, "thirds");

        for (size_t i = 0; i < 13 * 101; i++) {
            const double exact = (double)i + 1.0 / 3.0;
            unsigned char bytes[8];
            double rounded;

            posenc_round((enum posenc_dtype)dtype, &exact, 1, bytes);
            posenc_widen((enum posenc_dtype)dtype, bytes, 1, &rounded);
            cr_assert_eq(values[i], rounded);
        }
        for (int k = 0; k < 20; k++)
            assert_runs_agree(&asked, &seed);
        asked_release(&asked);
    }
}

Test(tensor, writes_nothing_outside_the_run)
{
    const size_t shape[] = {2000};
    struct asked asked;

    cr_assert_eq(add(&asked, POSENC_FLOAT16, 1, shape), POSENC_OK);
    uint16_t *out = posenc_allocate(&asked.memory, 1002, sizeof(*out));

    out[0] = out[1001] = 0xabcd;
    posenc_fill(&asked.result.tensors[0], 7, 1000, out + 1);
    cr_expect_eq(out[0], 0xabcd);
    cr_expect_eq(out[1001], 0xabcd);
    posenc_fill(&asked.result.tensors[0], 2000, 0, out);
    cr_expect_eq(out[0], 0xabcd);
    asked_release(&asked);
}

Test(tensor, describes_its_shape_and_bytes)
{
    const size_t shape[] = {3, 5, 7};
    struct asked asked;

    cr_assert_eq(add(&asked, POSENC_FLOAT32, 3, shape), POSENC_OK);
    const struct posenc_tensor *tensor = posenc_find_tensor(&asked.result, "thirds");

    cr_assert_not_null(tensor);
    cr_expect_eq(tensor->rank, 3);
    cr_expect_eq(memcmp(tensor->shape, shape, sizeof(shape)), 0);
    cr_expect_eq(tensor->count, 105);
    cr_expect_eq(posenc_tensor_bytes(tensor), 420);
    cr_expect_null(posenc_find_tensor(&asked.result, "third"));
    asked_release(&asked);
}

Test(tensor, refuses_more_bytes_than_can_be_counted)
{
    const size_t too_many[] = {SIZE_MAX / 2, 3}, too_long[] = {SIZE_MAX / 4},
                 many[] = {SIZE_MAX / 8};
    struct asked asked;

    cr_assert_eq(add(&asked, POSENC_FLOAT32, 2, too_many), POSENC_TOO_LARGE);
    cr_expect_eq(asked.result.tensor_count, 0);
    asked_release(&asked);
    cr_assert_eq(add(&asked, POSENC_FLOAT64, 1, too_long), POSENC_TOO_LARGE);
    cr_expect_eq(asked.result.tensor_count, 0);
    asked_release(&asked);
    cr_assert_eq(add(&asked, POSENC_FLOAT64, 1, many), POSENC_OK);
    cr_expect_eq(posenc_tensor_bytes(&asked.result.tensors[0]), SIZE_MAX / 8 * 8);
    asked_release(&asked);
}

Test(tensor, a_tensor_without_axes_has_one_element)
{
    struct asked asked;

    cr_assert_eq(add(&asked, POSENC_FLOAT64, 0, NULL), POSENC_OK);
    cr_expect_eq(asked.result.tensors[0].count, 1);
    cr_expect_eq(asked_values(&asked, "thirds")[0], 1.0 / 3.0);
    asked_release(&asked);
}

Test(tensor, formats_texts_into_the_memory)
{
    struct posenc_memory memory;
    char long_word[500];

    memset(long_word, 'w', sizeof(long_word) - 1);
    long_word[sizeof(long_word) - 1] = '\0';
    posenc_memory_init(&memory, 2000);
    cr_expect_str_eq(posenc__format(&memory, "%d and %s", 7, "x"), "7 and x");
    const char *text = posenc__format(&memory, "%s!", long_word);

    cr_assert_not_null(text);
    cr_expect_eq(strlen(text), sizeof(long_word));
    posenc_memory_release(&memory);
    posenc_memory_init(&memory, 64);
    cr_expect_null(posenc__format(&memory, "%s", long_word));
    posenc_memory_release(&memory);
}
