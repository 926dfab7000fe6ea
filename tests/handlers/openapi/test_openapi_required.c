#include "openapi_required.h"

#include <criterion/criterion.h>

#include "piece.h"

PIECE_SUITE(openapi_required);

static const char *const aliases[] = {"d_model", NULL}, *const instead[] = {"model", NULL};
static const struct posenc_parameter plain = {.name = "length"}, other = {.name = "heads"},
                                     aliased = {.name = "dim", .aliases = aliases};

/* What is required of an object that has these rows. */
static void expect_required(struct openapi_row *rows, size_t count, const char *expected)
{
    for (size_t i = 0; i + 1 < count; i++)
        rows[i].next = &rows[i + 1];
    json_text_begin_object(&written);
    openapi_write_required(&written, rows);
    json_text_end_object(&written);
    expect_written(expected);
}

Test(openapi_required, says_nothing_where_nothing_is_required)
{
    expect_required((struct openapi_row[]){{.row = &plain}, {.row = &aliased}}, 2, "{}");
    expect_required(NULL, 0, "{}");
}

Test(openapi_required, lists_rows_that_can_be_given_in_one_way)
{
    expect_required((struct openapi_row[]){{.row = &plain, .is_required = true},
                                           {.row = &aliased},
                                           {.row = &other, .is_required = true}},
                    3, "{\"required\":[\"length\",\"heads\"]}");
}

Test(openapi_required, takes_any_one_of_a_row_s_names_and_of_what_stands_for_it)
{
    expect_required(
        (struct openapi_row[]){{.row = &aliased, .is_required = true},
                               {.row = &plain, .is_required = true, .instead = instead}},
        2,
        "{\"allOf\":[{\"anyOf\":[{\"required\":[\"dim\"]},{\"required\":[\"d_model\"]}]},"
        "{\"anyOf\":[{\"required\":[\"length\"]},{\"required\":[\"model\"]}]}]}");
}

/* The preset stands outside the object whose member it sets. */
Test(openapi_required, leaves_out_what_a_preset_may_set)
{
    expect_required(
        (struct openapi_row[]){{.row = &plain, .is_required = true, .is_set_by_preset = true},
                               {.row = &other, .is_required = true}},
        2, "{\"required\":[\"heads\"]}");
}
