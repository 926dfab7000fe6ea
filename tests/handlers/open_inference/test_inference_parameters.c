#include "inference_parameters.h"

#include <criterion/criterion.h>
#include <string.h>

#include "inferring.h"

INFERRING_SUITE(inference_parameters);

static struct posenc_value object;

/* Gathers what a query and JSON say, and bytes behind it. */
static bool gather(const char *query, const char *json, size_t json_size)
{
    const struct inference_body body = {
        .bytes = json, .size = strlen(json), .json_size = json_size};
    struct inference_request request;

    answering_request.query = query;
    cr_assert(read_inference_request(&inferring, &body, &request), "%s", json);
    return read_inference_parameters(&inferring, &body, &request, &object);
}

static bool gather_json(const char *json)
{
    return gather("", json, strlen(json));
}

static const struct posenc_value *member(const char *name)
{
    const struct posenc_value *const value = posenc_find_member(&object, name);

    cr_assert(value, "%s", name);
    return value;
}

Test(inference_parameters, come_as_scalars_of_json)
{
    cr_assert(gather_json("{\"parameters\":{\"layout\":\"half\",\"offset\":3,\"inverse\":true,"
                          "\"base\":null,\"binary_data_output\":true,\"content_type\":\"np\"}}"));
    cr_expect_eq(object.as.object.count, 4);
    cr_expect_eq(member("layout")->kind, POSENC_UNTYPED);
    cr_expect_eq(member("offset")->as.number, 3);
    cr_expect(member("inverse")->as.boolean);
    cr_expect_eq(member("base")->kind, POSENC_NULL);
}

Test(inference_parameters, may_be_texts_as_in_a_query)
{
    cr_assert(gather_json("{\"parameters\":{\"positions\":\"1, 2.5,-3\",\"scaling.factor\":\"4\","
                          "\"scaling.type\":\"yarn\"}}"));
    cr_expect_eq(member("positions")->as.untyped.count, 3);
    cr_expect_eq(member("positions")->as.untyped.numbers[1], 2.5);
    cr_assert_eq(member("scaling")->kind, POSENC_OBJECT);
    cr_expect_eq(posenc_find_member(member("scaling"), "factor")->as.untyped.numbers[0], 4);
}

Test(inference_parameters, may_be_texts_of_json)
{
    cr_assert(gather_json("{\"parameters\":{\"positions\":\"[[1,2],[3,4]]\","
                          "\"scaling\":\"{\\\"factor\\\":4}\"}}"));
    cr_expect_eq(member("positions")->as.array.rank, 2);
    cr_expect_eq(posenc_find_member(member("scaling"), "factor")->as.number, 4);
    cr_expect_not(gather_json("{\"parameters\":{\"scaling\":\"{\\\"factor\\\":\"}}"));
    cr_expect_str_eq(text_of(refused(422), "parameter"), "scaling");
}

Test(inference_parameters, may_stand_in_the_query)
{
    cr_assert(gather("layout=half&scaling.factor=4", "{\"parameters\":{\"offset\":1}}", 27));
    cr_expect_str_eq(member("layout")->as.untyped.text, "half");
    cr_expect_eq(member("scaling")->kind, POSENC_OBJECT);
    cr_expect_eq(member("offset")->as.number, 1);
    cr_expect_not(gather("a=%zz", "{}", 2));
    (void)refused(400);
}

#define INPUT(name, shape, datatype, data)                                                         \
    "{\"name\":\"" name "\",\"shape\":" shape ",\"datatype\":\"" datatype "\",\"data\":" data "}"

Test(inference_parameters, may_come_as_tensors)
{
    cr_assert(gather_json("{\"inputs\":[" INPUT("x", "[1,2]", "FP32", "[1,2]") "," INPUT(
        "positions", "[1]", "INT64",
        "[7]") "," INPUT("offset", "[1]", "FP64",
                         "[2.5]") "," INPUT("inverse", "[]", "BOOL",
                                            "[true]") "," INPUT("sequence_axis", "[1]", "INT32",
                                                                "[-2]") "]}"));
    cr_expect_eq(member("x")->as.array.dtype, POSENC_FLOAT32);
    cr_expect_eq(member("positions")->kind, POSENC_ARRAY);
    cr_expect_eq(member("offset")->as.number, 2.5);
    cr_expect_eq(member("inverse")->kind, POSENC_BOOLEAN);
    cr_expect_eq(member("sequence_axis")->as.number, -2);
}

