/* Tensors written as {"dtype", "shape", "data"}. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support.h"

/* Asks the identity for its tensor back in float64. */
static enum posenc_status give(struct asked *asked, const char *dtype, struct posenc_value shape,
                               struct posenc_value data)
{
    const struct posenc_member members[] = {
        {"dtype", posenc_text(dtype)}, {"shape", shape}, {"data", data}};
    const struct posenc_member x = {"x", posenc_object(members, 3)};

    return ask_with(asked, "none/apply", "dtype=float64", &x, 1);
}

static const double six[] = {0, -1, 2.5, 1e5, 65519.9, -7};

Test(convert_tensor, takes_flat_and_nested_data)
{
    const double shape[] = {2, 3};
    const struct posenc_value datas[] = {posenc_numbers(six, 6),
                                         support_array(six, 2, (const size_t[]){3, 2})};

    for (size_t i = 0; i < 2; i++) {
        struct asked asked;

        cr_assert_eq(give(&asked, "float64", posenc_numbers(shape, 2), datas[i]), POSENC_OK);
        const struct posenc_tensor *x = posenc_find_tensor(&asked.result, "x");

        cr_expect_eq(x->rank, 2);
        cr_expect_eq(x->shape[0], 2);
        cr_expect_eq(x->shape[1], 3);
        cr_expect_eq(memcmp(asked_values(&asked, "x"), six, sizeof(six)), 0);
        asked_release(&asked);
    }
}

Test(convert_tensor, rounds_once_to_the_dtype)
{
    const double shape[] = {3}, numbers[] = {0.1, 65519.9, 257};
    const double halves[] = {0x1.998p-4, 65504, 257}, brains[] = {0x1.9ap-4, 65536, 256};
    struct asked asked;

    cr_assert_eq(give(&asked, "float16", posenc_numbers(shape, 1), posenc_numbers(numbers, 3)),
                 POSENC_OK);
    cr_expect_eq(memcmp(asked_values(&asked, "x"), halves, sizeof(halves)), 0);
    asked_release(&asked);
    cr_assert_eq(give(&asked, "bfloat16", posenc_numbers(shape, 1), posenc_numbers(numbers, 3)),
                 POSENC_OK);
    cr_expect_eq(memcmp(asked_values(&asked, "x"), brains, sizeof(brains)), 0);
    asked_release(&asked);
}

Test(convert_tensor, a_tensor_without_axes_is_one_number)
{
    const double number = 4.25;
    struct asked asked;

    cr_assert_eq(give(&asked, "float32", posenc_numbers(NULL, 0), posenc_numbers(&number, 1)),
                 POSENC_OK);
    cr_expect_eq(asked.result.tensors[0].rank, 0);
    cr_expect_eq(asked_values(&asked, "x")[0], 4.25);
    asked_release(&asked);
}

Test(convert_tensor, an_axis_of_zero_needs_no_numbers)
{
    const double shape[] = {2, 0, 9007199254740991.0};
    struct asked asked;

    cr_assert_eq(give(&asked, "float32", posenc_numbers(shape, 3), posenc_numbers(NULL, 0)),
                 POSENC_OK);
    cr_expect_eq(asked.result.tensors[0].count, 0);
    asked_release(&asked);
}

struct shape_case {
    size_t count;
    double shape[9];
    enum posenc_status status;
    const char *parameter;
};

