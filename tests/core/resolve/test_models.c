/* The built-in models: found by any of their names, and all of them resolve. */
#include <criterion/criterion.h>
#include <string.h>

#include "posenc_models.h"

#define MODELS_MIN 60 /* promised */

Test(models, are_at_least_as_many_as_promised)
{
    cr_expect_not_null(posenc_model_at(MODELS_MIN - 1));
    cr_expect_null(posenc_model_at(100000));
}

Test(models, are_found_by_name_alias_and_repository)
{
    const struct posenc_model *model;

    for (size_t i = 0; (model = posenc_model_at(i)) != NULL; i++) {
        cr_expect_eq(posenc_find_model(model->name), model, "%s", model->name);
        cr_expect_eq(posenc_find_model(model->repository), model, "%s", model->repository);
        for (const char *const *alias = model->aliases; alias && *alias; alias++)
            cr_expect_eq(posenc_find_model(*alias), model, "%s", *alias);
    }
    cr_expect_str_eq(posenc_find_model("LLaMA-3.1-8B")->name, "llama-3.1-8b");
    cr_expect_null(posenc_find_model("no-such-model"));
}

Test(models, are_suggested_for_typing_slips)
{
    cr_expect_str_eq(posenc_suggest_model("lama-3.1-8b"), "llama-3.1-8b");
    cr_expect_null(posenc_suggest_model("zzzzzzzzzzzzzzzzzzzz"));
}

Test(models, all_resolve_without_an_unknown_class)
{
    const struct posenc_model *model;

    for (size_t i = 0; (model = posenc_model_at(i)) != NULL; i++) {
        struct posenc_memory memory;
        struct posenc_value config, answer;
        struct posenc_problem problem;

        posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
        cr_assert(posenc_model_config(model, &memory, &config));
        cr_assert_eq(posenc_resolve(&config, &memory, &answer, &problem), POSENC_OK, "%s: %s",
                     model->name, problem.detail);
        cr_expect_gt(posenc_find_member(&answer, "uses")->as.list.count, 0, "%s", model->name);
        const struct posenc_value *warnings = posenc_find_member(&answer, "warnings");

        for (size_t k = 0; k < warnings->as.list.count; k++)
            cr_expect_str_neq(posenc_find_member(&warnings->as.list.items[k], "parameter")->as.text,
                              "model_type", "%s", model->name);
        posenc_memory_release(&memory);
    }
}
