#include "inference_body.h"

#include <criterion/criterion.h>
#include <string.h>

static struct inference_body body;
static struct body_problem problem;

static bool split(const char *header, size_t size)
{
    static const char bytes[64];
    const struct header headers[] = {{"inference-header-content-length", header}};
    const struct request request = {
        .headers = headers, .header_count = header ? 1 : 0, .body = bytes, .body_size = size};

    return split_inference_body(&request, &body, &problem);
}

Test(inference_body, is_all_json_without_a_header)
{
    cr_assert(split(NULL, 20));
    cr_expect_eq(body.json_size, 20);
    cr_expect_eq(body.size, 20);
    cr_expect_not(body.is_raw);
    cr_assert(split(NULL, 0));
    cr_expect_not(body.is_raw);
}

Test(inference_body, begins_with_as_much_json_as_the_header_says)
{
    cr_assert(split("12", 20));
    cr_expect_eq(body.json_size, 12);
    cr_expect_not(body.is_raw);
    cr_assert(split("20", 20));
    cr_expect_eq(body.json_size, 20);
    cr_assert(split("0", 20));
    cr_expect_eq(body.json_size, 0);
    cr_expect(body.is_raw);
}

Test(inference_body, is_refused_when_the_header_is_no_length_of_it)
{
    static const char *const headers[] = {"21",
                                          "",
                                          "-1",
                                          "+5",
                                          "0x5",
                                          "5 ",
                                          " 5",
                                          "5, 5",
                                          "5.0",
                                          "18446744073709551616",
                                          "99999999999999999999999999"};

    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        cr_expect_not(split(headers[i], 20), "'%s'", headers[i]);
        cr_expect_neq(problem.detail[0], '\0');
    }
}

Test(inference_body, is_refused_when_two_headers_tell_its_length)
{
    const struct header headers[] = {{INFERENCE_LENGTH_HEADER, "2"},
                                     {INFERENCE_LENGTH_HEADER, "2"}};
    const struct request request = {
        .headers = headers, .header_count = 2, .body = "{}", .body_size = 2};

    cr_expect_not(split_inference_body(&request, &body, &problem));
}

Test(inference_body, tells_how_much_of_it_is_json)
{
    struct header header = {INFERENCE_LENGTH_HEADER, "12"};
    struct request request = {.headers = &header, .header_count = 1, .body = "", .body_size = 20};

    cr_expect_eq(inference_json_size(&request), 12);
    header.value = "21";
    cr_expect_eq(inference_json_size(&request), 0);
    request.header_count = 0;
    cr_expect_eq(inference_json_size(&request), 20);
}

Test(inference_body, may_have_the_types_that_clients_send_or_none)
{
    static const struct {
        const char *type;
        bool is_readable;
    } rows[] = {
        {"application/json", true},
        {"application/json; charset=utf-8", true},
        {"", true},
        {"application/octet-stream", true},
        {"text/plain", false},
        {"application/x-npy", false},
        {"application/x-www-form-urlencoded", false},
    };
    struct request request = {0};

    cr_expect(inference_body_is_readable(&request));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct header header = {"Content-Type", rows[i].type};

        request.headers = &header;
        request.header_count = 1;
        cr_expect_eq(inference_body_is_readable(&request), rows[i].is_readable, "%s", rows[i].type);
    }
}
