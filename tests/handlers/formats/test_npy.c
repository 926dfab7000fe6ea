#include <criterion/criterion.h>
#include <string.h>

#include "format.h"
#include "short_memory.h"
#include "whole_body.h"

static struct posenc_memory memory;

static void set_up(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void tear_down(void)
{
    posenc_memory_release(&memory);
}

TestSuite(npy, .init = set_up, .fini = tear_down);

static size_t elements_filled;

/* Element i is i + 0.5. */
static void fill_floats(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((float *)out)[i] = (float)(first + i) + 0.5f;
    elements_filled += count;
}

static void fill_integers(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((int64_t *)out)[i] = -(int64_t)(first + i);
}

static void fill_halves(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((uint16_t *)out)[i] = (uint16_t)(first + i);
}

static struct posenc_tensor floats = {"t", POSENC_FLOAT32, 2, {250, 4}, 1000, fill_floats, NULL, 0};

static struct format_body opened(const struct posenc_tensor *tensor)
{
    const struct format_input input = {NULL, tensor, false, NULL};

    return opened_body(&format_npy, &input, &memory);
}

static void expect_header(const struct posenc_tensor *tensor, const char *dictionary, size_t size)
{
    const struct format_body body = opened(tensor);
    char header[256], expected[256];

    cr_assert_eq(body.read(body.state, 0, header, size), (ssize_t)size);
    memset(expected, ' ', sizeof expected);
    memcpy(expected, "\x93NUMPY\x01\x00", 8);
    expected[8] = (char)(size - 10);
    expected[9] = 0;
    memcpy(expected + 10, dictionary, strlen(dictionary));
    expected[size - 1] = '\n';
    cr_expect_arr_eq(header, expected, size, "%.*s", (int)size - 11, header + 10);
    cr_expect_eq(body.length, size + posenc_tensor_bytes(tensor));
}

Test(npy, writes_the_header_of_each_dtype_and_shape)
{
    static const struct posenc_tensor scalar = {"t", POSENC_FLOAT64, 0,    {0},
                                                1,   fill_floats,    NULL, 0};
    static const struct posenc_tensor list = {"t", POSENC_INT64, 1, {5}, 5, fill_integers, NULL, 0};
    static const struct posenc_tensor empty = {"t", POSENC_INT32, 2,    {0, 4},
                                               0,   fill_floats,  NULL, 0};
    static const struct posenc_tensor cube = {"t", POSENC_FLOAT16, 3,    {2, 3, 4},
                                              24,  fill_halves,    NULL, 0};

    expect_header(&floats, "{'descr': '<f4', 'fortran_order': False, 'shape': (250, 4), }", 128);
    expect_header(&scalar, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 128);
    expect_header(&list, "{'descr': '<i8', 'fortran_order': False, 'shape': (5,), }", 128);
    expect_header(&empty, "{'descr': '<i4', 'fortran_order': False, 'shape': (0, 4), }", 128);
    expect_header(&cube, "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3, 4), }", 128);
}

Test(npy, fits_the_largest_shape_and_still_aligns_the_data)
{
    struct posenc_tensor tensor = {"t", POSENC_FLOAT32, POSENC_RANK_MAX, {0}, 0, fill_floats, NULL,
                                   0};

    for (size_t axis = 0; axis < POSENC_RANK_MAX; axis++)
        tensor.shape[axis] = axis ? SIZE_MAX : 0;
    const struct format_body body = opened(&tensor);
    char header[512];
    const ssize_t size = body.read(body.state, 0, header, sizeof header);

    cr_expect_eq((uint64_t)size, body.length);
    cr_expect_eq(size % 64, 0);
    cr_expect_eq(header[size - 1], '\n');
    cr_expect(strstr(header + 10, "18446744073709551615), }"));
}

/* All bytes, as one read gives them. */
static size_t read_all(const struct posenc_tensor *tensor, char *bytes, size_t size)
{
    const struct format_body body = opened(tensor);
    const ssize_t count = body.read(body.state, 0, bytes, size);

    cr_assert_eq((uint64_t)count, body.length);
    return (size_t)count;
}

Test(npy, writes_the_elements_in_order)
{
    _Alignas(64) char bytes[8192];
    float first[1000];

    cr_assert_eq(read_all(&floats, bytes, sizeof bytes), 128 + 4000);
    memcpy(first, bytes + 128, sizeof first);
    for (size_t i = 0; i < 1000; i++)
        cr_assert_eq(first[i], (float)i + 0.5f);
}

Test(npy, gives_the_same_bytes_in_pieces_of_any_size)
{
    static const struct posenc_tensor list = {"t",  POSENC_INT64,  1,    {1500},
                                              1500, fill_integers, NULL, 0};
    const struct posenc_tensor *const tensors[] = {&floats, &list};
    static _Alignas(64) char whole[16384], pieces[16384];

    for (size_t t = 0; t < 2; t++) {
        const size_t size = read_all(tensors[t], whole, sizeof whole);

        for (size_t step = 1; step < 300; step += step < 20 ? 1 : 37) {
            const struct format_body body = opened(tensors[t]);
            size_t at = 0;
            ssize_t count;

            memset(pieces, 0, sizeof pieces);
            while ((count = body.read(body.state, at, pieces + at, step)) > 0) {
                cr_assert_eq((size_t)count, size - at < step ? size - at : step);
                at += (size_t)count;
            }
            cr_assert_eq(at, size);
            cr_assert_arr_eq(pieces, whole, size, "step %zu", step);
        }
    }
}

Test(npy, reads_from_any_offset_and_computes_only_what_is_asked)
{
    static _Alignas(64) char whole[8192], part[64];
    const size_t size = read_all(&floats, whole, sizeof whole);
    const struct format_body body = opened(&floats);

    for (size_t at = size - 50; at + 7 <= size; at++) {
        elements_filled = 0;
        cr_assert_eq(body.read(body.state, at, part + at % 3, 7), 7);
        cr_expect_arr_eq(part + at % 3, whole + at, 7);
        cr_expect_leq(elements_filled, 3);
    }
    cr_expect_eq(body.read(body.state, size, part, 1), 0);
    cr_expect_eq(body.read(body.state, size - 1, part, sizeof part), 1);
}

Test(npy, refuses_bfloat16_and_names_a_format_that_exists)
{
    static const struct posenc_tensor tensor = {"t", POSENC_BFLOAT16, 1,    {5},
                                                5,   fill_halves,     NULL, 0};
    const struct format_input input = {NULL, &tensor, false, NULL};
    struct format_body body;
    struct posenc_problem problem;
    const char *word;

    cr_assert_eq(format_npy.open(&input, &memory, &body, &problem), POSENC_OUT_OF_RANGE);
    cr_expect_eq(problem.status, POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(problem.parameter, "dtype");
    cr_expect_str_eq(problem.value, "bfloat16");
    word = strstr(problem.detail, "format ");
    cr_assert(word);
    cr_expect(format_find(word + strlen("format ")), "%s", problem.detail);
}

Test(npy, says_when_memory_is_out)
{
    const struct format_input input = {NULL, &floats, false, NULL};

    expect_no_memory_first(&format_npy, &input);
}
