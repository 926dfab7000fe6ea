#include "inference_tensor.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body.h"
#include "inferring.h"

INFERRING_SUITE(inference_tensor);

static struct inference_input input;
static struct inference_body body;
static size_t at;

/* An input of that datatype and shape, whose data is written in JSON. */
static bool take_json(const char *datatype, size_t rank, const size_t *shape, const char *data)
{
    static struct posenc_value value;
    struct body_problem problem;

    cr_assert(read_python_body(data, strlen(data), inferring.memory, &value, &problem), "%s: %s",
              data, problem.detail);
    input = (struct inference_input){.name = "x", .datatype = inference_datatype_find(datatype)};
    input.array = (struct posenc_array){.dtype = input.datatype->dtype, .rank = rank};
    memcpy(input.array.shape, shape, rank * sizeof *shape);
    input.data = &value;
    return take_inference_tensor(&inferring, &body, "inputs.0", &input, &at);
}

static void expect_values(size_t count, const double *expected)
{
    double values[8];

    posenc_widen(input.array.dtype, input.array.data, count, values);
    for (size_t i = 0; i < count; i++)
        cr_expect(values[i] == expected[i] || (isnan(values[i]) && isnan(expected[i])), "%zu: %g",
                  i, values[i]);
}

Test(inference_tensor, is_read_flat_or_nested)
{
    static const size_t shape[] = {2, 2}, one[] = {1, 0};
    static const double expected[] = {1, 2, 3, 4};

    cr_assert(take_json("FP32", 2, shape, "[1,2,3,4]"));
    expect_values(4, expected);
    cr_assert(take_json("INT8", 2, shape, "[[1,2],[3,4]]"));
    cr_expect_eq(input.array.dtype, POSENC_INT32);
    expect_values(4, expected);
    cr_assert(take_json("FP64", 0, shape, "[1]"));
    cr_assert(take_json("FP64", 2, one, "[]"));
    cr_assert(take_json("FP64", 2, one, "[[]]"));
}

Test(inference_tensor, is_rounded_once_to_its_datatype)
{
    static const size_t shape[] = {2};

    cr_assert(take_json("FP16", 1, shape, "[0.1, 65519]"));
    expect_values(2, (const double[]){0.0999755859375, 65504});
    cr_assert(take_json("FP32", 1, shape, "[16777217, 0.1]"));
    expect_values(2, (const double[]){16777216, 0.1f});
}

Test(inference_tensor, may_hold_what_is_not_finite_in_every_spelling_of_the_protocols_clients)
{
    static const size_t shape[] = {4};
    static const double expected[] = {NAN, INFINITY, -INFINITY, 1};

    cr_assert(take_json("FP32", 1, shape, "[NaN, Infinity, -Infinity, 1]"));
    expect_values(4, expected);
    cr_assert(take_json("FP32", 1, shape, "[\"NaN\", \"Infinity\", \"-Infinity\", 1]"));
    expect_values(4, expected);
}

Test(inference_tensor, takes_null_for_nan_and_truths_for_bools)
{
    static const size_t shape[] = {2, 2};

    cr_assert(take_json("FP32", 2, shape, "[[null, 1],[2, null]]"));
    expect_values(4, (const double[]){NAN, 1, 2, NAN});
    cr_assert(take_json("BOOL", 2, shape, "[[true, false],[false, true]]"));
    expect_values(4, (const double[]){1, 0, 0, 1});
    cr_assert(take_json("BOOL", 2, shape, "[1, 0, 0, 1]"));
    expect_values(4, (const double[]){1, 0, 0, 1});
}

