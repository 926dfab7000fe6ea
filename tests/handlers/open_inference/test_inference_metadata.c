#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "catalogue_requests.h"
#include "inference_datatype.h"
#include "inferring.h"

TestSuite(inference_metadata);

static struct answer metadata(const char *model)
{
    char path[128];
    struct answer answer;

    (void)snprintf(path, sizeof path, "/v2/models/%s", model);
    answer = ask("GET", path, NULL);
    cr_assert_eq(answer.status, 200, "%s", path);
    return answer;
}

Test(inference_metadata, tells_a_models_name_and_its_version)
{
    struct answer answer = metadata("rotary.apply");

    cr_expect_str_eq(names_of(answer.document), "name versions platform inputs outputs");
    cr_expect_str_eq(answer_text(&answer, "name"), "rope.apply");
    cr_expect(holds_text(json_object_get(answer.document, "versions"), "2"));
    answer_release(&answer);
}

Test(inference_metadata, tells_inputs_with_tensors_first)
{
    struct answer answer = metadata("alibi.apply");
    const json_t *const inputs = json_object_get(answer.document, "inputs");
    const json_t *const scores = json_array_get(inputs, 0);
    const json_t *const slopes = find_by_name(inputs, "slopes");

    cr_expect_str_eq(text_of(scores, "name"), "scores");
    cr_expect_str_eq(text_of(scores, "datatype"), "FP32");
    cr_expect_eq(json_array_size(json_object_get(scores, "shape")), 4);
    cr_expect_eq(json_integer_value(json_array_get(json_object_get(scores, "shape"), 0)), -1);
    cr_expect(json_is_false(json_object_get(json_object_get(scores, "parameters"), "optional")));
    cr_expect_str_eq(text_of(slopes, "datatype"), "FP64");
    cr_expect(json_is_true(json_object_get(json_object_get(slopes, "parameters"), "optional")));
    cr_expect_null(find_by_name(inputs, "mask"), "a text is no tensor");
    answer_release(&answer);
}

Test(inference_metadata, tells_outputs_with_the_datatypes_that_they_have_by_default)
{
    struct answer answer = metadata("t5");
    const json_t *const outputs = json_object_get(answer.document, "outputs");

    cr_expect_str_eq(text_of(find_by_name(outputs, "bucket"), "datatype"), "INT32");
    cr_expect_str_eq(text_of(find_by_name(outputs, "bias"), "datatype"), "FP32");
    answer_release(&answer);
    answer = metadata("permutation");
    cr_expect_str_eq(
        text_of(find_by_name(json_object_get(answer.document, "outputs"), "k_rows"), "datatype"),
        "INT64");
    answer_release(&answer);
}

static void expect_tensors(const json_t *list, const char *model)
{
    size_t i;
    json_t *tensor;

    json_array_foreach(list, i, tensor)
    {
        cr_expect_neq(text_of(tensor, "name")[0], '\0', "%s", model);
        cr_expect(inference_datatype_find(text_of(tensor, "datatype")), "%s", model);
        cr_expect_geq(json_array_size(json_object_get(tensor, "shape")), 1, "%s", model);
    }
}

Test(inference_metadata, is_there_for_every_model)
{
    struct inference_model model;
    char name[ROUTE_VARIABLE_SIZE];

    for (size_t i = 0; inference_model_at(i, &model); i++) {
        struct answer answer;

        inference_model_name(&model, name);
        answer = metadata(name);
        cr_expect_str_eq(answer_text(&answer, "name"), name);
        expect_tensors(json_object_get(answer.document, "inputs"), name);
        expect_tensors(json_object_get(answer.document, "outputs"), name);
        answer_release(&answer);
    }
}

Test(inference_metadata, can_be_kept_and_be_pretty)
{
    struct answer answer = ask("GET", "/v2/models/rope?pretty=true", NULL);

    cr_expect_eq(answer.status, 200);
    cr_expect(strstr(answer.body, "\n  \"versions\""));
    cr_expect_neq(answer_header(&answer, "ETag")[0], '\0');
    answer_release(&answer);
}
