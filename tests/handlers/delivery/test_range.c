/* Byte ranges: RFC 9110, section 14. */
#include <criterion/criterion.h>

#include "range.h"

static enum range_kind read(const char *value, uint64_t length, struct byte_range *range)
{
    const struct header header = {"range", value};
    const struct request request = {.headers = &header, .header_count = 1};

    return range_read(&request, length, range);
}

Test(range, finds_the_part_that_is_asked_for)
{
    static const struct {
        const char *value;
        uint64_t first, count; /* of 1000 bytes */
    } rows[] = {
        {"bytes=0-0", 0, 1},
        {"bytes=0-999", 0, 1000},
        {"bytes=0-1000", 0, 1000},
        {"bytes=10-19", 10, 10},
        {"Bytes=999-", 999, 1},
        {"bytes=0-", 0, 1000},
        {"bytes=-1", 999, 1},
        {"bytes=-1000", 0, 1000},
        {"bytes=-5000", 0, 1000},
        {"bytes=500-18446744073709551615", 500, 500},
        {"bytes=500-99999999999999999999999", 500, 500},
        {"bytes=-99999999999999999999999", 0, 1000},
        {" bytes= 007-08 ", 7, 2},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct byte_range range = {77, 77};

        cr_expect_eq(read(rows[i].value, 1000, &range), RANGE_PART, "%s", rows[i].value);
        cr_expect_eq(range.first, rows[i].first, "%s", rows[i].value);
        cr_expect_eq(range.count, rows[i].count, "%s", rows[i].value);
    }
}

Test(range, knows_what_lies_beyond_the_body)
{
    static const char *const rows[] = {"bytes=1000-", "bytes=1000-1000", "bytes=5000-9000",
                                       "bytes=-0", "bytes=99999999999999999999999-"};
    struct byte_range range;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        cr_expect_eq(read(rows[i], 1000, &range), RANGE_BEYOND, "%s", rows[i]);
    cr_expect_eq(read("bytes=0-", 0, &range), RANGE_BEYOND);
    cr_expect_eq(read("bytes=-1", 0, &range), RANGE_BEYOND);
}

Test(range, answers_whole_what_it_need_not_serve)
{
    static const char *const rows[] = {
        "",           "bytes",      "bytes=",     "bytes=-",     "bytes=1",   "bytes=5-4",
        "bytes=0-1,", "bytes=a-b",  "bytes=0-1x", "bytes=--1",   "bytes=1--", "bytes=0-1,5-6",
        "rows=0-1",   "bytes =0-1", "bytes=+1-2", "bytes=0x1-2", "items=1-2", "bytes=1 - 2",
        "bytes:1-2",  "bytes=1-2;", "-5",
    };
    struct byte_range range;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        cr_expect_eq(read(rows[i], 1000, &range), RANGE_WHOLE, "%s", rows[i]);
}

Test(range, answers_whole_without_the_header_and_with_two)
{
    const struct header headers[] = {{"Range", "bytes=0-1"}, {"Range", "bytes=0-1"}};
    struct request request = {.headers = headers, .header_count = 0};
    struct byte_range range;

    cr_expect_eq(range_read(&request, 10, &range), RANGE_WHOLE);
    request.header_count = 1;
    cr_expect_eq(range_read(&request, 10, &range), RANGE_PART);
    request.header_count = 2;
    cr_expect_eq(range_read(&request, 10, &range), RANGE_WHOLE);
}

Test(range, says_which_part_it_is)
{
    const struct byte_range largest = {UINT64_MAX - 1, 1};
    char text[RANGE_TEXT_SIZE];

    range_print(&(struct byte_range){10, 5}, 1000, text);
    cr_expect_str_eq(text, "bytes 10-14/1000");
    range_print(NULL, 1000, text);
    cr_expect_str_eq(text, "bytes */1000");
    range_print(&largest, UINT64_MAX, text);
    cr_expect_str_eq(text, "bytes 18446744073709551614-18446744073709551614/18446744073709551615");
}
