/* Parameters: the same request as a query, as a body, and as both. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"

Test(parameters, mean_the_same_in_a_query_and_in_a_body)
{
    struct answer query =
        ask("GET", "/v1/rope?positions=0,1.5,-3&dim=8&scaling.type=linear&scaling.factor=4", NULL);
    struct answer body =
        ask("POST", "/v1/rope",
            "{\"scaling\":{\"factor\":4,\"type\":\"linear\"},\"dim\":8,\"positions\":[0,1.5,-3]}");
    struct answer both = ask("POST", "/v1/rope?dim=8",
                             "{\"scaling\":{\"factor\":4,\"type\":\"linear\"},"
                             "\"positions\":[0,1.5,-3]}");

    cr_assert_eq(query.status, 200, "%s", query.body);
    cr_expect_str_eq(query.body, body.body);
    cr_expect_str_eq(query.body, both.body);
    answer_release(&query);
    answer_release(&body);
    answer_release(&both);
}

Test(parameters, stand_in_one_place_only)
{
    struct answer answer = ask("POST", "/v1/rope?dim=8", "{\"dim\":8,\"length\":1}");

    cr_expect_eq(answer.status, 400);
    cr_expect_str_eq(answer_text(&answer, "parameter"), "dim");
    answer_release(&answer);
}

Test(parameters, are_an_object)
{
    static const char *const bodies[] = {"[1, 2]", "4", "\"dim\"", "null", "true"};

    for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
        struct answer answer = ask("POST", "/v1/rope", bodies[i]);

        cr_expect_eq(answer.status, 422, "%s: %u", bodies[i], answer.status);
        answer_release(&answer);
    }
}

Test(parameters, are_refused_with_a_place_when_they_are_malformed)
{
    static const char *const targets[] = {"/v1/rope?dim=%zz", "/v1/rope?dim=8&dim=8", "/v1/rope?=8",
                                          "/v1/rope?scaling=1&scaling.factor=2",
                                          "/v1/rope?dim=%00"};

    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
        struct answer answer = ask("GET", targets[i], NULL);

        cr_expect_eq(answer.status, 400, "%s: %u", targets[i], answer.status);
        answer_release(&answer);
    }
}

Test(parameters, do_not_depend_on_their_order_or_on_white_space)
{
    struct answer one = ask("POST", "/v1/alibi", "{\"heads\":2,\"query_length\":3}");
    struct answer other = ask("POST", "/v1/alibi", "\n{ \"query_length\" :\t3 , \"heads\" : 2 }\n");

    cr_expect_str_eq(one.body, other.body);
    answer_release(&one);
    answer_release(&other);
}
