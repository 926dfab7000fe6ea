#include "inference_context.h"

#include <criterion/criterion.h>

#include "inferring.h"

INFERRING_SUITE(inference_context);

Test(inference_context, refuses_with_the_member_that_clients_of_the_protocol_read)
{
    cr_expect_not(inference_refuse(&inferring, POSENC_CONFLICT, "outputs", "twice is %d.", 2));
    const json_t *const problem = refused(422);

    cr_expect_str_eq(text_of(problem, "parameter"), "outputs");
    cr_expect_str_eq(text_of(problem, "error"), "Twice is 2.");
}

Test(inference_context, refuses_malformed_bodies_with_400_and_their_offset)
{
    struct body_problem problem;

    (void)body_fail(&problem, 17, "no");
    cr_expect_not(inference_refuse_body(&inferring, &problem));
    const json_t *const answer = refused(400);

    cr_expect_str_eq(text_of(answer, "detail"), "No.");
    cr_expect_eq(json_integer_value(json_object_get(answer, "offset")), 17);
}

Test(inference_context, says_503_when_memory_is_out)
{
    answering_response.route = "/v2/models/{model}/infer";
    cr_expect_not(inference_no_memory(&inferring));
    cr_expect_str_eq(text_of(refused(503), "type"), "urn:posenc:problem:out-of-memory");
}

static const struct posenc_parameter rows[] = {{.name = "size",
                                                .type = POSENC_TYPE_INTEGER,
                                                .minimum = 1,
                                                .maximum = 9,
                                                .meaning = "how many"},
                                               {.name = NULL}};

Test(inference_context, binds_objects_to_rows)
{
    const struct posenc_member member = {"size", posenc_number(7)};
    const struct posenc_value object = posenc_object(&member, 1);
    struct posenc_arguments arguments;

    cr_assert(inference_bind(&inferring, rows, "inputs.3", &object, &arguments));
    cr_expect_eq(posenc_find_argument(&arguments, "size")->value.as.number, 7);
}

static const json_t *refuse_member(const char *name)
{
    const struct posenc_member member = {name, posenc_number(10)};
    const struct posenc_value object = posenc_object(&member, 1);
    struct posenc_arguments arguments;

    cr_expect_not(inference_bind(&inferring, rows, "inputs.3", &object, &arguments));
    return refused(422);
}

Test(inference_context, names_what_it_cannot_bind_by_its_whole_path)
{
    const json_t *const problem = refuse_member("size");

    cr_expect_str_eq(text_of(problem, "parameter"), "inputs.3.size");
    cr_expect_str_eq(text_of(problem, "error"),
                     "In 'inputs.3': 'size' must be an integer from 1 to 9; it is '10'.");
}

Test(inference_context, sends_nobody_to_a_catalogue_that_does_not_have_what_the_protocol_has)
{
    cr_expect_str_eq(text_of(refuse_member("classification"), "error"),
                     "In 'inputs.3': 'classification' is nothing that is read here.");
}
