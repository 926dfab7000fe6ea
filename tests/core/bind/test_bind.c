/* Binding: which row a name means, presets, defaults, nulls, and the order of complaints. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

static const struct posenc_parameter inner_rows[] = {
    {.name = "factor", .type = POSENC_TYPE_REAL, .meaning = "a factor"},
    {.name = "kind",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("x"),
     .choices = POSENC__NAMES("x", "y")},
    {.name = NULL},
};

static const struct posenc_parameter rows[] = {
    {.name = "dim",
     .type = POSENC_TYPE_INTEGER,
     .flags = POSENC_FROM_TENSOR,
     .minimum = 1,
     .maximum = 100,
     .aliases = POSENC__NAMES("d_model", "width"),
     .meaning = "the width"},
    {.name = "layout",
     .type = POSENC_TYPE_CHOICE,
     .choices = POSENC__NAMES("half", "interleaved"),
     .fallback_note = "half is llama's, interleaved GPT-J's",
     .meaning = "the layout"},
    {.name = "base", .type = POSENC_TYPE_REAL, POSENC__DEFAULT_NUMBER(10000)},
    {.name = "padding", .type = POSENC_TYPE_INTEGER, POSENC__DEFAULT_NULL},
    {.name = "open",
     .type = POSENC_TYPE_OBJECT,
     .flags = POSENC_OPTIONAL | POSENC_OPEN,
     .members = inner_rows},
    {.name = "closed", .type = POSENC_TYPE_OBJECT, .flags = POSENC_OPTIONAL, .members = inner_rows},
    {.name = NULL},
};

static void double_base(struct posenc_arguments *arguments)
{
    if (!posenc__given(arguments, "base"))
        posenc__resolve(arguments, "base", posenc_number(2 * posenc__real(arguments, "base")));
}

static const struct posenc_preset presets[] = {
    {.name = "model",
     .settings = {POSENC__SET_TEXT("layout", "interleaved"), POSENC__SET_NUMBER("base", 7),
                  POSENC__SET_NUMBER("padding", 1), POSENC__SET_TEXT("closed.kind", "y")}},
    {.name = "doubled", .settings = {POSENC__SET_TEXT("layout", "half")}, .complete = double_base},
    {.name = NULL},
};

static const struct posenc_parameter *const groups[] = {rows, posenc__preset_rows, NULL};
static const struct posenc_parameter extra[] = {
    {.name = "format", .type = POSENC_TYPE_TEXT, POSENC__DEFAULT_TEXT("json")},
    {.name = NULL},
};

static enum posenc_status bind_with(struct asked *asked, const char *query,
                                    const struct posenc_member *members, size_t count)
{
    static const struct posenc_schema schema = {groups, extra, presets, false};

    asked_init(asked);
    const struct posenc_value input = support_object(&asked->memory, query, members, count);

    return posenc_bind(&schema, &input, &asked->memory, &asked->arguments, &asked->problem);
}

static enum posenc_status bind(struct asked *asked, const char *query)
{
    return bind_with(asked, query, NULL, 0);
}

static const struct posenc_argument *argument(const struct asked *asked, const char *name)
{
    const struct posenc_argument *found = posenc_find_argument(&asked->arguments, name);

    cr_assert_not_null(found, "%s", name);
    return found;
}

Test(bind, takes_canonical_names_aliases_and_the_callers_own_rows)
{
    struct asked asked;

    cr_assert_eq(bind(&asked, "width=6&layout=half&format=npy"), POSENC_OK);
    cr_expect_eq(argument(&asked, "dim")->value.as.number, 6);
    cr_expect_eq(argument(&asked, "dim")->origin, POSENC_GIVEN);
    cr_expect_str_eq(argument(&asked, "format")->value.as.text, "npy");
    cr_expect_eq(argument(&asked, "base")->value.as.number, 10000);
    cr_expect_eq(argument(&asked, "base")->origin, POSENC_FROM_FALLBACK);
    cr_expect_eq(argument(&asked, "open")->origin, POSENC_ABSENT);
    asked_release(&asked);
}

Test(bind, a_null_beside_a_value_under_another_name_says_nothing)
{
    static const char *const queries[] = {"dim=null&width=6&layout=half",
                                          "d_model=6&dim=null&width=null&layout=half"};

    for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
        struct asked asked;

        cr_assert_eq(bind(&asked, queries[i]), POSENC_OK, "%s", asked.problem.detail);
        cr_expect_eq(argument(&asked, "dim")->value.as.number, 6);
        cr_expect_eq(argument(&asked, "dim")->origin, POSENC_GIVEN);
        asked_release(&asked);
    }
}

Test(bind, a_value_under_two_names_is_refused_also_when_the_two_agree)
{
    struct asked asked;

    cr_expect_eq(bind(&asked, "dim=6&width=6&layout=half"), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "width");
    asked_release(&asked);
    cr_expect_eq(bind(&asked, "dim=null&width=6&d_model=6&layout=half"), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "d_model");
    asked_release(&asked);
}

Test(bind, reports_an_unknown_name_before_all_other_faults)
{
    static const char *const queries[] = {
        "dmi=6&layout=half",          /* dim is missing because of it */
        "dim=text&dmi=6&layout=half", /* a value of the wrong type */
        "preset=nosuch&dmi=6",        /* a preset that does not exist */
        "dim=6&layout=nosuch&dmi=6",  /* a choice that does not exist */
    };

    for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
        struct asked asked;

        cr_expect_eq(bind(&asked, queries[i]), POSENC_UNKNOWN_PARAMETER, "%s", queries[i]);
        cr_expect_str_eq(asked.problem.parameter, "dmi");
        cr_expect_str_eq(asked.problem.suggestion, "dim");
        cr_expect_not_null(strstr(asked.problem.detail, "did you mean 'dim'?"));
        asked_release(&asked);
    }
}

