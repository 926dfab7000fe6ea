/* Texts that RFC 8259 calls JSON: all are read, but for two kinds that are refused on purpose. */
#include <criterion/criterion.h>

#include "json_verdict.h"

#define Y(name, bytes)                                                                             \
    {                                                                                              \
        "y", "y_" name, bytes, sizeof(bytes) - 1, true                                             \
    }
#define D(name, bytes)                                                                             \
    {                                                                                              \
        "y", "y_" name, bytes, sizeof(bytes) - 1, false                                            \
    }

/* RFC 8259, 5: arrays. */
static const struct json_case arrays[] = {
    Y("array_empty", "[]"),
    Y("array_empty_string", "[\"\"]"),
    Y("array_empty_with_blanks", "[ \t\r\n]"),
    Y("array_ends_with_newline", "[\"a\"]\n"),
    Y("array_of_false", "[false]"),
    Y("array_of_true", "[true]"),
    Y("array_of_null", "[null]"),
    Y("array_of_all_kinds", "[null, 1, \"1\", {}, [], true, false]"),
    Y("array_one_and_newline", "[1\n]"),
    Y("array_leading_space", " [1]"),
    Y("array_several_nulls", "[1,null,null,null,2]"),
    Y("array_trailing_space", "[2] "),
    Y("array_of_arrays", "[[],[[]],[[],[]]]"),
    Y("array_inner_blanks", "[ 1 , 2 , [ 3 ] , [ ] ]"),
    Y("array_of_objects", "[{},{\"a\":1},{}]"),
    Y("array_tabs_between", "[\t1\t,\t2\t]"),
    Y("array_crlf_between", "[\r\n1,\r\n2\r\n]\r\n"),
    Y("array_nested_eight_deep", "[[[[[[[[1]]]]]]]]"),
};

/* RFC 8259, 6: numbers. */
static const struct json_case numbers[] = {
    Y("number_after_space", "[ 4]"),
    Y("number_close_to_zero", "[-0.00000000000000000000000000000000000000000000000000000001]"),
    Y("number_int_with_exponent", "[20e1]"),
    Y("number_zero", "[0]"),
    Y("number_minus_zero", "[-0]"),
    Y("number_minus_zero_point_zero", "[-0.0]"),
    Y("number_negative_int", "[-123]"),
    Y("number_negative_one", "[-1]"),
    Y("number_capital_e", "[1E22]"),
    Y("number_capital_e_minus", "[1E-2]"),
    Y("number_capital_e_plus", "[1E+2]"),
    Y("number_exponent", "[123e45]"),
    Y("number_exponent_minus", "[1e-2]"),
    Y("number_exponent_plus", "[1e+2]"),
    Y("number_fraction_and_exponent", "[123.456e78]"),
    Y("number_exponent_leading_zeros", "[1e0003]"),
    Y("number_exponent_zero", "[0e0]"),
    Y("number_zero_with_exponent", "[0e1]"),
    Y("number_zero_with_plus_exponent", "[0e+1]"),
    Y("number_simple_int", "[123]"),
    Y("number_simple_real", "[123.456789]"),
    Y("number_zero_fraction", "[1.0]"),
    Y("number_fraction_ends_in_zeros", "[0.500000000000]"),
    Y("number_many_digits", "[0.123456789012345678901234567890123456789]"),
    Y("number_largest_double", "[1.7976931348623157e308]"),
    Y("number_smallest_double", "[4.9406564584124654e-324]"),
    Y("number_beyond_53_bits", "[9007199254740993]"),
    Y("number_alone", "42"),
    Y("number_negative_alone", "-0.1"),
    Y("number_alone_and_newline", "42\n"),
};

/* RFC 8259, 4: objects. */
static const struct json_case objects[] = {
    Y("object_empty", "{}"),
    Y("object_empty_with_blanks", "{ \t\r\n}"),
    Y("object_one", "{\"a\":\"b\"}"),
    Y("object_two", "{\"a\":1,\"b\":2}"),
    Y("object_empty_key", "{\"\":0}"),
    Y("object_blanks_everywhere", " { \"a\" : 1 , \"b\" : [ ] } "),
    Y("object_newlines", "{\n\"a\":\n\"b\"\n}\n"),
    Y("object_long_texts", "{\"x\":[{\"id\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}],"
                           "\"id\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}"),
    Y("object_escaped_key", "{\"\\u0061\\n\":1}"),
    Y("object_key_of_blanks", "{\" \":1}"),
    Y("object_keys_differ_in_case", "{\"a\":1,\"A\":2}"),
    Y("object_keys_look_alike", "{\"\xc3\xa9\":1,\"e\xcc\x81\":2}"),
    Y("object_in_object", "{\"a\":{\"a\":{\"a\":1}}}"),
    Y("object_same_key_in_two_objects", "[{\"a\":1},{\"a\":1}]"),
    Y("object_unicode_key", "{\"\xd0\x9f\xd0\xbe\":1}"),
    Y("object_extreme_numbers", "{\"min\":-1.0e+28,\"max\":1.0e+28}"),
    D("object_duplicated_key", "{\"a\":\"b\",\"a\":\"c\"}"),
    D("object_duplicated_key_and_value", "{\"a\":\"b\",\"a\":\"b\"}"),
    D("object_duplicated_key_otherwise_escaped", "{\"a\":1,\"\\u0061\":1}"),
};

