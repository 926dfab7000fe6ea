#include "respond.h"

#include <criterion/criterion.h>
#include <string.h>

#include "answering.h"

ANSWERING_SUITE(respond);

Test(respond, sends_the_exchange_s_text_and_a_line_end)
{
    char bytes[16] = "";

    json_text_string(&answering_again()->text, "text");
    cr_expect(respond_text(404, "text/x", &answering_response));
    cr_expect_eq(answering_response.status, 404);
    cr_expect_str_eq(answer_of("Content-Type"), "text/x");
    cr_expect_eq(answering_response.length, 7);
    cr_expect_eq(answering_response.read(answering_response.state, 0, bytes, sizeof bytes), 7);
    cr_expect_str_eq(bytes, "\"text\"\n");
    cr_expect_eq(answering_response.read(answering_response.state, 5, bytes, 1), 1);
    cr_expect_eq(bytes[0], '"');
    cr_expect_eq(answering_response.read(answering_response.state, 7, bytes, 1), 0);
}

/* Whatever was to be said, headers included: half of it would be wrong. */
Test(respond, says_that_memory_is_out_when_the_text_could_not_be_written)
{
    struct exchange *const exchange = answering_again();

    exchange->text.failed = true;
    cr_expect(response_add_header(&answering_response, "ETag", "\"x\""));
    cr_expect_not(respond_text(200, "text/x", &answering_response));
    cr_expect_eq(answering_response.status, 503);
    cr_expect_str_eq(answer_of("ETag"), "");
    cr_expect_str_eq(answer_of("Content-Type"), "application/problem+json");
}

Test(respond, makes_a_503_without_any_memory)
{
    struct response response = {0};
    char body[512] = {0};

    respond_no_memory(&response);
    cr_assert_eq(response.status, 503);
    cr_expect_str_eq(response.problem, "out-of-memory");
    cr_assert_lt(response.length, sizeof(body));
    cr_expect_eq(response.read(response.state, 0, body, sizeof(body)), (ssize_t)response.length);
    json_text_raw(&written, body, strlen(body));
    const json_t *const document = written_json();

    cr_expect_eq(json_integer_value(look_at(document, "status", NULL)), 503);
    cr_expect_str_eq(look_at_text(document, "type", NULL), "urn:posenc:problem:out-of-memory");
    cr_expect(response_has_header(&response, "Retry-After"));
    response_release(&response);
}
