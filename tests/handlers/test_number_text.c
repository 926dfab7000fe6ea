#include "number_text.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANDOM_ROUNDS 200000

/* A fixed sequence of 64-bit patterns (splitmix64), so that a failure can be repeated. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static const char *printed(enum posenc_dtype dtype, double value, char *text)
{
    const size_t length = number_print(dtype, value, text);

    cr_assert_leq(length, NUMBER_TEXT_MAX);
    text[length] = '\0';
    return text;
}

static void expect_printed(enum posenc_dtype dtype, double value, const char *expected)
{
    char text[NUMBER_TEXT_MAX + 1];

    cr_expect_str_eq(printed(dtype, value, text), expected);
}

Test(number_text, prints_the_shortest_decimal_of_each_dtype)
{
    expect_printed(POSENC_FLOAT32, (double)0.1f, "0.1");
    expect_printed(POSENC_FLOAT64, (double)0.1f, "0.10000000149011612");
    expect_printed(POSENC_FLOAT64, 0.1, "0.1");
    expect_printed(POSENC_FLOAT32, (double)0.84147096f, "0.84147096");
    expect_printed(POSENC_FLOAT32, 1.0, "1");
    expect_printed(POSENC_FLOAT32, 100000.0, "1e+05");
    expect_printed(POSENC_FLOAT64, 5e-324, "5e-324");
    expect_printed(POSENC_FLOAT16, 0.0999755859375, "0.1");
    expect_printed(POSENC_FLOAT16, 65504.0, "65500");
    expect_printed(POSENC_FLOAT16, 0x1p-24, "6e-08");
    expect_printed(POSENC_BFLOAT16, 0.10009765625, "0.1");
    expect_printed(POSENC_BFLOAT16, -3.140625, "-3.14");
}

Test(number_text, prints_integers_without_exponent)
{
    char text[NUMBER_TEXT_MAX + 1];

    expect_printed(POSENC_INT32, -2147483648.0, "-2147483648");
    expect_printed(POSENC_INT64, 100000.0, "100000");
    expect_printed(POSENC_INT64, 9007199254740992.0, "9007199254740992");
    expect_printed(POSENC_INT64, 0x1p63, "9223372036854775807");
    text[number_print_integer(INT64_MIN, text)] = '\0';
    cr_expect_str_eq(text, "-9223372036854775808");
    text[number_print_integer(9007199254740993, text)] = '\0';
    cr_expect_str_eq(text, "9007199254740993");
}

Test(number_text, prints_what_is_not_finite_as_a_string_and_keeps_the_sign_of_zero)
{
    expect_printed(POSENC_FLOAT32, NAN, "\"NaN\"");
    expect_printed(POSENC_FLOAT16, INFINITY, "\"Infinity\"");
    expect_printed(POSENC_FLOAT64, -INFINITY, "\"-Infinity\"");
    expect_printed(POSENC_BFLOAT16, -0.0, "-0.0");
    expect_printed(POSENC_FLOAT32, -0.0, "-0.0");
    expect_printed(POSENC_FLOAT64, 0.0, "0");
}

Test(number_text, reads_every_printed_double_back)
{
    uint64_t state = 1;

    for (size_t i = 0; i < RANDOM_ROUNDS; i++) {
        const uint64_t bits = next_random(&state);
        char text[NUMBER_TEXT_MAX + 1];
        double value, back;
        bool overflow;

        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        printed(POSENC_FLOAT64, value, text);
        cr_assert_eq(number_parse(text, strlen(text), &back, &overflow), strlen(text), "%s", text);
        cr_assert(!overflow);
        cr_assert_eq(memcmp(&back, &value, sizeof value), 0, "%s", text);
    }
}

Test(number_text, reads_every_printed_float_back)
{
    uint64_t state = 2;

    for (size_t i = 0; i < RANDOM_ROUNDS; i++) {
        const uint32_t bits = (uint32_t)next_random(&state);
        char text[NUMBER_TEXT_MAX + 1];
        float value;

        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        printed(POSENC_FLOAT32, (double)value, text);
        cr_assert_eq(strtof(text, NULL), value, "%s", text);
        cr_assert_leq(strspn(text, "-0123456789."), strlen(text));
    }
}

/* The half value that a decimal text reads as. */
static uint16_t read_half(enum posenc_dtype half, const char *text)
{
    const double value = strtod(text, NULL);
    uint16_t bits;

    posenc_round(half, &value, 1, &bits);
    return bits;
}

/* Significant digits of a printed number. */
static int count_digits(const char *text)
{
    int count = 0, trailing_zeros = 0;

    for (; *text && *text != 'e'; text++) {
        if (*text == '0')
            trailing_zeros += count > 0;
        else if (*text >= '1' && *text <= '9') {
            count += trailing_zeros + 1;
            trailing_zeros = 0;
        }
    }
    return count;
}

