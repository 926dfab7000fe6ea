#include "short_decimal.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 641 /* prime, so that the last bits of neighbours differ */

static float from_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What glibc says: the correctly rounded decimal of the fewest digits that reads back. */
static size_t count_needed(float value, char text[32])
{
    for (size_t digits = 1;; digits++) {
        (void)snprintf(text, 32, "%.*e", (int)digits - 1, (double)value);
        if (strtof(text, NULL) == value)
            return digits; /* nine are enough for any float32 */
    }
}

/* Digits without leading and trailing zeros. */
static size_t count_digits(const char *text)
{
    size_t count = 0, zeros = 0;

    for (; *text; text++) {
        if (*text < '0' || *text > '9' || (count == 0 && *text == '0'))
            continue;
        count++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

static void check(float value, size_t *printed)
{
    char text[SHORT_DECIMAL_MAX + 1], expected[32];
    const size_t length = short_decimal_print(value, text);

    if (length == 0)
        return;
    ++*printed;
    text[length] = '\0';
    cr_assert_eq(count_digits(text), count_needed(value, expected), "%s, not %s", text, expected);
    cr_assert_eq(strtod(text, NULL), strtod(expected, NULL), "%s, not %s", text, expected);
}

Test(short_decimal, is_the_shortest_that_reads_back_and_of_these_the_nearest)
{
    const uint32_t first = 0x37800000, end = 0x49800000; /* 2^-16 and 2^20 */
    size_t printed = 0;

    for (uint32_t bits = first; bits < end; bits += STEP) {
        check(from_bits(bits), &printed);
        check(-from_bits(bits), &printed);
    }
    /* The rest has an exponent, or nine digits. */
    cr_expect_gt(printed, 2 * (end - first) / STEP * 8 / 10);
}

Test(short_decimal, is_written_without_an_exponent_where_that_is_no_longer)
{
    static const struct {
        float value;
        const char *text;
    } rows[] = {
        {0.1f, "0.1"},
        {-0.3f, "-0.3"},
        {0.84147096f, "0.84147096"},
        {0.001f, "0.001"},
        {0.00012f, "0.00012"},
        {1.5f, "1.5"},
        {-10.25f, "-10.25"},
        {100.0f, "100"},
        {120000.0f, "120000"},
        {65537.0f, "65537"},
        {123456.79f, "123456.79"},
        {1048575.9f, "1048575.9"},
        {0.00001234f, "1.234e-05"},
        {0.0001f, "1e-04"},
        {500000.0f, "5e+05"},
        {0.5f, "0.5"},
        {1e30f, "1e+30"},
        {1e-30f, "1e-30"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[SHORT_DECIMAL_MAX + 1];
        const size_t length = short_decimal_print(rows[i].value, text);
        const bool is_left = strchr(rows[i].text, 'e') || frexpf(rows[i].value, &(int){0}) == 0.5f;

        text[length] = '\0';
        cr_expect_str_eq(text, is_left ? "" : rows[i].text);
    }
}

Test(short_decimal, leaves_zero_and_what_is_not_finite_to_others)
{
    const float values[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN};
    char text[SHORT_DECIMAL_MAX];

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        cr_expect_eq(short_decimal_print(values[i], text), 0);
}
