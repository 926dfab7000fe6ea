/* Responses: problems are complete, and one can be made without any memory. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "respond.h"

Test(respond, writes_every_member_of_a_problem)
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

Test(respond, says_where_a_body_is_broken)
{
    struct answer answer = ask("POST", "/v1/sinusoidal", "{\"length\": 2, \"dim\": 4");

    cr_assert_eq(answer.status, 400);
    cr_expect_str_eq(answer_text(&answer, "type"), "urn:posenc:problem:malformed-body");
    cr_expect(json_is_integer(json_object_get(answer.document, "offset")));
    answer_release(&answer);
}

Test(respond, makes_a_503_without_any_memory)
{
    struct response response = {0};
    char body[512] = {0};

    respond_no_memory(&response);
    cr_assert_eq(response.status, 503);
    cr_assert_lt(response.length, sizeof(body));
    cr_expect_eq(response.read(response.state, 0, body, sizeof(body)), (ssize_t)response.length);
    json_t *document = json_loads(body, 0, NULL);

    cr_expect_eq(json_integer_value(json_object_get(document, "status")), 503);
    json_decref(document);
    response_release(&response);
}

Test(respond, answers_503_when_a_request_needs_more_memory_than_it_may_have)
{
    struct service service = ask_service();
    unsigned last = 0;

    /* Every size from nothing to enough: each answer is a whole document, and the last one is the
     * table. */
    for (service.memory_bytes_max = 0; service.memory_bytes_max < 200000 && last != 200;
         service.memory_bytes_max += 1024) {
        struct answer answer = ask_service_with(
            &service, "GET", "/v1/rope?length=4&dim=8&scaling.type=linear&scaling.factor=2", NULL,
            NULL, 0);

        cr_assert(answer.status == 503 || answer.status == 200, "%u %s", answer.status,
                  answer.body);
        cr_expect_not_null(answer.document);
        last = answer.status;
        answer_release(&answer);
    }
    cr_expect_eq(last, 200);
}

Test(respond, writes_a_problem_that_the_server_found)
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

Test(respond, keeps_no_more_headers_than_there_is_room_for)
{
    struct response response = {0};

    for (int i = 0; i < RESPONSE_HEADERS_MAX; i++)
        cr_assert(response_add_header(&response, "X", "y"));
    cr_expect_not(response_add_header(&response, "X", "y"));
}
