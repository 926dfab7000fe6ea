#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "format.h"
#include "short_memory.h"

#define FILE_MAX 8192

static struct posenc_memory memory;

static void set_up(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void tear_down(void)
{
    posenc_memory_release(&memory);
}

TestSuite(safetensors, .init = set_up, .fini = tear_down);

/* Every byte of every element is the tensor's mark. */
static void fill_mark(const void *plan, size_t first, size_t count, void *out)
{
    const char *const mark = plan; /* and the element's size behind it */

    (void)first;
    memset(out, mark[0], count * (size_t)(mark[1] - '0'));
}

static const struct posenc_encoding encoding = {.name = "rope"};
static const struct posenc_operation table = {.name = "table"}, apply = {.name = "apply"};
static const struct posenc_member parameters[] = {
    {"dim", {.kind = POSENC_NUMBER, .as.number = 2}},
    {"layout", {.kind = POSENC_TEXT, .as.text = "a\"b"}}};
static const struct posenc_member inputs[] = {{"x", {.kind = POSENC_NULL, .as.number = 0}}};

static struct posenc_result six_tensors(void)
{
    return (struct posenc_result){
        .encoding = &encoding,
        .operation = &apply,
        .parameters = {parameters, 2},
        .inputs = {inputs, 1},
        .tensor_count = 6,
        .tensors = {{"sin", POSENC_FLOAT32, 2, {1, 3}, 3, fill_mark, "s4", 0},
                    {"half", POSENC_BFLOAT16, 1, {3}, 3, fill_mark, "h2", 0},
                    {"cos", POSENC_FLOAT32, 0, {0}, 1, fill_mark, "c4", 0},
                    {"wide", POSENC_FLOAT64, 1, {2}, 2, fill_mark, "w8", 0},
                    {"index", POSENC_INT64, 2, {0, 4}, 0, fill_mark, "i8", 0},
                    {"bucket", POSENC_INT32, 1, {1}, 1, fill_mark, "b4", 0}}};
}

/* Reads all of the file; returns its header, parsed, and where the bytes start. */
static json_t *read_file(const struct posenc_result *result, char *file, size_t *start,
                         size_t *size)
{
    const struct format_input input = {result, NULL, false, NULL};
    struct format_body body = {0};
    struct posenc_problem problem;
    json_error_t error;

    cr_assert_eq(format_safetensors.open(&input, &memory, &body, &problem), POSENC_OK);
    const ssize_t count = body.read(body.state, 0, file, FILE_MAX);

    cr_assert_eq((uint64_t)count, body.length);
    *size = (size_t)count;
    *start = 8 + (size_t)((unsigned char)file[0] | (unsigned char)file[1] << 8);
    cr_assert_arr_eq(file + 2, "\0\0\0\0\0\0", 6);
    json_t *const header = json_loadb(file + 8, *start - 8, JSON_REJECT_DUPLICATES, &error);

    cr_assert(header, "%s", error.text);
    return header;
}

static const char *text(const json_t *object, const char *name)
{
    const char *const value = json_string_value(json_object_get(object, name));

    return value ? value : "";
}

static json_int_t offset(const json_t *header, const char *name, size_t end)
{
    return json_integer_value(
        json_array_get(json_object_get(json_object_get(header, name), "data_offsets"), end));
}

Test(safetensors, orders_tensors_by_size_of_dtype_and_then_by_name)
{
    static const struct {
        const char *name, *dtype;
        int end;
    } rows[] = {{"index", "I64", 0}, {"wide", "F64", 16}, {"bucket", "I32", 20},
                {"cos", "F32", 24},  {"sin", "F32", 36},  {"half", "BF16", 42}};
    const struct posenc_result result = six_tensors();
    static char file[FILE_MAX];
    size_t start, size;
    json_t *const header = read_file(&result, file, &start, &size);
    json_int_t begin = 0;

    cr_expect_eq(start % 8, 0);
    cr_expect_eq(size, start + 42);
    cr_expect_eq(json_object_size(header), 7);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_str_eq(text(json_object_get(header, rows[i].name), "dtype"), rows[i].dtype);
        cr_expect_eq(offset(header, rows[i].name, 0), begin, "%s", rows[i].name);
        cr_expect_eq(offset(header, rows[i].name, 1), rows[i].end, "%s", rows[i].name);
        begin = rows[i].end;
    }
    cr_expect_arr_eq(file + start, "wwwwwwwwwwwwwwwwbbbbccccsssssssssssshhhhhh", 42);
    json_decref(header);
}

