#include <criterion/criterion.h>
#include <string.h>

#include "catalogue_requests.h"
#include "inferring.h"

TestSuite(inference_index);

static bool is_never(void *context)
{
    (void)context;
    return false;
}

static struct answer post(const char *body, bool is_ready)
{
    struct service service = ask_service();

    service.is_ready = is_ready ? NULL : is_never;
    return ask_bytes(&service, "POST", "/v2/repository/index", body, strlen(body), NULL, 0);
}

Test(inference_index, lists_every_model_with_its_version)
{
    struct answer answer = post("", true);
    const json_t *const rope = find_by_name(answer.document, "rope.apply");
    struct inference_model model;
    size_t count = 0;

    while (inference_model_at(count, &model))
        count++;
    cr_expect_eq(answer.status, 200);
    cr_expect_eq(json_array_size(answer.document), count);
    cr_expect_str_eq(text_of(rope, "version"), "2");
    cr_expect_str_eq(text_of(rope, "state"), "READY");
    cr_expect_str_eq(text_of(rope, "reason"), "");
    answer_release(&answer);
}

Test(inference_index, lists_nothing_that_is_not_ready_where_that_is_not_wanted)
{
    struct answer answer = post("{\"ready\":true}", false);

    cr_expect_eq(json_array_size(answer.document), 0);
    answer_release(&answer);
    answer = post("{\"ready\":false}", false);
    cr_expect_str_eq(text_of(json_array_get(answer.document, 0), "state"), "UNAVAILABLE");
    answer_release(&answer);
    answer = post("{\"ready\":true}", true);
    cr_expect_gt(json_array_size(answer.document), 0);
    answer_release(&answer);
}

Test(inference_index, refuses_what_it_does_not_know)
{
    struct answer answer = post("{\"redy\":true}", true);

    cr_expect_eq(answer.status, 422);
    cr_expect_str_eq(answer_text(&answer, "suggestion"), "ready");
    answer_release(&answer);
    answer = post("{", true);
    cr_expect_eq(answer.status, 400);
    answer_release(&answer);
    answer = post("[1]", true);
    cr_expect_eq(answer.status, 422);
    answer_release(&answer);
}
