/* Headers of requests and responses. */
#include <criterion/criterion.h>

#include "exchange.h"

Test(exchange, keeps_no_more_headers_than_there_is_room_for)
{
    struct response response = {0};

    for (int i = 0; i < RESPONSE_HEADERS_MAX; i++)
        cr_assert(response_add_header(&response, "X", "y"));
    cr_expect_not(response_add_header(&response, "X", "y"));
}
