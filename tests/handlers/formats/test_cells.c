#include "cells.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pictured.h"

/* The cells [first, first + count), separated by spaces. */
static const char *print(const struct posenc_tensor *tensor, size_t first, size_t count)
{
    static char text[65536];
    static struct cells cells;
    size_t length = 0;

    cells_begin(&cells, tensor, first, count);
    while (cells.next < cells.end) {
        const size_t printed = cells_print(&cells, text + length);

        cr_assert(printed > 0 && printed <= CELL_MAX);
        length += printed;
        text[length++] = ' ';
    }
    text[length ? length - 1 : 0] = '\0';
    return text;
}

/* Elements of any dtype, whose bytes the plan points to. */
static void copy_bytes(const void *plan, size_t first, size_t count, void *out)
{
    const struct posenc_array *const array = plan;
    const size_t size = posenc_dtype_size(array->dtype);

    memcpy(out, (const char *)array->data + first * size, count * size);
}

static void expect_cells(const struct posenc_array *array, size_t count, const char *expected)
{
    const struct posenc_tensor tensor = {"t",   array->dtype, 1,     {count},
                                         count, copy_bytes,   array, 0};

    cr_expect_str_eq(print(&tensor, 0, count), expected);
}

/* A third as each dtype has it, and the least and the largest of some. */
Test(cells, are_the_shortest_decimals_that_read_back_in_their_dtype)
{
    const struct posenc_array doubles = {
        POSENC_FLOAT64, 1, {3}, (double[]){1.0 / 3, 5e-324, -1e22}};
    const struct posenc_array floats = {POSENC_FLOAT32, 1, {3}, (float[]){1.0F / 3, 0.1F, 1e-45F}};
    const struct posenc_array halves = {
        POSENC_FLOAT16, 1, {3}, (uint16_t[]){0x3555, 0x0001, 0x7BFF}};
    const struct posenc_array brains = {POSENC_BFLOAT16, 1, {2}, (uint16_t[]){0x3EAB, 0x3DCD}};

    expect_cells(&doubles, 3, "0.3333333333333333 5e-324 -1e+22");
    expect_cells(&floats, 3, "0.33333334 0.1 1e-45");
    expect_cells(&halves, 3, "0.3333 6e-08 65500");
    expect_cells(&brains, 2, "0.334 0.1");
}

Test(cells, are_integers_to_their_last_digit)
{
    const struct posenc_array longs = {
        POSENC_INT64, 1, {3}, (int64_t[]){INT64_MAX, INT64_MIN, 9007199254740993}};
    const struct posenc_array ints = {POSENC_INT32, 1, {2}, (int32_t[]){INT32_MIN, 7}};

    expect_cells(&longs, 3, "9223372036854775807 -9223372036854775808 9007199254740993");
    expect_cells(&ints, 2, "-2147483648 7");
}

Test(cells, are_words_where_there_is_no_number)
{
    const struct posenc_array halves = {
        POSENC_FLOAT16, 1, {4}, (uint16_t[]){0x7C00, 0xFC00, 0x7E00, 0xFE00}};

    expect_cells(&halves, 4, "inf -inf nan nan");
}

Test(cells, of_a_run_are_computed_in_blocks_and_never_beyond_it)
{
    const struct posenc_tensor tensor = pictured_tensor(1, (size_t[]){100000}, NULL);
    const size_t count = 2 * CELLS_BLOCK + 3;
    const char *text = print(&tensor, 99, count);

    cr_expect_eq(pictured_filled(), count);
    for (size_t i = 0; i < count; i++) {
        char expected[16];

        (void)snprintf(expected, sizeof expected, "%zu", 99 + i);
        cr_assert_eq(strncmp(text, expected, strlen(expected)), 0, "cell %zu: %.8s", i, text);
        text += strlen(expected) + 1;
    }
    cr_expect_str_eq(print(&tensor, 99999, 1), "99999");
    cr_expect_str_eq(print(&tensor, 100000, 0), "");
    cr_expect_eq(pictured_filled(), count + 1);
}
