/* Rows that several encodings use: what they must say everywhere. */
#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

Test(shared_rows, tables_are_made_of_floating_point_numbers_float32_by_default)
{
    const struct posenc_parameter *row = &posenc__dtype_rows[0];
    enum posenc_dtype dtype;

    cr_expect_str_eq(row->fallback.as.text, "float32");
    for (size_t i = 0; row->choices[i]; i++) {
        cr_assert(posenc_dtype_find(row->choices[i], &dtype), "%s", row->choices[i]);
        cr_expect(dtype != POSENC_INT32 && dtype != POSENC_INT64);
    }
}

struct bound_case {
    const char *query;
    enum posenc_status status;
};

Test(shared_rows, positions_and_steps_are_bounded_and_lengths_may_be_zero)
{
    static const struct bound_case cases[] = {
        {"length=0&dim=2", POSENC_OK},
        {"length=-1&dim=2", POSENC_OUT_OF_RANGE},
        {"length=1&dim=2&offset=9007199254740992", POSENC_OK},
        {"length=1&dim=2&offset=9007199254740994", POSENC_OUT_OF_RANGE},
        {"length=1&dim=2&step=-9007199254740992", POSENC_OK},
        {"length=1&dim=2&step=-9007199254740994", POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "sinusoidal/table", cases[i].query), cases[i].status, "%s",
                     cases[i].query);
        asked_release(&asked);
    }
}
