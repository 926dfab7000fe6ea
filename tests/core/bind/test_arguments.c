/* Reading and resolving bound arguments. */
#include <criterion/criterion.h>

#include "support.h"

static const struct posenc_parameter rows[] = {
    {.name = "size", .type = POSENC_TYPE_INTEGER, POSENC__DEFAULT_NUMBER(6)},
    {.name = "real", .type = POSENC_TYPE_REAL, POSENC__DEFAULT_NUMBER(-0.5)},
    {.name = "flag", .type = POSENC_TYPE_BOOLEAN, POSENC__DEFAULT_BOOLEAN(true)},
    {.name = "kind",
     .type = POSENC_TYPE_CHOICE,
     POSENC__DEFAULT_TEXT("b"),
     .choices = POSENC__NAMES("a", "b", "c")},
    {.name = "list", .type = POSENC_TYPE_REALS, .flags = POSENC_OPTIONAL},
    {.name = "none", .type = POSENC_TYPE_INTEGER, POSENC__DEFAULT_NULL},
    {.name = NULL},
};

static void bind(struct asked *asked, const char *query)
{
    const struct posenc_parameter *const groups[] = {rows, posenc__dtype_rows, NULL};
    const struct posenc_schema schema = {.groups = groups};

    asked_init(asked);
    const struct posenc_value input = support_object(&asked->memory, query, NULL, 0);

    cr_assert_eq(posenc_bind(&schema, &input, &asked->memory, &asked->arguments, &asked->problem),
                 POSENC_OK);
}

Test(arguments, are_read_by_name)
{
    struct asked asked;

    bind(&asked, "list=1,2.5&dtype=bfloat16");
    cr_expect_eq(posenc__size(&asked.arguments, "size"), 6);
    cr_expect_eq(posenc__real(&asked.arguments, "real"), -0.5);
    cr_expect(posenc__boolean(&asked.arguments, "flag"));
    cr_expect_eq(posenc__choice(&asked.arguments, "kind"), 1);
    cr_expect_eq(posenc__dtype(&asked.arguments), POSENC_BFLOAT16);
    cr_expect_eq(posenc__array(&asked.arguments, "list")->shape[0], 2);
    cr_expect_null(posenc_find_argument(&asked.arguments, "lists"));
    asked_release(&asked);
}

Test(arguments, present_means_neither_absent_nor_null)
{
    struct asked asked;

    bind(&asked, "size=7&none=null");
    cr_expect(posenc__present(&asked.arguments, "size"));
    cr_expect(posenc__present(&asked.arguments, "real"));
    cr_expect_not(posenc__present(&asked.arguments, "none"));
    cr_expect_not(posenc__present(&asked.arguments, "list"));
    cr_expect_not(posenc__present(&asked.arguments, "no such row"));
    cr_expect_null(posenc__array(&asked.arguments, "list"));
    asked_release(&asked);
}

Test(arguments, given_means_by_the_request)
{
    struct asked asked;

    bind(&asked, "size=7");
    cr_expect(posenc__given(&asked.arguments, "size"));
    cr_expect_not(posenc__given(&asked.arguments, "real"));
    posenc__resolve(&asked.arguments, "size", posenc_number(8));
    cr_expect_not(posenc__given(&asked.arguments, "size"));
    cr_expect_eq(posenc__size(&asked.arguments, "size"), 8);
    asked_release(&asked);
}

Test(arguments, resolving_a_choice_sets_its_index)
{
    struct asked asked;

    bind(&asked, "");
    posenc__resolve(&asked.arguments, "kind", posenc_text("c"));
    cr_expect_eq(posenc__choice(&asked.arguments, "kind"), 2);
    cr_expect_eq(posenc_find_argument(&asked.arguments, "kind")->origin, POSENC_DERIVED);
    asked_release(&asked);
}

Test(arguments, a_dropped_argument_is_absent)
{
    struct asked asked;

    bind(&asked, "size=7");
    posenc__drop(&asked.arguments, "size");
    cr_expect_eq(posenc_find_argument(&asked.arguments, "size")->origin, POSENC_ABSENT);
    cr_expect_not(posenc__present(&asked.arguments, "size"));
    asked_release(&asked);
}
