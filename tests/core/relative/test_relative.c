/* Where queries and keys stand: defaults, limits, lists instead of lengths. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

#define KERNEL "kind=log&p=1&a=1&"

Test(relative, lengths_default_to_a_square_and_the_last_query_to_the_last_key)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "kerple/table", KERNEL "query_length=3"), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "key_length"), 3);
    cr_expect_eq(echoed_number(&asked.result, "query_offset"), 0);
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "kerple/table", KERNEL "query_length=5&key_length=3"), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "query_offset"), -2);
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "kerple/table", KERNEL "query_length=2&key_length=9&query_offset=0"),
                 POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "query_offset"), 0);
    asked_release(&asked);
}

struct refused {
    const char *query, *parameter;
    enum posenc_status status;
};

Test(relative, refuses_lengths_that_are_missing_or_beyond_integers)
{
    static const struct refused rows[] = {
        {KERNEL "key_length=3", "query_length", POSENC_MISSING_PARAMETER},
        {KERNEL "query_length=-1", "query_length", POSENC_OUT_OF_RANGE},
        {KERNEL "query_length=1&query_offset=9007199254740990", "query_offset",
         POSENC_OUT_OF_RANGE},
        {KERNEL "query_length=1&query_offset=-9007199254740991", "query_offset",
         POSENC_OUT_OF_RANGE},
        {KERNEL "query_length=9007199254740991", "query_length", POSENC_OUT_OF_RANGE},
        {KERNEL "query_length=2&mask=left", "mask", POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "kerple/table", rows[i].query), rows[i].status, "%s",
                     rows[i].query);
        cr_expect_str_eq(asked.problem.parameter, rows[i].parameter, "%s", rows[i].query);
        asked_release(&asked);
    }
    struct asked asked;

    cr_expect_eq(ask(&asked, "kerple/table", KERNEL "query_length=1&query_offset=9007199254740989"),
                 POSENC_OK);
    asked_release(&asked);
}

Test(relative, shapes_without_queries_or_keys_are_empty_and_those_beyond_memory_are_not_computed)
{
    static const char *const empty[] = {KERNEL "query_length=0",
                                        KERNEL "query_length=0&key_length=4",
                                        KERNEL "query_length=4&key_length=0"};
    struct asked asked;
    double corner;

    for (size_t i = 0; i < sizeof(empty) / sizeof(*empty); i++) {
        cr_assert_eq(ask(&asked, "kerple/table", empty[i]), POSENC_OK, "%s", empty[i]);
        cr_expect_eq(asked.result.tensors[0].count, 0);
        asked_release(&asked);
    }
    cr_assert_eq(
        ask(&asked, "kerple/table", KERNEL "query_length=1000000&key_length=1000000&dtype=float64"),
        POSENC_OK);
    posenc_fill(&asked.result.tensors[0], 999999ull * 1000000ull, 1, &corner);
    cr_expect_float_eq(corner, -log(1e6), 2e-15); /* the first key of the last query: one ulp */
    asked_release(&asked);
    cr_expect_eq(
        ask(&asked, "kerple/table", KERNEL "query_length=2251799813685248&key_length=8192"),
        POSENC_TOO_LARGE);
    asked_release(&asked);
}

/* Key minus query for t5, query minus key for deberta. */
Test(relative, a_list_stands_instead_of_lengths_and_not_beside_them)
{
    static const char *const lists[] = {
        "t5/table", "bidirectional=true&relative_positions=-1,0,1", /* t5 */
        "deberta/table", "relative_positions=-1,0,1",               /* deberta */
    };
    static const char *const beside[] = {"query_length", "key_length", "query_offset"};

    for (size_t i = 0; i < 4; i += 2) {
        struct asked asked;

        cr_assert_eq(ask(&asked, lists[i], lists[i + 1]), POSENC_OK, "%s", asked.problem.detail);
        cr_expect_eq(asked.result.tensors[0].count, 3);
        for (size_t k = 0; k < asked.result.parameters.count; k++)
            for (size_t name = 0; name < 3; name++)
                cr_expect_str_neq(asked.result.parameters.items[k].name, beside[name]);
        asked_release(&asked);
        for (size_t name = 0; name < 3; name++) {
            char query[120];

            (void)snprintf(query, sizeof(query), "%s&%s=3", lists[i + 1], beside[name]);
            cr_expect_eq(ask(&asked, lists[i], query), POSENC_CONFLICT, "%s", query);
            cr_expect_str_eq(asked.problem.parameter, "relative_positions");
            cr_expect_not_null(strstr(asked.problem.detail, beside[name]));
            asked_release(&asked);
        }
    }
}