/* True when a decimal of that many digits beside the value reads as its pattern: by trying both. */
static bool has_decimal(enum posenc_dtype half, double value, uint16_t bits, int digits)
{
    char text[64], tail[16];
    long long mantissa = 0;
    int exponent;

    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    exponent = atoi(strchr(text, 'e') + 1) - (digits - 1);
    for (const char *at = text; *at != 'e'; at++) {
        if (*at != '.' && *at != '-')
            mantissa = mantissa * 10 + (*at - '0');
    }
    snprintf(tail, sizeof tail, "e%d", exponent);
    for (long long candidate = mantissa - 1; candidate <= mantissa + 1; candidate++) {
        snprintf(text, sizeof text, "%s%lld%s", value < 0 ? "-" : "", candidate, tail);
        if (read_half(half, text) == bits)
            return true;
    }
    return false;
}

static void check_all_patterns(enum posenc_dtype half)
{
    for (uint32_t pattern = 0; pattern <= 0xFFFF; pattern++) {
        const uint16_t bits = (uint16_t)pattern;
        char text[NUMBER_TEXT_MAX + 1];
        double value;

        posenc_widen(half, &bits, 1, &value);
        if (!isfinite(value) || value == 0)
            continue;
        printed(half, value, text);
        cr_assert_eq(read_half(half, text), bits, "%s for pattern %04x", text, pattern);
        const int digits = count_digits(text);

        cr_assert_leq(digits, 5);
        cr_assert(digits == 1 || !has_decimal(half, value, bits, digits - 1),
                  "%s for pattern %04x is not the shortest", text, pattern);
    }
}

Test(number_text, prints_all_float16_patterns_so_that_they_read_back_and_none_is_shorter)
{
    check_all_patterns(POSENC_FLOAT16);
}

Test(number_text, prints_all_bfloat16_patterns_so_that_they_read_back_and_none_is_shorter)
{
    check_all_patterns(POSENC_BFLOAT16);
}

Test(number_text, reads_the_numbers_of_rfc_8259_and_stops_where_their_grammar_does)
{
    static const struct {
        const char *text;
        size_t length;
        double value;
    } rows[] = {
        {"0", 1, 0},
        {"-0", 2, -0.0},
        {"12,", 2, 12},
        {"01", 1, 0},
        {"1.5e3]", 5, 1500},
        {"1.", 1, 1},
        {"1.e5", 1, 1},
        {"1e", 1, 1},
        {"1e+", 1, 1},
        {"1E-2 ", 4, 0.01},
        {"-", 0, 0},
        {"+1", 0, 0},
        {".5", 0, 0},
        {"NaN", 0, 0},
        {"inf", 0, 0},
        {"", 0, 0},
        {"0x10", 1, 0},
        {"9007199254740993", 16, 9007199254740992.0},
        {"123456789012345678901234567890", 30, 123456789012345678901234567890.0},
        {"0.1", 3, 0.1},
        {"1e23", 4, 1e23},
        {"8.5e-22", 7, 8.5e-22},
        {"2.2250738585072011e-308", 23, 2.2250738585072011e-308},
        {"1.7976931348623157e308", 22, 1.7976931348623157e308},
        {"4.9e-324", 8, 5e-324},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value = 0;
        bool overflow = true;

        cr_expect_eq(number_parse(rows[i].text, strlen(rows[i].text), &value, &overflow),
                     rows[i].length, "%s", rows[i].text);
        cr_expect(value == rows[i].value && signbit(value) == signbit(rows[i].value), "%s gives %g",
                  rows[i].text, value);
        cr_expect(!overflow, "%s", rows[i].text);
    }
}

