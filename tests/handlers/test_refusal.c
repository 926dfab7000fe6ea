/* What was refused becomes the problem that it is. */
#include "refusal.h"

#include <criterion/criterion.h>
#include <string.h>

#include "account.h"
#include "answering.h"

ANSWERING_SUITE(refusal);

Test(refusal, of_the_library_has_a_status_and_a_type_for_each_of_its_own)
{
    static const struct {
        enum posenc_status status;
        unsigned http;
        const char *type;
    } rows[] = {
        {POSENC_UNKNOWN_ENCODING, 404, "unknown-encoding"},
        {POSENC_UNKNOWN_OPERATION, 404, "unknown-operation"},
        {POSENC_UNKNOWN_PARAMETER, 422, "unknown-parameter"},
        {POSENC_MISSING_PARAMETER, 422, "missing-parameter"},
        {POSENC_WRONG_TYPE, 422, "wrong-type"},
        {POSENC_OUT_OF_RANGE, 422, "out-of-range"},
        {POSENC_CONFLICT, 422, "contradicting-parameters"},
        {POSENC_WRONG_SHAPE, 422, "wrong-shape"},
        {POSENC_TOO_LARGE, 413, "result-too-large"},
        {POSENC_NO_MEMORY, 503, "out-of-memory"},
        {POSENC_CANCELLED, 503, "computation-stopped"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct posenc_problem problem = {.status = rows[i].status, .detail = "x"};
        char type[64] = "urn:posenc:problem:";

        (void)answering_again();
        respond_library_problem(&answering_request, &problem, 4096, &answering_response);
        const json_t *const document = answered_json();

        cr_expect_eq(answering_response.status, rows[i].http, "%s", rows[i].type);
        cr_expect_str_eq(look_at_text(document, "type", NULL), strcat(type, rows[i].type));
        cr_expect_eq(look_at(document, "limit", NULL) != NULL, rows[i].http == 413, "%s",
                     rows[i].type);
    }
}

Test(refusal, of_the_library_says_what_that_says)
{
    static const struct posenc_problem problem = {.status = POSENC_OUT_OF_RANGE,
                                                  .parameter = "scaling.type",
                                                  .value = "yarm",
                                                  .suggestion = "yarn",
                                                  .detail = "There is no such type",
                                                  .allowed = {"linear", "yarn"},
                                                  .allowed_count = 2};

    respond_library_problem(&answering_request, &problem, 0, &answering_response);
    const json_t *const document = answered_json();

    cr_expect_str_eq(look_at_text(document, "parameter", NULL), "scaling.type");
    cr_expect_str_eq(look_at_text(document, "value", NULL), "yarm");
    cr_expect_str_eq(look_at_text(document, "suggestion", NULL), "yarn");
    cr_expect_str_eq(look_at_text(document, "detail", NULL), "There is no such type.");
    cr_expect(holds_text(look_at(document, "allowed", NULL), "linear"));
}

Test(refusal, of_a_body_says_where_it_is_broken)
{
    static const struct body_problem problem = {
        .offset = 17, .parameter = "a.b", .detail = "a colon is due"};

    respond_body_problem(&answering_request, &problem, "malformed-query", &answering_response);
    const json_t *const document = answered_json();

    cr_expect_eq(answering_response.status, 400);
    cr_expect_str_eq(look_at_text(document, "type", NULL), "urn:posenc:problem:malformed-query");
    cr_expect_eq(json_integer_value(look_at(document, "offset", NULL)), 17);
    cr_expect_str_eq(look_at_text(document, "parameter", NULL), "a.b");
}

Test(refusal, of_a_body_for_want_of_memory_is_not_the_client_s_fault)
{
    static const struct body_problem problem = {.no_memory = true, .detail = "out of memory"};

    respond_body_problem(&answering_request, &problem, "malformed-body", &answering_response);
    const json_t *const document = answered_json();

    cr_expect_eq(answering_response.status, 503);
    cr_expect_str_eq(look_at_text(document, "type", NULL), "urn:posenc:problem:out-of-memory");
    cr_expect_null(look_at(document, "offset", NULL));
}

Test(refusal, of_work_is_the_watch_s_to_decide)
{
    struct account account = {.allowed_ns = 1000, .take_limit = SIZE_MAX};
    const struct posenc_watch watch = account_watch(&account);

    cr_expect_not(respond_if_stopped(&answering_request, UINT64_MAX, &answering_response));
    answering_request.watch = &watch;
    (void)answering_again();
    cr_expect_not(respond_if_stopped(&answering_request, 1000, &answering_response));
    cr_expect_eq(answering_response.status, 0, "nothing was answered");
    cr_expect(respond_if_stopped(&answering_request, 1001, &answering_response));
    cr_expect_eq(answering_response.status, 503);
    cr_expect_str_eq(look_at_text(answered_json(), "type", NULL),
                     "urn:posenc:problem:computation-stopped");
    cr_expect_str_eq(answer_of("Retry-After"), "1");
    response_release(&answering_response); /* the watch ends here */
}
