#include "inference_model.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "handlers.h"

static struct inference_model found(const char *name)
{
    struct inference_model model;

    cr_assert(inference_model_find(name, &model), "%s", name);
    return model;
}

Test(inference_model, is_an_operation_under_the_name_of_its_path_with_dots)
{
    cr_expect_str_eq(found("rope").operation->name, "table");
    cr_expect_str_eq(found("rope").encoding->name, "rope");
    cr_expect_str_eq(found("learned.gradient").operation->name, "gradient");
    cr_expect_eq(found("attention").operation, posenc_find_tool("attention"));
    cr_expect_eq(found("analysis.decay").operation, posenc_find_quantity("decay"));
    cr_expect_null(found("analysis.decay").encoding);
}

Test(inference_model, has_no_other_names)
{
    static const char *const names[] = {"",       "rope.table", "rope.",       "rope.applied",
                                        ".apply", "analysis",   "analysis.",   "rope.apply.x",
                                        "decay",  "Rope",       "nope.x.apply"};
    struct inference_model model;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_not(inference_model_find(names[i], &model), "%s", names[i]);
}

Test(inference_model, of_an_alias_has_the_canonical_name)
{
    const struct inference_model model = found("rotary.apply");
    char name[ROUTE_VARIABLE_SIZE];

    inference_model_name(&model, name);
    cr_expect_str_eq(name, "rope.apply");
}

Test(inference_model, is_listed_once_and_found_by_its_name)
{
    struct inference_model model, again;
    size_t operations = 0, count = 0;
    const struct posenc_encoding *encoding;
    char name[ROUTE_VARIABLE_SIZE];

    for (; inference_model_at(count, &model); count++) {
        inference_model_name(&model, name);
        again = found(name);
        cr_expect_eq(again.operation, model.operation, "%s", name);
        cr_expect_eq(again.encoding, model.encoding, "%s", name);
        cr_expect_eq(again.is_quantity, model.is_quantity, "%s", name);
    }
    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        for (size_t j = 0; encoding->operations[j].name; j++)
            operations++;
    for (size_t i = 0; posenc_tool_at(i); i++)
        operations++;
    for (size_t i = 0; posenc_quantity_at(i); i++)
        operations++;
    cr_expect_eq(count, operations);
    cr_expect_not(inference_model_at(count + 7, &model));
}

Test(inference_model, has_the_path_of_its_operation)
{
    struct inference_model model;

    for (size_t i = 0; inference_model_at(i, &model); i++) {
        char path[ROUTE_VARIABLE_SIZE + 4] = "/v1/";
        struct answer answer;

        inference_model_name(&model, path + 4);
        for (char *dot = strchr(path, '.'); dot; dot = strchr(dot, '.'))
            *dot = '/';
        answer = ask("POST", path, "{}");
        cr_expect_neq(answer.status, 404, "%s", path);
        answer_release(&answer);
    }
}

Test(inference_model, has_one_version_and_no_other)
{
    struct answer answer;

    answer = ask("GET", "/v2/models/rope/versions/2", NULL);
    cr_expect_eq(answer.status, 200);
    answer_release(&answer);
    answer = ask("GET", "/v2/models/rope/versions/1", NULL);
    cr_expect_eq(answer.status, 404);
    answer_release(&answer);
    cr_expect_str_eq(inference_model_version(), "2");
}

Test(inference_model, that_is_misspelt_is_suggested)
{
    static const struct {
        const char *name, *suggestion;
    } rows[] = {
        {"sinusoidl", "sinusoidal"}, {"rop.apply", "rope"}, {"analysis.deca", "decay"},
        {"rope.aply", ""},           {".apply", ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[64];
        struct answer answer;

        (void)snprintf(path, sizeof path, "/v2/models/%s", rows[i].name);
        answer = ask("GET", path, NULL);
        cr_expect_eq(answer.status, 404);
        cr_expect_str_eq(answer_text(&answer, "suggestion"), rows[i].suggestion, "%s", path);
        cr_expect(strstr(answer_text(&answer, "error"), "/v2/repository/index"), "%s", path);
        answer_release(&answer);
    }
    cr_expect_null(inference_model_suggest("rope"));
}
