/* Values and shapes. */
#include <criterion/criterion.h>

#include "support.h"

Test(value, counts_the_elements_of_a_shape)
{
    size_t count = 7;

    cr_assert(posenc_shape_count(3, (const size_t[]){3, 5, 7}, &count));
    cr_expect_eq(count, 105);
    cr_assert(posenc_shape_count(0, NULL, &count));
    cr_expect_eq(count, 1);
}

Test(value, an_axis_of_zero_empties_a_shape_however_long_the_others_are)
{
    size_t count = 7;

    cr_assert(posenc_shape_count(3, (const size_t[]){SIZE_MAX, SIZE_MAX, 0}, &count));
    cr_expect_eq(count, 0);
}

Test(value, a_shape_that_cannot_be_counted_leaves_the_count_alone)
{
    size_t count = 7;

    cr_expect_not(posenc_shape_count(2, (const size_t[]){SIZE_MAX / 2, 3}, &count));
    cr_expect_eq(count, 7);
    cr_assert(posenc_shape_count(2, (const size_t[]){SIZE_MAX / 2, 2}, &count));
    cr_expect_eq(count, SIZE_MAX - 1);
}

Test(value, finds_a_member_of_an_object_only)
{
    const struct posenc_member members[] = {{"dim", posenc_number(6)}, {"dims", posenc_null()}};
    const struct posenc_value object = posenc_object(members, 2), text = posenc_text("dim");

    cr_assert_not_null(posenc_find_member(&object, "dim"));
    cr_expect_eq(posenc_find_member(&object, "dim")->as.number, 6);
    cr_expect_eq(posenc_find_member(&object, "dims"), &members[1].value);
    cr_expect_null(posenc_find_member(&object, "di"));
    cr_expect_null(posenc_find_member(&text, "dim"));
    cr_expect_null(posenc_find_member(NULL, "dim"));
}

Test(value, reads_any_run_of_an_array_of_any_dtype)
{
    const double numbers[] = {-3, 0, 1, 2, 42};

    for (int dtype = 0; dtype < POSENC_DTYPE_COUNT; dtype++) {
        unsigned char elements[sizeof(numbers)];
        const struct posenc_array array = {
            .dtype = (enum posenc_dtype)dtype, .rank = 1, .shape = {5}, .data = elements};
        double out[4] = {9, 9, 9, 9};

        posenc_round(array.dtype, numbers, 5, elements);
        posenc__read_array(&array, 2, 3, out);
        for (size_t i = 0; i < 3; i++)
            cr_expect_eq(out[i], numbers[2 + i], "%s", posenc_dtype_name(array.dtype));
        cr_expect_eq(out[3], 9);
    }
}

Test(value, makes_values_of_each_kind)
{
    const double numbers[] = {1, 2};

    cr_expect_eq(posenc_null().kind, POSENC_NULL);
    cr_expect(posenc_boolean(true).as.boolean);
    cr_expect_eq(posenc_number(0.1).as.number, 0.1);
    cr_expect_str_eq(posenc_text("a").as.text, "a");
    cr_expect_eq(posenc_numbers(numbers, 2).as.array.shape[0], 2);
    cr_expect_eq(posenc_numbers(numbers, 2).as.array.dtype, POSENC_FLOAT64);
    cr_expect_eq(posenc_object(NULL, 0).kind, POSENC_OBJECT);
}
