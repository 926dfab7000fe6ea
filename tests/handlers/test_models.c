/* The routes of the built-in models. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "posenc_models.h"

Test(models, lists_all_of_them)
{
    struct answer answer = ask("GET", "/v1/models", NULL);
    json_t *models = json_object_get(answer.document, "models");
    size_t count = 0;

    while (posenc_model_at(count))
        count++;
    cr_assert_eq(answer.status, 200);
    cr_expect_eq(json_array_size(models), count);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(models, 0), "name")),
                     posenc_model_at(0)->name);
    answer_release(&answer);
}

Test(models, resolves_one)
{
    struct answer answer = ask("GET", "/v1/models/llama3.1-8b?pretty=true", NULL);
    json_t *use = json_array_get(json_object_get(answer.document, "uses"), 0);

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_str_eq(answer_text(&answer, "name"), "llama-3.1-8b");
    cr_expect_str_eq(json_string_value(json_object_get(use, "encoding")), "rope");
    cr_expect_eq(json_number_value(json_object_get(json_object_get(use, "parameters"), "base")),
                 500000);
    answer_release(&answer);
}

Test(models, suggests_the_nearest_name_of_an_unknown_one)
{
    struct answer answer = ask("GET", "/v1/models/lama-3.1-8b", NULL);

    cr_expect_eq(answer.status, 404);
    cr_expect_str_eq(answer_text(&answer, "suggestion"), "llama-3.1-8b");
    answer_release(&answer);
}

Test(models, are_only_read)
{
    struct answer answer = ask("POST", "/v1/models", "{}");

    cr_expect_eq(answer.status, 405);
    cr_expect_not_null(strstr(answer.allow, "GET"));
    answer_release(&answer);
}
