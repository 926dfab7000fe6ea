#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "format.h"

Test(formats, finds_each_by_its_name_and_nothing_else)
{
    size_t count = 0;

    cr_expect_eq(format_at(0), &format_json, "json is the default");
    for (const struct format *format; (format = format_at(count)); count++)
        cr_expect_eq(format_find(format->name), format, "%s", format->name);
    cr_expect_geq(count, 6);
    cr_expect_null(format_at(count));
    cr_expect_null(format_at(SIZE_MAX));
    cr_expect_null(format_find("jso"));
    cr_expect_null(format_find(""));
}

static const struct posenc_encoding encoding = {.name = "rope"};
static const struct posenc_operation table = {.name = "table"}, apply = {.name = "apply"};

static void expect_disposition(const struct format *format, const struct posenc_encoding *of,
                               const struct posenc_operation *operation, const char *tensor_name,
                               const char *expected)
{
    const struct posenc_result result = {.encoding = of, .operation = operation};
    const struct posenc_tensor tensor = {.name = tensor_name};
    const struct format_input input = {&result, &tensor, false, NULL};
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_expect_str_eq(format_disposition(format, &input, &memory), expected);
    posenc_memory_release(&memory);
    posenc_memory_init(&memory, 0);
    cr_expect_null(format_disposition(format, &input, &memory));
}

Test(formats, name_a_file_after_what_is_in_it)
{
    expect_disposition(&format_npy, &encoding, &table, "cos", "inline; filename=\"rope-cos.npy\"");
    expect_disposition(&format_raw, &encoding, &apply, "x",
                       "inline; filename=\"rope-apply-x.bin\"");
    expect_disposition(&format_npy, NULL, &apply, "w", "inline; filename=\"apply-w.npy\"");
    expect_disposition(&format_safetensors, &encoding, &table, "cos",
                       "inline; filename=\"rope.safetensors\"");
    expect_disposition(&format_npy, &encoding, &table, "a/../\"b\r\n",
                       "inline; filename=\"rope-a_..__b__.npy\"");
}

Test(formats, fit_the_longest_names)
{
    char name[1000], expected[1000];

    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    const struct posenc_encoding of = {.name = name};
    const struct posenc_operation operation = {.name = name};

    (void)snprintf(expected, sizeof expected, "inline; filename=\"%.64s-%.64s-%.64s.npy\"", name,
                   name, name);
    expect_disposition(&format_npy, &of, &operation, name, expected);
}
