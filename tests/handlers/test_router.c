/* Routes: what is found, which methods it takes, and what is refused before a handler runs. */
#include <criterion/criterion.h>
#include <string.h>

#include "account.h"
#include "ask.h"
#include "inference_body.h"
#include "router.h"

struct row {
    const char *method, *target, *body;
    unsigned status;
    const char *allow; /* or NULL */
};

static void check(const struct row *row)
{
    struct answer answer = ask(row->method, row->target, row->body);

    cr_expect_eq(answer.status, row->status, "%s %s: %u %s", row->method, row->target,
                 answer.status, answer.body);
    if (row->allow)
        cr_expect_str_eq(answer.allow, row->allow, "%s %s", row->method, row->target);
    if (answer.status >= 400)
        cr_expect_str_eq(answer.content_type, "application/problem+json");
    answer_release(&answer);
}

Test(router, decides_what_is_there_and_which_methods_it_takes)
{
    static const struct row rows[] = {
        {"GET", "/livez", NULL, 200, NULL},
        {"GET", "/", NULL, 200, NULL},
        {"GET", "/v1/encodings", NULL, 200, NULL},
        {"GET", "/v1/sinusoidal?length=1&dim=2", NULL, 200, NULL},
        {"HEAD", "/v1/sinusoidal?length=1&dim=2", NULL, 200, NULL},
        {"POST", "/v1/sinusoidal", "{\"length\":1,\"dim\":2}", 200, NULL},
        {"PUT", "/v1/sinusoidal", NULL, 405, "GET, HEAD, POST, OPTIONS"},
        {"get", "/livez", NULL, 405, "GET, HEAD, OPTIONS"},
        {"POST", "/livez", "{}", 405, "GET, HEAD, OPTIONS"},
        {"GET", "/v1/sinusoidal/apply", NULL, 405, "POST, OPTIONS"},
        {"OPTIONS", "/v1/rope/apply", NULL, 204, "POST, OPTIONS"},
        {"OPTIONS", "/v1/rope", NULL, 204, "GET, HEAD, POST, OPTIONS"},
        {"OPTIONS", "/nothing", NULL, 404, NULL},
        {"GET", "", NULL, 404, NULL},
        {"GET", "//", NULL, 404, NULL},
        {"GET", "/livez/", NULL, 404, NULL},
        {"GET", "/v1", NULL, 404, NULL},
        {"GET", "/v1/", NULL, 404, NULL},
        {"GET", "/v1//apply", NULL, 404, NULL},
        {"GET", "/v1/sinusoidal/", NULL, 404, NULL},
        {"GET", "/v1/sinusoidal/table", NULL, 404, NULL},
        {"GET", "/v1/sinusoidal/apply/x", NULL, 404, NULL},
        {"GET", "/v1/../v1/sinusoidal", NULL, 404, NULL},
        {"GET", "/v1/%73inusoidal", NULL, 404, NULL},
        {"DELETE", "/v1/nothing", NULL, 404, NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        check(&rows[i]);
}

Test(router, suggests_the_encoding_that_was_probably_meant)
{
    struct answer answer = ask("GET", "/v1/sinusiodal?length=2&dim=4", NULL);

    cr_assert_eq(answer.status, 404);
    cr_expect_str_eq(answer_text(&answer, "suggestion"), "sinusoidal");
    answer_release(&answer);
}

Test(router, finds_no_route_for_a_segment_longer_than_any_name)
{
    char target[200] = "/v1/";

    memset(target + 4, 'a', 150);
    struct answer answer = ask("GET", target, NULL);

    cr_expect_eq(answer.status, 404);
    answer_release(&answer);
}

Test(router, refuses_bodies_that_are_not_json_and_says_what_it_reads)
{
    static const char *const types[] = {"text/plain", "application/x-www-form-urlencoded",
                                        "application/json; charset=utf-16", "application/jsonx",
                                        ""};
    const struct service service = ask_service();

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        const struct header header = {"Content-Type", types[i]};
        struct answer answer = ask_service_with(&service, "POST", "/v1/sinusoidal",
                                                "{\"length\":1,\"dim\":2}", &header, 1);

        cr_expect_eq(answer.status, 415, "%s", types[i]);
        answer_release(&answer);
    }
}

Test(router, takes_json_under_its_other_names)
{
    static const char *const types[] = {"application/json", "APPLICATION/JSON; charset=UTF-8",
                                        "application/vnd.x+json",
                                        "application/json;charset=\"utf-8\""};
    const struct service service = ask_service();

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        const struct header header = {"content-type", types[i]};
        struct answer answer = ask_service_with(&service, "POST", "/v1/sinusoidal",
                                                "{\"length\":1,\"dim\":2}", &header, 1);

        cr_expect_eq(answer.status, 200, "%s: %s", types[i], answer.body);
        answer_release(&answer);
    }
}