Test(safetensors, tells_shapes)
{
    const struct posenc_result result = six_tensors();
    static char file[FILE_MAX];
    size_t start, size;
    json_t *const header = read_file(&result, file, &start, &size);
    json_t *const expected = json_pack("{s:[], s:[ii], s:[ii]}", "cos", "sin", 1, 3, "index", 0, 4);
    const char *name;
    json_t *shape;

    json_object_foreach(expected, name, shape) cr_expect(
        json_equal(json_object_get(json_object_get(header, name), "shape"), shape), "%s", name);
    json_decref(expected);
    json_decref(header);
}

Test(safetensors, echoes_the_parameters_as_texts)
{
    struct posenc_result result = six_tensors();
    static char file[FILE_MAX];
    size_t start, size;
    json_t *header = read_file(&result, file, &start, &size);
    const json_t *metadata = json_object_get(header, "__metadata__");

    cr_expect_str_eq(text(metadata, "encoding"), "rope");
    cr_expect_str_eq(text(metadata, "operation"), "apply");
    cr_expect_str_eq(text(metadata, "parameters"), "{\"dim\":2,\"layout\":\"a\\\"b\"}");
    cr_expect_str_eq(text(metadata, "inputs"), "{\"x\":null}");
    cr_expect_str_eq(text(metadata, "derived"), "{}");
    cr_expect_null(json_object_get(metadata, "warnings"));
    cr_expect_str_eq(text(metadata, "numeric_version"), "2");
    json_decref(header);

    result.operation = &table;
    result.inputs.count = 0;
    header = read_file(&result, file, &start, &size);
    metadata = json_object_get(header, "__metadata__");
    cr_expect_null(json_object_get(metadata, "operation"));
    cr_expect_null(json_object_get(metadata, "inputs"));
    json_decref(header);
}

Test(safetensors, carries_warnings_as_the_json_document_does)
{
    static const struct posenc_warning warnings[] = {{"base", "\"low\""}};
    struct posenc_result result = six_tensors();
    static char file[FILE_MAX];
    size_t start, size;
    json_t *header;

    result.warnings = warnings;
    result.warning_count = 1;
    header = read_file(&result, file, &start, &size);
    cr_expect_str_eq(text(json_object_get(header, "__metadata__"), "warnings"),
                     "[{\"parameter\":\"base\",\"detail\":\"\\\"low\\\"\"}]");
    json_decref(header);
}

Test(safetensors, pads_the_header_with_spaces)
{
    struct posenc_result result = six_tensors();
    static const char *const names[] = {"a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg"};
    static char file[FILE_MAX];

    result.tensor_count = 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t start, size;

        result.tensors[0].name = names[i];
        json_decref(read_file(&result, file, &start, &size));
        cr_expect_eq(start % 8, 0);
        cr_expect(file[start - 1] == ' ' || file[start - 1] == '}');
        cr_expect_eq(strspn(strrchr(file + 8, '}') + 1, " ") +
                         (size_t)(strrchr(file + 8, '}') - file) + 1,
                     start);
        memset(file, 0, sizeof file);
    }
}

Test(safetensors, may_hold_no_tensor)
{
    struct posenc_result result = six_tensors();
    static char file[FILE_MAX];
    size_t start, size;

    result.tensor_count = 0;
    json_t *const header = read_file(&result, file, &start, &size);

    cr_expect_eq(start, size);
    cr_expect_eq(json_object_size(header), 1);
    json_decref(header);
}

Test(safetensors, says_when_memory_is_out)
{
    const struct posenc_result result = six_tensors();
    const struct format_input input = {&result, NULL, false, NULL};

    expect_no_memory_first(&format_safetensors, &input);
}
