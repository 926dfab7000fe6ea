#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "hash_token.h"
#include "token.h"

static char said[1024];

/* What it writes, on either stream. */
static int run(const char *name, const char *input)
{
    FILE *in = fmemopen((void *)(uintptr_t)input, strlen(input), "r");
    FILE *out = fmemopen(said, sizeof(said), "w");
    int status;

    cr_assert(in && out);
    memset(said, 0, sizeof(said));
    status = hash_token(name, in, out, out);
    cr_assert_eq(fclose(in), 0);
    cr_assert_eq(fclose(out), 0);
    return status;
}

Test(hash_token, writes_a_line_that_the_file_of_tokens_takes)
{
    /* printf correct-horse-battery-staple | sha256sum */
    static const char digest[] = "87cbebfeebc05f7c54ac9336c4b4bbec831227a641951a4bde7edd56020f8590";
    static struct token_list list;
    char problem[TOKEN_PROBLEM_MAX] = "", line[128];

    cr_expect_eq(run("ci", "correct-horse-battery-staple\n"), EXIT_SUCCESS);
    (void)snprintf(line, sizeof(line), "ci:sha256:%s\n", digest);
    cr_expect_str_eq(said, line);
    cr_expect(token_list_parse(said, strlen(said), &list, problem), "%s", problem);
    cr_expect_eq(run(NULL, "correct-horse-battery-staple"), EXIT_SUCCESS);
    (void)snprintf(line, sizeof(line), "token:sha256:%s\n", digest);
    cr_expect_str_eq(said, line);
}

Test(hash_token, refuses_what_is_no_token_without_repeating_it)
{
    static const struct {
        const char *name, *input, *words;
    } rows[] = {
        {"a", "\n", "one token"},
        {"a", "secret with blanks, long enough", "one token"},
        {"a", "secret-token-of-one-line\nand-another-one", "one token"},
        {"a", "secret-token-of-windows\r\n", "one token"},
        {"a", "short-secret-15", "too short"},
        {"", "secret-long-enough", "a name"},
        {"a:b", "secret-long-enough", "a name"},
    };
    char longest[TOKEN_BYTES_MAX + 2];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_expect_eq(run(rows[i].name, rows[i].input), EXIT_FAILURE, "row %zu", i);
        cr_expect(strstr(said, rows[i].words), "row %zu: %s", i, said);
        cr_expect_not(strstr(said, "secret"), "row %zu: %s", i, said);
    }
    memset(longest, 'a', sizeof(longest));
    longest[TOKEN_BYTES_MAX + 1] = '\0';
    cr_expect_eq(run("a", longest), EXIT_FAILURE);
    longest[TOKEN_BYTES_MAX] = '\0';
    cr_expect_eq(run("a", longest), EXIT_SUCCESS);
}
