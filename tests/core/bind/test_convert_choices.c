/* Lists of choices, by the one parameter that takes them: the types of deberta's scores. */
#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

static const double zeros[512];

static enum posenc_status ask_types(struct asked *asked, const char *query,
                                    const struct posenc_value *types, bool with_tables)
{
    const struct posenc_member tensors[] = {
        {"q", support_array(zeros, 2, (const size_t[]){2, 1})},
        {"k", support_array(zeros, 2, (const size_t[]){2, 1})},
        {"pos_key", support_array(zeros, 2, (const size_t[]){512, 1})},
        {"pos_query", support_array(zeros, 2, (const size_t[]){512, 1})},
    };
    struct posenc_member members[5];
    size_t count = with_tables ? 4 : 2;

    memcpy(members, tensors, sizeof(tensors));
    if (types)
        members[count++] = (struct posenc_member){"types", *types};
    return ask_with(asked, "deberta/apply", query, members, count);
}

/* The echo of `types` is a list of these, up to the first NULL. */
static void assert_echo(const struct posenc_result *result, const char *const *names)
{
    const struct posenc_value parameters =
        posenc_object(result->parameters.items, result->parameters.count);
    const struct posenc_value *types = posenc_find_member(&parameters, "types");
    size_t count = 0;

    cr_assert_not_null(types);
    cr_assert_eq(types->kind, POSENC_LIST);
    for (; names[count]; count++)
        cr_assert_str_eq(types->as.list.items[count].as.text, names[count]);
    cr_assert_eq(types->as.list.count, count);
}

static struct posenc_value list_of(const struct posenc_value *items, size_t count)
{
    return (struct posenc_value){.kind = POSENC_LIST, .as.list = {items, count}};
}

Test(convert_choices, a_list_of_texts_and_one_with_commas_are_the_same)
{
    const struct posenc_value items[] = {posenc_text("p2c"), posenc_text("c2p")};
    const struct posenc_value list = list_of(items, 2);
    struct asked asked;

    cr_assert_eq(ask_types(&asked, "", &list, true), POSENC_OK, "%s", asked.problem.detail);
    assert_echo(&asked.result, (const char *const[]){"p2c", "c2p", NULL});
    asked_release(&asked);
    cr_assert_eq(ask_types(&asked, "types=p2c,c2p", NULL, true), POSENC_OK);
    assert_echo(&asked.result, (const char *const[]){"p2c", "c2p", NULL});
    cr_expect_eq(asked.result.tensor_count, 4);
    asked_release(&asked);
}

Test(convert_choices, an_empty_list_chooses_nothing_and_no_list_leaves_it_open)
{
    const struct posenc_value empty = posenc_numbers(NULL, 0);
    struct asked asked;

    cr_assert_eq(ask_types(&asked, "", &empty, false), POSENC_OK, "%s", asked.problem.detail);
    cr_expect_eq(asked.result.tensor_count, 2);
    assert_echo(&asked.result, (const char *const[]){NULL});
    asked_release(&asked);
    cr_assert_eq(ask_types(&asked, "", &empty, true), POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "pos_key");
    asked_release(&asked);
    cr_assert_eq(ask_types(&asked, "", NULL, true), POSENC_OK);
    assert_echo(&asked.result, (const char *const[]){"c2p", "p2c", NULL});
    asked_release(&asked);
}

Test(convert_choices, refuses_what_is_no_choice_or_comes_twice)
{
    const struct posenc_value unknown[] = {posenc_text("c2p"), posenc_text("p2p")};
    const struct posenc_value number[] = {posenc_text("c2p"), posenc_number(1)};
    const struct posenc_value twice[] = {posenc_text("p2c"), posenc_text("p2c")};
    const struct {
        struct posenc_value value;
        enum posenc_status status;
        const char *parameter;
    } cases[] = {
        {list_of(unknown, 2), POSENC_OUT_OF_RANGE, "types.1"},
        {list_of(number, 2), POSENC_WRONG_TYPE, "types.1"},
        {list_of(twice, 2), POSENC_CONFLICT, "types.1"},
        {posenc_number(3), POSENC_WRONG_TYPE, "types"},
        {posenc_text("c2p"), POSENC_WRONG_TYPE, "types"},
        {posenc_numbers(zeros, 2), POSENC_WRONG_TYPE, "types"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(ask_types(&asked, "", &cases[i].value, true), cases[i].status, "%zu", i);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%zu", i);
        if (i == 0)
            cr_expect(is_allowed(&asked.problem, "c2p") && is_allowed(&asked.problem, "p2c"));
        asked_release(&asked);
    }
}
