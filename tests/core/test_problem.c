/* Problems and warnings. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

Test(problem, every_status_has_words_of_its_own)
{
    for (int a = POSENC_OK; a <= POSENC_NO_MEMORY; a++)
        for (int b = POSENC_OK; b < a; b++)
            cr_expect_str_neq(posenc_status_text((enum posenc_status)a),
                              posenc_status_text((enum posenc_status)b));
    cr_expect_str_eq(posenc_status_text(POSENC_MISSING_PARAMETER), "missing parameter");
    cr_expect_not_null(posenc_status_text((enum posenc_status)999));
}

Test(problem, a_refusal_overwrites_all_of_the_problem_before)
{
    struct posenc_problem problem;

    memset(&problem, 0x41, sizeof(problem));
    cr_assert_eq(posenc__refuse(&problem, POSENC_CONFLICT, "a.b", "'%s' and %d.", "x", 7),
                 POSENC_CONFLICT);
    cr_expect_eq(problem.status, POSENC_CONFLICT);
    cr_expect_str_eq(problem.parameter, "a.b");
    cr_expect_str_eq(problem.detail, "'x' and 7.");
    cr_expect_str_eq(problem.value, "");
    cr_expect_str_eq(problem.suggestion, "");
    cr_expect_eq(problem.allowed_count, 0);
}

Test(problem, long_texts_are_cut_and_ended)
{
    char name[2000];
    struct posenc_problem problem;

    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    (void)posenc__refuse(&problem, POSENC_CONFLICT, name, "%s", name);
    cr_expect_eq(strlen(problem.parameter), POSENC_PATH_MAX - 1);
    cr_expect_eq(strlen(problem.detail), POSENC_DETAIL_MAX - 1);
}

Test(problem, warnings_past_the_limit_are_counted_only)
{
    struct posenc_memory memory;
    struct posenc_arguments arguments = {0};

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (int i = 0; i < POSENC_WARNINGS_MAX + 20; i++) {
        char name[16];

        (void)snprintf(name, sizeof(name), "p%d", i);
        posenc__warn(&arguments, &memory, name, "number %d", i);
    }
    cr_expect_eq(arguments.warning_count, POSENC_WARNINGS_MAX + 20);
    cr_expect_str_eq(arguments.warnings[0].parameter, "p0");
    cr_expect_str_eq(arguments.warnings[POSENC_WARNINGS_MAX - 1].parameter, "p99");
    cr_expect_str_eq(arguments.warnings[POSENC_WARNINGS_MAX - 1].detail, "number 99");
    posenc_memory_release(&memory);
}

Test(problem, a_warning_without_memory_is_not_counted_as_one_that_can_be_read)
{
    struct posenc_memory memory;
    struct posenc_arguments arguments = {0};

    posenc_memory_init(&memory, 100);
    posenc__warn(&arguments, &memory, "p", "words");
    cr_expect_null(arguments.warnings);
    cr_expect_eq(arguments.warning_count, 0);
    memory.limit = POSENC_MEMORY_DEFAULT;
    posenc__warn(&arguments, &memory, "q", "words");
    cr_assert_eq(arguments.warning_count, 1);
    cr_expect_str_eq(arguments.warnings[0].parameter, "q");
    posenc_memory_release(&memory);
}
