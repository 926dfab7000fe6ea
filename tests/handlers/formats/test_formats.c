#include <criterion/criterion.h>

#include "format.h"

Test(formats, finds_each_by_its_name_and_nothing_else)
{
    size_t count = 0;

    cr_expect_eq(format_at(0), &format_json, "json is the default");
    for (const struct format *format; (format = format_at(count)); count++)
        cr_expect_eq(format_find(format->name), format, "%s", format->name);
    cr_expect_geq(count, 2);
    cr_expect_null(format_at(count));
    cr_expect_null(format_at(SIZE_MAX));
    cr_expect_null(format_find("jso"));
    cr_expect_null(format_find(""));
}
