/* Tensors that are windows of ramps. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "exact.h"
#include "support.h"
#include "toeplitz.h"

static const char mark; /* what the ramp must be given */

/* Key minus query, plus a thousand a head: asserts the order of every element. */
static void number_ramp(const void *plan, size_t head, int64_t first, size_t count, double *out)
{
    cr_assert_eq(plan, &mark);
    for (size_t i = 0; i < count; i++)
        out[i] = (double)(first + (int64_t)i) + 1000 * (double)head;
}

static struct posenc__toeplitz make(size_t queries, size_t keys, int64_t offset, bool causal,
                                    size_t ramp_max, struct posenc_memory *memory)
{
    struct posenc_problem problem;
    struct posenc__toeplitz toeplitz = {.lengths = {queries, keys, offset},
                                        .heads = 3,
                                        .causal = causal,
                                        .ramp = number_ramp,
                                        .plan = &mark};

    cr_assert_eq(posenc__toeplitz_init(&toeplitz, ramp_max, memory, &problem), POSENC_OK);
    return toeplitz;
}

static double expected(const struct posenc__toeplitz *toeplitz, size_t element)
{
    const size_t keys = toeplitz->lengths.key_length, queries = toeplitz->lengths.query_length;
    const double key = (double)(element % keys), query = (double)(element / keys % queries);
    const double relative = key - query - (double)toeplitz->lengths.offset;

    if (toeplitz->causal && relative > 0)
        return -(double)INFINITY;
    return relative + 1000 * (double)(element / keys / queries);
}

static void assert_values(const struct posenc__toeplitz *toeplitz)
{
    const size_t count = 3 * toeplitz->lengths.query_length * toeplitz->lengths.key_length;
    double values[256];

    cr_assert_leq(count, sizeof(values) / sizeof(*values));
    for (size_t first = 0; first < count; first++)
        for (size_t run = 1; run <= count - first; run += 7) {
            posenc__toeplitz_values(toeplitz, first, run, values);
            for (size_t i = 0; i < run; i++)
                cr_assert_eq(values[i], expected(toeplitz, first + i), "%zu + %zu", first, i);
        }
}

Test(toeplitz, rows_are_windows_of_a_ramp_whether_it_is_kept_or_not)
{
    static const struct posenc__relative shapes[] = {
        {5, 7, 2}, {7, 5, -2}, {1, 9, 8}, {9, 1, -8}, {4, 6, 0}, {4, 6, 100}, {4, 6, -100}};
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
        for (int causal = 0; causal < 2; causal++) {
            const struct posenc__relative *s = &shapes[i];
            const struct posenc__toeplitz kept =
                make(s->query_length, s->key_length, s->offset, causal, 1000, &memory);
            const struct posenc__toeplitz lazy =
                make(s->query_length, s->key_length, s->offset, causal, 0, &memory);

            cr_expect_eq(kept.ramps != NULL, s->query_length > 1);
            cr_expect_null(lazy.ramps);
            assert_values(&kept);
            assert_values(&lazy);
        }
    posenc_memory_release(&memory);
}

/* Not even at 1/8 in the short dtypes, so that they round. */
static void eighth_ramp(const void *plan, size_t head, int64_t first, size_t count, double *out)
{
    (void)plan;
    for (size_t i = 0; i < count; i++)
        out[i] = (double)(first + (int64_t)i) / 7 + 100 * (double)head;
}

