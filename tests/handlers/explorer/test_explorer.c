/* The page for a browser: how it comes, with what protection, and how it is kept. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "explorer.h"

/* As a browser sends it. */
#define BROWSER "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"

static struct answer get(const char *method, const char *target, const char *name,
                         const char *value)
{
    const struct service service = ask_service();
    const struct header headers[] = {{"Accept", BROWSER}, {name, value}};

    return ask_service_with(&service, method, target, NULL, headers, name ? 2 : 1);
}

Test(explorer, is_the_root_to_a_browser)
{
    struct answer answer = get("GET", "/", NULL, NULL);

    cr_expect_eq(answer.status, 200);
    cr_expect_str_eq(answer.content_type, "text/html; charset=utf-8");
    cr_expect_eq(answer.size, *explorer_file_at(0)->size);
    cr_expect_eq(memcmp(answer.body, explorer_file_at(0)->bytes, answer.size), 0);
    cr_expect_str_eq(answer_header(&answer, "Vary"), "Accept, Accept-Encoding");
    answer_release(&answer);
}

Test(explorer, lets_nothing_run_that_is_not_its_own)
{
    for (size_t i = 0; explorer_file_at(i); i++) {
        char path[128];
        struct answer answer;

        (void)snprintf(path, sizeof(path), "/explorer/%s", explorer_file_at(i)->name);
        answer = get("GET", path, NULL, NULL);
        cr_expect_eq(answer.status, 200, "%s", path);
        cr_expect_str_eq(answer.content_type, explorer_file_at(i)->media_type);
        cr_expect_str_eq(answer_header(&answer, "Content-Security-Policy"),
                         "default-src 'none'; script-src 'self'; style-src 'self'; "
                         "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; "
                         "frame-ancestors 'none'; form-action 'none'");
        cr_expect_str_eq(answer_header(&answer, "Referrer-Policy"), "no-referrer");
        answer_release(&answer);
    }
}

/* A script of one release beside the page of another would not do. */
Test(explorer, is_asked_about_each_time_and_sent_once)
{
    struct answer answer = get("GET", "/explorer/explorer.js", NULL, NULL);
    char tag[64];

    cr_expect_str_eq(answer_header(&answer, "Cache-Control"), "public, no-cache");
    (void)snprintf(tag, sizeof(tag), "%s", answer_header(&answer, "ETag"));
    cr_assert_neq(tag[0], '\0');
    answer_release(&answer);
    answer = get("GET", "/explorer/explorer.js", "If-None-Match", tag);
    cr_expect_eq(answer.status, 304);
    cr_expect_eq(answer.size, 0);
    answer_release(&answer);
    answer = get("GET", "/", "If-None-Match", tag);
    cr_expect_eq(answer.status, 200, "another file has another tag");
    answer_release(&answer);
}

Test(explorer, comes_compressed_where_that_is_wanted)
{
    struct answer answer = get("GET", "/explorer/explorer.css", "Accept-Encoding", "gzip");

    cr_expect_eq(answer.status, 200);
    cr_expect_str_eq(answer_header(&answer, "Content-Encoding"), "gzip");
    cr_expect_lt(answer.size, *explorer_file_at(1)->size / 2);
    answer_release(&answer);
}

Test(explorer, has_no_other_files)
{
    static const char *const paths[] = {"/explorer/", "/explorer/explorer_bytes.S",
                                        "/explorer/EXPLORER.JS", "/explorer/..", "/explorer"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        struct answer answer = get("GET", paths[i], NULL, NULL);

        cr_expect_eq(answer.status, 404, "%s", paths[i]);
        answer_release(&answer);
    }
}

Test(explorer, is_told_of_by_head)
{
    struct answer answer = get("HEAD", "/", NULL, NULL);

    cr_expect_eq(answer.status, 200);
    cr_expect_neq(answer_header(&answer, "ETag")[0], '\0');
    cr_expect_str_eq(answer.content_type, "text/html; charset=utf-8");
    answer_release(&answer);
}
