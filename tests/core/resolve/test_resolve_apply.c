#include <criterion/criterion.h>
#include <string.h>

#include "facts.h"
#include "posenc_models.h"

static struct posenc_memory memory;
static struct posenc_value input;
static struct posenc_problem problem;
static const struct posenc_warning *warnings;
static size_t warning_count;

static void set_up(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void tear_down(void)
{
    posenc_memory_release(&memory);
}

TestSuite(resolve_apply, .init = set_up, .fini = tear_down);

/* A request written as facts. */
static enum posenc_status apply(const char *encoding, const char *request)
{
    const struct posenc_encoding *found = posenc_find(encoding);

    cr_assert(posenc__read_facts(request, &memory, &input));
    return posenc_apply_model(found, posenc_find_operation(found, "table"), &input, &memory,
                              &warnings, &warning_count, &problem);
}

static double number_of(const char *name)
{
    const struct posenc_value *value = posenc__find_path(&input, name);

    cr_assert(value, "no %s", name);
    cr_assert_eq(value->kind, POSENC_NUMBER);
    return value->as.number;
}

Test(resolve_apply, leaves_other_requests_alone)
{
    cr_expect_eq(apply("rope", "dim=8 length=2"), POSENC_OK);
    cr_expect_eq(input.as.object.count, 2);
    cr_expect_eq(warning_count, 0);
}

Test(resolve_apply, takes_a_built_in_models_parameters)
{
    cr_assert_eq(apply("rope", "model=llama-3.1-8b layer=3 length=2"), POSENC_OK, "%s",
                 problem.detail);
    cr_expect_eq(number_of("dim"), 128);
    cr_expect_eq(number_of("base"), 500000);
    cr_expect_eq(number_of("scaling.factor"), 8);
    cr_expect_eq(number_of("length"), 2);
    cr_expect_null(posenc_find_member(&input, "model"));
    cr_expect_null(posenc_find_member(&input, "layer"));
    cr_expect_eq(warning_count, 0);
}

Test(resolve_apply, lets_the_requests_own_parameters_win_by_any_name)
{
    cr_assert_eq(apply("rope", "model=phi-2 theta=7 partial_rotary_factor=0.5"), POSENC_OK);
    cr_expect_null(posenc_find_member(&input, "base"));
    cr_expect_eq(number_of("theta"), 7);
    cr_expect_null(posenc_find_member(&input, "rotary_dim"));
    cr_expect_eq(number_of("dim"), 80);
}

Test(resolve_apply, chooses_a_layer_by_index_or_type)
{
    cr_assert_eq(apply("rope", "model=gemma-3-4b layer=0"), POSENC_OK);
    cr_expect_eq(number_of("base"), 1e4);
    cr_assert_eq(apply("rope", "model=gemma-3-4b layer=5"), POSENC_OK);
    cr_expect_eq(number_of("base"), 1e6);
    cr_assert_eq(apply("rope", "model=gemma-3-4b layer=sliding_attention"), POSENC_OK);
    cr_expect_eq(number_of("base"), 1e4);
}

Test(resolve_apply, warns_where_layers_differ_and_none_is_named)
{
    cr_assert_eq(apply("rope", "model=gemma-3-4b"), POSENC_OK);
    cr_assert_eq(warning_count, 1);
    cr_expect_str_eq(warnings[0].parameter, "layer");
    cr_expect_eq(number_of("base"), 1e6);
}

Test(resolve_apply, serves_other_encodings)
{
    cr_assert_eq(apply("alibi", "model=mpt-7b query_length=2"), POSENC_OK);
    cr_expect_eq(number_of("heads"), 32);
    cr_assert_eq(apply("learned", "model=gpt2"), POSENC_OK);
    cr_expect_eq(number_of("rows"), 1024);
    cr_assert_eq(apply("sinusoidal", "model=whisper-tiny"), POSENC_OK);
    cr_expect_eq(number_of("dim"), 384);
}

Test(resolve_apply, passes_a_files_warnings_on)
{
    cr_assert_eq(apply("rope", "config.model_type=llama config.hidden_size=64 "
                               "config.num_attention_heads=4 config.num_hidden_layers=2"),
                 POSENC_OK);
    cr_assert_eq(warning_count, 1);
    cr_expect_str_eq(warnings[0].parameter, "config.rope_theta");
}

static const struct refusal {
    const char *encoding, *request;
    enum posenc_status status;
    const char *parameter, *suggestion;
} refusals[] = {
    {"rope", "layer=1", POSENC_MISSING_PARAMETER, "model", ""},
    {"rope", "model=lama-3.1-8b", POSENC_OUT_OF_RANGE, "model", "llama-3.1-8b"},
    {"rope", "model=3", POSENC_WRONG_TYPE, "model", ""},
    {"rope", "config=3", POSENC_WRONG_TYPE, "config", ""},
    {"rope", "model=gpt2 config.model_type=llama", POSENC_CONFLICT, "config", ""},
    {"rope", "model=gpt2", POSENC_CONFLICT, "model", ""},
    {"rope", "model=llama-3.1-8b layer=32", POSENC_OUT_OF_RANGE, "layer", ""},
    {"rope", "model=llama-3.1-8b layer=1.5", POSENC_OUT_OF_RANGE, "layer", ""},
    {"rope", "model=llama-3.1-8b layer=true", POSENC_WRONG_TYPE, "layer", ""},
    {"rope", "model=llama-3.1-8b layer=upstairs", POSENC_OUT_OF_RANGE, "layer", ""},
    {"rope", "model=llama-4-scout layer=3", POSENC_CONFLICT, "layer", ""},
    {"rope", "config.model_type=llama config.hidden_size=0", POSENC_OUT_OF_RANGE,
     "config.hidden_size", ""},
};

Test(resolve_apply, refuses_by_the_name_that_is_at_fault)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        cr_expect_eq(apply(refusals[i].encoding, refusals[i].request), refusals[i].status, "%s",
                     refusals[i].request);
        cr_expect_str_eq(problem.parameter, refusals[i].parameter, "%s: %s", refusals[i].request,
                         problem.detail);
        cr_expect_str_eq(problem.suggestion, refusals[i].suggestion);
    }
}
