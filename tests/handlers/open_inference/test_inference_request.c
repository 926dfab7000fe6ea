#include "inference_request.h"

#include <criterion/criterion.h>
#include <string.h>

#include "inferring.h"

INFERRING_SUITE(inference_request);

static struct inference_request wanted;

static bool read(const char *json)
{
    const struct inference_body body = {
        .bytes = json, .size = strlen(json), .json_size = strlen(json)};

    return read_inference_request(&inferring, &body, &wanted);
}

Test(inference_request, reads_all_that_the_protocol_has)
{
    cr_assert(read(
        "{\"id\":\"a\",\"model_name\":\"rotary.apply\",\"model_version\":\"2\",\"parameters\":"
        "{\"layout\":\"half\",\"binary_data_output\":true,\"content_type\":\"np\"},\"inputs\":["
        "{\"name\":\"x\",\"shape\":[2,3],\"datatype\":\"FP16\",\"parameters\":"
        "{\"binary_data_size\":12,\"content_type\":\"np\"}},"
        "{\"name\":\"k\",\"shape\":[],\"datatype\":\"BOOL\",\"data\":[true]}],"
        "\"outputs\":[{\"name\":\"k\"},{\"name\":\"x\",\"parameters\":{\"binary_data\":false}}]}"));
    cr_expect_str_eq(wanted.id, "a");
    cr_expect_eq(wanted.parameters->count, 3);
    cr_expect(wanted.are_outputs_binary);
    cr_assert_eq(wanted.input_count, 2);
    cr_expect_str_eq(wanted.inputs[0].name, "x");
    cr_expect_str_eq(wanted.inputs[0].datatype->name, "FP16");
    cr_expect_eq(wanted.inputs[0].array.rank, 2);
    cr_expect_eq(wanted.inputs[0].array.shape[1], 3);
    cr_expect(wanted.inputs[0].is_binary);
    cr_expect_eq(wanted.inputs[0].binary_size, 12);
    cr_expect_null(wanted.inputs[0].data);
    cr_expect_eq(wanted.inputs[1].array.rank, 0);
    cr_expect_not(wanted.inputs[1].is_binary);
    cr_expect(wanted.inputs[1].data);
    cr_assert_eq(wanted.output_count, 2);
    cr_expect_str_eq(wanted.outputs[0].name, "k");
    cr_expect(wanted.outputs[0].is_binary);
    cr_expect_not(wanted.outputs[1].is_binary);
}

Test(inference_request, may_be_without_almost_everything)
{
    static const char *const texts[] = {"{}", "{\"inputs\":[],\"outputs\":[]}",
                                        "{\"id\":null,\"parameters\":null,\"inputs\":null,"
                                        "\"outputs\":null,\"model_version\":\"\"}"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_assert(read(texts[i]), "%s", texts[i]);
        cr_expect_null(wanted.id);
        cr_expect_eq(wanted.input_count, 0);
        cr_expect_eq(wanted.output_count, 0);
        cr_expect_not(wanted.are_outputs_binary);
    }
}

#define INPUT(members) "{\"inputs\":[{\"name\":\"x\"," members "}]}"

