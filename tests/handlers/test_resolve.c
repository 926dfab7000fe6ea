#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"

#define LLAMA                                                                                      \
    "\"model_type\": \"llama\", \"hidden_size\": 64, \"num_attention_heads\": 4, "                 \
    "\"num_hidden_layers\": 2, \"rope_theta\": 10000"

static json_t *first(const struct answer *answer, const char *list)
{
    return json_array_get(json_object_get(answer->document, list), 0);
}

Test(resolve, answers_with_uses_and_warnings)
{
    struct answer answer = ask("POST", "/v1/resolve", "{" LLAMA ", \"rope_scalling\": 1}");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_str_eq(answer_text(&answer, "model_type"), "llama");
    cr_expect_str_eq(json_string_value(json_object_get(first(&answer, "uses"), "encoding")),
                     "rope");
    cr_expect_str_eq(json_string_value(json_object_get(first(&answer, "warnings"), "parameter")),
                     "rope_scalling");
    answer_release(&answer);
}

Test(resolve, reads_the_tokens_that_python_writes_and_warns)
{
    struct answer answer =
        ask("POST", "/v1/resolve", "{" LLAMA ", \"time_step_limit\": [0.0, Infinity]}");

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_str_eq(json_string_value(json_object_get(first(&answer, "warnings"), "parameter")),
                     "time_step_limit");
    answer_release(&answer);
}

Test(resolve, does_not_calculate_with_such_a_token)
{
    struct answer answer =
        ask("POST", "/v1/resolve", "{\"model_type\": \"llama\", \"rope_theta\": NaN}");

    cr_expect_eq(answer.status, 422);
    cr_expect_str_eq(answer_text(&answer, "parameter"), "rope_theta");
    answer_release(&answer);
}

Test(resolve, indents_when_asked)
{
    struct answer compact = ask("POST", "/v1/resolve", "{" LLAMA "}");
    struct answer pretty = ask("POST", "/v1/resolve?pretty=true", "{" LLAMA "}");

    cr_assert_eq(pretty.status, 200, "%s", pretty.body);
    cr_expect_not_null(strstr(pretty.body, "\n  \"uses\""));
    cr_expect_null(strstr(compact.body, "\n  \"uses\""));
    cr_expect(json_equal(compact.document, pretty.document));
    answer_release(&compact);
    answer_release(&pretty);
}

static const struct refusal {
    const char *target, *body;
    unsigned status;
    const char *parameter;
} refusals[] = {
    {"/v1/resolve", "[1, 2]", 422, ""},
    {"/v1/resolve", "{}", 422, "model_type"},
    {"/v1/resolve", "{\"a\": 1, \"a\": 2}", 400, "a"},
    {"/v1/resolve", "{\"a\": nan}", 400, "a"},
    {"/v1/resolve?model=x", "{" LLAMA "}", 422, "model"},
    {"/v1/resolve?pretty=maybe", "{" LLAMA "}", 422, "pretty"},
    {"/v1/resolve", "{\"model_type\": \"lama\"}", 422, "model_type"},
};

Test(resolve, refuses_what_is_wrong)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        struct answer answer = ask("POST", refusals[i].target, refusals[i].body);

        cr_expect_eq(answer.status, refusals[i].status, "%s: %s", refusals[i].body, answer.body);
        cr_expect_str_eq(answer_text(&answer, "parameter"), refusals[i].parameter, "%s",
                         answer.body);
        answer_release(&answer);
    }
}

Test(resolve, takes_a_body_only)
{
    struct answer answer = ask("GET", "/v1/resolve", NULL);

    cr_expect_eq(answer.status, 405);
    cr_expect_not_null(strstr(answer.allow, "POST"));
    cr_expect_null(strstr(answer.allow, "GET"));
    answer_release(&answer);
}
