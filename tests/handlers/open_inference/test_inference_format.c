/* By the route: what is written is what /v1 gives. */
#include "inference_format.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inferring.h"

TestSuite(inference_format);

#define TABLE(length, more)                                                                        \
    "{\"parameters\":{\"length\":" length ",\"dim\":6,\"base\":523.7}" more "}"

Test(inference_format, is_json_with_flat_data_unless_bytes_are_asked_for)
{
    struct answer answer = infer_json("sinusoidal", TABLE("2", ""));
    const json_t *const output = output_of(answer.document, "encoding");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_str_eq(answer.content_type, "application/json");
    cr_expect_str_eq(names_of(answer.document), "model_name model_version parameters outputs");
    cr_expect_str_eq(names_of(output), "name datatype shape data");
    cr_expect_eq(json_array_size(json_object_get(output, "data")), 12);
    cr_expect_eq(json_array_size(json_object_get(output, "shape")), 2);
    cr_expect_str_eq(answer_header(&answer, "Inference-Header-Content-Length"), "");
    cr_expect_str_eq(answer_header(&answer, "Content-Disposition"), "");
    cr_expect_str_eq(answer_header(&answer, "Cache-Control"), "no-store");
    answer_release(&answer);
}

Test(inference_format, repeats_an_id_that_was_sent_and_no_other)
{
    struct answer answer = infer_json("sinusoidal", TABLE("2", ",\"id\":\"q\\\"7\""));

    cr_expect_str_eq(answer_text(&answer, "id"), "q\"7");
    answer_release(&answer);
    answer = infer_json("sinusoidal", TABLE("2", ",\"id\":null"));
    cr_expect_null(json_object_get(answer.document, "id"));
    answer_release(&answer);
}

/* The bytes of a tensor of /v1. */
static struct answer raw_of(const char *target)
{
    struct answer answer = ask("GET", target, NULL);

    cr_assert_eq(answer.status, 200, "%s: %s", target, answer.body);
    return answer;
}

Test(inference_format, has_bytes_behind_json_that_is_padded_to_eight)
{
    struct answer answer =
        infer_json("rope", "{\"parameters\":{\"length\":3,\"dim\":8,\"binary_data_output\":true}}");
    struct answer cos = raw_of("/v1/rope?length=3&dim=8&tensor=cos&format=raw");
    struct answer sin = raw_of("/v1/rope?length=3&dim=8&tensor=sin&format=raw");
    struct inferred inferred = take_apart(&answer);
    const json_t *const output = output_of(inferred.head, "cos");

    cr_expect_eq((size_t)(inferred.bytes - answer.body) % 8, 0);
    cr_expect_str_eq(names_of(output), "name datatype shape parameters");
    cr_expect_eq(json_integer_value(
                     json_object_get(json_object_get(output, "parameters"), "binary_data_size")),
                 48);
    cr_assert_geq(inferred.size, cos.size + sin.size);
    cr_expect_eq(memcmp(inferred.bytes, cos.body, cos.size), 0);
    cr_expect_eq(memcmp(inferred.bytes + cos.size, sin.body, sin.size), 0);
    json_decref(inferred.head);
    answer_release(&answer);
    answer_release(&cos);
    answer_release(&sin);
}

/* Some outputs in JSON and some as bytes; so many positions. */
static void expect_mixed(const char *length)
{
    char json[256], target[128];
    struct answer answer, sin, cos;
    struct inferred inferred;
    const json_t *data;

    (void)snprintf(json, sizeof json,
                   "{\"parameters\":{\"length\":%s,\"dim\":8},\"outputs\":[{\"name\":\"cos\"},"
                   "{\"name\":\"sin\",\"parameters\":{\"binary_data\":true}}]}",
                   length);
    answer = infer_json("rope", json);
    inferred = take_apart(&answer);
    (void)snprintf(target, sizeof target, "/v1/rope?length=%s&dim=8&tensor=sin&format=raw", length);
    sin = raw_of(target);
    (void)snprintf(target, sizeof target, "/v1/rope?length=%s&dim=8&tensor=cos&format=raw", length);
    cos = raw_of(target);
    cr_assert_eq(inferred.size, sin.size);
    cr_expect_eq(memcmp(inferred.bytes, sin.body, sin.size), 0);
    data = json_object_get(output_of(inferred.head, "cos"), "data");
    cr_assert_eq(json_array_size(data), cos.size / sizeof(float));
    for (size_t i = 0; i < json_array_size(data); i++) {
        const float value = (float)json_number_value(json_array_get(data, i));

        cr_assert_eq(memcmp(&value, cos.body + i * sizeof value, sizeof value), 0, "%zu", i);
    }
    json_decref(inferred.head);
    answer_release(&answer);
    answer_release(&sin);
    answer_release(&cos);
}

Test(inference_format, has_json_data_and_bytes_in_one_answer)
{
    expect_mixed("0");
    expect_mixed("3");
    expect_mixed("1024"); /* the last that is printed at once */
    expect_mixed("1025"); /* the first whose JSON is told longer than it is */
    expect_mixed("20000");
}

Test(inference_format, streams_json_of_any_size)
{
    struct answer answer = infer_json("sinusoidal", TABLE("5000", ""));

    cr_assert_eq(answer.status, 200);
    cr_expect_eq(json_array_size(json_object_get(output_of(answer.document, "encoding"), "data")),
                 30000);
    answer_release(&answer);
}

Test(inference_format, writes_what_is_not_finite_as_json_that_any_reader_takes)
{
    struct answer answer =
        infer_json("alibi", "{\"parameters\":{\"heads\":1,\"query_length\":1,\"key_length\":2,"
                            "\"mask\":\"causal\",\"alignment\":\"top_left\"}}");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect(strstr(answer.body, "\"data\":[0,\"-Infinity\"]"), "%s", answer.body);
    answer_release(&answer);
}

Test(inference_format, writes_halves_as_the_shortest_that_read_back)
{
    struct answer answer = infer_json(
        "sinusoidal", "{\"parameters\":{\"length\":\"2\",\"dim\":2,\"dtype\":\"bfloat16\"}}");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_str_eq(text_of(output_of(answer.document, "encoding"), "datatype"), "BF16");
    cr_expect(strstr(answer.body, "\"data\":[0,1,0.84,0.54]"), "%s", answer.body);
    answer_release(&answer);
}

Test(inference_format, of_no_tensor_has_no_outputs)
{
    struct answer answer = infer_json("none", "{\"parameters\":{\"binary_data_output\":true}}");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_eq(json_array_size(json_object_get(answer.document, "outputs")), 0);
    answer_release(&answer);
}

Test(inference_format, is_for_integers_too)
{
    struct answer answer = infer_json(
        "t5", "{\"parameters\":{\"query_length\":2,\"key_length\":3,\"bidirectional\":true}}");
    const json_t *const output = output_of(answer.document, "bucket");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_str_eq(text_of(output, "datatype"), "INT32");
    cr_expect(json_is_integer(json_array_get(json_object_get(output, "data"), 0)));
    answer_release(&answer);
}
