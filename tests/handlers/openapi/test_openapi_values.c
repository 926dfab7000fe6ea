#include "openapi_values.h"

#include <criterion/criterion.h>
#include <math.h>

#include "piece.h"

PIECE_SUITE(openapi_values);

static const char *const choices[] = {"half", "interleaved", NULL}, *const names[] = {"a", NULL};

/* What is written of a row of that type. */
static void expect_values(struct openapi_row item, enum openapi_place place, bool or_null,
                          const char *expected)
{
    json_text_begin_object(&written);
    openapi_write_values(&written, &item, place, or_null);
    json_text_end_object(&written);
    expect_written(expected);
}

struct row {
    struct posenc_parameter row;
    const char *schema;
};

static void expect_rows(const struct row *rows, size_t count, enum openapi_place place)
{
    for (size_t i = 0; i < count; i++)
        expect_values((struct openapi_row){.row = &rows[i].row}, place, false, rows[i].schema);
}

/* Integers stay within what every double tells from its neighbours: 2^53 - 1. */
Test(openapi_values, of_numbers_have_the_range_that_is_checked)
{
    static const struct row rows[] = {
        {{.type = POSENC_TYPE_INTEGER},
         "{\"type\":\"integer\",\"minimum\":-9007199254740991,\"maximum\":9007199254740991}"},
        {{.type = POSENC_TYPE_INTEGER, .minimum = 1, .maximum = INFINITY},
         "{\"type\":\"integer\",\"minimum\":1,\"maximum\":9007199254740991}"},
        {{.type = POSENC_TYPE_INTEGER, .minimum = 2, .maximum = 8},
         "{\"type\":\"integer\",\"minimum\":2,\"maximum\":8}"},
        {{.type = POSENC_TYPE_REAL}, "{\"type\":\"number\"}"},
        {{.type = POSENC_TYPE_REAL, .minimum = 0, .maximum = INFINITY, .flags = POSENC_ABOVE},
         "{\"type\":\"number\",\"exclusiveMinimum\":0}"},
        {{.type = POSENC_TYPE_REAL, .minimum = -INFINITY, .maximum = 0.5},
         "{\"type\":\"number\",\"maximum\":0.5}"},
        {{.type = POSENC_TYPE_BOOLEAN}, "{\"type\":\"boolean\"}"},
    };

    expect_rows(rows, sizeof rows / sizeof *rows, OPENAPI_QUERY);
    expect_rows(rows, sizeof rows / sizeof *rows, OPENAPI_BODY);
}

Test(openapi_values, of_texts_are_those_that_are_known)
{
    static const struct posenc_parameter choice = {.type = POSENC_TYPE_CHOICE, .choices = choices},
                                         text = {.type = POSENC_TYPE_TEXT};

    expect_values((struct openapi_row){.row = &choice}, OPENAPI_BODY, false,
                  "{\"type\":\"string\",\"enum\":[\"half\",\"interleaved\"]}");
    expect_values((struct openapi_row){.row = &choice}, OPENAPI_BODY, true,
                  "{\"type\":[\"string\",\"null\"],\"enum\":[\"half\",\"interleaved\",null]}");
    expect_values((struct openapi_row){.row = &text}, OPENAPI_BODY, false, "{\"type\":\"string\"}");
    expect_values((struct openapi_row){.row = &text, .names = names}, OPENAPI_QUERY, false,
                  "{\"type\":\"string\",\"enum\":[\"a\"]}");
    expect_values((struct openapi_row){.row = &text, .takes_index = true}, OPENAPI_QUERY, false,
                  "{\"type\":\"string\"}");
    expect_values((struct openapi_row){.row = &text, .takes_index = true}, OPENAPI_BODY, true,
                  "{\"type\":[\"string\",\"integer\",\"null\"]}");
}

Test(openapi_values, of_lists_are_told_by_their_elements)
{
    static const struct row rows[] = {
        {{.type = POSENC_TYPE_CHOICES, .choices = choices},
         "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"string\","
         "\"enum\":[\"half\",\"interleaved\"]}}"},
        {{.type = POSENC_TYPE_INTEGERS, .minimum = 1, .maximum = 9},
         "{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":9}}"},
        {{.type = POSENC_TYPE_REALS, .minimum = 0, .maximum = 1, .flags = POSENC_ABOVE},
         "{\"type\":\"array\",\"items\":{\"type\":\"number\",\"exclusiveMinimum\":0,"
         "\"maximum\":1}}"},
    };

    expect_rows(rows, sizeof rows / sizeof *rows, OPENAPI_QUERY);
    expect_rows(rows, sizeof rows / sizeof *rows, OPENAPI_BODY);
}

#define POSITION "{\"type\":\"number\",\"minimum\":-9007199254740992,\"maximum\":9007199254740992}"
#define GAP                                                                                        \
    "{\"type\":[\"number\",\"null\"],\"minimum\":-9007199254740992,\"maximum\":9007199254740992}"

Test(openapi_values, of_positions_may_be_a_list_for_each_axis_in_a_body)
{
    static const struct posenc_parameter row = {.type = POSENC_TYPE_POSITIONS},
                                         gaps = {.type = POSENC_TYPE_POSITIONS,
                                                 .flags = POSENC_NULLS};

    expect_values((struct openapi_row){.row = &row}, OPENAPI_QUERY, false,
                  "{\"type\":\"array\",\"items\":" POSITION "}");
    expect_values((struct openapi_row){.row = &row}, OPENAPI_BODY, true,
                  "{\"type\":[\"array\",\"null\"],\"items\":{\"anyOf\":[" POSITION
                  ",{\"type\":\"array\",\"items\":" POSITION "}]}}");
    expect_values((struct openapi_row){.row = &gaps}, OPENAPI_BODY, false,
                  "{\"type\":\"array\",\"items\":{\"anyOf\":[" GAP
                  ",{\"type\":\"array\",\"items\":" GAP "}]}}");
}

Test(openapi_values, of_tensors_are_referred_to)
{
    static const struct posenc_parameter row = {.type = POSENC_TYPE_TENSOR};

    expect_values((struct openapi_row){.row = &row}, OPENAPI_BODY, false,
                  "{\"$ref\":\"#/components/schemas/TensorInput\"}");
    expect_values((struct openapi_row){.row = &row}, OPENAPI_BODY, true,
                  "{\"anyOf\":[{\"$ref\":\"#/components/schemas/TensorInput\"},"
                  "{\"type\":\"null\"}]}");
}

Test(openapi_values, of_objects_are_their_type_alone)
{
    static const struct posenc_parameter row = {.type = POSENC_TYPE_OBJECT};

    expect_values((struct openapi_row){.row = &row}, OPENAPI_BODY, true,
                  "{\"type\":[\"object\",\"null\"]}");
}
