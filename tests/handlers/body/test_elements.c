#include "elements.h"

#include <criterion/criterion.h>
#include <string.h>

#include "writing.h"

WRITING_SUITE(elements);

static struct body_problem problem;

/* Takes the elements of that dtype and shape from a body that holds nothing else. */
static bool take(struct posenc_array *array, struct element_source source)
{
    return take_elements(&source, &memory, array, &problem);
}

Test(elements, count_their_bytes_unless_no_tensor_could_have_the_shape)
{
    static const struct {
        struct posenc_array array;
        size_t bytes;
        bool is_counted;
    } rows[] = {
        {{POSENC_FLOAT64, 0, {0}, NULL}, 8, true},
        {{POSENC_BFLOAT16, 2, {3, 5}, NULL}, 30, true},
        {{POSENC_INT32, 3, {7, 0, 9}, NULL}, 0, true},
        {{POSENC_FLOAT16, 1, {SIZE_MAX / 2}, NULL}, SIZE_MAX - 1, true},
        {{POSENC_FLOAT16, 1, {SIZE_MAX / 2 + 1}, NULL}, 0, false},
        {{POSENC_FLOAT64, 2, {(size_t)1 << 31, (size_t)1 << 30}, NULL}, 0, false},
        /* An empty axis before, between or behind does not make the others any shorter. */
        {{POSENC_FLOAT64, 3, {0, SIZE_MAX, 2}, NULL}, 0, false},
        {{POSENC_FLOAT64, 3, {SIZE_MAX, 2, 0}, NULL}, 0, false},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t bytes = 0;

        if (i == 5) /* 2^61 doubles are 2^64 bytes, which is one too many */
            cr_assert_eq(sizeof(size_t), 8);
        cr_expect_eq(count_element_bytes(&rows[i].array, &bytes), rows[i].is_counted, "row %zu", i);
        cr_expect_eq(bytes, rows[i].bytes, "row %zu: %zu", i, bytes);
    }
}

Test(elements, stay_in_the_body_where_they_can_be_read_there)
{
    _Alignas(8) static const char body[24] = "headhead\1\2\3\4\5\6\7\10";
    struct posenc_array array = {POSENC_FLOAT32, 1, {2}, NULL};

    cr_assert(take(&array, (struct element_source){.body = body, .offset = 8}));
    cr_expect_eq(array.data, (const void *)(body + 8));
    cr_assert(take(&array, (struct element_source){.body = body, .offset = 12}));
    cr_expect_eq(array.data, (const void *)(body + 12), "four bytes are enough for a float32");
    cr_expect_eq(memory.used, 0);

    cr_assert(take(&array, (struct element_source){.body = body, .offset = 10}));
    cr_expect_eq((uintptr_t)array.data % 4, 0);
    cr_expect_arr_eq((const char *)array.data, body + 10, 8);

    array.dtype = POSENC_FLOAT64; /* 12 is a multiple of 4, but not of 8 */
    array.shape[0] = 1;
    cr_assert(take(&array, (struct element_source){.body = body, .offset = 12}));
    cr_expect_eq((uintptr_t)array.data % 8, 0);
    cr_expect_arr_eq((const char *)array.data, body + 12, 8);
}

Test(elements, come_out_of_big_endian_bytes_of_each_size)
{
    static const char body[] = "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20";
    static const struct {
        enum posenc_dtype dtype;
        size_t count;
        const char *swapped;
    } rows[] = {
        {POSENC_FLOAT16, 2, "\2\1\4\3"},
        {POSENC_INT32, 2, "\4\3\2\1\10\7\6\5"},
        {POSENC_FLOAT64, 2, "\10\7\6\5\4\3\2\1\20\17\16\15\14\13\12\11"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct posenc_array array = {rows[i].dtype, 1, {rows[i].count}, NULL};

        cr_assert(take(&array, (struct element_source){.body = body, .is_big_endian = true}));
        cr_expect_arr_eq((const char *)array.data, rows[i].swapped,
                         rows[i].count * posenc_dtype_size(rows[i].dtype));
    }
}

/* With planes of more than one tile and two axes between: each element is its place in C order. */
Test(elements, are_put_into_row_major_order)
{
    enum { A = 33, B = 2, C = 3, D = 35 };
    static int32_t fortran[A * B * C * D];
    struct posenc_array array = {POSENC_INT32, 4, {A, B, C, D}, NULL};

    for (int32_t i = 0; i < A * B * C * D; i++) {
        const int32_t a = i / (B * C * D), b = i / (C * D) % B, c = i / D % C, d = i % D;

        fortran[a + A * (b + B * (c + C * d))] = i;
    }
    cr_assert(take(&array, (struct element_source){(const char *)fortran, 0, false, true}));
    for (int32_t i = 0; i < A * B * C * D; i++)
        cr_assert_eq(((const int32_t *)array.data)[i], i);
}

Test(elements, of_each_size_are_put_into_order_and_swapped_at_once)
{
    /* [[0x0102, 0x0506, 0x090a], [0x0304, 0x0708, 0x0b0c]], the first axis fastest. */
    static const char body[] = "\1\2\3\4\5\6\7\10\11\12\13\14";
    struct posenc_array array = {POSENC_BFLOAT16, 2, {2, 3}, NULL};

    cr_assert(take(&array, (struct element_source){body, 0, true, true}));
    cr_expect_arr_eq((const char *)array.data, "\2\1\6\5\12\11\4\3\10\7\14\13", 12);
}

Test(elements, may_be_none)
{
    struct posenc_array between = {POSENC_FLOAT32, 3, {2, 0, 3}, NULL},
                        first = {POSENC_INT64, 2, {0, 3}, NULL};

    cr_expect(take(&between, (struct element_source){"", 0, true, true}));
    cr_expect(take(&first, (struct element_source){"", 0, false, true}));
}

Test(elements, are_refused_as_integers_that_doubles_do_not_have)
{
    static const int64_t fits[] = {9007199254740991, -9007199254740991},
                         above[] = {0, 9007199254740992}, below[] = {-9007199254740992, 0};
    /* 1 and 2^53, big-endian. */
    static const char swapped[] = "\0\0\0\0\0\0\0\1\0\x20\0\0\0\0\0\0";
    struct posenc_array array = {POSENC_INT64, 1, {2}, NULL};

    cr_expect(take(&array, (struct element_source){.body = (const char *)fits}));
    cr_expect_not(take(&array, (struct element_source){.body = (const char *)above}));
    cr_expect(strstr(problem.detail, " 9007199254740992"), "%s", problem.detail);
    cr_expect_eq(problem.offset, 8);
    cr_expect_not(take(&array, (struct element_source){.body = (const char *)below}));
    cr_expect(strstr(problem.detail, "-9007199254740992"), "%s", problem.detail);
    cr_expect_eq(problem.offset, 0);
    cr_expect_not(take(&array, (struct element_source){.body = swapped, .is_big_endian = true}));
    cr_expect(strstr(problem.detail, " 9007199254740992"), "%s", problem.detail);
    cr_expect_eq(problem.offset, 8);
}

Test(elements, say_when_there_is_no_memory_for_a_copy)
{
    struct posenc_array array = {POSENC_FLOAT32, 1, {2}, NULL};

    memory.limit = 0;
    cr_expect_not(
        take(&array, (struct element_source){.body = "\1\2\3\4\5\6\7\10", .is_big_endian = true}));
    cr_expect(problem.no_memory);
}
