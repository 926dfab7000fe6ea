/*
 * Texts that RFC 8259 leaves to the parser: sizes, precision, surrogates alone, bytes that are no
 * UTF-8. We read what has one meaning as doubles, and refuse the rest.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "json_verdict.h"
#include "rows.h"

#define READ(name, bytes)                                                                          \
    {                                                                                              \
        "J3", "i_" name, bytes, sizeof(bytes) - 1, true                                            \
    }
#define REFUSED(name, bytes)                                                                       \
    {                                                                                              \
        "J3", "i_" name, bytes, sizeof(bytes) - 1, false                                           \
    }

static const struct json_case cases[] = {
    /* Beyond the doubles, or lost between them and zero: nothing is rounded to infinity or 0. */
    REFUSED("number_double_huge_negative_exponent", "[123.456e-789]"),
    REFUSED("number_huge_exponent", "[0.4e00669999999999999999999999999999999999999999999999999]"),
    REFUSED("number_negative_int_huge_exponent", "[-1e+9999]"),
    REFUSED("number_positive_double_huge_exponent", "[1.5e+9999]"),
    REFUSED("number_real_negative_overflow", "[-123123e100000]"),
    REFUSED("number_real_positive_overflow", "[123123e100000]"),
    REFUSED("number_real_underflow", "[123e-10000000]"),
    REFUSED("number_just_beyond_the_largest", "[1.7976931348623159e308]"),
    REFUSED("number_half_of_the_smallest", "[2.4703282292062327e-324]"),
    READ("number_zero_with_huge_exponent", "[0e99999]"),
    READ("number_zero_with_huge_negative_exponent", "[0e-99999]"),
    /* Integers are doubles, the nearest to the text. */
    READ("number_too_big_negative_int", "[-123123123123123123123123123123]"),
    READ("number_too_big_positive_int", "[100000000000000000000]"),
    READ("number_very_big_negative_int", "[-237462374673276894279832749832423479823246327846]"),
    READ("number_two_to_the_63", "[9223372036854775808]"),
    READ("number_subnormal", "[1e-310]"),
    /* A surrogate needs its other half. */
    REFUSED("object_key_lone_second_surrogate", "{\"\\uDFAA\":0}"),
    REFUSED("string_first_surrogate_but_second_missing", "[\"\\uDADA\"]"),
    REFUSED("string_first_valid_second_invalid", "[\"\\uD888\\u1234\"]"),
    REFUSED("string_incomplete_surrogate_and_escape", "[\"\\uD800\\n\"]"),
    REFUSED("string_incomplete_surrogate_pair", "[\"\\uDd1ea\"]"),
    REFUSED("string_incomplete_surrogates_escape", "[\"\\uD800\\uD800\\n\"]"),
    REFUSED("string_invalid_lonely_surrogate", "[\"\\ud800\"]"),
    REFUSED("string_invalid_surrogate", "[\"\\ud800abc\"]"),
    REFUSED("string_inverted_surrogates", "[\"\\uDd1e\\uD834\"]"),
    REFUSED("string_lone_second_surrogate", "[\"\\uDFAA\"]"),
    /* Bytes that are no UTF-8 (RFC 3629). */
    REFUSED("string_utf8_surrogate", "[\"\xed\xa0\x80\"]"),
    REFUSED("string_invalid_utf8", "[\"\xff\"]"),
    REFUSED("string_latin_1", "[\"\xe9\"]"),
    REFUSED("string_not_in_unicode_range", "[\"\xf4\xbf\xbf\xbf\"]"),
    REFUSED("string_five_bytes", "[\"\xf8\x88\x80\x80\x80\"]"),
    REFUSED("string_overlong_two_bytes", "[\"\xc0\xaf\"]"),
    REFUSED("string_overlong_three_bytes", "[\"\xe0\x80\xaf\"]"),
    REFUSED("string_overlong_four_bytes", "[\"\xf0\x80\x80\xaf\"]"),
    REFUSED("string_overlong_six_bytes", "[\"\xfc\x83\xbf\xbf\xbf\xbf\"]"),
    REFUSED("string_overlong_null", "[\"\xc0\x80\"]"),
    REFUSED("string_truncated", "[\"\xe0\xff\"]"),
    REFUSED("string_ends_within_a_character", "[\"\xe2\x82\"]"),
    REFUSED("string_lone_continuation", "[\"\x81\"]"),
    REFUSED("string_invalid_in_key", "{\"\xff\":1}"),
    /* Other encodings than UTF-8, and its mark. */
    REFUSED("string_utf16_little_endian_with_bom", "\xff\xfe[\0\"\0\xe9\0\"\0]\0"),
    REFUSED("string_utf16_big_endian_without_bom", "\0[\0\"\0\xe9\0\"\0]"),
    REFUSED("string_utf16_little_endian_without_bom", "[\0\"\0\xe9\0\"\0]\0"),
    REFUSED("string_utf32_little_endian", "[\0\0\0]\0\0\0"),
    REFUSED("structure_utf8_bom_and_object", "\xef\xbb\xbf{}"),
    REFUSED("structure_utf8_bom_alone", "\xef\xbb\xbf"),
    REFUSED("structure_utf8_bom_behind", "{}\xef\xbb\xbf"),
};
ROWS_OF(cases);

Test(json_undefined, has_one_verdict_each)
{
    expect_json_verdicts(cases, sizeof(cases) / sizeof(*cases));
}

ROW(J5);
ROW(J6);

/* `depth` times `open`, then null, then as often ']'. */
static size_t nest(char *text, const char *open, size_t depth)
{
    char *at = text;

    for (size_t i = 0; i < depth; i++)
        at = stpcpy(at, open);
    at = stpcpy(at, "null");
    for (size_t i = 0; i < depth; i++)
        *at++ = ']';
    return (size_t)(at - text);
}

Test(json_undefined, nesting_is_limited_to_32_levels)
{
    static char text[16 * 500];
    struct json_case deep = {"J6", "i_structure_depth_32", text, nest(text, "[\"\",", 32), true};

    expect_json_verdicts(&deep, 1);
    deep = (struct json_case){"J6", "i_structure_depth_33", text, nest(text, "[\"\",", 33), false};
    expect_json_verdicts(&deep, 1);
    deep = (struct json_case){"J5", "i_structure_500_nested_arrays", text, nest(text, "[", 500),
                              false};
    expect_json_verdicts(&deep, 1);
}