Test(router, refuses_a_compressed_body)
{
    const struct header headers[] = {{"Content-Type", "application/json"},
                                     {"Content-Encoding", "br"}};
    const struct service service = ask_service();
    struct answer answer = ask_service_with(&service, "POST", "/v1/sinusoidal", "{}", headers, 2);

    cr_expect_eq(answer.status, 415);
    answer_release(&answer);
}

Test(router, refuses_a_body_over_the_limit_before_it_arrives)
{
    struct service service = ask_service();
    const struct header header = {"Content-Type", "application/json"};
    const struct request request = {.method = "POST",
                                    .path = "/v1/rope",
                                    .query = "",
                                    .headers = &header,
                                    .header_count = 1,
                                    .body = "",
                                    .id = "x"};
    struct response response;

    service.body_bytes_max = 10;
    cr_expect_not(handle_head(&service, &request, 10, &response));
    response_release(&response);
    cr_expect(handle_head(&service, &request, 11, &response));
    cr_expect_eq(response.status, 413);
    cr_expect_str_eq(response.route, "/v1/{encoding}");
    response_release(&response);
    cr_expect_not(handle_head(&service, &request, UINT64_MAX, &response));
    response_release(&response);
}

Test(router, knows_what_needs_no_token_by_its_whole_path)
{
    static const struct {
        const char *path;
        bool is_open;
    } rows[] = {{"/livez", true},
                {"/readyz", true},
                {"/", false},
                {"/livez/", false},
                {"//livez", false},
                {"/version", false},
                {"/explorer/explorer.js", true},
                {"/explorer/x/y", false},
                {"/LIVEZ", false},
                {"/livezx", false},
                {"/v1/livez", false},
                {"/v1/rope", false},
                {"", false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct request request = {.method = "GET", .path = rows[i].path, .query = ""};

        cr_expect_eq(request_is_open(&request), rows[i].is_open, "%s", rows[i].path);
    }
}

Test(router, asks_no_token_for_the_page_but_for_the_list_of_routes)
{
    static const struct {
        const char *path, *accept;
        bool is_open;
    } rows[] = {{"/", "text/html", true},  {"/", "text/html, */*;q=0.8", true},
                {"/", "*/*", false},       {"/", "application/json", false},
                {"/", "image/png", false}, {"/v1/encodings", "text/html", false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct header header = {"Accept", rows[i].accept};
        const struct request request = {.method = "GET",
                                        .path = rows[i].path,
                                        .query = "",
                                        .headers = &header,
                                        .header_count = 1};

        cr_expect_eq(request_is_open(&request), rows[i].is_open, "%s", rows[i].accept);
    }
}

/* What is asked for before the body is read, in nanoseconds, where so much of it is JSON. */
static uint64_t expected_ns(const char *type, const char *json_size)
{
    static const char bytes[100000];
    struct account account = {.take_limit = SIZE_MAX};
    const struct posenc_watch watch = account_watch(&account);
    const struct service service = ask_service();
    const struct header headers[] = {{"Content-Type", type}, {INFERENCE_LENGTH_HEADER, json_size}};
    const struct request request = {.method = "POST",
                                    .path = "/v2/models/rope.apply/infer",
                                    .query = "",
                                    .headers = headers,
                                    .header_count = json_size ? 2 : 1,
                                    .body = bytes,
                                    .body_size = sizeof bytes,
                                    .watch = &watch};
    struct response response;

    handle_request(&service, &request, &response);
    cr_expect_eq(response.status, 503);
    response_release(&response);
    return account.longest_ns;
}

Test(router, expects_an_inference_to_take_longer_the_more_of_its_body_is_json)
{
    const uint64_t json = expected_ns("application/json", NULL);
    const uint64_t bytes = expected_ns("application/octet-stream", "0");

    cr_expect_lt(bytes, json / 4);
    cr_expect_geq(expected_ns("application/octet-stream", NULL), json);
    cr_expect_geq(expected_ns("application/octet-stream", "100000"), json);
    cr_expect_geq(expected_ns("application/octet-stream", "50000"), json / 2);
    cr_expect_lt(expected_ns("application/octet-stream", "50000"), json);
}