Test(number_text, tells_on_which_side_of_an_integer_a_decimal_lies)
{
    static const struct {
        const char *text;
        double value;
        int side;
    } rows[] = {
        {"9007199254740993", 9007199254740992.0, 1},
        {"9007199254740992", 9007199254740992.0, 0},
        {"9007199254740992.5", 9007199254740992.0, 1},
        {"9007199254740991.9", 9007199254740992.0, -1},
        {"9.007199254740993e15", 9007199254740992.0, 1},
        {"9.007199254740992E+15", 9007199254740992.0, 0},
        {"90071992547409930e-1", 9007199254740992.0, 1},
        {"900719925474099300000000000000000000000000E-26", 9007199254740992.0, 1},
        {"0.000009007199254740993e21", 9007199254740992.0, 1},
        {"-9007199254740993", -9007199254740992.0, -1},
        {"-9007199254740991.75", -9007199254740992.0, 1},
        {"1.00000000000000000000", 1, 0},
        {"1.00000000000000000001", 1, 1},
        {"0.99999999999999999999", 1, -1},
        {"9.9999999999999999999", 10, -1},
        {"-99.99999999999999999999", -100, 1},
        {"1000000000000000000000e-18", 1000, 0},
        {"4503599627370497.25", 4503599627370497.0, 1},
        {"0.00000000000000000000", 0, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value;
        bool overflow;

        cr_expect_eq(number_parse(rows[i].text, strlen(rows[i].text), &value, &overflow),
                     strlen(rows[i].text));
        cr_expect_eq(value, rows[i].value, "%s", rows[i].text);
        cr_expect_eq(number_side(rows[i].text, strlen(rows[i].text), value), rows[i].side, "%s",
                     rows[i].text);
    }
}

/* An integer, zeros and perhaps one more digit, with its point anywhere. */
Test(number_text, tells_the_side_of_decimals_whose_tail_is_known)
{
    uint64_t state = 12345;

    for (int i = 0; i < 20000; i++) {
        char text[128];
        int zeros, shift, size;
        uint64_t integer;

        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        integer = (state >> 11) >> (state % 50);
        integer += integer == 0;
        zeros = (int)(state >> 32 & 31);
        shift = (int)(state >> 40 & 31);
        size = snprintf(text, sizeof text, "%" PRIu64 "%0*d%se-%d", integer, zeros + 1, 0,
                        state >> 50 & 1 ? "3" : "", zeros + 1 + (int)(state >> 50 & 1));
        cr_assert_eq(number_side(text, (size_t)size, (double)integer), (int)(state >> 50 & 1), "%s",
                     text);
        /* The same with all of its digits behind the point, and negative. */
        size = snprintf(text, sizeof text, "-0.%0*d%" PRIu64 "%se%d", shift + 1, 0, integer,
                        state >> 50 & 1 ? "0003" : "",
                        shift + 1 + snprintf(NULL, 0, "%" PRIu64, integer));
        cr_assert_eq(number_side(text, (size_t)size, -(double)integer), -(int)(state >> 50 & 1),
                     "%s", text);
    }
}

Test(number_text, reads_no_byte_beyond_the_size)
{
    double value;
    bool overflow;

    cr_expect_eq(number_parse("1234", 2, &value, &overflow), 2);
    cr_expect_eq(value, 12.0);
    cr_expect_eq(number_parse("1e5", 2, &value, &overflow), 1);
    cr_expect_eq(value, 1.0);
}

Test(number_text, tells_too_large_from_too_small)
{
    double value;
    bool overflow;
    char digits[500];

    cr_expect_eq(number_parse("-1e999", 6, &value, &overflow), 6);
    cr_expect(overflow && value == -INFINITY);
    cr_expect_eq(number_parse("1e-400", 6, &value, &overflow), 6);
    cr_expect(!overflow && value == 0);
    cr_expect(number_underflowed("1e-400", 6));
    cr_expect(number_underflowed("-0.001e-9999999999999999999999", 30));
    cr_expect(!number_underflowed("-0.000e-5", 9));

    /* No exponent at all: only the digits say how large it is. */
    memset(digits, '9', sizeof digits);
    cr_expect_eq(number_parse(digits, sizeof digits, &value, &overflow), sizeof digits);
    cr_expect(overflow);
    memset(digits, '0', sizeof digits);
    digits[1] = '.';
    digits[sizeof digits - 1] = '1';
    cr_expect_eq(number_parse(digits, sizeof digits, &value, &overflow), sizeof digits);
    cr_expect(!overflow && value == 0);
}

Test(number_text, agrees_with_strtod_on_random_decimals)
{
    uint64_t state = 3;

    for (size_t i = 0; i < RANDOM_ROUNDS; i++) {
        const uint64_t digits = next_random(&state) >> (next_random(&state) % 64);
        const int exponent = (int)(next_random(&state) % 61) - 30;
        char text[64];
        double value;
        bool overflow;
        const int length =
            snprintf(text, sizeof text, "%llue%d", (unsigned long long)digits, exponent);

        cr_assert_eq(number_parse(text, (size_t)length, &value, &overflow), (size_t)length);
        cr_assert_eq(value, strtod(text, NULL), "%s", text);
    }
}

Test(number_text, knows_three_words)
{
    double value = 0;

    cr_expect_eq(number_parse_word("-Infinity\"", 10, &value), 9);
    cr_expect_eq(value, -INFINITY);
    cr_expect_eq(number_parse_word("NaN", 3, &value), 3);
    cr_expect(isnan(value));
    cr_expect_eq(number_parse_word("Na", 2, &value), 0);
    cr_expect_eq(number_parse_word("nan", 3, &value), 0);
}
