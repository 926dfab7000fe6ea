#include "body_problem.h"

#include <criterion/criterion.h>
#include <string.h>

Test(body_problem, says_what_and_where_and_forgets_what_it_said_before)
{
    struct body_problem problem = {
        .no_memory = true, .offset = 1, .parameter = "old", .detail = "before"};

    cr_expect_not(body_fail(&problem, 17, "%d bytes are %s", 3, "too few"));
    cr_expect_not(problem.no_memory);
    cr_expect_eq(problem.offset, 17);
    cr_expect_str_eq(problem.parameter, "");
    cr_expect_str_eq(problem.detail, "3 bytes are too few");
}

Test(body_problem, is_one_of_memory_where_the_body_is_not_to_blame)
{
    struct body_problem problem = {.offset = 9, .parameter = "old"};

    cr_expect_not(body_fail_memory(&problem));
    cr_expect(problem.no_memory);
    cr_expect_eq(problem.offset, 0);
    cr_expect_str_eq(problem.parameter, "");
    cr_expect(strstr(problem.detail, "memory"));
}

Test(body_problem, cuts_a_sentence_that_has_no_room)
{
    char name[2 * POSENC_DETAIL_MAX];
    struct body_problem problem;

    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    cr_expect_not(body_fail(&problem, 0, "the name %s", name));
    cr_expect_eq(strlen(problem.detail), POSENC_DETAIL_MAX - 1);
    cr_expect_eq(strncmp(problem.detail, "the name nnn", 12), 0);
}
