/* The route of quantities: paths, methods, problems, and one reply as a whole. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

static double number_at(const struct answer *answer, const char *tensor, size_t index)
{
    json_t *tensors = json_object_get(answer->document, "tensors");

    return json_number_value(
        json_array_get(json_object_get(json_object_get(tensors, tensor), "data"), index));
}

Test(quantities, get_and_post_are_the_same_request)
{
    struct answer get = ask("GET", "/v1/analysis/wavelengths?encoding=sinusoidal&dim=8", NULL);
    struct answer post =
        ask("POST", "/v1/analysis/wavelengths", "{\"encoding\": \"sinusoidal\", \"dim\": 8}");

    cr_assert_eq(get.status, 200, "%s", get.body);
    cr_expect_str_eq(get.body, post.body);
    cr_expect_str_eq(answer_text(&get, "encoding"), "sinusoidal");
    cr_expect_str_eq(answer_text(&get, "operation"), "wavelengths");
    cr_expect_float_eq(number_at(&get, "wavelengths", 1), 62.831853, 62.8 * 0x1p-23);
    answer_release(&get);
    answer_release(&post);
}

Test(quantities, an_unknown_quantity_is_not_found_and_the_nearest_is_suggested)
{
    struct answer answer = ask("GET", "/v1/analysis/wavelenghts?encoding=sinusoidal&dim=8", NULL);

    cr_expect_eq(answer.status, 404);
    cr_expect_str_eq(answer_text(&answer, "suggestion"), "wavelengths");
    answer_release(&answer);
}

Test(quantities, problems_name_the_encoding_and_those_that_could_be_meant)
{
    static const char *const targets[] = {
        "/v1/analysis/wavelengths?dim=8",
        "/v1/analysis/wavelengths?encoding=sinusoid&dim=8",
        "/v1/analysis/wavelengths?encoding=alibi&heads=8",
    };

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        struct answer answer = ask("GET", targets[i], NULL);

        cr_expect_eq(answer.status, 422, "%s", targets[i]);
        cr_expect_str_eq(answer_text(&answer, "parameter"), "encoding");
        cr_expect_gt(json_array_size(json_object_get(answer.document, "allowed")), 0);
        answer_release(&answer);
    }
}

Test(quantities, the_echo_repeats_the_request)
{
    struct answer first =
        ask("GET", "/v1/analysis/decay?encoding=t5&preset=t5_encoder&offsets=1", NULL);
    struct answer second =
        ask("GET", "/v1/analysis/shift?encoding=sinusoidal&dim=4&layout=sin_cos&shift=2.5", NULL);
    char *parameters = json_dumps(json_object_get(second.document, "parameters"), JSON_ENCODE_ANY);
    struct answer again = ask("POST", "/v1/analysis/shift", parameters);

    cr_expect_eq(first.status, 422); /* there is no bias without a table */
    cr_assert_eq(again.status, 200, "%s", again.body);
    cr_expect_str_eq(again.body, second.body);
    free(parameters);
    answer_release(&first);
    answer_release(&second);
    answer_release(&again);
}

Test(quantities, one_that_brings_tensors_needs_a_body)
{
    struct answer get =
        ask("GET", "/v1/analysis/permutation_equivariance?encoding=none&permutation=1,0", NULL);
    struct answer post =
        ask("POST", "/v1/analysis/permutation_equivariance",
            "{\"encoding\": \"none\", \"permutation\": [1, 0], \"x\": [[1, 2], [3, 4]]}");

    cr_expect_eq(get.status, 405);
    cr_expect_str_eq(get.allow, "POST, OPTIONS");
    cr_expect_eq(post.status, 200, "%s", post.body);
    answer_release(&get);
    answer_release(&post);
}

Test(quantities, come_in_every_representation)
{
    struct answer csv = ask("GET", "/v1/analysis/wavelengths?encoding=rope&dim=4&format=csv", NULL);

    cr_expect_eq(csv.status, 200);
    cr_expect_not_null(strstr(csv.content_type, "text/csv"));
    cr_expect_not_null(strstr(csv.body, "6.2831855"));
    answer_release(&csv);
}