Test(inference_parameters, of_one_element_whose_row_is_elsewhere_are_as_in_a_query)
{
    cr_assert(gather_json("{\"inputs\":[" INPUT("scaling.factor", "[1]", "FP32", "[0.1]") "," INPUT(
        "layer", "[]", "INT8", "[-3]") "," INPUT("mystery", "[2]", "FP32", "[1,2]") "]}"));
    const struct posenc_value *const factor = posenc_find_member(member("scaling"), "factor");

    cr_assert(factor);
    cr_expect_eq(factor->as.untyped.count, 1);
    cr_expect_eq(factor->as.untyped.numbers[0], (double)0.1f);
    cr_expect_str_eq(member("layer")->as.untyped.text, "-3");
    cr_expect_eq(member("mystery")->kind, POSENC_ARRAY);
}

/* The same answer, where a parameter is a tensor and where it is a number. */
static void expect_same_answer(const char *model, const char *tensor, const char *number)
{
    struct answer one = infer_json(model, tensor), other = infer_json(model, number);

    cr_expect_eq(one.status, 200, "%s: %s", tensor, one.body);
    cr_expect_str_eq(one.body, other.body);
    answer_release(&one);
    answer_release(&other);
}

#define SINGLE(name, value)                                                                        \
    "\"inputs\":[{\"name\":\"" name "\",\"datatype\":\"FP64\",\"shape\":[1],\"data\":[" value "]}" \
    "]"

Test(inference_parameters, that_are_numbers_may_all_come_as_tensors)
{
    expect_same_answer("rope", "{\"parameters\":{\"length\":3}," SINGLE("dim", "8") "}",
                       "{\"parameters\":{\"length\":3,\"dim\":8}}");
    expect_same_answer(
        "rope",
        "{\"parameters\":{\"length\":3,\"dim\":8,\"scaling.type\":\"linear\"}," SINGLE(
            "scaling.factor", "4.5") "}",
        "{\"parameters\":{\"length\":3,\"dim\":8,\"scaling.type\":\"linear\","
        "\"scaling.factor\":4.5}}");
    expect_same_answer(
        "rope",
        "{\"parameters\":{\"length\":3,\"model\":\"llama-3.1-8b\"}," SINGLE("layer", "1") "}",
        "{\"parameters\":{\"length\":3,\"model\":\"llama-3.1-8b\",\"layer\":1}}");
    expect_same_answer("analysis.wavelengths",
                       "{\"parameters\":{\"encoding\":\"sinusoidal\"}," SINGLE("dim", "8") "}",
                       "{\"parameters\":{\"encoding\":\"sinusoidal\",\"dim\":8}}");
}

Test(inference_parameters, keep_a_half_type_that_all_tensors_have)
{
    cr_assert(gather_json("{\"inputs\":[" INPUT("x", "[1,2]", "BF16", "[1,2]") "," INPUT(
        "positions", "[1]", "FP64", "[7]") "]}"));
    cr_expect_str_eq(member("dtype")->as.text, "bfloat16");
    cr_assert(gather_json("{\"parameters\":{\"dtype\":\"float64\"},\"inputs\":[" INPUT(
        "x", "[1,2]", "FP16", "[1,2]") "]}"));
    cr_expect_str_eq(member("dtype")->as.untyped.text, "float64");
    cr_assert(gather_json("{\"inputs\":[" INPUT("x", "[1,2]", "FP16", "[1,2]") "," INPUT(
        "q", "[1,2]", "BF16", "[1,2]") "]}"));
    cr_expect_null(posenc_find_member(&object, "dtype"));
}

Test(inference_parameters, stand_once)
{
    static const struct {
        const char *query, *json, *parameter;
    } rows[] = {
        {"offset=1", "{\"parameters\":{\"offset\":1}}", "offset"},
        {"",
         "{\"parameters\":{\"offset\":1},\"inputs\":[" INPUT("offset", "[1]", "FP32", "[1]") "]}",
         "offset"},
        {"",
         "{\"inputs\":[" INPUT("x", "[1]", "FP32", "[1]") "," INPUT("x", "[1]", "FP32", "[1]") "]}",
         "x"},
        {"", "{\"parameters\":{\"scaling.factor\":1,\"scaling\":\"{}\"}}", "scaling"},
        {"", "{\"parameters\":{\"\":1}}", ""},
        {"", "{\"parameters\":{\"a..b\":1}}", "a..b"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        inferring_begin();
        cr_expect_not(gather(rows[i].query, rows[i].json, strlen(rows[i].json)), "%s",
                      rows[i].json);
        cr_expect_str_eq(text_of(refused(422), "parameter"), rows[i].parameter, "%s", rows[i].json);
        answering_end();
    }
    inferring_begin();
}

Test(inference_parameters, leave_no_byte_of_the_body)
{
    cr_expect_not(gather("", "{}x", 2));
    cr_expect_eq(json_integer_value(json_object_get(refused(400), "offset")), 2);
}
