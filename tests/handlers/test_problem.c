/* Problem documents have every member that there is something to say of. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "problem.h"

Test(problem, writes_every_member_of_a_problem)
{
    struct answer answer = ask("GET", "/v1/sinusoidal?length=1&dim=4&layout=half", NULL);
    json_t *allowed = json_object_get(answer.document, "allowed");

    cr_assert_eq(answer.status, 422);
    cr_expect_str_eq(answer_text(&answer, "type"), "urn:posenc:problem:out-of-range");
    cr_expect_str_eq(answer_text(&answer, "title"), "out of range");
    cr_expect_eq(json_integer_value(json_object_get(answer.document, "status")), 422);
    cr_expect_str_eq(answer_text(&answer, "instance"), "test-1");
    cr_expect_str_eq(answer_text(&answer, "parameter"), "layout");
    cr_expect_str_eq(answer_text(&answer, "value"), "half");
    cr_expect_neq(strlen(answer_text(&answer, "detail")), 0);
    cr_expect_eq(json_array_size(allowed), 3);
    cr_expect_str_eq(json_string_value(json_array_get(allowed, 1)), "sin_cos");
    answer_release(&answer);
}

Test(problem, writes_a_problem_that_the_server_found)
{
    const struct request request = {.id = "abc"};
    struct response response = {0};
    char body[512] = {0};

    respond_problem(&request, 417, "expectation-failed", "No such expectation is met here.", 7,
                    &response);
    cr_assert_eq(response.status, 417);
    (void)response.read(response.state, 0, body, sizeof(body) - 1);
    json_t *document = json_loads(body, 0, NULL);

    cr_expect_str_eq(json_string_value(json_object_get(document, "title")), "expectation failed");
    cr_expect_eq(json_integer_value(json_object_get(document, "limit")), 7);
    json_decref(document);
    response_release(&response);
    response_release(&response);
}
