#include <criterion/criterion.h>
#include <string.h>

#include "level.h"
#include "posenc.h"

Test(level, has_a_public_name_that_says_what_runs)
{
    const char *name = posenc_kernel_level();

    cr_expect_eq(strcmp(name, "avx512") == 0, posenc__level_runs(POSENC__AVX512));
    cr_expect_eq(strcmp(name, "plain") == 0, !posenc__level_runs(POSENC__AVX2));
    cr_expect(strcmp(name, "plain") == 0 || strncmp(name, "avx", 3) == 0, "%s", name);
}
