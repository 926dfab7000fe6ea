#include "openapi_names.h"

#include <criterion/criterion.h>
#include <string.h>

#include "piece.h"
#include "posenc_models.h"

PIECE_SUITE(openapi_names);

/* Whether a list, which may be NULL, has this name. */
static bool has_name(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static size_t count_names(const char *const *names)
{
    size_t count = 0;

    while (names[count])
        count++;
    return count;
}

Test(openapi_names, of_presets_are_those_of_the_encoding)
{
    static const struct posenc_preset presets[] = {
        {.name = "one"}, {.name = "two"}, {.name = NULL}};
    static const struct posenc_preset none[] = {{.name = NULL}};
    const char *const *const names =
        openapi_preset_names(&piece, &(struct posenc_encoding){.presets = presets});

    cr_assert_eq(count_names(names), 2);
    cr_expect_str_eq(names[0], "one");
    cr_expect_str_eq(names[1], "two");
    cr_expect_null(openapi_preset_names(&piece, &(struct posenc_encoding){.presets = none}));
    cr_expect_null(openapi_preset_names(&piece, &(struct posenc_encoding){0}));
    cr_expect_null(openapi_preset_names(&piece, NULL));
    cr_expect_not(written.failed, "to have none is no failure");
}

Test(openapi_names, of_formats_are_all_that_a_reply_can_have)
{
    static const char *const formats[] = {"json", "npy", "safetensors", "csv",
                                          "text", "raw", "png",         "svg"};
    const char *const *const names = openapi_format_names(&piece);

    cr_expect_eq(count_names(names), 8);
    for (size_t i = 0; i < 8; i++)
        cr_expect(has_name(names, formats[i]), "%s", formats[i]);
}

Test(openapi_names, that_stand_for_a_variable_include_aliases)
{
    const char *const *const encodings = openapi_variable_names(&piece, "/v1/", "encoding");
    const char *const *const models = openapi_variable_names(&piece, "/v1/", "model");

    cr_expect(has_name(encodings, "rope") && has_name(encodings, "rotary"));
    cr_expect(has_name(encodings, "learned") && has_name(encodings, "learnable"));
    cr_expect(has_name(models, "llama-3.1-8b"));
    for (size_t i = 0; posenc_model_at(i); i++) {
        cr_expect(has_name(models, posenc_model_at(i)->name));
        for (const char *const *alias = posenc_model_at(i)->aliases; alias && *alias; alias++)
            cr_expect(has_name(models, *alias), "%s", *alias);
    }
    cr_expect_not(has_name(models, "rope"));
    cr_expect_null(openapi_variable_names(&piece, "/v1/", "operation"),
                   "any text may stand for it");
}

Test(openapi_names, of_models_of_the_inference_protocol_are_operations)
{
    const char *const *const models =
        openapi_variable_names(&piece, "/v2/models/{model}/infer", "model");
    const char *const *const versions =
        openapi_variable_names(&piece, "/v2/models/{model}/versions/{version}", "version");

    cr_expect(has_name(models, "rope") && has_name(models, "rope.apply"));
    cr_expect(has_name(models, "attention") && has_name(models, "analysis.decay"));
    cr_expect_not(has_name(models, "llama-3.1-8b"));
    cr_expect_eq(count_names(versions), 1);
}

Test(openapi_names, of_served_encodings_are_those_that_have_the_quantity)
{
    const char *const *const names =
        openapi_served_names(&piece, posenc_find_quantity("wavelengths"));

    cr_expect(has_name(names, "rope") && has_name(names, "rotary"));
    cr_expect_not(has_name(names, "alibi"));
}

Test(openapi_names, note_when_memory_is_out)
{
    memory.limit = 0;
    cr_expect_null(openapi_format_names(&piece));
    cr_expect(written.failed);
    written.failed = false;
    cr_expect_null(openapi_variable_names(&piece, "/v1/", "model"));
    cr_expect(written.failed);
}
