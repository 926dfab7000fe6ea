/* Content negotiation: RFC 9110, section 12.5.1. */
#include <criterion/criterion.h>
#include <string.h>

#include "negotiate.h"

static const char *const offered[] = {"application/json", "application/x-npy", "text/csv"};

static int choose(const char *accept)
{
    const struct header header = {"Accept", accept};
    const struct request request = {.headers = &header, .header_count = accept ? 1 : 0};

    return negotiate(&request, offered, 3);
}

Test(negotiate, takes_the_best_of_what_is_offered)
{
    static const struct {
        const char *accept;
        int index;
    } rows[] = {
        {NULL, 0},
        {"", 0},
        {"*/*", 0},
        {"application/x-npy", 1},
        {"APPLICATION/X-NPY", 1},
        {"text/*", 2},
        {"application/*", 0},
        {"text/csv, application/json;q=0.5", 2},
        {"application/json;q=0.1, */*", 1},
        {"application/json;q=0, */*;q=0.1", 1},
        {"application/json; charset=utf-8; q=0.2, text/csv; q=0.3", 2},
        {"text/html,application/xhtml+xml,*/*;q=0.8", 0},
        {"image/png", -1},
        {"application/json;q=0", -1},
        {"application/json;q=abc", -1},
        {"application/json;q=1.5", -1},
        {"application/json;q=9e999", -1},
        {"application/json;q=1.000", 0},
        {", ,application/x-npy", 1},
        {"application", -1},
        {"*", -1},
        {"*/json", -1},
        {";q=1", -1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        cr_expect_eq(choose(rows[i].accept), rows[i].index, "%s: %d", rows[i].accept,
                     choose(rows[i].accept));
}

Test(negotiate, reads_several_accept_headers_as_one_list)
{
    const struct header headers[] = {{"Accept", "text/csv;q=0.5"}, {"accept", "application/x-npy"}};
    const struct request request = {.headers = headers, .header_count = 2};

    cr_expect_eq(negotiate(&request, offered, 3), 1);
}

Test(negotiate, looks_at_a_bounded_number_of_ranges)
{
    char accept[20000] = "";

    for (int i = 0; i < 1000; i++)
        strcat(accept, "a/b,");
    strcat(accept, "application/json");
    cr_expect_eq(choose(accept), -1);
}
