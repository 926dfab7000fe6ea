/* Lists in which null stands for a token without a position. */
#include <criterion/criterion.h>
#include <math.h>

#include "bind.h"

static struct posenc_value list_of(const struct posenc_value *items, size_t count)
{
    const struct posenc_value list = {.kind = POSENC_LIST, .as.list = {items, count}};

    return list;
}

static struct posenc_memory memory;

static void begin(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void end(void)
{
    posenc_memory_release(&memory);
}

TestSuite(convert_nulls, .init = begin, .fini = end);

Test(convert_nulls, a_null_becomes_a_nan_in_its_place)
{
    const struct posenc_value items[] = {posenc_number(7), posenc_null(), posenc_number(9)};
    const struct posenc_value list = list_of(items, 3);
    struct posenc_value value;

    cr_assert(posenc__convert_nulls(&list, &memory, &value));
    cr_assert_eq(value.as.array.rank, 1u);
    cr_assert_eq(value.as.array.shape[0], 3u);
    const double *numbers = value.as.array.data;

    cr_expect_eq(numbers[0], 7.0);
    cr_expect(isnan(numbers[1]));
    cr_expect_eq(numbers[2], 9.0);
}

Test(convert_nulls, rows_without_nulls_may_stand_beside_rows_with)
{
    static const double plain[] = {1, 2};
    const struct posenc_value items[] = {posenc_null(), posenc_number(4)};
    const struct posenc_value rows[] = {posenc_numbers(plain, 2), list_of(items, 2)};
    const struct posenc_value list = list_of(rows, 2);
    struct posenc_value value;

    cr_assert(posenc__convert_nulls(&list, &memory, &value));
    cr_assert_eq(value.as.array.rank, 2u);
    const double *numbers = value.as.array.data;

    cr_expect_eq(numbers[1], 2.0);
    cr_expect(isnan(numbers[2]));
    cr_expect_eq(numbers[3], 4.0);
}

Test(convert_nulls, rounded_numbers_keep_their_places)
{
    static const double plain[] = {1, 9007199254740992.0};
    static const struct posenc_rounded second = {1, true, "9007199254740993", NULL};
    static const struct posenc_rounded alone = {0, false, "3.9999999999999999999", NULL};
    struct posenc_value items[] = {posenc_null(), posenc_number(4)};
    struct posenc_value rows[] = {posenc_numbers(plain, 2), list_of(items, 2)};
    struct posenc_value value;

    rows[0].rounded = &second;
    items[1].rounded = &alone;
    const struct posenc_value list = list_of(rows, 2);

    cr_assert(posenc__convert_nulls(&list, &memory, &value));
    cr_assert(value.rounded && value.rounded->next && !value.rounded->next->next);
    cr_expect(value.rounded->index == 1 && value.rounded->is_above);
    cr_expect_eq(value.rounded->text, second.text);
    cr_expect(value.rounded->next->index == 3 && !value.rounded->next->is_above);
    cr_expect_eq(value.rounded->next->text, alone.text);
}

Test(convert_nulls, other_values_and_ragged_rows_are_no_positions)
{
    const struct posenc_value words[] = {posenc_null(), posenc_text("one")};
    const struct posenc_value one[] = {posenc_null()}, two[] = {posenc_null(), posenc_null()};
    const struct posenc_value ragged[] = {list_of(one, 1), list_of(two, 2)};
    const struct posenc_value mixed[] = {posenc_number(1), list_of(two, 2)};
    const struct posenc_value lists[] = {list_of(words, 2), list_of(ragged, 2), list_of(mixed, 2),
                                         posenc_number(3)};
    struct posenc_value value;

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        cr_expect_not(posenc__convert_nulls(&lists[i], &memory, &value), "list %zu", i);
}