struct slip {
    const char *name, *suggestion;
};

Test(bind, suggests_the_nearest_name_or_alias_or_nothing)
{
    static const struct slip slips[] = {
        {"layuot", "layout"},  {"d_modle", "d_model"}, {"bsae", "base"},    {"formta", "format"},
        {"pading", "padding"}, {"wdith", "width"},     {"quaternions", ""}, {"", ""},
        {"presets", "preset"},
    };

    for (size_t i = 0; i < sizeof(slips) / sizeof(*slips); i++) {
        const struct posenc_member member = {slips[i].name, posenc_number(1)};
        struct asked asked;

        cr_expect_eq(bind_with(&asked, "", &member, 1), POSENC_UNKNOWN_PARAMETER);
        cr_expect_str_eq(asked.problem.suggestion, slips[i].suggestion, "%s", slips[i].name);
        asked_release(&asked);
    }
}

Test(bind, refuses_one_parameter_under_two_names)
{
    struct asked asked;

    cr_assert_eq(bind(&asked, "dim=6&d_model=6&layout=half"), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "d_model");
    cr_expect_not_null(strstr(asked.problem.detail, "'dim'"));
    asked_release(&asked);
}

Test(bind, says_what_is_missing_and_what_to_choose_from)
{
    struct asked asked;

    cr_assert_eq(bind(&asked, "dim=6"), POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "layout");
    cr_expect_eq(asked.problem.allowed_count, 2);
    cr_expect(is_allowed(&asked.problem, "interleaved"));
    cr_expect_not_null(strstr(asked.problem.detail, "GPT-J"));
    asked_release(&asked);

    cr_assert_eq(bind(&asked, "layout=half"), POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "dim");
    cr_expect_not_null(strstr(asked.problem.detail, "the width"));
    asked_release(&asked);
}

Test(bind, a_wrong_value_is_reported_before_a_missing_one)
{
    struct asked asked;

    cr_assert_eq(bind(&asked, "base=x"), POSENC_WRONG_TYPE);
    cr_expect_str_eq(asked.problem.parameter, "base");
    asked_release(&asked);
}

Test(bind, a_tensor_may_tell_what_is_otherwise_required)
{
    const struct posenc_schema schema = {groups, NULL, presets, true};
    struct asked asked;

    asked_init(&asked);
    const struct posenc_value input = support_object(&asked.memory, "layout=half", NULL, 0);

    cr_assert_eq(posenc_bind(&schema, &input, &asked.memory, &asked.arguments, &asked.problem),
                 POSENC_OK);
    cr_expect_eq(argument(&asked, "dim")->origin, POSENC_ABSENT);
    asked_release(&asked);
}

