#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"
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

TestSuite(json, .init = set_up, .fini = tear_down);

/* Element i is i / 8, but for element 5. */
static void fill_floats(const void *plan, size_t first, size_t count, void *out)
{
    (void)plan;
    for (size_t i = 0; i < count; i++)
        ((float *)out)[i] = first + i == 5 ? -INFINITY : (float)(first + i) / 8;
}

static struct posenc_tensor floats(const char *name, size_t rank, const size_t *shape)
{
    struct posenc_tensor tensor = {name, POSENC_FLOAT32, rank, {0}, 1, fill_floats, NULL, 0};

    for (size_t axis = 0; axis < rank; axis++) {
        tensor.shape[axis] = shape[axis];
        tensor.count *= shape[axis];
    }
    return tensor;
}

static const struct posenc_encoding encoding = {.name = "sinusoidal"};
static const struct posenc_operation table = {.name = "table"}, apply = {.name = "apply"};
static const struct posenc_member parameters[] = {
    {"length", {.kind = POSENC_NUMBER, .as.number = 2}},
    {"layout", {.kind = POSENC_TEXT, .as.text = "a\"b"}}};

static struct posenc_result result_of(struct posenc_tensor tensor)
{
    struct posenc_result result = {.encoding = &encoding,
                                   .operation = &table,
                                   .tensor_count = 1,
                                   .parameters = {parameters, 2}};

    result.tensors[0] = tensor;
    return result;
}

static struct format_body opened(const struct posenc_result *result, bool pretty)
{
    const struct format_input input = {result, &result->tensors[0], pretty, NULL};

    return opened_body(&format_json, &input, &memory);
}

static char *read_all(const struct posenc_result *result, bool pretty, size_t step, size_t *size)
{
    const struct format_body body = opened(result, pretty);

    return whole_body(&body, step, size);
}

static void expect_document(const struct posenc_result *result, bool pretty, const char *expected)
{
    size_t size;
    char *const text = read_all(result, pretty, 1000, &size);

    cr_expect_str_eq(text, expected, "got %s", text);
    free(text);
}

Test(json, writes_a_compact_document)
{
    const struct posenc_result result = result_of(floats("encoding", 2, (size_t[]){2, 3}));

    expect_document(
        &result, false,
        "{\"encoding\":\"sinusoidal\",\"parameters\":{\"length\":2,\"layout\":\"a\\\"b\"},"
        "\"derived\":{},\"numeric_version\":2,\"tensors\":{\"encoding\":{\"dtype\":"
        "\"float32\",\"shape\":[2,3],\"data\":[[0,0.125,0.25],[0.375,0.5,"
        "\"-Infinity\"]]}}}\n");
}

Test(json, writes_a_row_a_line_when_it_shall_be_pretty)
{
    struct posenc_result result = result_of(floats("a", 3, (size_t[]){2, 1, 2}));

    result.tensors[1] = floats("b", 1, (size_t[]){2});
    result.tensor_count = 2;
    expect_document(&result, true,
                    "{\n"
                    "  \"encoding\": \"sinusoidal\",\n"
                    "  \"parameters\": {\n"
                    "    \"length\": 2,\n"
                    "    \"layout\": \"a\\\"b\"\n"
                    "  },\n"
                    "  \"derived\": {},\n"
                    "  \"numeric_version\": 2,\n"
                    "  \"tensors\": {\n"
                    "    \"a\": {\n"
                    "      \"dtype\": \"float32\",\n"
                    "      \"shape\": [2, 1, 2],\n"
                    "      \"data\": [\n"
                    "        [\n"
                    "          [0, 0.125]\n"
                    "        ],\n"
                    "        [\n"
                    "          [0.25, 0.375]\n"
                    "        ]\n"
                    "      ]\n"
                    "    },\n"
                    "    \"b\": {\n"
                    "      \"dtype\": \"float32\",\n"
                    "      \"shape\": [2],\n"
                    "      \"data\": [0, 0.125]\n"
                    "    }\n"
                    "  }\n"
                    "}\n");
}

