/* Conditional requests: RFC 9110, section 13. */
#include <criterion/criterion.h>

#include "conditional.h"

static struct request with(const struct header *header)
{
    return (struct request){.headers = header, .header_count = 1};
}

Test(conditional, finds_a_tag_in_a_list_by_weak_comparison)
{
    static const struct {
        const char *list;
        bool has;
    } rows[] = {
        {"\"ab-1\"", true},
        {"W/\"ab-1\"", true},
        {"\"x\", \"ab-1\"", true},
        {"\"x\",W/\"y\" ,\t\"ab-1\", \"z\"", true},
        {",,\"ab-1\"", true},
        {"\"x\"\"ab-1\"", true},
        {"\"x,y\", \"ab-1\"", true},
        {"\"ab-\"", false},
        {"\"ab-12\"", false},
        {"\"AB-1\"", false},
        {"ab-1", false},
        {"\"ab-1", false},
        {"w/\"ab-1\"", false},
        {"*", false},
        {"", false},
        {"\"\"", false},
        {"x \"ab-1\"", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct header header = {"if-none-match", rows[i].list};
        const struct request request = with(&header);

        cr_expect_eq(has_tag(&request, "\"ab-1\""), rows[i].has, "%s", rows[i].list);
        cr_expect_eq(has_tag(&request, "W/\"ab-1\""), rows[i].has, "%s", rows[i].list);
    }
}

Test(conditional, reads_all_headers_of_the_name)
{
    const struct header headers[] = {
        {"If-Match", "\"a\""}, {"If-None-Match", "\"b\""}, {"If-None-Match", "\"c\""}};
    const struct request request = {.headers = headers, .header_count = 3};

    cr_expect_not(has_tag(&request, "\"a\""));
    cr_expect(has_tag(&request, "\"b\""));
    cr_expect(has_tag(&request, "\"c\""));
}

Test(conditional, knows_the_star_alone)
{
    static const struct {
        const char *value;
        bool is_any;
    } rows[] = {{"*", true},   {" * ", true},       {"", false},
                {"**", false}, {"*, \"a\"", false}, {"\"*\"", false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct header header = {"If-None-Match", rows[i].value};
        const struct request request = with(&header);

        cr_expect_eq(has_any(&request), rows[i].is_any, "%s", rows[i].value);
    }
}

Test(conditional, continues_a_download_of_the_very_same_bytes_only)
{
    static const struct {
        const char *value;
        bool may;
    } rows[] = {{"\"ab\"", true}, {"W/\"ab\"", false}, {"\"abc\"", false},
                {"ab", false},    {"", false},         {"Mon, 30 Nov 2026 09:00:00 GMT", false}};
    const struct request none = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct header header = {"If-Range", rows[i].value};
        const struct request request = with(&header);

        cr_expect_eq(may_continue(&request, "\"ab\""), rows[i].may, "%s", rows[i].value);
        cr_expect_not(may_continue(&request, NULL), "%s", rows[i].value);
    }
    cr_expect(may_continue(&none, "\"ab\""));
    cr_expect(may_continue(&none, NULL));
}
