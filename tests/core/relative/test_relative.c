/* Lengths of queries and keys, and tensors that are windows of ramps. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "exact.h"
#include "relative.h"
#include "support.h"

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

Test(relative, rows_are_windows_of_a_ramp_whether_it_is_kept_or_not)
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

Test(relative, tensors_hold_the_values_rounded_once_in_any_run_and_dtype)
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

Test(relative, a_ramp_is_kept_up_to_its_limit)
{
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_expect_not_null(make(4, 6, 2, false, 27, &memory).ramps);
    cr_expect_null(make(4, 6, 2, false, 26, &memory).ramps);
    cr_expect_null(make((size_t)1 << 52, (size_t)1 << 51, 0, false, 1000, &memory).ramps);
    posenc_memory_release(&memory);
}

#define KERNEL "kind=log&p=1&a=1&"

Test(relative, lengths_default_to_a_square_and_the_last_query_to_the_last_key)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "kerple/table", KERNEL "query_length=3"), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "key_length"), 3);
    cr_expect_eq(echoed_number(&asked.result, "query_offset"), 0);
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "kerple/table", KERNEL "query_length=5&key_length=3"), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "query_offset"), -2);
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "kerple/table", KERNEL "query_length=2&key_length=9&query_offset=0"),
                 POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "query_offset"), 0);
    asked_release(&asked);
}

struct refused {
    const char *query, *parameter;
    enum posenc_status status;
};

Test(relative, refuses_lengths_that_are_missing_or_beyond_integers)
{
    static const struct refused rows[] = {
        {KERNEL "key_length=3", "query_length", POSENC_MISSING_PARAMETER},
        {KERNEL "query_length=-1", "query_length", POSENC_OUT_OF_RANGE},
        {KERNEL "query_length=1&query_offset=9007199254740990", "query_offset",
         POSENC_OUT_OF_RANGE},
        {KERNEL "query_length=1&query_offset=-9007199254740991", "query_offset",
         POSENC_OUT_OF_RANGE},
        {KERNEL "query_length=9007199254740991", "query_length", POSENC_OUT_OF_RANGE},
        {KERNEL "query_length=2&mask=left", "mask", POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "kerple/table", rows[i].query), rows[i].status, "%s",
                     rows[i].query);
        cr_expect_str_eq(asked.problem.parameter, rows[i].parameter, "%s", rows[i].query);
        asked_release(&asked);
    }
    struct asked asked;

    cr_expect_eq(ask(&asked, "kerple/table", KERNEL "query_length=1&query_offset=9007199254740989"),
                 POSENC_OK);
    asked_release(&asked);
}

Test(relative, scores_tell_lengths_and_must_have_heads)
{
    static const double numbers[12] = {0};
    const size_t shape[] = {1, 3, 4};
    const struct posenc_member scores[] = {{"scores", support_array(numbers, 3, shape)},
                                           {"flat", support_array(numbers, 2, shape + 1)}};
    const struct posenc_member flat = {"scores", scores[1].value};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "kerple/apply", "kind=log&p=1&a=1", scores, 1), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "query_length"), 3);
    cr_expect_eq(echoed_number(&asked.result, "key_length"), 4);
    cr_expect_eq(echoed_number(&asked.result, "query_offset"), 1);
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "kerple/apply", KERNEL "key_length=5", scores, 1),
                 POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "key_length");
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "kerple/apply", "kind=log&p=1&a=1", &flat, 1),
                 POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "scores");
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "kerple/apply", "kind=log&p=1,2&a=1,2", scores, 1),
                 POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "p");
    asked_release(&asked);
}

Test(relative, shapes_without_queries_or_keys_are_empty_and_those_beyond_memory_are_not_computed)
{
    static const char *const empty[] = {KERNEL "query_length=0",
                                        KERNEL "query_length=0&key_length=4",
                                        KERNEL "query_length=4&key_length=0"};
    struct asked asked;
    double corner;

    for (size_t i = 0; i < sizeof(empty) / sizeof(*empty); i++) {
        cr_assert_eq(ask(&asked, "kerple/table", empty[i]), POSENC_OK, "%s", empty[i]);
        cr_expect_eq(asked.result.tensors[0].count, 0);
        asked_release(&asked);
    }
    cr_assert_eq(
        ask(&asked, "kerple/table", KERNEL "query_length=1000000&key_length=1000000&dtype=float64"),
        POSENC_OK);
    posenc_fill(&asked.result.tensors[0], 999999ull * 1000000ull, 1, &corner);
    cr_expect_float_eq(corner, -log(1e6), 2e-15); /* the first key of the last query: one ulp */
    asked_release(&asked);
    cr_expect_eq(
        ask(&asked, "kerple/table", KERNEL "query_length=2251799813685248&key_length=8192"),
        POSENC_TOO_LARGE);
    asked_release(&asked);
}
