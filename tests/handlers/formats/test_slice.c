#include "slice.h"

#include <criterion/criterion.h>
#include <string.h>

static size_t elements_filled;

/* Element i of the tensor is i + plan. */
static void fill_shorts(const void *plan, size_t first, size_t count, void *out)
{
    for (size_t i = 0; i < count; i++)
        ((uint16_t *)out)[i] = (uint16_t)(first + i + *(const uint16_t *)plan);
    elements_filled += count;
}

static void fill_doubles(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((double *)out)[i] = (double)(first + i);
    elements_filled += count;
}

static const uint16_t thousand = 1000, nothing;

/* 13 bytes of header, so that no element is aligned in the file; 24 + 0 + 6000 bytes of tensors. */
static struct slice_file file = {
    "thirteen_byte",
    13,
    3,
    {{"a", POSENC_FLOAT64, 1, {3}, 3, fill_doubles, NULL, 0},
     {"b", POSENC_BFLOAT16, 2, {0, 5}, 0, fill_shorts, &thousand, 0},
     {"c", POSENC_FLOAT16, 1, {3000}, 3000, fill_shorts, &nothing, 0}}};
#define FILE_SIZE ((size_t)(13 + 24 + 6000))

static struct format_body opened(void)
{
    struct format_body body = {0};
    struct posenc_problem problem;

    cr_assert_eq(slice_file_open(&file, &body, &problem), POSENC_OK);
    return body;
}

/* The file, made without the code under test. */
static void make_whole(char *whole)
{
    memcpy(whole, "thirteen_byte", 13);
    for (size_t i = 0; i < 3; i++)
        memcpy(whole + 13 + 8 * i, &(double){(double)i}, 8);
    for (size_t i = 0; i < 3000; i++)
        memcpy(whole + 37 + 2 * i, &(uint16_t){(uint16_t)i}, 2);
}

Test(slice, is_the_header_and_then_the_tensors)
{
    static char whole[FILE_SIZE], read[FILE_SIZE + 10];
    const struct format_body body = opened();

    make_whole(whole);
    cr_expect_eq(body.length, FILE_SIZE);
    cr_assert_eq(body.read(body.state, 0, read, sizeof read), (ssize_t)FILE_SIZE);
    cr_expect_arr_eq(read, whole, FILE_SIZE);
    cr_expect_eq(body.read(body.state, FILE_SIZE, read, 1), 0);
    cr_expect_eq(body.read(body.state, UINT64_MAX, read, 1), 0);
}

Test(slice, gives_any_bytes_and_computes_only_what_they_belong_to)
{
    static char whole[FILE_SIZE];
    _Alignas(64) char read[64];
    const struct format_body body = opened();

    make_whole(whole);
    for (size_t at = 0; at < FILE_SIZE; at += at < 60 ? 1 : 31) {
        for (size_t size = 1; size < 24; size += 5) {
            const size_t expected = FILE_SIZE - at < size ? FILE_SIZE - at : size;
            char *const to = read + at % 5;

            elements_filled = 0;
            cr_assert_eq(body.read(body.state, at, to, size), (ssize_t)expected);
            cr_assert_arr_eq(to, whole + at, expected, "%zu bytes at %zu", size, at);
            cr_assert_leq(elements_filled, size / 2 + 2);
        }
    }
}

Test(slice, refuses_more_bytes_than_can_be_counted)
{
    static struct slice_file large = {
        "",
        0,
        2,
        {{"a", POSENC_FLOAT64, 1, {SIZE_MAX / 16}, SIZE_MAX / 16, fill_doubles, NULL, 0},
         {"b", POSENC_FLOAT64, 1, {SIZE_MAX / 16}, SIZE_MAX / 16, fill_doubles, NULL, 0}}};
    struct format_body body = {0};
    struct posenc_problem problem;

    cr_expect_eq(slice_file_open(&large, &body, &problem), POSENC_TOO_LARGE);
    cr_expect_eq(problem.status, POSENC_TOO_LARGE);
    large.tensor_count = 1;
    cr_expect_eq(slice_file_open(&large, &body, &problem), POSENC_OK);
}
