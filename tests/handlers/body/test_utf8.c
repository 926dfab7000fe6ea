#include "utf8.h"

#include <criterion/criterion.h>
#include <string.h>

Test(utf8, knows_the_edges_of_each_length)
{
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {
        {"a", 1},
        {"\x7F", 1},
        {"\xC2\x80", 2},
        {"\xDF\xBF", 2},
        {"\xE0\xA0\x80", 3},
        {"\xED\x9F\xBF", 3},
        {"\xEE\x80\x80", 3},
        {"\xEF\xBF\xBF", 3},
        {"\xF0\x90\x80\x80", 4},
        {"\xF4\x8F\xBF\xBF", 4},
        /* Lone continuation, overlong forms, a surrogate, beyond U+10FFFF, cut off. */
        {"\x80", 0},
        {"\xC0\x80", 0},
        {"\xC1\xBF", 0},
        {"\xE0\x9F\xBF", 0},
        {"\xED\xA0\x80", 0},
        {"\xF0\x8F\xBF\xBF", 0},
        {"\xF4\x90\x80\x80", 0},
        {"\xF5\x80\x80\x80", 0},
        {"\xC3", 0},
        {"\xC3(", 0},
        {"\xE2\x82", 0},
        {"\xE2\x82(", 0},
        {"\xF0\x9F\x98(", 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(utf8_character(rows[i].text, strlen(rows[i].text)), rows[i].length, "row %zu",
                     i);
    cr_expect_eq(utf8_character("", 0), 0);
}
