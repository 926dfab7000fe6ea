/* POST /v2/models/{model}/infer, from the request to the answer. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue_requests.h"
#include "inferring.h"

TestSuite(infer, .timeout = 120);

/* The tensors that /v1 gives for a body, as safetensors would be too far from bytes: each as raw.
 */
static void expect_output(const char *path, const char *text, const json_t *output,
                          const char *bytes, size_t size)
{
    char target[256];
    struct answer answer;

    (void)snprintf(target, sizeof target, "%s?format=raw&tensor=%s", path, text_of(output, "name"));
    answer = ask("POST", target, text);
    cr_assert_eq(answer.status, 200, "%s: %s", target, answer.body);
    cr_assert_eq(answer.size, size, "%s", target);
    cr_expect_eq(memcmp(answer.body, bytes, size), 0, "%s: other bytes", target);
    answer_release(&answer);
}

/* Whether JSON data reads back as the very bytes. */
static void expect_data(const json_t *output, const char *bytes)
{
    const json_t *const data = json_object_get(output, "data");
    const char *const datatype = text_of(output, "datatype");

    for (size_t i = 0; i < json_array_size(data); i++) {
        const json_t *const item = json_array_get(data, i);
        const double number =
            json_is_string(item) ? strtod(json_string_value(item), NULL) : json_number_value(item);
        float value;
        int32_t integer;
        int64_t wide;

        if (strcmp(datatype, "FP32") == 0) {
            memcpy(&value, bytes + i * sizeof value, sizeof value);
            cr_expect((float)number == value || (isnan(number) && isnan(value)));
        } else if (strcmp(datatype, "INT32") == 0) {
            memcpy(&integer, bytes + i * sizeof integer, sizeof integer);
            cr_expect_eq(json_integer_value(item), integer);
        } else if (strcmp(datatype, "FP64") == 0) {
            cr_expect_eq(memcmp(&number, bytes + i * sizeof number, sizeof number), 0);
        } else {
            cr_assert_str_eq(datatype, "INT64");
            memcpy(&wide, bytes + i * sizeof wide, sizeof wide);
            cr_expect_eq(json_integer_value(item), wide);
        }
    }
}

/* A request of the protocol with the parameters of one of /v1. */
static struct answer infer_with(const char *model, const json_t *parameters, bool is_binary)
{
    json_t *const request = json_pack("{s:o}", "parameters", json_copy((json_t *)parameters));
    char *text;
    struct answer answer;

    if (is_binary)
        json_object_set_new(json_object_get(request, "parameters"), "binary_data_output",
                            json_true());
    text = json_dumps(request, JSON_COMPACT);
    answer = infer_json(model, text);
    cr_assert_eq(answer.status, 200, "%s %s: %s", model, text, answer.body);
    free(text);
    json_decref(request);
    return answer;
}

static void expect_same(const char *path, const char *model, const json_t *parameters)
{
    struct answer binary = infer_with(model, parameters, true);
    struct answer plain = infer_with(model, parameters, false);
    char *const text = json_dumps(parameters, JSON_COMPACT);
    size_t i, at = 0;
    json_t *output;

    if (json_array_size(json_object_get(plain.document, "outputs")) > 0) {
        const struct inferred inferred = take_apart(&binary);

        json_array_foreach(json_object_get(inferred.head, "outputs"), i, output)
        {
            const size_t size = (size_t)json_integer_value(
                json_object_get(json_object_get(output, "parameters"), "binary_data_size"));

            cr_assert_leq(at + size, inferred.size);
            expect_output(path, text, output, inferred.bytes + at, size);
            expect_data(output_of(plain.document, text_of(output, "name")), inferred.bytes + at);
            at += size;
        }
        cr_expect_eq(at, inferred.size);
        json_decref(inferred.head);
    }
    free(text);
    answer_release(&binary);
    answer_release(&plain);
}

