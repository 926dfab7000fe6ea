#include <criterion/criterion.h>
#include <string.h>

#include "cors.h"

static bool add(struct cors *cors, const char *text)
{
    return cors_add(cors, text, strlen(text));
}

/* All headers as lines. */
static const char *headers_of(const struct cors *cors, const char *method,
                              const struct header *sent, size_t sent_count,
                              const struct response *response)
{
    static char lines[2048];
    const struct request request = {
        .method = method, .path = "/", .query = "", .headers = sent, .header_count = sent_count};
    struct header headers[CORS_HEADERS_MAX];
    const size_t count = cors_headers(cors, &request, response, headers);

    lines[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        (void)strcat(strcat(lines, headers[i].name), ": ");
        (void)strcat(strcat(lines, headers[i].value), "\n");
    }
    return lines;
}

static const char *headers_for(const struct cors *cors, const char *origin)
{
    static const struct response response = {.status = 200};
    const struct header sent = {"origin", origin};

    return headers_of(cors, "GET", &sent, origin ? 1 : 0, &response);
}

Test(cors, takes_origins_as_browsers_write_them)
{
    static const char *const good[] = {"https://example.org",    "http://localhost:3000",
                                       "https://EXAMPLE.org",    "http://[::1]:80",
                                       "chrome-extension://abc", "app+x://a_b"};
    static const char *const bad[] = {"",
                                      "null",
                                      "example.org",
                                      "https://",
                                      "https://a/",
                                      "https://a/b",
                                      "https://a:",
                                      "https://a:b",
                                      "https://a:123456",
                                      "://a",
                                      "https://*.a",
                                      "https://a b",
                                      "https://u@a",
                                      "1ttp://a",
                                      "https://[::1",
                                      "https://[]",
                                      "https://a?",
                                      "**",
                                      "https://a\nX: y",
                                      "https://a,"};
    struct cors cors = {0};

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        cr_expect(add(&cors, good[i]), "%s", good[i]);
    cr_expect_eq(cors.count, sizeof(good) / sizeof(good[0]));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect_not(add(&cors, bad[i]), "%s", bad[i]);
    cr_expect_not(cors_add(&cors, "https://a\0b", 11));
    cr_expect_eq(cors.count, sizeof(good) / sizeof(good[0]));
    while (cors.count < CORS_ORIGINS_MAX)
        cr_assert(add(&cors, "https://a"));
    cr_expect_not(add(&cors, "https://b"), "there is no room");
    cr_expect_not(cors.is_open);
}

Test(cors, says_nothing_when_it_is_off)
{
    static const struct header sent[] = {{"Origin", "https://a"},
                                         {"Access-Control-Request-Method", "GET"}};
    static const struct response response = {
        .status = 204, .headers = {{"Allow", "GET"}}, .header_count = 1};
    static const struct request request = {.method = "OPTIONS", .headers = sent, .header_count = 2};
    const struct cors cors = {0};

    cr_expect_str_eq(headers_of(&cors, "OPTIONS", sent, 2, &response), "");
    cr_expect_not(cors_is_preflight(&cors, &request));
    cr_expect_not(cors_varies(&cors));
}

Test(cors, grants_named_origins_and_only_those)
{
    struct cors cors = {0};

    cr_assert(add(&cors, "https://a.example") && add(&cors, "http://localhost:3000"));
    cr_expect(cors_varies(&cors));
    cr_expect(strstr(headers_for(&cors, "https://a.example"),
                     "Access-Control-Allow-Origin: https://a.example\n"));
    cr_expect(strstr(headers_for(&cors, "http://localhost:3000"),
                     "Access-Control-Allow-Origin: http://localhost:3000\n"));
    cr_expect_str_eq(headers_for(&cors, "http://a.example"), "");
    cr_expect_str_eq(headers_for(&cors, "https://a.example:443"), "");
    cr_expect_str_eq(headers_for(&cors, "https://a.example.evil"), "");
    cr_expect_str_eq(headers_for(&cors, "http://localhost:30000"), "");
    cr_expect_str_eq(headers_for(&cors, "null"), "");
    cr_expect_str_eq(headers_for(&cors, NULL), "");
}

Test(cors, grants_all_alike_when_it_is_open)
{
    struct cors cors = {0};

    cr_assert(add(&cors, "*"));
    cr_expect_not(cors_varies(&cors));
    cr_expect(strstr(headers_for(&cors, "https://a"), "Access-Control-Allow-Origin: *\n"));
    cr_expect(strstr(headers_for(&cors, NULL), "Access-Control-Allow-Origin: *\n"));
    cr_expect_not(strstr(headers_for(&cors, "https://a"), "Credentials"));
}

Test(cors, exposes_what_a_page_needs_of_an_answer)
{
    static const char *const names[] = {"ETag",          "X-Request-Id", "Content-Disposition",
                                        "Content-Range", "Retry-After",  "X-Tensor-Shape"};
    struct cors cors = {0};
    const char *line;

    cr_assert(add(&cors, "https://a"));
    line = strstr(headers_for(&cors, "https://a"), "Access-Control-Expose-Headers: ");
    cr_assert(line);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        cr_expect(strstr(line, names[i]), "%s", names[i]);
}

Test(cors, answers_a_preflight_with_the_methods_of_the_route)
{
    static const struct header sent[] = {{"Origin", "https://a"},
                                         {"Access-Control-Request-Method", "POST"}};
    static const struct response there = {
        .status = 204, .headers = {{"Allow", "POST, OPTIONS"}}, .header_count = 1};
    static const struct response nowhere = {.status = 404};
    struct cors cors = {0};
    const char *lines;

    cr_assert(add(&cors, "https://a"));
    lines = headers_of(&cors, "OPTIONS", sent, 2, &there);
    cr_expect(strstr(lines, "Access-Control-Allow-Origin: https://a\n"), "%s", lines);
    cr_expect(strstr(lines, "Access-Control-Allow-Methods: POST, OPTIONS\n"), "%s", lines);
    cr_expect(strstr(lines, "Access-Control-Allow-Headers: Authorization, Content-Type,"), "%s",
              lines);
    cr_expect(strstr(lines, "Access-Control-Max-Age: 600\n"), "%s", lines);
    cr_expect_not(strstr(lines, "Expose"), "%s", lines);
    lines = headers_of(&cors, "OPTIONS", sent, 2, &nowhere);
    cr_expect_not(strstr(lines, "Methods"), "%s", lines);
    lines = headers_of(&cors, "OPTIONS", sent, 1, &there);
    cr_expect_not(strstr(lines, "Methods"), "no preflight: %s", lines);
}
