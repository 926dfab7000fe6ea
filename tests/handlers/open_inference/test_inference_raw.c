#include "inference_raw.h"

#include <criterion/criterion.h>

#include "inferring.h"

INFERRING_SUITE(inference_raw);

static struct inference_request request;

static bool make(const char *model, size_t size)
{
    static const char bytes[64];
    const struct inference_body body = {.bytes = bytes, .size = size, .is_raw = true};

    cr_assert(inference_model_find(model, &inferring.model));
    return make_raw_request(&inferring, &body, &request);
}

Test(inference_raw, is_the_only_list_of_the_model)
{
    cr_assert(make("sinusoidal", 24));
    cr_assert_eq(request.input_count, 1);
    cr_expect_str_eq(request.inputs[0].name, "positions");
    cr_expect_str_eq(request.inputs[0].datatype->name, "FP64");
    cr_expect_eq(request.inputs[0].array.shape[0], 3);
    cr_expect(request.are_outputs_binary);
}

Test(inference_raw, is_the_list_that_the_model_cannot_do_without)
{
    cr_assert(make("timestep", 16));
    cr_expect_str_eq(request.inputs[0].name, "timesteps");
    cr_assert(make("sinusoidal_grid", 16));
    cr_expect_str_eq(request.inputs[0].name, "grid");
    cr_expect_str_eq(request.inputs[0].datatype->name, "INT64");
}

Test(inference_raw, needs_a_model_whose_shape_the_bytes_tell)
{
    cr_expect_not(make("sinusoidal.apply", 16));
    cr_expect_str_eq(text_of(refused(422), "parameter"), "x");
}

Test(inference_raw, needs_whole_elements)
{
    cr_expect_not(make("timestep", 15));
    cr_expect_str_eq(text_of(refused(422), "parameter"), "timesteps");
}

Test(inference_raw, needs_a_model_with_one_input)
{
    cr_expect_not(make("cope", 16));
    (void)refused(422);
}