Test(inference_request, is_refused_where_it_means_nothing)
{
    static const struct {
        const char *text;
        unsigned status;
        const char *parameter;
    } rows[] = {
        {"", 400, ""},
        {"{", 400, ""},
        {"[]", 422, ""},
        {"7", 422, ""},
        {"{\"inputs\":[],\"inputs\":[]}", 400, "inputs"},
        {"{\"input\":[]}", 422, "input"},
        {"{\"id\":7}", 422, "id"},
        {"{\"parameters\":[]}", 422, "parameters"},
        {"{\"parameters\":{\"binary_data_output\":\"yes\"}}", 422, "parameters.binary_data_output"},
        {"{\"parameters\":{\"content_type\":\"pd\"}}", 422, "parameters.content_type"},
        {"{\"model_name\":\"rope\"}", 422, "model_name"},
        {"{\"model_version\":\"1\"}", 422, "model_version"},
        {"{\"inputs\":{}}", 422, "inputs"},
        {"{\"inputs\":[1,2]}", 422, "inputs"},
        {"{\"outputs\":[null]}", 422, "outputs.0"},
        {"{\"inputs\":[{},1]}", 422, "inputs.1"},
        {"{\"outputs\":\"x\"}", 422, "outputs"},
        {"{\"outputs\":[{}]}", 422, "outputs.0.name"},
        {"{\"outputs\":[{\"name\":\"x\",\"parameters\":{\"classification\":3}}]}", 422,
         "outputs.0.parameters.classification"},
        {"{\"outputs\":[{\"name\":\"x\",\"parameters\":{\"binary_data\":1}}]}", 422,
         "outputs.0.parameters.binary_data"},
        {"{\"outputs\":[{},{},{},{},{},{},{},{},{}]}", 422, "outputs"},
        {"{\"inputs\":[{\"shape\":[1],\"datatype\":\"FP32\",\"data\":[1]}]}", 422, "inputs.0.name"},
        {INPUT("\"datatype\":\"FP32\",\"data\":[1]"), 422, "inputs.0.shape"},
        {INPUT("\"shape\":[1],\"data\":[1]"), 422, "inputs.0.datatype"},
        {INPUT("\"shape\":[1],\"datatype\":\"BYTES\",\"data\":[\"a\"]"), 422, "inputs.0.datatype"},
        {INPUT("\"shape\":[1],\"datatype\":\"float32\"}"), 400, ""},
        {INPUT("\"shape\":[-1],\"datatype\":\"FP32\""), 422, "inputs.0.shape.0"},
        {INPUT("\"shape\":[1.5],\"datatype\":\"FP32\""), 422, "inputs.0.shape.0"},
        {INPUT("\"shape\":[1,1,1,1,1,1,1,1,1],\"datatype\":\"FP32\""), 422, "inputs.0.shape"},
        {INPUT("\"shape\":[4294967296,4294967296,4],\"datatype\":\"UINT8\""), 422,
         "inputs.0.shape"},
        {INPUT("\"shape\":[0,9007199254740991,9007199254740991],\"datatype\":\"FP32\""), 422,
         "inputs.0.shape"},
        {INPUT("\"shape\":[1],\"datatype\":\"FP32\",\"parameters\":{\"binary_data_size\":-4}"), 422,
         "inputs.0.parameters.binary_data_size"},
        {INPUT("\"shape\":[1],\"datatype\":\"FP32\",\"parameters\":{\"binary_data_size\":1e300}"),
         422, "inputs.0.parameters.binary_data_size"},
        {INPUT("\"shape\":[1],\"datatype\":\"FP32\",\"parameters\":"
               "{\"shared_memory_region\":\"a\"}"),
         422, "inputs.0.parameters.shared_memory_region"},
        {INPUT("\"shape\":[1],\"datatype\":\"FP32\",\"parameters\":{\"content_type\":\"pd\"}"), 422,
         "inputs.0.parameters.content_type"},
        {INPUT("\"shape\":[1],\"datatype\":\"FP32\",\"dato\":[1]"), 422, "inputs.0.dato"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        inferring_begin();
        cr_assert_not(read(rows[i].text), "%s", rows[i].text);
        const json_t *const problem = refused(rows[i].status);

        cr_expect_str_eq(text_of(problem, "parameter"), rows[i].parameter, "%s: %s", rows[i].text,
                         text_of(problem, "detail"));
        answering_end();
    }
    inferring_begin();
}

Test(inference_request, suggests_the_member_that_was_meant)
{
    static const struct {
        const char *text, *suggestion;
    } rows[] = {
        {"{\"input\":[]}", "inputs"},
        {"{\"output\":[]}", "outputs"},
        {"{\"parameter\":{}}", "parameters"},
        {INPUT("\"shape\":[1],\"datatype\":\"FP32\",\"dta\":[1]"), "data"},
        {INPUT("\"shape\":[1],\"data_type\":\"FP32\",\"data\":[1]"), "datatype"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        inferring_begin();
        cr_expect_not(read(rows[i].text));
        cr_expect_str_eq(text_of(refused(422), "suggestion"), rows[i].suggestion, "%s",
                         rows[i].text);
        answering_end();
    }
    inferring_begin();
}

Test(inference_request, knows_the_parameters_of_the_protocol)
{
    cr_expect(inference_parameter_is_reserved("binary_data_output"));
    cr_expect(inference_parameter_is_reserved("content_type"));
    cr_expect_not(inference_parameter_is_reserved("layout"));
}

Test(inference_request, has_a_limit_of_inputs)
{
    static char text[32768] = "{\"inputs\":[";
    size_t length = strlen(text);

    for (int i = 0; i <= INFERENCE_INPUTS_MAX; i++) {
        memcpy(text + length, "{\"name\":\"x\"},", 13);
        length += 13;
    }
    memcpy(text + length - 1, "]}", 3);
    cr_expect_not(read(text));
    cr_expect_str_eq(text_of(refused(422), "parameter"), "inputs");
}
