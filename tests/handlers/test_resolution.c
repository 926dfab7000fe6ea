/* A resolved configuration as JSON, with what was noted on the way. */
#include "resolution.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "writing.h"

WRITING_SUITE(resolution);

static const struct posenc_member warning_members[] = {
    {.name = "parameter", .value = {.kind = POSENC_TEXT, .as.text = "rope_scalling"}}};
static const struct posenc_value warnings[] = {
    {.kind = POSENC_OBJECT, .as.object = {warning_members, 1}}};
static const struct posenc_member members[] = {
    {.name = "model_type", .value = {.kind = POSENC_TEXT, .as.text = "llama"}},
    {.name = "warnings", .value = {.kind = POSENC_LIST, .as.list = {warnings, 1}}},
    {.name = "uses", .value = {.kind = POSENC_LIST, .as.list = {NULL, 0}}}};
static const struct posenc_value answer = {.kind = POSENC_OBJECT, .as.object = {members, 3}};

static void write(const struct python_tokens *tokens)
{
    json_text_begin_object(&written);
    write_resolution(&written, &answer, tokens);
    json_text_end_object(&written);
}

Test(resolution, is_the_answer_in_its_order)
{
    static const struct python_tokens none;

    write(NULL);
    expect_written("{\"model_type\":\"llama\",\"warnings\":[{\"parameter\":\"rope_scalling\"}],"
                   "\"uses\":[]}");
    write(&none);
    expect_written("{\"model_type\":\"llama\",\"warnings\":[{\"parameter\":\"rope_scalling\"}],"
                   "\"uses\":[]}");
}

Test(resolution, tells_of_tokens_before_what_is_in_the_answer)
{
    static const struct python_tokens tokens = {
        2, {{"NaN", 12, "time_step.0"}, {"-Infinity", 99, "limits.low"}}};

    write(&tokens);
    const json_t *const list = look_at(written_json(), "warnings", NULL);

    cr_assert_eq(json_array_size(list), 3);
    cr_expect_str_eq(look_at_text(json_array_get(list, 0), "parameter", NULL), "time_step.0");
    cr_expect_str_eq(look_at_text(json_array_get(list, 0), "detail", NULL),
                     "NaN at byte 12 is not JSON, though Python writes it; it was read as an empty "
                     "text.");
    cr_expect_str_eq(look_at_text(json_array_get(list, 1), "parameter", NULL), "limits.low");
    cr_expect_str_eq(look_at_text(json_array_get(list, 2), "parameter", NULL), "rope_scalling");
}

/* As many as are kept; a configuration that is full of them has been told so by then. */
Test(resolution, tells_of_the_first_sixteen_tokens)
{
    static struct python_tokens tokens = {.count = 1000};

    for (size_t i = 0; i < PYTHON_TOKENS_TOLD_MAX; i++) {
        tokens.items[i].text = "Infinity";
        (void)snprintf(tokens.items[i].parameter, sizeof tokens.items[i].parameter, "p.%zu", i);
    }
    write(&tokens);
    const json_t *const list = look_at(written_json(), "warnings", NULL);

    cr_assert_eq(json_array_size(list), 17);
    cr_expect_str_eq(look_at_text(json_array_get(list, 15), "parameter", NULL), "p.15");
}
