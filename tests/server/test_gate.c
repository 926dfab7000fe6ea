#include <criterion/criterion.h>
#include <string.h>

#include "gate.h"

#define MEMORY 32768

/* A head with one header besides Host; NULL name for none. */
static unsigned status_of(const char *method, const char *target, const char *version,
                          const char *name, const char *value)
{
    const struct header headers[] = {{"Host", "example.org:80"}, {name, value}};
    const struct gate_head head = {.method = method,
                                   .target = target,
                                   .version = version,
                                   .headers = headers,
                                   .header_count = name ? 2 : 1,
                                   .memory_bytes = MEMORY};
    const struct gate_refusal *refusal = gate_check(&head);

    return refusal ? refusal->status : 0;
}

static unsigned status_of_header(const char *name, const char *value)
{
    return status_of("POST", "/", "HTTP/1.1", name, value);
}

Test(gate, lets_ordinary_heads_pass)
{
    cr_expect_eq(status_of("GET", "/", "HTTP/1.1", NULL, NULL), 0);
    cr_expect_eq(status_of("HEAD", "/v1/rope?dim=64&a=%20%7b", "HTTP/1.0", NULL, NULL), 0);
    cr_expect_eq(status_of("QUERY", "/a?{\"b\":[1]}", "HTTP/1.1", NULL, NULL), 0);
    cr_expect_eq(status_of_header("Content-Length", "0"), 0);
    cr_expect_eq(status_of_header("content-length", "9223372036854775807"), 0);
    cr_expect_eq(status_of_header("Transfer-Encoding", "Chunked"), 0);
    cr_expect_eq(status_of_header("Expect", "100-Continue"), 0);
    cr_expect_eq(status_of_header("Transfer_Encoding", "gzip"), 0);
    cr_expect_eq(status_of_header("X-Text", "tab\tand \xc3\xa9"), 0);
}