Test(convert_tensor, refuses_a_shape_that_does_not_describe_the_data)
{
    static const struct shape_case cases[] = {
        {2, {2, 2}, POSENC_WRONG_SHAPE, "x.shape"},
        {2, {7, 1}, POSENC_WRONG_SHAPE, "x.shape"},
        {0, {0}, POSENC_WRONG_SHAPE, "x.shape"},
        {2, {4294967296.0, 4294967296.0}, POSENC_WRONG_SHAPE, "x.shape"}, /* 0 when wrapped */
        {9, {1, 1, 1, 1, 1, 1, 1, 1, 6}, POSENC_WRONG_SHAPE, "x.shape"},
        {2, {-2, -3}, POSENC_OUT_OF_RANGE, "x.shape.0"},
        {2, {2, 2.5}, POSENC_WRONG_TYPE, "x.shape.1"},
        {2, {2, NAN}, POSENC_WRONG_TYPE, "x.shape.1"},
        {2, {2, 9007199254740992.0}, POSENC_OUT_OF_RANGE, "x.shape.1"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(give(&asked, "float32", posenc_numbers(cases[i].shape, cases[i].count),
                          posenc_numbers(six, 6)),
                     cases[i].status, "%zu", i);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%zu", i);
        asked_release(&asked);
    }
}

Test(convert_tensor, integer_dtypes_take_integers_of_their_range_only)
{
    static const double refused32[] = {2147483648.0, -2147483648.0 - 1, 0.5, NAN, INFINITY};
    static const double refused64[] = {9007199254740992.0, -1e300, -0.25, NAN};
    static const double taken[] = {2147483647.0, -2147483647.0, 0};
    const double one = 1, three = 3;
    struct asked asked;

    for (size_t i = 0; i < sizeof(refused32) / sizeof(*refused32); i++) {
        cr_expect_eq(
            give(&asked, "int32", posenc_numbers(&one, 1), posenc_numbers(&refused32[i], 1)),
            POSENC_OUT_OF_RANGE, "%g", refused32[i]);
        cr_expect_str_eq(asked.problem.parameter, "x.data");
        asked_release(&asked);
    }
    for (size_t i = 0; i < sizeof(refused64) / sizeof(*refused64); i++) {
        cr_expect_eq(
            give(&asked, "int64", posenc_numbers(&one, 1), posenc_numbers(&refused64[i], 1)),
            POSENC_OUT_OF_RANGE, "%g", refused64[i]);
        asked_release(&asked);
    }
    cr_assert_eq(give(&asked, "int32", posenc_numbers(&three, 1), posenc_numbers(taken, 3)),
                 POSENC_OK);
    cr_expect_eq(memcmp(asked_values(&asked, "x"), taken, sizeof(taken)), 0);
    asked_release(&asked);
}

Test(convert_tensor, what_rounding_made_an_integer_is_none)
{
    static const struct posenc_rounded written = {0, true, "5.0000000000000000001", NULL};
    const double one = 1, five = 5;
    struct posenc_value data = posenc_numbers(&five, 1);
    struct asked asked;

    data.rounded = &written;
    cr_expect_eq(give(&asked, "int64", posenc_numbers(&one, 1), data), POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.parameter, "x.data");
    asked_release(&asked);
    cr_expect_eq(give(&asked, "float64", posenc_numbers(&one, 1), data), POSENC_OK);
    cr_expect_eq(*asked_values(&asked, "x"), 5);
    asked_release(&asked);
}

Test(convert_tensor, an_int32_may_be_its_smallest)
{
    const double one = 1, smallest = -2147483648.0;
    struct asked asked;

    cr_assert_eq(give(&asked, "int32", posenc_numbers(&one, 1), posenc_numbers(&smallest, 1)),
                 POSENC_OK);
    cr_expect_eq(asked_values(&asked, "x")[0], smallest);
    asked_release(&asked);
}

Test(convert_tensor, refuses_unknown_dtypes_and_members_and_what_is_missing)
{
    const double shape[] = {6};
    const struct posenc_member extra[] = {{"dtype", posenc_text("float32")},
                                          {"shape", posenc_numbers(shape, 1)},
                                          {"data", posenc_numbers(six, 6)},
                                          {"shapes", posenc_null()}};
    struct asked asked;

    cr_assert_eq(give(&asked, "complex64", posenc_numbers(shape, 1), posenc_numbers(six, 6)),
                 POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.parameter, "x.dtype");
    cr_expect(is_allowed(&asked.problem, "bfloat16"));
    asked_release(&asked);
    cr_assert_eq(ask_with(&asked, "none/apply", "",
                          &(struct posenc_member){"x", posenc_object(extra, 4)}, 1),
                 POSENC_UNKNOWN_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "x.shapes");
    cr_expect_str_eq(asked.problem.suggestion, "shape");
    asked_release(&asked);
    for (size_t missing = 0; missing < 3; missing++) {
        static const char *const paths[] = {"x.dtype", "x.shape", "x.data"};
        struct posenc_member members[3] = {extra[0], extra[1], extra[2]};

        members[missing].value = posenc_null();
        cr_assert_eq(ask_with(&asked, "none/apply", "",
                              &(struct posenc_member){"x", posenc_object(members, 3)}, 1),
                     POSENC_MISSING_PARAMETER);
        cr_expect_str_eq(asked.problem.parameter, paths[missing]);
        asked_release(&asked);
    }
}

Test(convert_tensor, data_that_is_ragged_or_no_list)
{
    const double shape[] = {6};
    struct asked asked;

    cr_assert_eq(give(&asked, "float32", posenc_numbers(shape, 1),
                      (struct posenc_value){.kind = POSENC_RAGGED, .as.text = "1"}),
                 POSENC_WRONG_SHAPE);
    cr_expect_str_eq(asked.problem.parameter, "x.data");
    asked_release(&asked);
    cr_assert_eq(give(&asked, "float32", posenc_numbers(shape, 1), posenc_text("AAAA")),
                 POSENC_WRONG_TYPE);
    cr_expect_str_eq(asked.problem.parameter, "x.data");
    asked_release(&asked);
}

Test(convert_tensor, data_may_itself_be_an_array_of_another_dtype)
{
    const float narrow[] = {0.5f, -1.25f};
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT32, .rank = 1, .shape = {2}, .data = narrow};
    const double shape[] = {2, 1};
    struct asked asked;

    cr_assert_eq(give(&asked, "float64", posenc_numbers(shape, 2), posenc_nested(&array)),
                 POSENC_OK);
    cr_expect_eq(asked_values(&asked, "x")[0], 0.5);
    cr_expect_eq(asked_values(&asked, "x")[1], -1.25);
    asked_release(&asked);
}

/* A tensor inside a tensor would have no end. */
Test(convert_tensor, data_written_as_a_tensor_again_is_read_or_refused_in_bounded_memory)
{
    struct posenc_value value = posenc_numbers(six, 6);
    static struct posenc_member members[40][3];
    const double shape[] = {6};
    struct asked asked;

    for (size_t i = 0; i < 40; i++) {
        members[i][0] = (struct posenc_member){"dtype", posenc_text("float32")};
        members[i][1] = (struct posenc_member){"shape", posenc_numbers(shape, 1)};
        members[i][2] = (struct posenc_member){"data", value};
        value = posenc_object(members[i], 3);
    }
    cr_expect_eq(ask_with(&asked, "none/apply", "", &(struct posenc_member){"x", value}, 1),
                 POSENC_OK);
    cr_expect_lt(asked.memory.used, (size_t)40 * 32768);
    asked_release(&asked);
}

Test(convert_tensor, ends_well_at_every_memory_limit)
{
    const double shape[] = {2, 3};
    const struct posenc_member members[] = {{"dtype", posenc_text("float16")},
                                            {"shape", posenc_numbers(shape, 2)},
                                            {"data", posenc_numbers(six, 6)}};
    const struct posenc_member x = {"x", posenc_object(members, 3)};

    cr_expect_gt(assert_memory_ends_well("none/apply", "dtype=float32", &x, 1), 0);
}
