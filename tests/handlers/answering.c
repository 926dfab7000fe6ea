#include "answering.h"

#include <criterion/criterion.h>
#include <strings.h>

struct request answering_request;
struct response answering_response;

void answering_begin(void)
{
    writing_begin();
    answering_request = (struct request){.method = "GET", .path = "/", .query = "", .id = "test-1"};
    (void)answering_again();
}

void answering_end(void)
{
    response_release(&answering_response);
    writing_end();
}

struct exchange *answering_again(void)
{
    response_release(&answering_response);
    struct exchange *const exchange =
        exchange_begin(&answering_request, &answering_response, (size_t)1 << 20);

    cr_assert_not_null(exchange);
    return exchange;
}

const char *answer_of(const char *header)
{
    for (size_t i = 0; i < answering_response.header_count; i++)
        if (strcasecmp(answering_response.headers[i].name, header) == 0)
            return answering_response.headers[i].value;
    return "";
}

const json_t *answered_json(void)
{
    char buffer[1000];
    ssize_t got;

    cr_assert(answering_response.read);
    for (uint64_t offset = 0; (got = answering_response.read(answering_response.state, offset,
                                                             buffer, sizeof buffer)) > 0;
         offset += (uint64_t)got)
        json_text_raw(&written, buffer, (size_t)got);
    return written_json();
}