Test(inference_tensor, is_refused_where_its_data_is_another)
{
    static const size_t shape[] = {2, 2};
    static const struct {
        const char *datatype, *data;
    } rows[] = {
        {"FP32", "[1,2,3]"},
        {"FP32", "[1,2,3,4,5]"},
        {"FP32", "[[1,2,3],[4,5,6]]"},
        {"FP32", "[[1,2,3,4]]"},
        {"FP32", "[[1],[2],[3],[4]]"},
        {"FP32", "[[1,2],[3]]"},
        {"FP32", "7"},
        {"FP32", "\"1,2,3,4\""},
        {"FP32", "{}"},
        {"FP32", "[true,1,2,3]"},
        {"FP32", "[\"a\",1,2,3]"},
        {"FP32", "[null,1,2]"},
        {"FP32", "[null,1,2,3,4]"},
        {"FP32", "[null,[[1],[2,3]]]"},
        {"FP32", "[[null,1,2,3]]"},
        {"FP32", "[[null],[1,2,3]]"},
        {"FP32", "[[[null,1],[2,3]]]"},
        {"FP32", "[null,[1,2,3]]"},
        {"FP32", "[[1,2],null]"},
        {"FP32", "[[1,2],[3,[null]]]"},
        {"BOOL", "[[true,false,true,true]]"},
        {"BOOL", "[[true],[false,true,true]]"},
        {"BOOL", "[[true,false],[true,true],[]]"},
        {"BOOL", "[[1,0.99999999999999999999],[true,true]]"},
        {"BOOL", "[true,true,1,0.99999999999999999999]"},
        {"INT32", "[null,1,2,3]"},
        {"INT32", "[1.5,1,2,3]"},
        {"INT32", "[NaN,1,2,3]"},
        {"INT8", "[128,1,2,3]"},
        {"UINT8", "[-1,1,2,3]"},
        {"BOOL", "[2,0,0,1]"},
        {"FP32", "[1e39,0,0,1]"},
        {"FP16", "[65520,0,0,1]"},
        {"BF16", "[-3.4e38,0,0,1]"},
        {"INT64", "[9007199254740993,0,0,1]"},
        {"UINT64", "[18446744073709551615,0,0,1]"},
        {"INT64", "[4503599627370497.00001,0,0,1]"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        inferring_begin();
        cr_expect_not(take_json(rows[i].datatype, 2, shape, rows[i].data), "%s %s",
                      rows[i].datatype, rows[i].data);
        cr_expect_str_eq(text_of(refused(422), "parameter"), "inputs.0.data", "%s", rows[i].data);
        answering_end();
    }
    inferring_begin();
}

Test(inference_tensor, whose_data_ends_early_takes_no_memory_for_the_rest)
{
    static const size_t shape[] = {1, (size_t)1 << 40};
    static const char *const data[] = {"[true]", "[[true]]", "[[true],[false]]", "[]", "[1]"};

    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        inferring_begin();
        cr_expect_not(take_json("BOOL", 2, shape, data[i]));
        cr_expect_str_eq(text_of(refused(422), "type"), "urn:posenc:problem:wrong-shape", "%s",
                         data[i]);
        answering_end();
    }
    inferring_begin();
}

/* An input of two FP32 whose bytes stand from `from` on in a body of so many. */
static bool take_binary(uint64_t size, size_t from, size_t body_size)
{
    static const _Alignas(8) char bytes[64] = {[4] = 0, [6] = (char)0x80, [7] = 0x3F};

    body = (struct inference_body){.bytes = bytes, .size = body_size, .json_size = from};
    input = (struct inference_input){.name = "x", .datatype = inference_datatype_find("FP32")};
    input.array = (struct posenc_array){.dtype = POSENC_FLOAT32, .rank = 1, .shape = {2}};
    input.is_binary = true;
    input.binary_size = size;
    at = from;
    return take_inference_tensor(&inferring, &body, "inputs.0", &input, &at);
}

Test(inference_tensor, is_read_from_the_bytes_behind_the_json)
{
    cr_assert(take_binary(8, 4, 20));
    cr_expect_eq(at, 12);
    expect_values(2, (const double[]){1, 0});
    cr_assert(take_binary(8, 12, 20));
    cr_expect_eq(at, 20);
}

Test(inference_tensor, is_refused_where_its_bytes_are_others)
{
    cr_expect_not(take_binary(9, 4, 20));
    cr_expect_str_eq(text_of(refused(422), "parameter"), "inputs.0.parameters.binary_data_size");
    answering_end();
    inferring_begin();
    cr_expect_not(take_binary(8, 13, 20));
    cr_expect_eq(json_integer_value(json_object_get(refused(400), "offset")), 20);
    answering_end();
    inferring_begin();
    cr_expect_not(take_binary(8, 20, 20));
    (void)refused(400);
}

Test(inference_tensor, needs_its_data_and_needs_it_once)
{
    static const struct posenc_value value = {POSENC_NULL, {0}, NULL};

    input = (struct inference_input){.name = "x", .datatype = inference_datatype_find("FP32")};
    cr_expect_not(take_inference_tensor(&inferring, &body, "inputs.0", &input, &at));
    cr_expect_str_eq(text_of(refused(422), "type"), "urn:posenc:problem:missing-parameter");
    answering_end();
    inferring_begin();
    input.is_binary = true;
    input.data = &value;
    cr_expect_not(take_inference_tensor(&inferring, &body, "inputs.0", &input, &at));
    cr_expect_str_eq(text_of(refused(422), "type"), "urn:posenc:problem:contradicting-parameters");
}
