#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "token.h"

/* Digests by sha256sum of coreutils. */
#define HORSE        "correct-horse-battery-staple"
#define HORSE_DIGEST "87cbebfeebc05f7c54ac9336c4b4bbec831227a641951a4bde7edd56020f8590"
#define SIGNS        "AbC0123456789-._~+/=="
#define SIGNS_DIGEST "DDECC75A59F76094C4497A91C2CA08C7A64C2ED900B519C1C0968623CA398F62"

static struct token_list list;

static bool parse(const char *text, char *problem)
{
    return token_list_parse(text, strlen(text), &list, problem);
}

static const char *name_of(const char *text)
{
    const struct token *token = token_list_find(&list, text, strlen(text));

    return token ? token->name : "";
}

Test(token, is_what_rfc_6750_says)
{
    static const char *const good[] = {"a", "a=", SIGNS, "mF_9.B5f-4.1JqM", "0==="};
    static const char *const bad[] = {"",   "=",   "a=b", "a b",   " a",
                                      "a ", "a\n", "a,b", "\"a\"", "a\x80"};
    char longest[TOKEN_BYTES_MAX + 1];

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        cr_expect(token_is_wellformed(good[i], strlen(good[i])), "%s", good[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect_not(token_is_wellformed(bad[i], strlen(bad[i])), "%s", bad[i]);
    cr_expect_not(token_is_wellformed("a\0b", 3));
    memset(longest, 'a', sizeof(longest));
    cr_expect(token_is_wellformed(longest, TOKEN_BYTES_MAX));
    cr_expect_not(token_is_wellformed(longest, TOKEN_BYTES_MAX + 1));
}

Test(token, is_found_by_its_digest_among_several)
{
    static const char text[] = "# who may call\n\n"
                               "alice:sha256:" HORSE_DIGEST "\r\n"
                               "ci.job_2:sha256:" SIGNS_DIGEST " \t\n"
                               "  \n";
    char problem[TOKEN_PROBLEM_MAX] = "";

    cr_assert(parse(text, problem), "%s", problem);
    cr_expect_eq(list.count, 2);
    cr_expect_str_eq(name_of(HORSE), "alice");
    cr_expect_str_eq(name_of(SIGNS), "ci.job_2");
    cr_expect_str_eq(name_of("correct-horse-battery-stapl"), "");
    cr_expect_str_eq(name_of("Correct-horse-battery-staple"), "");
    cr_expect_str_eq(name_of(HORSE_DIGEST), "", "a digest is no token");
    cr_expect_str_eq(name_of(""), "");
}

Test(token, may_share_its_name_so_that_one_can_follow_another)
{
    char problem[TOKEN_PROBLEM_MAX] = "";

    cr_assert(parse("a:sha256:" HORSE_DIGEST "\na:sha256:" SIGNS_DIGEST, problem), "%s", problem);
    cr_expect_str_eq(name_of(HORSE), "a");
    cr_expect_str_eq(name_of(SIGNS), "a");
}

Test(token, file_is_refused_with_the_number_of_the_line_and_never_shows_a_secret)
{
    static const struct {
        const char *text, *said;
    } rows[] = {
        {"", "no token"},
        {"# nothing but words\n\n", "no token"},
        {"secret-in-plain-text\n", "line 1 is not"},
        {"\na:sha256\n", "line 2 is not"},
        {":sha256:" HORSE_DIGEST, "line 1 is not"},
        {"a b:sha256:" HORSE_DIGEST, "line 1 is not"},
        {" a:sha256:" HORSE_DIGEST, "line 1 is not"},
        {"a:md5:" HORSE_DIGEST, "line 1 is not"},
        {"a:sha256:secret", "line 1 (a): the digest"},
        {"a:sha256:" HORSE_DIGEST "0", "line 1 (a): the digest"},
        {"a:sha256:" HORSE_DIGEST "\nb:sha256:8" HORSE_DIGEST, "line 2 (b): the digest"},
        {"a:sha256:x7cbebfeebc05f7c54ac9336c4b4bbec831227a641951a4bde7edd56020f8590", "64"},
        {"a:sha256:" HORSE_DIGEST "\n#\nb:sha256:" HORSE_DIGEST,
         "line 3 (b) has the digest of an earlier line (a)"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char problem[TOKEN_PROBLEM_MAX] = "";

        cr_expect_not(parse(rows[i].text, problem), "row %zu", i);
        cr_expect(strstr(problem, rows[i].said), "row %zu: %s", i, problem);
        cr_expect_not(strstr(problem, "secret"), "row %zu: %s", i, problem);
        cr_expect_not(strchr(problem, '\n'));
    }
    cr_expect_not(token_list_parse("a:sha256:\0", 10, &list, (char[TOKEN_PROBLEM_MAX]){0}));
}

Test(token, file_holds_so_many_and_not_one_more)
{
    const size_t line_size = sizeof("t:sha256:") - 1 + 65;
    char *text = calloc(TOKENS_MAX + 1, line_size + 1), problem[TOKEN_PROBLEM_MAX] = "";

    cr_assert(text);
    for (unsigned i = 0; i <= TOKENS_MAX; i++)
        (void)sprintf(text + i * line_size, "t:sha256:%064x\n", i);
    cr_expect(token_list_parse(text, TOKENS_MAX * line_size, &list, problem), "%s", problem);
    cr_expect_eq(list.count, TOKENS_MAX);
    cr_expect_not(token_list_parse(text, (TOKENS_MAX + 1) * line_size, &list, problem));
    cr_expect(strstr(problem, "line 1025"), "%s", problem);
    cr_expect_leq((TOKENS_MAX + 1) * line_size, TOKENS_BYTES_MAX);
    free(text);
}

Test(token, name_is_64_harmless_letters_at_most)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

    cr_expect(token_name_is_usable(name, 64));
    cr_expect_not(token_name_is_usable(name, 65));
    cr_expect_not(token_name_is_usable(name, 0));
    cr_expect_not(token_name_is_usable("a:b", 3));
}
