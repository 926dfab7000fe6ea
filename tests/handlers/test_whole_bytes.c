#include "whole_bytes.h"

#include <criterion/criterion.h>

Test(whole_bytes, are_given_from_any_offset_and_never_beyond_their_end)
{
    static const struct {
        uint64_t offset;
        size_t size;
        ssize_t count;
    } rows[] = {{0, 5, 5}, {0, 9, 5}, {0, 2, 2}, {3, 9, 2},
                {4, 1, 1}, {5, 1, 0}, {6, 1, 0}, {UINT64_MAX, 1, 0}};
    struct whole_bytes whole = {"01234 and more", 5};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char buffer[10] = "---------";

        cr_expect_eq(whole_bytes_read(&whole, rows[i].offset, buffer, rows[i].size), rows[i].count,
                     "row %zu", i);
        for (ssize_t at = 0; at < 9; at++)
            cr_expect_eq(buffer[at],
                         at < rows[i].count ? (char)('0' + (ssize_t)rows[i].offset + at) : '-',
                         "row %zu", i);
    }
}