/* RFC 8259, 7 and 8: strings. */
static const struct json_case strings[] = {
    Y("string_ascii", "[\"asd \"]"),
    Y("string_each_escape", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]"),
    Y("string_escaped_quote", "[\"\\\"\"]"),
    Y("string_escaped_backslash_and_u", "[\"\\\\u0000\"]"),
    Y("string_escaped_backslash_and_n", "[\"\\\\n\"]"),
    Y("string_escaped_control", "[\"\\u0012\"]"),
    Y("string_escaped_noncharacter", "[\"\\uFFFF\"]"),
    Y("string_escaped_fffe", "[\"\\uFFFE\"]"),
    Y("string_escaped_digits", "[\"\\u0123\\u4567\\u89aB\\uCDEF\"]"),
    Y("string_lower_and_upper_hex", "[\"\\u00e9\\u00E9\"]"),
    Y("string_pair", "[\"\\uD801\\udc37\"]"),
    Y("string_two_pairs", "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]"),
    Y("string_last_pair", "[\"\\uDBFF\\uDFFF\"]"),
    Y("string_noncharacter_pair", "[\"\\uD83F\\uDFFE\"]"),
    Y("string_escaped_space", "[\"\\u0020\"]"),
    Y("string_escaped_bom", "[\"\\uFEFF\"]"),
    Y("string_escaped_zero_width", "[\"\\u200B\\u2064\"]"),
    Y("string_escaped_double_quote", "[\"\\u0022\"]"),
    Y("string_escaped_backslash", "[\"\\u005C\"]"),
    Y("string_line_separators", "[\"\xe2\x80\xa8\xe2\x80\xa9\"]"),
    Y("string_two_bytes", "[\"\xc3\xa9\"]"),
    Y("string_three_bytes", "[\"\xe2\x82\xac\xe3\x8b\xa1\"]"),
    Y("string_four_bytes", "[\"\xf0\x9f\x98\xb9\xf0\x9b\xbf\xbf\"]"),
    Y("string_last_code_point", "[\"\xf4\x8f\xbf\xbf\"]"),
    Y("string_noncharacter", "[\"\xef\xbf\xbf\"]"),
    Y("string_private_use", "[\"\xee\x80\x80\"]"),
    Y("string_before_and_behind_surrogates", "[\"\xed\x9f\xbf\xee\x80\x80\"]"),
    Y("string_delete", "[\"a\x7f"
                       "a\"]"),
    Y("string_comment_inside", "[\"a/*b*/c/*d//e\"]"),
    Y("string_brackets_inside", "[\"[{]},:\"]"),
    Y("string_in_object", "{\"a\":\"\\u00e9\"}"),
    Y("string_alone", "\"x\""),
    Y("string_empty_alone", "\"\""),
    Y("string_space_alone", "\" \""),
    Y("string_number_inside", "[\"1e400\"]"),
    D("string_escaped_nul", "[\"\\u0000\"]"),
    D("object_key_with_escaped_nul", "{\"a\\u0000b\":0}"),
};

/* RFC 8259, 2 and 3: the rest. */
static const struct json_case structures[] = {
    Y("structure_true_alone", "true"),
    Y("structure_false_alone", "false"),
    Y("structure_null_alone", "null"),
    Y("structure_trailing_newline", "[\"a\"]\n"),
    Y("structure_true_in_array", "[true]"),
    Y("structure_blanks_around", " \t\r\n[] \t\r\n"),
    Y("structure_no_blanks", "{\"a\":[1,{\"b\":null}],\"c\":true}"),
    Y("structure_depth_of_32", "[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\","
                               "[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\","
                               "[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\",[\"\"]]]]]]]"
                               "]]]]]]]]]]]]]]]]]]]]]]]]]"),
};

#define EXPECT(cases) expect_json_verdicts((cases), sizeof(cases) / sizeof(*(cases)))

Test(json_accepted, arrays_are_read)
{
    EXPECT(arrays);
}

Test(json_accepted, numbers_are_read)
{
    EXPECT(numbers);
}

Test(json_accepted, objects_are_read_unless_a_key_stands_twice)
{
    EXPECT(objects);
}

Test(json_accepted, strings_are_read_unless_they_hold_a_nul)
{
    EXPECT(strings);
}

Test(json_accepted, blanks_and_literals_are_read)
{
    EXPECT(structures);
}
