#include "inference_outputs.h"

#include <criterion/criterion.h>
#include <string.h>

#include "inferring.h"

INFERRING_SUITE(inference_outputs);

static const struct posenc_result result = {
    .tensor_count = 3,
    .tensors = {{.name = "cos", .count = 1}, {.name = "sin", .count = 2}, {.name = "inv_freq"}}};

static struct inference_outputs outputs;

static bool choose(struct inference_output *wanted, size_t count, bool are_binary)
{
    const struct inference_request request = {
        .outputs = wanted, .output_count = count, .are_outputs_binary = are_binary};

    return select_inference_outputs(&inferring, &request, &result, &outputs);
}

Test(inference_outputs, are_all_unless_some_are_asked_for)
{
    cr_assert(choose(NULL, 0, false));
    cr_expect_eq(outputs.result.tensor_count, 3);
    cr_expect_eq(outputs.binary_count, 0);
    cr_assert(choose(NULL, 0, true));
    cr_expect_eq(outputs.binary_count, 3);
    cr_expect(outputs.is_binary[2]);
}

Test(inference_outputs, come_in_the_order_in_which_they_are_asked_for)
{
    struct inference_output wanted[] = {{"sin", true}, {"cos", false}};

    cr_assert(choose(wanted, 2, false));
    cr_assert_eq(outputs.result.tensor_count, 2);
    cr_expect_str_eq(outputs.result.tensors[0].name, "sin");
    cr_expect_str_eq(outputs.result.tensors[1].name, "cos");
    cr_expect(outputs.is_binary[0]);
    cr_expect_not(outputs.is_binary[1]);
    cr_expect_eq(outputs.binary_count, 1);
}

Test(inference_outputs, that_the_result_has_not_are_refused_with_those_that_it_has)
{
    struct inference_output wanted[] = {{"sin", true}, {"tan", false}};

    cr_expect_not(choose(wanted, 2, false));
    const json_t *const problem = refused(422);

    cr_expect_str_eq(text_of(problem, "parameter"), "outputs.1.name");
    cr_expect_str_eq(text_of(problem, "value"), "tan");
    cr_expect(strstr(text_of(problem, "error"), "'tan'"));
    cr_expect(holds_text(json_object_get(problem, "allowed"), "inv_freq"));
}

Test(inference_outputs, are_asked_for_once)
{
    struct inference_output wanted[] = {{"sin", true}, {"sin", false}};

    cr_expect_not(choose(wanted, 2, false));
    cr_expect_str_eq(text_of(refused(422), "parameter"), "outputs.1.name");
}
