/* Problem documents have every member that there is something to say of. */
#include "problem.h"

#include <criterion/criterion.h>
#include <string.h>

#include "account.h"
#include "answering.h"
#include "posenc.h"

ANSWERING_SUITE(problem);

static const json_t *answer(const struct report *report)
{
    (void)answering_again();
    respond_report(&answering_request, report, &answering_response);
    return answered_json();
}

Test(problem, has_every_member_that_there_is_something_to_say_of)
{
    static const char *const allowed[] = {"interleaved", "sin_cos"};
    const json_t *const document = answer(&(struct report){.status = 422,
                                                           .slug = "out-of-range",
                                                           .detail = "what to do.",
                                                           .parameter = "layout",
                                                           .value = "half",
                                                           .suggestion = "sin_cos",
                                                           .allowed = allowed,
                                                           .allowed_count = 2,
                                                           .has_offset = true,
                                                           .offset = 0,
                                                           .has_limit = true,
                                                           .limit = 4096});
    char *const text = json_dumps(document, JSON_COMPACT);

    cr_expect_str_eq(text,
                     "{\"type\":\"urn:posenc:problem:out-of-range\",\"title\":\"out of range\","
                     "\"status\":422,\"detail\":\"What to do.\",\"instance\":\"test-1\","
                     "\"parameter\":\"layout\",\"value\":\"half\",\"suggestion\":\"sin_cos\","
                     "\"allowed\":[\"interleaved\",\"sin_cos\"],\"offset\":0,\"limit\":4096}");
    cr_expect_eq(answering_response.status, 422);
    cr_expect_str_eq(answer_of("Content-Type"), "application/problem+json");
    cr_expect_str_eq(answer_of("Cache-Control"), "no-store");
    cr_expect_str_eq(answering_response.problem, "out-of-range", "for logs and metrics");
    free(text);
}

Test(problem, leaves_out_what_there_is_nothing_to_say_of)
{
    char *text;

    answering_request.id[0] = '\0';
    text = json_dumps(answer(&(struct report){.status = 404, .slug = "not-found", .parameter = ""}),
                      JSON_COMPACT);
    cr_expect_str_eq(text, "{\"type\":\"urn:posenc:problem:not-found\",\"title\":\"not found\","
                           "\"status\":404}");
    free(text);
}

/* Readers of bodies say what is wrong in the words of a clause. */
Test(problem, makes_a_sentence_of_its_detail)
{
    static const char *const rows[][2] = {
        {"a colon is due", "A colon is due."},        {"Send less.", "Send less."},
        {"did you mean that?", "Did you mean that?"}, {"'x' is odd", "'x' is odd."},
        {"\xC3\xA9t\xC3\xA9", "\xC3\xA9t\xC3\xA9."},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_str_eq(
            look_at_text(answer(&(struct report){.status = 400, .slug = "x", .detail = rows[i][0]}),
                         "detail", NULL),
            rows[i][1]);
}

Test(problem, ends_the_longest_detail_with_a_full_stop_too)
{
    char detail[POSENC_DETAIL_MAX];

    memset(detail, 'a', sizeof detail);
    detail[sizeof detail - 1] = '\0';
    const char *const sentence = look_at_text(
        answer(&(struct report){.status = 400, .slug = "x", .detail = detail}), "detail", NULL);

    cr_expect_eq(strlen(sentence), POSENC_DETAIL_MAX);
    cr_expect_str_eq(sentence + POSENC_DETAIL_MAX - 2, "a.");
}

/* Headers such as Allow stand beside it; what was written before does not. */
Test(problem, takes_the_place_of_a_document_that_was_begun)
{
    json_text_string(&answering_again()->text, "half of a docu");
    cr_expect(response_add_header(&answering_response, "Allow", "GET"));
    respond_problem(&answering_request, 405, "method-not-allowed", "Use another.", 0,
                    &answering_response);
    cr_expect_str_eq(look_at_text(answered_json(), "title", NULL), "method not allowed");
    cr_expect_str_eq(answer_of("Allow"), "GET");
    cr_expect_null(strstr(answer_of("Retry-After"), "1"));
}

Test(problem, says_when_to_try_again_where_that_may_help)
{
    (void)answer(&(struct report){.status = 503, .slug = "out-of-memory"});
    cr_expect_str_eq(answer_of("Retry-After"), "1");
    (void)answer(&(struct report){.status = 413, .slug = "result-too-large"});
    cr_expect_str_eq(answer_of("Retry-After"), "");
}

Test(problem, can_be_told_before_an_exchange_has_begun)
{
    response_release(&answering_response);
    respond_problem(&answering_request, 417, "expectation-failed", "No such expectation is met.", 7,
                    &answering_response);
    cr_assert_eq(answering_response.status, 417);
    cr_expect_eq(json_integer_value(look_at(answered_json(), "limit", NULL)), 7);
}

Test(problem, is_another_one_where_there_is_no_memory_to_tell_it)
{
    struct account account = {.take_limit = 0};
    const struct posenc_watch watch = account_watch(&account);

    answering_request.watch = &watch;
    const json_t *const document = answer(&(struct report){.status = 422, .slug = "out-of-range"});

    cr_expect_eq(answering_response.status, 503);
    cr_expect_str_eq(look_at_text(document, "type", NULL), "urn:posenc:problem:out-of-memory");
    response_release(&answering_response); /* the watch ends here */
}