/* What the metadata of a model announces about an output is what it has. */
static void expect_announced(const char *model, const json_t *parameters)
{
    struct answer answer = infer_with(model, parameters, false);
    char target[192];
    struct answer metadata;
    size_t i;
    json_t *output;

    (void)snprintf(target, sizeof target, "/v2/models/%s", model);
    metadata = ask("GET", target, NULL);
    json_array_foreach(json_object_get(answer.document, "outputs"), i, output)
    {
        const json_t *const announced = output_of(metadata.document, text_of(output, "name"));

        cr_assert(announced, "%s %s", model, text_of(output, "name"));
        cr_expect_str_eq(text_of(announced, "datatype"), text_of(output, "datatype"), "%s %s",
                         model, text_of(output, "name"));
    }
    answer_release(&answer);
    answer_release(&metadata);
}

/* By requests that are made from the catalogue. */
Test(infer, gives_the_bytes_that_v1_gives_for_every_table)
{
    struct answer catalogue = ask("GET", "/v1/encodings", NULL);
    size_t i, j;
    json_t *encoding, *operation;

    json_array_foreach(json_object_get(catalogue.document, "encodings"), i, encoding)
    {
        json_array_foreach(json_object_get(encoding, "operations"), j, operation)
        {
            const char *const path = text_of(operation, "path");
            char model[128];
            json_t *const body = json_object();

            (void)snprintf(model, sizeof model, "%s", path + strlen("/v1/"));
            if (!strchr(model, '/') &&
                grow_request(path, json_object_get(operation, "parameters"), NULL, body) == 200) {
                expect_same(path, model, body);
                expect_announced(model, body);
            }
            json_decref(body);
        }
    }
    answer_release(&catalogue);
}

Test(infer, takes_what_it_answered_as_parameters_again)
{
    struct answer first = infer_json(
        "rope", "{\"parameters\":{\"positions\":\"0.5,7,9\",\"dim\":8,\"dtype\":\"float32\","
                "\"scaling.rope_type\":"
                "\"yarn\",\"scaling.factor\":4,\"scaling.original_max_position_embeddings\":64}}");
    json_t *const parameters = json_object_get(first.document, "parameters");
    struct answer second;

    cr_assert_eq(first.status, 200, "%s", first.body);
    cr_expect_str_eq(text_of(parameters, "positions"), "[0.5,7,9]");
    json_object_del(parameters, "derived");
    json_object_del(parameters, "warnings");
    second = infer_with("rope", parameters, false);
    cr_expect(json_equal(json_object_get(first.document, "outputs"),
                         json_object_get(second.document, "outputs")));
    answer_release(&first);
    answer_release(&second);
}

Test(infer, reads_a_tensor_of_bytes_and_gives_its_half_type_back)
{
    static const uint16_t halves[] = {0x3C00, 0x4000, 0x4200, 0x4400};
    struct answer answer = infer_bytes(
        "rope.apply",
        "{\"parameters\":{\"layout\":\"half\",\"offset\":\"3\"},\"inputs\":[{\"name\":\"x\","
        "\"shape\":[1,4],\"datatype\":\"FP16\",\"parameters\":{\"binary_data_size\":8}}]}",
        halves, sizeof halves);
    const json_t *const output = output_of(answer.document, "x");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_str_eq(text_of(output, "datatype"), "FP16");
    cr_expect(strstr(answer.body, "\"data\":[-1.413"), "%s", answer.body);
    answer_release(&answer);
}

Test(infer, reads_raw_bytes_with_the_parameters_in_the_address)
{
    static const double positions[] = {3, 0.5};
    struct answer answer =
        infer_headed("/v2/models/sinusoidal/infer?dim=4", "0", positions, sizeof positions);
    struct answer raw = ask("GET", "/v1/sinusoidal?positions=3,0.5&dim=4&format=raw", NULL);
    struct inferred inferred = take_apart(&answer);

    cr_assert_eq(inferred.size, raw.size);
    cr_expect_eq(memcmp(inferred.bytes, raw.body, raw.size), 0);
    json_decref(inferred.head);
    answer_release(&answer);
    answer_release(&raw);
}

Test(infer, needs_no_content_type)
{
    const struct service service = ask_service();
    static const char body[] = "{\"parameters\":{\"length\":1,\"dim\":2}}";
    struct answer answer =
        ask_bytes(&service, "POST", "/v2/models/sinusoidal/infer", body, strlen(body), NULL, 0);

    cr_expect_eq(answer.status, 200, "%s", answer.body);
    answer_release(&answer);
}