Test(gate, refuses_request_lines)
{
    static const struct {
        const char *method, *target, *version;
        unsigned status;
    } rows[] = {
        {"GET", "/", "HTTP/1.2", 505},
        {"GET", "/", "HTTP/2.0", 505},
        {"GET", "/", "", 505},
        {"get", "/", "HTTP/1.1", 501},
        {"CONNECT", "/", "HTTP/1.1", 501},
        {"TRACE", "/", "HTTP/1.1", 501},
        {"", "/", "HTTP/1.1", 501},
        {"GET", "", "HTTP/1.1", 400},
        {"OPTIONS", "*", "HTTP/1.1", 400},
        {"GET", "http://a/", "HTTP/1.1", 400},
        {"GET", "a:80", "HTTP/1.1", 400},
        {"GET", "/a b", "HTTP/1.1", 400},
        {"GET", "/\t", "HTTP/1.1", 400},
        {"GET", "/\x7f", "HTTP/1.1", 400},
        {"GET", "/\xc3", "HTTP/1.1", 400},
        {"GET", "/%", "HTTP/1.1", 400},
        {"GET", "/%4", "HTTP/1.1", 400},
        {"GET", "/%zz", "HTTP/1.1", 400},
        {"GET", "/%00", "HTTP/1.1", 400},
        {"GET", "/?a=%00", "HTTP/1.1", 400},
        {"GET", "/%%41", "HTTP/1.1", 400},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(status_of(rows[i].method, rows[i].target, rows[i].version, NULL, NULL),
                     rows[i].status, "row %zu", i);
}

Test(gate, refuses_an_odd_request_line)
{
    const struct header host = {"Host", "a"};
    struct gate_head head = {.method = "GET",
                             .target = "/",
                             .version = "HTTP/1.1",
                             .headers = &host,
                             .header_count = 1,
                             .memory_bytes = MEMORY};

    cr_expect_null(gate_check(&head));
    head.has_odd_request_line = true;
    cr_assert_not_null(gate_check(&head));
    cr_expect_eq(gate_check(&head)->status, 400);
}

Test(gate, refuses_headers)
{
    static const struct {
        const char *name, *value;
        unsigned status;
    } rows[] = {
        {"Host", "b", 400},
        {"Host", "example.org:80", 400},
        {"", "a", 400},
        {"Content-Length ", "1", 400},
        {" X", "1", 400},
        {"X\x01", "1", 400},
        {"X(", "1", 400},
        {"X", "a\x01", 400},
        {"X", "a\x7f", 400},
        {"Content-Length", "", 400},
        {"Content-Length", "+5", 400},
        {"Content-Length", "-1", 400},
        {"Content-Length", "5, 5", 400},
        {"Content-Length", "0x5", 400},
        {"Content-Length", "18446744073709551615", 413},
        {"Content-Length", "00000000000000000005", 413},
        {"Transfer-Encoding", "gzip", 501},
        {"Transfer-Encoding", "gzip, chunked", 501},
        {"Transfer-Encoding", "chunked, identity", 501},
        {"Transfer-Encoding", "chunked,", 501},
        {"Transfer-Encoding", "", 501},
        {"Expect", "", 417},
        {"Expect", "100-continue, a", 417},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(status_of_header(rows[i].name, rows[i].value), rows[i].status, "row %zu", i);
}

static unsigned status_of_pair(const char *version, struct header a, struct header b)
{
    const struct header headers[] = {a, b};
    const struct gate_head head = {.method = "POST",
                                   .target = "/",
                                   .version = version,
                                   .headers = headers,
                                   .header_count = 2,
                                   .memory_bytes = MEMORY};
    const struct gate_refusal *refusal = gate_check(&head);

    return refusal ? refusal->status : 0;
}

Test(gate, refuses_two_framings_and_a_missing_host)
{
    static const struct header one = {"Content-Length", "1"}, two = {"content-LENGTH", "1"},
                               chunked = {"Transfer-Encoding", "chunked"}, plain = {"A", "b"},
                               text = {"Content-Type", "a/b"}, nobody = {"Host", ""};

    cr_expect_eq(status_of_pair("HTTP/1.0", one, plain), 0, "HTTP/1.0 needs no host");
    cr_expect_eq(status_of_pair("HTTP/1.1", one, plain), 400);
    cr_expect_eq(status_of_pair("HTTP/1.1", nobody, plain), 400);
    cr_expect_eq(status_of_pair("HTTP/1.0", one, two), 400);
    cr_expect_eq(status_of_pair("HTTP/1.0", one, chunked), 400);
    cr_expect_eq(status_of_pair("HTTP/1.0", chunked, chunked), 400);
    cr_expect_eq(status_of_pair("HTTP/1.0", chunked, plain), 400);
    cr_expect_eq(status_of_pair("HTTP/1.0", text, text), 400);
}

Test(gate, refuses_heads_that_leave_no_room_for_an_answer)
{
    static char value[MEMORY], target[MEMORY];
    static struct header many[GATE_HEADERS_MAX];
    struct gate_head head = {.method = "GET",
                             .target = "/",
                             .version = "HTTP/1.1",
                             .headers = many,
                             .header_count = GATE_HEADERS_MAX,
                             .memory_bytes = MEMORY};

    memset(value, 'a', MEMORY - 4096);
    cr_expect_eq(status_of_header("X", value), 0);
    memset(value, 'a', MEMORY - 1024);
    cr_expect_eq(status_of_header("X", value), 431);
    memset(target, '&', 600); /* each begins a query argument */
    target[0] = '/';
    cr_expect_eq(status_of("GET", target, "HTTP/1.1", NULL, NULL), 431);
    for (size_t i = 0; i < GATE_HEADERS_MAX; i++)
        many[i] = (struct header){i ? "A" : "Host", "b"};
    cr_expect_null(gate_check(&head));
    head.header_count++;
    cr_assert_not_null(gate_check(&head));
    cr_expect_eq(gate_check(&head)->status, 431);
}

Test(gate, reads_how_the_body_comes)
{
    const struct header headers[] = {{"Content-Length", "1234567890123"},
                                     {"Expect", "100-continue"}};
    const struct header chunks = {"Transfer-Encoding", "chunked"};
    struct gate_head head = {.version = "HTTP/1.1", .headers = headers, .header_count = 2};
    struct gate_body body = gate_read_body(&head);

    cr_expect_eq(body.content_length, UINT64_C(1234567890123));
    cr_expect(body.awaits_continue);
    cr_expect_not(body.is_chunked);
    head.header_count = 0;
    body = gate_read_body(&head);
    cr_expect_eq(body.content_length, 0);
    cr_expect_not(body.awaits_continue);
    head.headers = &chunks;
    head.header_count = 1;
    body = gate_read_body(&head);
    cr_expect_eq(body.content_length, UINT64_MAX);
    cr_expect(body.is_chunked);
}
