#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
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

TestSuite(text, .init = set_up, .fini = tear_down);

static size_t elements_filled;

static void fill_integers(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((int32_t *)out)[i] = (int32_t)(first + i);
    elements_filled += count;
}

static void fill_floats(const void *plan, size_t first, size_t count, void *out)
{
    static const float some[] = {1, -0.5F, 10.25F, 1e-30F, NAN, -INFINITY};

    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((float *)out)[i] = some[(first + i) % 6];
}

static struct posenc_tensor integers(size_t rank, const size_t *shape)
{
    struct posenc_tensor tensor = {"t", POSENC_INT32, rank, {0}, 1, fill_integers, NULL, 0};

    for (size_t axis = 0; axis < rank; axis++) {
        tensor.shape[axis] = shape[axis];
        tensor.count *= shape[axis];
    }
    return tensor;
}

static char *read_all(const struct posenc_tensor *tensor, size_t step)
{
    const struct format_input input = {NULL, tensor, false, NULL};
    const struct format_body body = opened_body(&format_text, &input, &memory);
    size_t size;

    cr_assert_neq(body.length, UINT64_MAX, "the length is known");
    return whole_body(&body, step, &size);
}

static void expect_text(struct posenc_tensor tensor, const char *expected)
{
    for (size_t step = 1; step < 5000; step = 4 * step + 3) {
        char *const text = read_all(&tensor, step);

        cr_expect_str_eq(text, expected, "%s", text);
        free(text);
    }
}

Test(text, aligns_columns_at_the_point)
{
    static const struct posenc_tensor tensor = {"x", POSENC_FLOAT32, 2,    {2, 3},
                                                6,   fill_floats,    NULL, 0};

    expect_text(tensor, "x: float32 [2, 3]\n"
                        "[[   1       -0.5     10.25 ]\n"
                        " [   1e-30  nan     -inf    ]]\n");
}

Test(text, nests_brackets_by_axis)
{
    expect_text(integers(3, (size_t[]){2, 2, 2}), "t: int32 [2, 2, 2]\n"
                                                  "[[[0 1]\n"
                                                  "  [2 3]]\n"
                                                  "\n"
                                                  " [[4 5]\n"
                                                  "  [6 7]]]\n");
    expect_text(integers(1, (size_t[]){3}), "t: int32 [3]\n[0 1 2]\n");
    expect_text(integers(0, NULL), "t: int32 []\n0\n");
    expect_text(integers(2, (size_t[]){0, 3}), "t: int32 [0, 3]\n[]\n");
}

Test(text, leaves_out_the_middle_of_long_axes)
{
    expect_text(integers(2, (size_t[]){100, 11}), "t: int32 [100, 11]\n"
                                                  "[[   0    1    2 ...    8    9   10]\n"
                                                  " [  11   12   13 ...   19   20   21]\n"
                                                  " [  22   23   24 ...   30   31   32]\n"
                                                  " ...\n"
                                                  " [1067 1068 1069 ... 1075 1076 1077]\n"
                                                  " [1078 1079 1080 ... 1086 1087 1088]\n"
                                                  " [1089 1090 1091 ... 1097 1098 1099]]\n");
    expect_text(integers(1, (size_t[]){1001}), "t: int32 [1001]\n"
                                               "[   0    1    2 ...  998  999 1000]\n");
    expect_text(integers(3, (size_t[]){200, 1, 6}), "t: int32 [200, 1, 6]\n"
                                                    "[[[   0    1    2    3    4    5]]\n"
                                                    "\n"
                                                    " [[   6    7    8    9   10   11]]\n"
                                                    "\n"
                                                    " [[  12   13   14   15   16   17]]\n"
                                                    "\n"
                                                    " ...\n"
                                                    "\n"
                                                    " [[1182 1183 1184 1185 1186 1187]]\n"
                                                    "\n"
                                                    " [[1188 1189 1190 1191 1192 1193]]\n"
                                                    "\n"
                                                    " [[1194 1195 1196 1197 1198 1199]]]\n");
}

Test(text, shows_all_of_a_thousand_elements_and_breaks_their_lines)
{
    const struct posenc_tensor tensor = integers(1, (size_t[]){1000});
    char *const text = read_all(&tensor, 4096);
    size_t lines = 0;

    cr_expect_null(strstr(text, "..."));
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    cr_expect_eq(lines, 1 + (1000 + 28) / 29, "29 columns of 4 in 118 bytes, on %zu lines", lines);
    cr_expect(strstr(text, "\n[  0   1 "));
    cr_expect(strstr(text, " 28\n  29  30 "));
    cr_expect(strstr(text, " 999]\n"));
    free(text);
}

Test(text, computes_only_what_it_shows)
{
    const struct posenc_tensor tensor = integers(2, (size_t[]){10000, 10000});
    char *const text = read_all(&tensor, 4096);

    cr_expect_eq(elements_filled, 2 * 36, "once to measure, once to print");
    free(text);
}

Test(text, fits_a_full_rank_and_a_long_name)
{
    char name[2000];
    struct posenc_tensor tensor = integers(8, (size_t[]){7, 7, 1, 1, 7, 1, 7, 2});

    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    tensor.name = name;
    char *const text = read_all(&tensor, 300);

    cr_expect(strstr(text, "nnn: int32 [7, 7, 1, 1, 7, 1, 7, 2]\n[[[[[[[[   0    1]\n"));
    cr_expect_eq(elements_filled, 2 * 2 * 2 * 2 * 2 * 2, "one item on each end of an axis");
    cr_expect(strstr(text, " 4801]]]]]]]]\n"));
    free(text);
}

Test(text, says_when_memory_is_out)
{
    const struct posenc_tensor tensor = integers(1, (size_t[]){4});
    const struct format_input input = {NULL, &tensor, false, NULL};

    expect_no_memory_first(&format_text, &input);
}