Test(toeplitz, tensors_hold_the_values_rounded_once_in_any_run_and_dtype)
{
    static const enum posenc_dtype dtypes[] = {POSENC_FLOAT64, POSENC_FLOAT32, POSENC_FLOAT16,
                                               POSENC_BFLOAT16, POSENC_INT32};
    static const size_t shape[] = {3, 40, 170};
    double values[3 * 40 * 170];
    unsigned char whole[sizeof(values)], run[sizeof(values)];
    uint64_t seed = 5;

    for (size_t i = 0; i < sizeof(dtypes) / sizeof(*dtypes); i++) {
        struct posenc_memory memory;
        struct posenc_problem problem;
        struct posenc_result result = {0};
        const size_t size = posenc_dtype_size(dtypes[i]);
        struct posenc__toeplitz toeplitz = {
            .lengths = {40, 170, 130}, .heads = 3, .causal = i < 4, .ramp = eighth_ramp};

        posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
        cr_assert_eq(posenc__toeplitz_init(&toeplitz, POSENC__RAMP_MAX, &memory, &problem),
                     POSENC_OK);
        cr_assert_not_null(toeplitz.ramps);
        cr_assert_eq(posenc__add_toeplitz(&result, &memory, &problem, "bias", dtypes[i], 3, shape,
                                          &toeplitz),
                     POSENC_OK);
        posenc__toeplitz_values(&toeplitz, 0, 3 * 40 * 170, values);
        posenc_round(dtypes[i], values, 3 * 40 * 170, whole);
        for (int round = 0; round < 200; round++) {
            const size_t first = exact_bits(&seed) % (3 * 40 * 170);
            const size_t count = 1 + exact_bits(&seed) % (3 * 40 * 170 - first);

            posenc_fill(&result.tensors[0], first, count, run);
            cr_assert_eq(memcmp(run, whole + first * size, count * size), 0, "%s, %zu + %zu",
                         posenc_dtype_name(dtypes[i]), first, count);
        }
        posenc_memory_release(&memory);
    }
}

Test(toeplitz, a_ramp_is_kept_up_to_its_limit)
{
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_expect_not_null(make(4, 6, 2, false, 27, &memory).ramps);
    cr_expect_null(make(4, 6, 2, false, 26, &memory).ramps);
    cr_expect_null(make((size_t)1 << 52, (size_t)1 << 51, 0, false, 1000, &memory).ramps);
    posenc_memory_release(&memory);
}

/* A row of what is masked is never asked for: the ramp sees keys up to the query alone. */
static void past_ramp(const void *plan, size_t head, int64_t first, size_t count, double *out)
{
    (void)plan;
    (void)head;
    cr_assert_leq(first + (int64_t)count, 1);
    for (size_t i = 0; i < count; i++)
        out[i] = -(double)(first + (int64_t)i);
}

Test(toeplitz, a_causal_ramp_is_asked_for_no_key_after_the_query)
{
    const struct posenc__toeplitz toeplitz = {
        .lengths = {6, 9, -3}, .heads = 1, .causal = true, .ramp = past_ramp};
    double row[9];

    for (size_t query = 0; query < 6; query++) {
        posenc__toeplitz_values(&toeplitz, query * 9, 9, row);
        for (size_t key = 0; key < 9; key++)
            cr_expect_eq(row[key], key + 3 <= query ? (double)(query - 3 - key) : -(double)INFINITY,
                         "%zu, %zu", query, key);
    }
}

Test(toeplitz, a_run_is_one_heads_part_of_a_ramp_kept_or_not)
{
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t ramp_max = 0; ramp_max <= 1000; ramp_max += 1000) {
        const struct posenc__toeplitz toeplitz = make(4, 6, 2, false, ramp_max, &memory);
        double run[5];

        /* Keys 0 to 5 stand -5 to 3 after queries at 2 to 5. */
        posenc__toeplitz_run(&toeplitz, 2, -5, 5, run);
        for (size_t i = 0; i < 5; i++)
            cr_expect_eq(run[i], 2000 - 5 + (double)i);
        posenc__toeplitz_run(&toeplitz, 0, 3, 1, run);
        cr_expect_eq(run[0], 3);
    }
    posenc_memory_release(&memory);
}

/* Three ramps of 9999 values: 240 kB as doubles, half of it in float32. */
Test(toeplitz, float64_tensors_share_the_ramps_and_others_need_room_for_their_own)
{
    static const size_t shape[] = {3, 4000, 6000};
    struct posenc_problem problem;
    struct posenc_result result = {0};
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    const struct posenc__toeplitz toeplitz = make(4000, 6000, 2000, false, 30000, &memory);

    memory.limit = memory.used + 65536;
    cr_assert_eq(
        posenc__add_toeplitz(&result, &memory, &problem, "a", POSENC_FLOAT64, 3, shape, &toeplitz),
        POSENC_OK);
    cr_expect_eq(
        posenc__add_toeplitz(&result, &memory, &problem, "b", POSENC_FLOAT32, 3, shape, &toeplitz),
        POSENC_NO_MEMORY);
    cr_expect_eq(result.tensor_count, 1);
    posenc_memory_release(&memory);
}
