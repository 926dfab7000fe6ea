#include "picture_body.h"

#include <criterion/criterion.h>

#include "writing.h"

WRITING_SUITE(picture_body);

Test(picture_body, gives_the_bytes_that_it_was_made_of)
{
    struct format_body body = {0};
    struct posenc_problem problem;
    char bytes[8];

    cr_assert_eq(picture_open("\x89PNG\0\1", 6, &memory, &body, &problem), POSENC_OK);
    cr_expect_eq(body.length, 6);
    cr_expect_eq(body.read(body.state, 0, bytes, sizeof bytes), 6);
    cr_expect_arr_eq(bytes, "\x89PNG\0\1", 6);
}

Test(picture_body, says_when_memory_is_out)
{
    struct format_body body = {0};
    struct posenc_problem problem;

    memory.limit = 0;
    cr_expect_eq(picture_open("abc", 3, &memory, &body, &problem), POSENC_NO_MEMORY);
    cr_expect_eq(problem.status, POSENC_NO_MEMORY);
}