Test(bind, a_preset_overrides_defaults_and_explicit_values_override_it)
{
    struct asked asked;

    cr_assert_eq(bind(&asked, "preset=model&dim=6&base=3"), POSENC_OK);
    cr_expect_eq(argument(&asked, "base")->value.as.number, 3);
    cr_expect_eq(argument(&asked, "base")->origin, POSENC_GIVEN);
    cr_expect_eq(argument(&asked, "layout")->choice, 1);
    cr_expect_eq(argument(&asked, "layout")->origin, POSENC_FROM_PRESET);
    cr_expect_eq(argument(&asked, "padding")->value.as.number, 1);
    cr_expect_eq(argument(&asked, "closed")->origin, POSENC_ABSENT);
    asked_release(&asked);
}

Test(bind, a_preset_sets_members_of_an_object_that_is_given)
{
    const struct posenc_member inner[] = {{"factor", posenc_number(2)}};
    const struct posenc_member members[] = {{"closed", posenc_object(inner, 1)}};
    struct asked asked;

    cr_assert_eq(bind_with(&asked, "preset=model&dim=6", members, 1), POSENC_OK);
    const struct posenc_value *closed = &argument(&asked, "closed")->value;

    cr_expect_str_eq(posenc_find_member(closed, "kind")->as.text, "y");
    asked_release(&asked);
}

Test(bind, a_preset_completes_what_follows_from_other_parameters)
{
    struct asked asked;

    cr_assert_eq(bind(&asked, "preset=doubled&dim=6"), POSENC_OK);
    cr_expect_eq(argument(&asked, "base")->value.as.number, 20000);
    asked_release(&asked);
    cr_assert_eq(bind(&asked, "preset=doubled&dim=6&base=5"), POSENC_OK);
    cr_expect_eq(argument(&asked, "base")->value.as.number, 5);
    asked_release(&asked);
}

Test(bind, a_preset_that_is_not_there_is_answered_with_those_that_are)
{
    struct asked asked;

    cr_assert_eq(bind(&asked, "preset=modle&dim=6"), POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.parameter, "preset");
    cr_expect_str_eq(asked.problem.value, "modle");
    cr_expect_str_eq(asked.problem.suggestion, "model");
    cr_expect_eq(asked.problem.allowed_count, 2);
    cr_expect(is_allowed(&asked.problem, "doubled"));
    asked_release(&asked);
}

Test(bind, a_preset_that_is_no_text_is_of_the_wrong_type)
{
    const struct posenc_member member = {"preset", posenc_number(3)};
    struct asked asked;

    cr_assert_eq(bind_with(&asked, "dim=6&layout=half", &member, 1), POSENC_WRONG_TYPE);
    cr_expect_str_eq(asked.problem.parameter, "preset");
    asked_release(&asked);
}

Test(bind, null_asks_for_the_default)
{
    const struct posenc_member nulls[] = {
        {"base", posenc_null()}, {"open", posenc_null()}, {"preset", posenc_null()}};
    struct asked asked;

    cr_assert_eq(bind_with(&asked, "dim=6&layout=half", nulls, 3), POSENC_OK);
    cr_expect_eq(argument(&asked, "base")->value.as.number, 10000);
    cr_expect_eq(argument(&asked, "base")->origin, POSENC_FROM_FALLBACK);
    cr_expect_eq(argument(&asked, "open")->origin, POSENC_ABSENT);
    asked_release(&asked);
    cr_assert_eq(bind(&asked, "dim=null&layout=half"), POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "dim");
    asked_release(&asked);
}

Test(bind, null_overrides_a_preset_where_null_is_a_value)
{
    struct asked asked;

    cr_assert_eq(bind(&asked, "preset=model&dim=6&padding=null&base=null"), POSENC_OK);
    cr_expect_not(posenc__present(&asked.arguments, "padding"));
    cr_expect_neq(argument(&asked, "padding")->origin, POSENC_ABSENT);
    cr_expect_eq(argument(&asked, "base")->value.as.number, 7);
    asked_release(&asked);
}

Test(bind, members_of_an_object_have_dotted_paths)
{
    const struct posenc_member unknown[] = {{"facto", posenc_number(2)}};
    const struct posenc_member wrong[] = {{"factor", posenc_text("two")}};
    struct asked asked;

    cr_assert_eq(bind_with(&asked, "dim=6&layout=half",
                           &(struct posenc_member){"closed", posenc_object(unknown, 1)}, 1),
                 POSENC_UNKNOWN_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "closed.facto");
    cr_expect_str_eq(asked.problem.suggestion, "factor");
    asked_release(&asked);
    cr_assert_eq(bind_with(&asked, "dim=6&layout=half",
                           &(struct posenc_member){"closed", posenc_object(wrong, 1)}, 1),
                 POSENC_WRONG_TYPE);
    cr_expect_str_eq(asked.problem.parameter, "closed.factor");
    asked_release(&asked);
    cr_assert_eq(bind_with(&asked, "dim=6&layout=half",
                           &(struct posenc_member){"closed", posenc_object(NULL, 0)}, 1),
                 POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "closed.factor");
    asked_release(&asked);
}

