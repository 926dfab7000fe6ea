/* DeBERTa's index from lengths and from lists. */
#include <criterion/criterion.h>

#include "support.h"

#define ROWS_MAX 32

struct golden {
    const char *query;
    size_t count;
    int index[ROWS_MAX];
};

static const struct golden rows[] = {
    {"relative_positions=0,1,-1,127,-127,128,-128,129,-129,130,131,132,200,-200,300,400,510,511,"
     "-511,512,600",
     21,
     {256, 257, 255, 383, 129, 384, 128, 385, 127, 386, 387,
      387, 425, 87,  463, 489, 511, 511, 1,   511, 511}},
    {"relative_positions=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16&position_buckets=8&"
     "max_relative_positions=17",
     17,
     {8, 9, 10, 11, 12, 13, 13, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15}},
    {"query_length=3&key_length=3&position_buckets=0&max_relative_positions=2",
     9,
     {2, 1, 0, 3, 2, 1, 3, 3, 2}},
    {"query_length=5&position_buckets=0&max_relative_positions=3",
     25,
     {3, 2, 1, 0, 0, 4, 3, 2, 1, 0, 5, 4, 3, 2, 1, 5, 5, 4, 3, 2, 5, 5, 5, 4, 3}},
    {"query_length=2&key_length=3&position_buckets=0&max_relative_positions=9",
     6,
     {9, 8, 7, 10, 9, 8}},
    {"query_length=1&key_length=3&query_offset=2&position_buckets=0&max_relative_positions=9",
     3,
     {11, 10, 9}},
};

Test(deberta, is_query_minus_key)
{
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        struct asked asked;

        cr_assert_eq(ask(&asked, "deberta/table", rows[r].query), POSENC_OK, "%s",
                     asked.problem.detail);
        const double *index = asked_values(&asked, "index");

        cr_assert_eq(asked.result.tensors[0].dtype, POSENC_INT32);
        cr_assert_eq(asked.result.tensors[0].count, rows[r].count);
        for (size_t i = 0; i < rows[r].count; i++)
            cr_assert_eq(index[i], rows[r].index[i], "%s at %zu", rows[r].query, i);
        asked_release(&asked);
    }
}

Test(deberta, lengths_and_their_list_agree)
{
    struct asked lengths, list;
    double relative[30 * 47];
    uint64_t seed = 7;

    for (size_t i = 0; i < 30 * 47; i++)
        relative[i] = (double)(i / 47 * 1) - (double)(i % 47) + 300;
    const struct posenc_member member = {"relative_positions", posenc_numbers(relative, 30 * 47)};

    cr_assert_eq(ask(&lengths, "deberta/table", "query_length=30&key_length=47&query_offset=300"),
                 POSENC_OK);
    cr_assert_eq(ask_with(&list, "deberta/table", NULL, &member, 1), POSENC_OK);
    const double *a = asked_values(&lengths, "index"), *b = asked_values(&list, "index");

    for (size_t i = 0; i < 30 * 47; i++)
        cr_assert_eq(a[i], b[i], "%zu", i);
    for (int i = 0; i < 10; i++) {
        assert_runs_agree(&lengths, &seed);
        assert_runs_agree(&list, &seed);
    }
    asked_release(&lengths);
    asked_release(&list);
}

Test(deberta, echoes_the_defaults)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "deberta/table", "query_length=2"), POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "key_length"), 2);
    cr_expect_eq(echoed_number(&asked.result, "query_offset"), 0);
    cr_expect_eq(echoed_number(&asked.result, "position_buckets"), 256);
    cr_expect_eq(echoed_number(&asked.result, "max_relative_positions"), 512);
    asked_release(&asked);
}

Test(deberta, refuses_what_contradicts_itself)
{
    static const struct {
        const char *query;
        enum posenc_status status;
        const char *parameter;
    } cases[] = {
        {"", POSENC_MISSING_PARAMETER, "query_length"},
        {"query_length=2&relative_positions=1", POSENC_CONFLICT, "relative_positions"},
        {"key_length=2&relative_positions=1", POSENC_CONFLICT, "relative_positions"},
        {"query_offset=2&relative_positions=1", POSENC_CONFLICT, "relative_positions"},
        {"relative_positions=1,0.5", POSENC_WRONG_TYPE, "relative_positions.1"},
        {"relative_positions=1e17", POSENC_OUT_OF_RANGE, "relative_positions.0"},
        {"query_length=2&position_buckets=-1", POSENC_OUT_OF_RANGE, "position_buckets"},
        {"query_length=2&position_bucket=256", POSENC_UNKNOWN_PARAMETER, "position_bucket"},
        {"query_length=9007199254740991", POSENC_OUT_OF_RANGE, "query_length"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "deberta/table", cases[i].query), cases[i].status, "%s",
                     cases[i].query);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%s", cases[i].query);
        asked_release(&asked);
    }
}