Test(json, names_operation_inputs_and_warnings_where_there_are_any)
{
    static const struct posenc_member inputs[] = {{"x", {.kind = POSENC_OBJECT}}};
    static struct posenc_warning warnings[POSENC_WARNINGS_MAX] = {{"base", "is small"}};
    struct posenc_result result = result_of(floats("x", 0, NULL));

    result.operation = &apply;
    result.inputs = (struct posenc_members){inputs, 1};
    result.warnings = warnings;
    result.warning_count = 1;
    expect_document(
        &result, false,
        "{\"encoding\":\"sinusoidal\",\"operation\":\"apply\",\"parameters\":{\"length\":2,"
        "\"layout\":\"a\\\"b\"},\"inputs\":{\"x\":{}},\"derived\":{},\"warnings\":[{"
        "\"parameter\":\"base\",\"detail\":\"is small\"}],\"numeric_version\":2,"
        "\"tensors\":{\"x\":{\"dtype\":\"float32\",\"shape\":[],\"data\":0}}}\n");

    result.warning_count = 250;
    size_t size;
    char *const text = read_all(&result, false, 4096, &size);

    cr_expect(strstr(text, "],\"warning_count\":250,"));
    free(text);
}

Test(json, leaves_out_the_encoding_where_there_is_none)
{
    struct posenc_result result = result_of(floats("x", 0, NULL));
    size_t size;

    result.encoding = NULL;
    char *const text = read_all(&result, false, 4096, &size);

    cr_expect_eq(strncmp(text, "{\"parameters\":", 14), 0);
    free(text);
}

Test(json, knows_the_length_of_short_replies_only)
{
    const struct posenc_result small = result_of(floats("t", 2, (size_t[]){64, 64}));
    const struct posenc_result large = result_of(floats("t", 2, (size_t[]){17, 241}));

    cr_expect_neq(opened(&small, false).length, UINT64_MAX);
    cr_expect_eq(opened(&large, false).length, UINT64_MAX);
}

Test(json, gives_the_same_bytes_in_pieces_of_any_size)
{
    static const size_t steps[] = {1, 2, 3, 7, 64, 511, 512, 513, 700, 4096, 50000};
    struct posenc_result result = result_of(floats("a", 4, (size_t[]){3, 1, 500, 3}));

    result.tensors[1] = floats("b", 1, (size_t[]){700});
    result.tensors[2] = floats("c", 2, (size_t[]){2, 0});
    result.tensor_count = 3;
    for (int pretty = 0; pretty < 2; pretty++) {
        size_t whole_size;
        char *const whole = read_all(&result, pretty, 1 << 15, &whole_size);

        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            size_t size;
            char *const text = read_all(&result, pretty, steps[i], &size);

            cr_expect_eq(size, whole_size);
            cr_expect_str_eq(text, whole, "step %zu", steps[i]);
            free(text);
        }
        free(whole);
    }
}

Test(json, is_a_document_that_reads_back_to_the_same_numbers)
{
    const struct posenc_result result = result_of(floats("t", 3, (size_t[]){10, 60, 8}));

    for (int pretty = 0; pretty < 2; pretty++) {
        struct posenc_value document;
        struct body_problem problem;
        size_t size;
        char *const text = read_all(&result, pretty, 8192, &size);

        cr_assert(read_json_body(text, size, &memory, &document, &problem), "%s", problem.detail);
        const struct posenc_value *const data = posenc_find_member(
            posenc_find_member(posenc_find_member(&document, "tensors"), "t"), "data");
        const struct posenc_array *const array = &data->as.array;

        cr_assert(data->kind == POSENC_ARRAY && array->rank == 3);
        cr_expect(array->shape[0] == 10 && array->shape[1] == 60 && array->shape[2] == 8);
        for (size_t i = 0; i < 4800; i++)
            cr_assert_eq(((const double *)array->data)[i], i == 5 ? -INFINITY : (double)i / 8);
        free(text);
    }
}

Test(json, refuses_more_empty_rows_than_can_be_counted)
{
    const struct posenc_result result =
        result_of(floats("t", 3, (size_t[]){(size_t)1 << 40, (size_t)1 << 40, 0}));
    const struct format_input input = {&result, &result.tensors[0], false, NULL};
    struct format_body body;
    struct posenc_problem problem;

    cr_expect_eq(format_json.open(&input, &memory, &body, &problem), POSENC_TOO_LARGE);
}

Test(json, says_when_memory_is_out)
{
    const struct posenc_result result = result_of(floats("t", 1, (size_t[]){4}));
    const struct format_input input = {&result, &result.tensors[0], false, NULL};

    cr_expect_gt(expect_no_memory_first(&format_json, &input), 1000);
}