Test(bind, an_open_object_warns_of_members_without_a_row)
{
    const struct posenc_member inner[] = {{"mystery", posenc_text("a")},
                                          {"factor", posenc_number(2)}};
    struct asked asked;

    cr_assert_eq(bind_with(&asked, "dim=6&layout=half",
                           &(struct posenc_member){"open", posenc_object(inner, 2)}, 1),
                 POSENC_OK);
    cr_assert_eq(asked.arguments.warning_count, 1);
    cr_expect_str_eq(asked.arguments.warnings[0].parameter, "open.mystery");
    const struct posenc_value *open = &argument(&asked, "open")->value;

    cr_expect_eq(posenc_find_member(open, "factor")->as.number, 2);
    cr_expect_str_eq(posenc_find_member(open, "kind")->as.text, "x");
    cr_expect_null(posenc_find_member(open, "mystery"));
    asked_release(&asked);
}

Test(bind, counts_more_warnings_than_it_keeps)
{
    enum { MANY = 1000 };
    static struct posenc_member inner[MANY + 1];
    static char names[MANY][8];
    struct asked asked;

    for (size_t i = 0; i < MANY; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "z%zu", i);
        inner[i] = (struct posenc_member){names[i], posenc_null()};
    }
    inner[MANY] = (struct posenc_member){"factor", posenc_number(2)};
    cr_assert_eq(bind_with(&asked, "dim=6&layout=half",
                           &(struct posenc_member){"open", posenc_object(inner, MANY + 1)}, 1),
                 POSENC_OK);
    cr_expect_eq(asked.arguments.warning_count, MANY);
    cr_expect_str_eq(asked.arguments.warnings[POSENC_WARNINGS_MAX - 1].parameter, "open.z99");
    asked_release(&asked);
}

Test(bind, refuses_what_is_no_object)
{
    const struct posenc_schema schema = {groups, NULL, NULL, false};
    const struct posenc_value inputs[] = {posenc_null(), posenc_number(3), posenc_text("dim"),
                                          posenc_numbers(NULL, 0)};

    for (size_t i = 0; i < sizeof(inputs) / sizeof(*inputs); i++) {
        struct asked asked;

        asked_init(&asked);
        cr_expect_eq(
            posenc_bind(&schema, &inputs[i], &asked.memory, &asked.arguments, &asked.problem),
            POSENC_WRONG_TYPE);
        asked_release(&asked);
    }
}

Test(bind, a_name_of_any_length_is_refused_whole_or_cut)
{
    char name[3000];
    const struct posenc_member member = {name, posenc_number(1)};
    struct asked asked;

    memset(name, 'd', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    cr_assert_eq(bind_with(&asked, "dim=6", &member, 1), POSENC_UNKNOWN_PARAMETER);
    cr_expect_eq(strlen(asked.problem.parameter), POSENC_PATH_MAX - 1);
    cr_expect_str_eq(asked.problem.suggestion, "");
    asked_release(&asked);
}

Test(bind, ends_well_at_every_memory_limit)
{
    const struct posenc_schema schema = {groups, extra, presets, false};
    const struct posenc_member inner[] = {{"factor", posenc_number(2)}, {"odd", posenc_null()}};
    const struct posenc_member members[] = {{"dim", posenc_number(6)},
                                            {"layout", posenc_text("half")},
                                            {"open", posenc_object(inner, 2)}};
    const struct posenc_value input = posenc_object(members, 3);
    enum posenc_status status = POSENC_NO_MEMORY;

    for (size_t limit = 0; status != POSENC_OK; limit += 64) {
        struct asked asked;

        posenc_memory_init(&asked.memory, limit);
        status = posenc_bind(&schema, &input, &asked.memory, &asked.arguments, &asked.problem);
        cr_assert(status == POSENC_OK || status == POSENC_NO_MEMORY);
        cr_assert(status != POSENC_OK || limit > 0, "an object needs memory");
        asked_release(&asked);
    }
}
