/* A response that needs no memory. */
#include <criterion/criterion.h>

#include <jansson.h>

#include "respond.h"

Test(respond, makes_a_503_without_any_memory)
{
    struct response response = {0};
    char body[512] = {0};

    respond_no_memory(&response);
    cr_assert_eq(response.status, 503);
    cr_assert_lt(response.length, sizeof(body));
    cr_expect_eq(response.read(response.state, 0, body, sizeof(body)), (ssize_t)response.length);
    json_t *document = json_loads(body, 0, NULL);

    cr_expect_eq(json_integer_value(json_object_get(document, "status")), 503);
    json_decref(document);
    response_release(&response);
}
