/* The tensor in question: its types, its digits, and the rows that stand for all. */
#include <stdlib.h>

#include "identify_question.h"

static struct posenc_memory memory;
static struct posenc_problem problem;
static struct posenc__sent sent;

static enum posenc_status read(enum posenc_dtype dtype, size_t rank, const size_t *shape,
                               const void *data)
{
    struct posenc_array array = {.dtype = dtype, .rank = rank, .data = data};

    memcpy(array.shape, shape, rank * sizeof(*shape));
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    return posenc__read_sent(&array, &memory, &sent, &problem);
}

static void read_numbers(size_t count, const double *numbers)
{
    cr_assert_eq(read(POSENC_FLOAT64, 1, &count, numbers), POSENC_OK);
}

#define READ(...)                                                                                  \
    read_numbers(sizeof((const double[]){__VA_ARGS__}) / sizeof(double),                           \
                 (const double[]){__VA_ARGS__})

static void expect_types(bool float64, bool float32, bool float16, bool bfloat16)
{
    cr_expect_eq(sent.could_be[POSENC_FLOAT64], float64);
    cr_expect_eq(sent.could_be[POSENC_FLOAT32], float32);
    cr_expect_eq(sent.could_be[POSENC_FLOAT16], float16);
    cr_expect_eq(sent.could_be[POSENC_BFLOAT16], bfloat16);
    posenc_memory_release(&memory);
}

Test(identify_sent, numbers_tell_the_types_that_they_could_be_of)
{
    READ(0.5, -0.0, 2);
    cr_expect_eq(sent.coarsest, POSENC_FLOAT16);
    expect_types(true, true, true, true);
    READ(1.0 / 3, 0.1); /* all its digits */
    cr_expect_eq(sent.coarsest, POSENC_FLOAT64);
    expect_types(true, false, false, false);
    READ(1.0f / 3, 0.25);
    cr_expect_eq(sent.coarsest, POSENC_FLOAT32);
    expect_types(true, true, false, false);
    READ(257.0, 0.001953125); /* nine bits, and a power of two */
    cr_expect_eq(sent.coarsest, POSENC_FLOAT16);
    expect_types(true, true, true, false);
    READ(65536.0 * 3, 0x1p-30); /* beyond float16, and below it */
    cr_expect_eq(sent.coarsest, POSENC_BFLOAT16);
    cr_expect(sent.could_be[POSENC_BFLOAT16]);
    posenc_memory_release(&memory);
}

Test(identify_sent, digits_stand_for_the_types_that_print_so_many)
{
    READ(0.70710677, 0.5); /* a float32, as it prints */
    expect_types(true, true, false, false);
    READ(0.8413, 0.5); /* 0.84130859375, as float16 prints */
    expect_types(true, true, true, false);
    READ(0.8398, 0.3); /* 0.83984375 and 0.30078125, as bfloat16 prints */
    cr_expect(sent.could_be[POSENC_BFLOAT16]);
    posenc_memory_release(&memory);
    READ(0.8415, 0.5); /* four digits that neither prints */
    expect_types(true, true, false, false);
}

Test(identify_sent, a_tensor_of_a_type_is_of_this_one_and_of_those_that_hold_its_numbers)
{
    static const float numbers[] = {0.5f, 0.1f};
    static const size_t count = 2;

    cr_assert_eq(read(POSENC_FLOAT32, 1, &count, numbers), POSENC_OK);
    expect_types(true, true, false, false);
}

Test(identify_sent, decimals_are_counted_to_the_last_digit)
{
    READ(0.25, -1.5, 3);
    cr_expect_eq(sent.decimals, 2);
    posenc_memory_release(&memory);
    READ(1, -2, INFINITY, -1e38);
    cr_expect_eq(sent.decimals, 0);
    cr_expect_eq(sent.magnitude, 2); /* masks left out */
    posenc_memory_release(&memory);
    READ(0.123456789, 0.1);
    cr_expect_eq(sent.decimals, 9);
    posenc_memory_release(&memory);
    READ(0.1234567891);
    cr_expect_eq(sent.decimals, -1);
    posenc_memory_release(&memory);
}

Test(identify_sent, whole_numbers_are_integers)
{
    READ(-3, 0, 9007199254740992.0);
    cr_expect(sent.are_whole);
    posenc_memory_release(&memory);
    READ(-3, 0, 0.5);
    cr_expect_not(sent.are_whole);
    posenc_memory_release(&memory);
}

