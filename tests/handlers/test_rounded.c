/* The list of numbers that rounding made integers. */
#include "rounded.h"

#include <criterion/criterion.h>
#include <string.h>

static struct posenc_memory memory;
static struct rounded_list list;

static void begin(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    list = (struct rounded_list){0};
}

static void end(void)
{
    posenc_memory_release(&memory);
}

TestSuite(rounded, .init = begin, .fini = end);

static bool note(size_t index, const char *text, double value)
{
    return rounded_note(&list, &memory, index, text, strlen(text), value);
}

Test(rounded, keeps_in_order_what_lies_beside_its_integer_and_nothing_else)
{
    cr_assert(note(0, "1", 1));
    cr_assert(note(1, "9007199254740993", 9007199254740992.0));
    cr_assert(note(2, "0.1000000000000000055", 0.1));
    cr_assert(note(3, "9007199254740995", 9007199254740996.0)); /* beyond 2^53 as it is */
    cr_assert(note(4, "-0.99999999999999999999", -1));
    cr_assert(note(5, "7.000000000000000000000", 7));

    const struct posenc_rounded *const first = list.first;

    cr_assert(first && first->next && !first->next->next);
    cr_expect(first->index == 1 && first->is_above);
    cr_expect_str_eq(first->text, "9007199254740993");
    cr_expect(first->next->index == 4 && first->next->is_above);
    cr_expect_str_eq(first->next->text, "-0.99999999999999999999");
}

Test(rounded, cuts_a_decimal_of_a_thousand_digits)
{
    char text[1001];

    memset(text, '0', sizeof text);
    memcpy(text, "5.", 2);
    text[999] = '1';
    cr_assert(rounded_note(&list, &memory, 0, text, 1000, 5));
    cr_assert(list.first && list.first->is_above);
    cr_expect_eq(strlen(list.first->text), 63);
    cr_expect_eq(memcmp(list.first->text, text, 63), 0);
}

Test(rounded, says_when_memory_is_out)
{
    posenc_memory_release(&memory);
    posenc_memory_init(&memory, 1);
    cr_expect_not(note(0, "9007199254740993", 9007199254740992.0));
    cr_expect_null(list.first);
}
