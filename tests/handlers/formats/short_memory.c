#include "short_memory.h"

#include <criterion/criterion.h>

size_t expect_no_memory_first(const struct format *format, const struct format_input *input)
{
    for (size_t limit = 0; limit < (size_t)1 << 24; limit += limit / 8 + 64) {
        struct posenc_memory memory;
        struct format_body body = {0};
        struct posenc_problem problem;

        posenc_memory_init(&memory, limit);
        const enum posenc_status status = format->open(input, &memory, &body, &problem);

        posenc_memory_release(&memory);
        if (status == POSENC_OK) {
            cr_expect_gt(limit, 0);
            return limit;
        }
        cr_assert_eq(status, POSENC_NO_MEMORY);
        cr_assert_eq(problem.status, POSENC_NO_MEMORY);
        cr_assert_neq(problem.detail[0], '\0');
    }
    cr_assert_fail("so small an answer needs less than this");
    return 0;
}
