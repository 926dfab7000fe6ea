/* List headers with weights. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "weighted.h"

/* The list as "name=quality" words. */
static const char *spell(const struct header *headers, size_t count, char text[512])
{
    const struct request request = {.headers = headers, .header_count = count};
    struct weighted_list list;
    struct weighted element;
    size_t length = 0;

    text[0] = '\0';
    weighted_begin(&list, &request, "Accept-Encoding");
    while (weighted_next(&list, &element))
        length += (size_t)snprintf(text + length, 512 - length, "%s%.*s=%d", length ? " " : "",
                                   (int)element.length, element.name, element.quality);
    return text;
}

Test(weighted, reads_names_and_qualities)
{
    static const char *const rows[][2] = {
        {"gzip", "gzip=1000"},
        {"gzip;q=0.5, *;q=0", "gzip=500 *=0"},
        {" gzip ; q=0.125 ,\tbr ", "gzip=125 br=1000"},
        {"gzip;Q=1.000", "gzip=1000"},
        {"gzip;x=1;q=0.3", "gzip=300"},
        {",, ,gzip,", "gzip=1000"},
        {"gzip;q=1.001", "gzip=0"},
        {"gzip;q=2", "gzip=0"},
        {"gzip;q=", "gzip=0"},
        {"gzip;q=0.1234", "gzip=0"},
        {"gzip;q=-1", "gzip=0"},
        {"", ""},
        {" , ", ""},
    };
    char text[512];

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct header header = {"accept-encoding", rows[i][0]};

        cr_expect_str_eq(spell(&header, 1, text), rows[i][1], "%s", rows[i][0]);
    }
}

Test(weighted, reads_all_headers_of_the_name_as_one_list_and_no_other)
{
    const struct header headers[] = {{"Accept", "x"},
                                     {"Accept-Encoding", "a;q=0.1"},
                                     {"accept-encoding", ""},
                                     {"Accept-Encoding", "b, c"}};
    char text[512];

    cr_expect_str_eq(spell(headers, 4, text), "a=100 b=1000 c=1000");
    cr_expect_str_eq(spell(headers, 1, text), "");
}

Test(weighted, looks_at_a_bounded_number_of_elements)
{
    char value[4096] = "";
    const struct header header = {"Accept-Encoding", value};
    const struct request request = {.headers = &header, .header_count = 1};
    struct weighted_list list;
    struct weighted element;
    size_t count = 0;

    for (int i = 0; i < 500; i++)
        strcat(value, "a,");
    weighted_begin(&list, &request, "Accept-Encoding");
    while (weighted_next(&list, &element))
        count++;
    cr_expect_eq(count, WEIGHTED_MAX);
}
