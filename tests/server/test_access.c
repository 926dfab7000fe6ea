#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access.h"

/* sha256sum of "correct-horse-battery-staple" and of "second-token-0123456789". */
#define FIRST  "first:sha256:87cbebfeebc05f7c54ac9336c4b4bbec831227a641951a4bde7edd56020f8590\n"
#define SECOND "second:sha256:27f11cd7cbbf36c6d1b8504ef9485ac46f813bc4472d57f1f1026e8103b45444\n"

static char path[] = "/tmp/posenc-test-access-XXXXXX", problem[TOKEN_PROBLEM_MAX];
static struct access *access_under_test;

static void setup(void)
{
    const int fd = mkstemp(path);

    cr_assert_geq(fd, 0);
    (void)close(fd);
    access_under_test = access_new();
    cr_assert(access_under_test);
}

static void teardown(void)
{
    access_free(access_under_test);
    (void)unlink(path);
}

TestSuite(access, .init = setup, .fini = teardown);

/* Reads a file of that text and mode. */
static bool read_text(const char *text, mode_t mode, bool *is_public)
{
    FILE *file = fopen(path, "w");
    size_t count;

    cr_assert(file);
    cr_assert_geq(fputs(text, file), 0);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(chmod(path, mode), 0);
    return access_read(access_under_test, path, &count, is_public, problem);
}

static struct request request_of(const struct header *headers, size_t count)
{
    return (struct request){
        .method = "GET", .path = "/", .query = "", .headers = headers, .header_count = count};
}

static enum access_verdict verdict_on(const char *authorization, char *name)
{
    const struct header headers[] = {{"Host", "a"}, {"authorization", authorization}};
    const struct request request = request_of(headers, 2);

    return access_check(access_under_test, &request, name);
}

Test(access, grants_a_known_token_whatever_the_case_of_the_scheme)
{
    char name[TOKEN_NAME_MAX] = "";
    bool is_public = true;

    cr_assert(read_text(FIRST SECOND, 0600, &is_public), "%s", problem);
    cr_expect_not(is_public);
    cr_expect_eq(verdict_on("Bearer correct-horse-battery-staple", name), ACCESS_GRANTED);
    cr_expect_str_eq(name, "first");
    cr_expect_eq(verdict_on("bEARER   second-token-0123456789", name), ACCESS_GRANTED);
    cr_expect_str_eq(name, "second");
}

Test(access, tells_a_missing_token_from_a_bad_one)
{
    static const char *const missing[] = {"", "Basic YWxhZGRpbjpvcGVuc2VzYW1l", "Bear x",
                                          "correct-horse-battery-staple",
                                          "Bearercorrect-horse-battery-staple"};
    static const char *const bad[] = {"Bearer",
                                      "Bearer ",
                                      "Bearer nobody-knows-this-one",
                                      "Bearer correct-horse-battery-staple ",
                                      "Bearer correct-horse-battery-staple, x",
                                      "Bearer \"correct-horse-battery-staple\""};
    char name[TOKEN_NAME_MAX] = "";
    struct request request = request_of(NULL, 0);
    bool is_public;

    cr_assert(read_text(FIRST, 0600, &is_public), "%s", problem);
    cr_expect_eq(access_check(access_under_test, &request, name), ACCESS_NO_TOKEN);
    for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
        cr_expect_eq(verdict_on(missing[i], name), ACCESS_NO_TOKEN, "%s", missing[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect_eq(verdict_on(bad[i], name), ACCESS_BAD_TOKEN, "%s", bad[i]);
    cr_expect_str_eq(name, "");
}

Test(access, refuses_two_tokens_even_when_both_are_good)
{
    static const struct header headers[] = {
        {"Authorization", "Bearer correct-horse-battery-staple"},
        {"AUTHORIZATION", "Bearer correct-horse-battery-staple"}};
    const struct request request = request_of(headers, 2);
    char name[TOKEN_NAME_MAX] = "";
    bool is_public;

    cr_assert(read_text(FIRST, 0600, &is_public), "%s", problem);
    cr_expect_eq(access_check(access_under_test, &request, name), ACCESS_AMBIGUOUS);
}

Test(access, lets_nobody_in_before_a_file_was_read)
{
    char name[TOKEN_NAME_MAX] = "";

    cr_expect_eq(verdict_on("Bearer correct-horse-battery-staple", name), ACCESS_BAD_TOKEN);
}

Test(access, keeps_its_tokens_when_the_new_file_is_bad)
{
    static const struct {
        const char *text, *words;
        mode_t mode;
    } rows[] = {{"", "no token", 0600},
                {"x\n", "line 1", 0600},
                {SECOND, "written by everybody", 0602},
                {SECOND, "written by everybody", 0666}};
    char name[TOKEN_NAME_MAX] = "";
    bool is_public;
    size_t count;

    cr_assert(read_text(FIRST, 0640, &is_public), "%s", problem);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_expect_not(read_text(rows[i].text, rows[i].mode, &is_public), "row %zu", i);
        cr_expect(strstr(problem, rows[i].words), "row %zu: %s", i, problem);
        cr_expect_eq(verdict_on("Bearer correct-horse-battery-staple", name), ACCESS_GRANTED);
        cr_expect_eq(verdict_on("Bearer second-token-0123456789", name), ACCESS_BAD_TOKEN);
    }
    cr_expect_not(access_read(access_under_test, "/no/such/file", &count, &is_public, problem));
    cr_expect(strstr(problem, "No such file"), "%s", problem);
    cr_expect_not(access_read(access_under_test, "/", &count, &is_public, problem));
    cr_expect(strstr(problem, "not a regular file"), "%s", problem);
    cr_expect(read_text(SECOND, 0600, &is_public), "%s", problem);
    cr_expect_eq(verdict_on("Bearer correct-horse-battery-staple", name), ACCESS_BAD_TOKEN);
    cr_expect_eq(verdict_on("Bearer second-token-0123456789", name), ACCESS_GRANTED);
}

Test(access, notices_that_everybody_can_read_the_file)
{
    bool is_public = false;

    cr_assert(read_text(FIRST, 0644, &is_public), "%s", problem);
    cr_expect(is_public);
}

Test(access, challenges_as_rfc_6750_has_it)
{
    static const struct {
        enum access_verdict verdict;
        unsigned status;
        const char *challenge;
    } rows[] = {
        {ACCESS_NO_TOKEN, 401, "Bearer realm=\"posenc\""},
        {ACCESS_BAD_TOKEN, 401, "Bearer realm=\"posenc\", error=\"invalid_token\""},
        {ACCESS_AMBIGUOUS, 400, "Bearer realm=\"posenc\", error=\"invalid_request\""},
    };
    const struct request request = request_of(NULL, 0);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct response response = {0};
        const char *challenge = "";

        access_refuse(rows[i].verdict, &request, &response);
        for (size_t h = 0; h < response.header_count; h++)
            if (strcmp(response.headers[h].name, "WWW-Authenticate") == 0)
                challenge = response.headers[h].value;
        cr_expect_eq(response.status, rows[i].status);
        cr_expect_str_eq(challenge, rows[i].challenge);
        response_release(&response);
    }
}