/* Rising rows, the first and the last among them. */
static void expect_rows(size_t rows, size_t width, size_t sample_rows, size_t sample_width)
{
    double *numbers = calloc(rows * width, sizeof(*numbers));
    const size_t shape[] = {rows, width};

    cr_assert_not_null(numbers);
    cr_assert_eq(read(POSENC_FLOAT64, 2, shape, numbers), POSENC_OK);
    cr_expect_eq(sent.rows, rows);
    cr_expect_eq(sent.width, width);
    cr_assert_eq(sent.sample_row_count, sample_rows, "%zu rows of %zu: %zu", rows, width,
                 sent.sample_row_count);
    cr_expect_eq(sent.sample_width, sample_width);
    for (size_t i = 1; i < sample_rows; i++)
        cr_expect_lt(sent.sample_rows[i - 1], sent.sample_rows[i]);
    cr_expect_eq(sent.sample_rows[sample_rows - 1], rows - 1);
    cr_expect(sample_rows == 1 || sent.sample_rows[0] == 0);
    posenc_memory_release(&memory);
    free(numbers);
}

Test(identify_sent, few_rows_stand_for_all)
{
    expect_rows(1, 1, 1, 1);
    expect_rows(1, 7, 1, 7);
    expect_rows(9, 1, 9, 1);
    expect_rows(16, 8, 16, 8);
    expect_rows(17, 8, 16, 8);
    expect_rows(100000, 8, 16, 8);
    expect_rows(50, 512, 8, 512);
    expect_rows(50, 2048, 2, 2048);
    expect_rows(50, 4096, 1, 4096);
    expect_rows(50, 4097, 1, 4096);
    expect_rows(3, 10000, 1, 4096);
}

Test(identify_sent, shapes_from_none_to_eight_axes)
{
    static const double numbers[] = {1, 2, 3, 4};
    static const size_t eight[] = {1, 1, 2, 1, 1, 1, 1, 2}, empty[] = {3, 0};

    cr_assert_eq(read(POSENC_FLOAT64, 0, eight, numbers), POSENC_OK);
    cr_expect(sent.count == 1 && sent.rows == 1 && sent.width == 1);
    posenc_memory_release(&memory);
    cr_assert_eq(read(POSENC_FLOAT64, 8, eight, numbers), POSENC_OK);
    cr_expect(sent.count == 4 && sent.rows == 2 && sent.width == 2);
    posenc_memory_release(&memory);
    cr_assert_eq(read(POSENC_FLOAT64, 2, empty, numbers), POSENC_OK);
    cr_expect_str_eq(posenc__not_comparable(&sent, &memory),
                     "Not comparable: the tensor has no elements.");
    posenc_memory_release(&memory);
}

Test(identify_sent, the_largest_tensor_is_read_and_one_element_more_is_refused)
{
    const size_t most = POSENC__IDENTIFY_NUMBERS_MAX, more = most + 1;
    unsigned short *elements = calloc(most, sizeof(*elements));

    cr_assert_not_null(elements);
    elements[most - 1] = 0x3c00; /* 1 in float16 */
    cr_assert_eq(read(POSENC_FLOAT16, 1, &more, elements), POSENC_TOO_LARGE);
    cr_expect_str_eq(problem.parameter, "actual");
    posenc_memory_release(&memory);
    cr_assert_eq(read(POSENC_FLOAT16, 1, &most, elements), POSENC_OK);
    cr_expect_eq(sent.values[most - 1], 1);
    cr_expect_null(posenc__not_comparable(&sent, &memory));
    posenc_memory_release(&memory);
    free(elements);
}

Test(identify_sent, constants_and_nan_say_nothing)
{
    static const struct {
        double numbers[2];
        const char *words;
    } rows[] = {
        {{0, -0.0}, "all its elements are zero"},
        {{1.5, 1.5}, "all its elements are 1.5"},
        {{1, (double)NAN}, "it holds NaN, first in row 0, column 1"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        read_numbers(2, rows[i].numbers);
        const char *why = posenc__not_comparable(&sent, &memory);

        cr_assert_not_null(why);
        cr_expect_not_null(strstr(why, rows[i].words), "%s", why);
        posenc_memory_release(&memory);
    }
    READ(1, 2);
    cr_expect_null(posenc__not_comparable(&sent, &memory));
    posenc_memory_release(&memory);
}

static bool refuse(void *context, uint64_t nanoseconds)
{
    *(uint64_t *)context += nanoseconds;
    return false;
}

static bool take(void *context, size_t bytes)
{
    (void)context;
    return bytes > 0;
}

static void give_back(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
}

Test(identify_sent, reading_asks_whether_to_go_on)
{
    static const double numbers[] = {1, 2};
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT64, .rank = 1, .shape = {2}, .data = numbers};
    uint64_t asked = 0;
    const struct posenc_watch watch = {
        .may_work = refuse, .may_take = take, .give_back = give_back, .context = &asked};

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    memory.watch = &watch;
    cr_expect_eq(posenc__read_sent(&array, &memory, &sent, &problem), POSENC_CANCELLED);
    cr_expect_gt(asked, 0);
    posenc_memory_release(&memory);
}