Test(infer, refuses_types_that_are_not_the_protocols)
{
    static const struct header header = {"Content-Type", "text/plain"};
    const struct service service = ask_service();
    struct answer answer =
        ask_service_with(&service, "POST", "/v2/models/sinusoidal/infer", "{}", &header, 1);

    cr_expect_eq(answer.status, 415);
    cr_expect_str_eq(answer_header(&answer, "Accept-Post"),
                     "application/json, application/octet-stream");
    cr_expect_neq(answer_text(&answer, "error")[0], '\0');
    answer_release(&answer);
}

Test(infer, knows_no_parameters_of_representations)
{
    static const char *const names[] = {"format", "tensor", "pretty", "numeric_version"};
    char json[128];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct answer answer;

        (void)snprintf(json, sizeof json, "{\"parameters\":{\"length\":1,\"dim\":2,\"%s\":\"1\"}}",
                       names[i]);
        answer = infer_json("sinusoidal", json);
        cr_expect_eq(answer.status, 422, "%s", names[i]);
        cr_expect_str_eq(answer_text(&answer, "parameter"), names[i]);
        answer_release(&answer);
    }
}

Test(infer, has_the_limit_of_results_for_the_outputs_that_are_asked_for)
{
    struct service service = ask_service();
    static const char all[] = "{\"parameters\":{\"length\":100,\"dim\":8}}";
    static const char one[] =
        "{\"parameters\":{\"length\":100,\"dim\":8},\"outputs\":[{\"name\":\"inv_freq\"}]}";
    struct answer answer;

    service.result_bytes_max = 1000;
    answer = ask_service_with(&service, "POST", "/v2/models/rope/infer", all, NULL, 0);
    cr_expect_eq(answer.status, 413);
    cr_expect_str_eq(answer_text(&answer, "type"), "urn:posenc:problem:result-too-large");
    cr_expect_neq(answer_text(&answer, "error")[0], '\0');
    answer_release(&answer);
    answer = ask_service_with(&service, "POST", "/v2/models/rope/infer", one, NULL, 0);
    cr_expect_eq(answer.status, 200);
    answer_release(&answer);
}

Test(infer, refuses_a_length_that_is_not_the_bodys)
{
    static const char *const headers[] = {"3", "-1", "99999999999999999999"};

    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        struct answer answer = infer_headed("/v2/models/sinusoidal/infer", headers[i], "{}", 2);

        cr_expect_eq(answer.status, 400, "%s", headers[i]);
        cr_expect_neq(answer_text(&answer, "error")[0], '\0');
        answer_release(&answer);
    }
}

Test(infer, asks_for_a_model_that_there_is_and_for_post)
{
    struct answer answer = infer_json("sinusoid", "{}");

    cr_expect_eq(answer.status, 404);
    answer_release(&answer);
    answer = ask("GET", "/v2/models/sinusoidal/infer", NULL);
    cr_expect_eq(answer.status, 405);
    cr_expect_str_eq(answer.allow, "POST, OPTIONS");
    cr_expect_neq(answer_text(&answer, "error")[0], '\0');
    answer_release(&answer);
    answer = ask("POST", "/v2/models/sinusoidal/versions/2/infer",
                 "{\"parameters\":{\"length\":1,\"dim\":2}}");
    cr_expect_eq(answer.status, 200);
    answer_release(&answer);
}

Test(infer, serves_tools_and_quantities)
{
    struct answer answer = infer_json(
        "attention", "{\"parameters\":{\"encoding\":\"none\",\"causal\":false},\"inputs\":["
                     "{\"name\":\"q\",\"datatype\":\"FP32\",\"shape\":[2,2],\"data\":[1,2,3,4]},"
                     "{\"name\":\"k\",\"datatype\":\"FP32\",\"shape\":[2,2],\"data\":[1,2,3,4]}]}");

    cr_expect_eq(answer.status, 200, "%s", answer.body);
    cr_expect(output_of(answer.document, "weights"));
    answer_release(&answer);
    answer = infer_json("analysis.wavelengths",
                        "{\"parameters\":{\"encoding\":\"sinusoidal\",\"dim\":8}}");
    cr_expect_eq(answer.status, 200, "%s", answer.body);
    cr_expect_str_eq(answer_text(&answer, "model_name"), "analysis.wavelengths");
    answer_release(&answer);
}
