#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "printed.h"
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

TestSuite(csv, .init = set_up, .fini = tear_down);

static void fill_floats(const void *plan, size_t first, size_t count, void *out)
{
    static const float some[] = {0, -0.0F, 0.1F, 1e10F, -1.5e-30F, NAN, INFINITY, -INFINITY};

    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((float *)out)[i] = first + i < 8 ? some[first + i] : (float)(first + i) / 8;
}

static void fill_integers(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((int64_t *)out)[i] = INT64_MAX - (int64_t)(first + i);
}

static char *read_all(const struct posenc_tensor *tensor, size_t step, uint64_t *length)
{
    const struct format_input input = {NULL, tensor, false, NULL};
    const struct format_body body = opened_body(&format_csv, &input, &memory);
    size_t size;

    *length = body.length;
    return whole_body(&body, step, &size);
}

static void expect_text(const struct posenc_tensor *tensor, const char *expected)
{
    for (size_t step = 1; step < 2000; step = 3 * step + 1) {
        uint64_t length;
        char *const text = read_all(tensor, step, &length);

        cr_expect_str_eq(text, expected, "%s", text);
        cr_expect_eq(length, strlen(expected));
        free(text);
    }
}

Test(csv, has_a_column_for_each_item_of_the_last_axis)
{
    static const struct posenc_tensor tensor = {"cos", POSENC_FLOAT32, 2,    {3, 3},
                                                9,     fill_floats,    NULL, 0};

    expect_text(&tensor, "cos_0,cos_1,cos_2\r\n"
                         "0,-0.0,0.1\r\n"
                         "1e+10,-1.5e-30,nan\r\n"
                         "inf,-inf,1\r\n");
}

Test(csv, flattens_the_axes_before_the_last_to_rows)
{
    static const struct posenc_tensor tensor = {"bias", POSENC_INT64,  3,    {2, 2, 2},
                                                8,      fill_integers, NULL, 0};

    expect_text(&tensor, "bias_0,bias_1\r\n"
                         "9223372036854775807,9223372036854775806\r\n"
                         "9223372036854775805,9223372036854775804\r\n"
                         "9223372036854775803,9223372036854775802\r\n"
                         "9223372036854775801,9223372036854775800\r\n");
}

Test(csv, names_the_column_of_a_list_or_a_scalar_as_the_tensor)
{
    static const struct posenc_tensor list = {"inv_freq", POSENC_FLOAT32, 1,    {3},
                                              3,          fill_floats,    NULL, 0};
    static const struct posenc_tensor scalar = {"s", POSENC_FLOAT32, 0,    {0},
                                                1,   fill_floats,    NULL, 0};

    expect_text(&list, "inv_freq\r\n0\r\n-0.0\r\n0.1\r\n");
    expect_text(&scalar, "s\r\n0\r\n");
}

Test(csv, has_names_only_when_the_tensor_is_empty)
{
    static const struct posenc_tensor rows = {"t", POSENC_FLOAT32, 2,    {0, 2},
                                              0,   fill_floats,    NULL, 0};
    static const struct posenc_tensor columns = {"t", POSENC_FLOAT32, 2,    {2, 0},
                                                 0,   fill_floats,    NULL, 0};
    static const struct posenc_tensor list = {"t", POSENC_FLOAT32, 1, {0}, 0, fill_floats, NULL, 0};

    expect_text(&rows, "t_0,t_1\r\n");
    expect_text(&columns, "\r\n");
    expect_text(&list, "t\r\n");
}

Test(csv, streams_what_is_long)
{
    static const struct posenc_tensor tensor = {"t",  POSENC_FLOAT32, 2,    {2000, 4},
                                                8000, fill_floats,    NULL, 0};
    static const size_t steps[] = {1, 7, PRINTED_PIECE_MAX, PRINTED_PIECE_MAX + 1, 100000};
    uint64_t length;
    char *const whole = read_all(&tensor, 1 << 19, &length);

    cr_expect_eq(length, UINT64_MAX);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        char *const text = read_all(&tensor, steps[i], &length);

        cr_expect_str_eq(text, whole, "step %zu", steps[i]);
        free(text);
    }
    size_t rows = 0;

    for (const char *at = whole; (at = strstr(at, "\r\n")); at += 2)
        rows++;
    cr_expect_eq(rows, 2001);
    cr_expect(strstr(whole, "\r\n999.5,999.625,999.75,999.875\r\n"));
    free(whole);
}

Test(csv, cuts_a_name_that_is_too_long)
{
    char name[2000], expected[200];
    const struct posenc_tensor tensor = {name, POSENC_FLOAT32, 2, {0, 1}, 0, fill_floats, NULL, 0};

    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    memset(expected, 'n', 128);
    strcpy(expected + 128, "_0\r\n");
    expect_text(&tensor, expected);
}

Test(csv, says_when_memory_is_out)
{
    static const struct posenc_tensor tensor = {"t", POSENC_FLOAT32, 1,    {4},
                                                4,   fill_floats,    NULL, 0};
    const struct format_input input = {NULL, &tensor, false, NULL};

    expect_no_memory_first(&format_csv, &input);
}
