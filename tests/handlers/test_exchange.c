/* Headers of requests and responses. */
#include "exchange.h"

#include <criterion/criterion.h>

Test(exchange, finds_the_first_header_of_a_name_in_any_case)
{
    static const struct header headers[] = {{"Accept", "a"}, {"ACCEPT", "b"}, {"X-Empty", ""}};
    const struct request request = {.headers = headers, .header_count = 3};

    cr_expect_str_eq(request_header(&request, "accept"), "a");
    cr_expect_str_eq(request_header(&request, "X-Empty"), "");
    cr_expect_null(request_header(&request, "Accep"));
    cr_expect_null(request_header(&(struct request){0}, "Accept"));
}

Test(exchange, knows_which_headers_a_response_has)
{
    struct response response = {0};

    cr_expect(response_add_header(&response, "Allow", "GET"));
    cr_expect(response_has_header(&response, "allow"));
    cr_expect_not(response_has_header(&response, "Vary"));
}

Test(exchange, keeps_no_header_without_a_value)
{
    struct response response = {0};

    cr_expect_not(response_add_header(&response, "Content-Disposition", NULL));
    cr_expect_eq(response.header_count, 0);
}

Test(exchange, keeps_no_more_headers_than_there_is_room_for)
{
    struct response response = {0};

    for (int i = 0; i < RESPONSE_HEADERS_MAX; i++)
        cr_assert(response_add_header(&response, "X", "y"));
    cr_expect_not(response_add_header(&response, "X", "y"));
}
