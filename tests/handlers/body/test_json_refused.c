/* Texts that RFC 8259 does not call JSON. Each is a 400 that says where. */
#include <criterion/criterion.h>

#include "json_verdict.h"
#include "rows.h"

#define N(name, bytes)                                                                             \
    {                                                                                              \
        "J2", "n_" name, bytes, sizeof(bytes) - 1, false                                           \
    }

static const struct json_case arrays[] = {
    N("array_one_without_comma", "[1 true]"),
    N("array_invalid_utf8", "[a\xe5]"),
    N("array_colon_for_comma", "[\"\": 1]"),
    N("array_comma_behind_it", "[\"\"],"),
    N("array_comma_and_number", "[,1]"),
    N("array_double_comma", "[1,,2]"),
    N("array_double_extra_comma", "[\"x\",,]"),
    N("array_extra_close", "[\"x\"]]"),
    N("array_extra_comma", "[\"\",]"),
    N("array_extra_comma_of_numbers", "[1,]"),
    N("array_incomplete", "[\"x\""),
    N("array_incomplete_value", "[x"),
    N("array_inner_without_comma", "[3[4]]"),
    N("array_lone_bad_byte", "[\xff]"),
    N("array_items_by_semicolon", "[1:2]"),
    N("array_just_comma", "[,]"),
    N("array_just_minus", "[-]"),
    N("array_missing_value", "[   , \"\"]"),
    N("array_newlines_unclosed", "[\"a\",\n4\n,1,"),
    N("array_spaces_and_vertical_tab", "[\"\va\"\\f]"),
    N("array_star", "[*]"),
    N("array_unclosed", "[\"\""),
    N("array_unclosed_comma", "[1,"),
    N("array_unclosed_newlines", "[1,\n1\n,1"),
    N("array_unclosed_in_object", "[{}"),
    N("array_closed_as_object", "[1}"),
    N("array_of_nothing_closed_as_object", "[}"),
    N("array_of_array_unclosed", "[[1]"),
    N("array_two_values", "[1 2]"),
    N("array_two_strings", "[\"a\" \"b\"]"),
    N("array_undefined", "[undefined]"),
    N("array_hash", "[#1]"),
    N("array_spread", "[...1]"),
    N("array_ellipsis", "[1, 2, ...]"),
    N("array_in_parentheses", "(1, 2)"),
    N("array_form_feed", "[\f1]"),
    N("array_no_break_space", "[\xc2\xa0"
                              "1]"),
    N("array_ideographic_space", "[\xe3\x80\x80"
                                 "1]"),
};

static const struct json_case numbers[] = {
    N("number_plus_plus", "[++1234]"),
    N("number_plus_one", "[+1]"),
    N("number_plus_infinity", "[+Inf]"),
    N("number_minus_zero_one", "[-01]"),
    N("number_minus_one_point_zero_point", "[-1.0.]"),
    N("number_minus_two_point", "[-2.]"),
    N("number_minus_nan", "[-NaN]"),
    N("number_point_minus_one", "[.-1]"),
    N("number_point_two_e_minus_three", "[.2e-3]"),
    N("number_zero_point_one_point_two", "[0.1.2]"),
    N("number_zero_point_three_e", "[0.3e]"),
    N("number_zero_point_three_e_plus", "[0.3e+]"),
    N("number_zero_point_e_one", "[0.e1]"),
    N("number_zero_e", "[0e]"),
    N("number_zero_e_plus", "[0e+]"),
    N("number_zero_capital_e", "[0E]"),
    N("number_zero_capital_e_plus", "[0E+]"),
    N("number_one_point_zero_e", "[1.0e]"),
    N("number_one_point_zero_e_minus", "[1.0e-]"),
    N("number_one_point_zero_e_plus", "[1.0e+]"),
    N("number_one_e_e_two", "[1eE2]"),
    N("number_one_thousand_by_blank", "[1 000.0]"),
    N("number_two_point_e_minus_three", "[2.e-3]"),
    N("number_two_point_e_plus_three", "[2.e+3]"),
    N("number_two_point_e_three", "[2.e3]"),
    N("number_nine_point_e_plus", "[9.e+]"),
    N("number_inf", "[Inf]"),
    N("number_infinity", "[Infinity]"),
    N("number_minus_infinity", "[-Infinity]"),
    N("number_minus_inf", "[-inf]"),
    N("number_nan", "[NaN]"),
    N("number_nan_small", "[nan]"),
    N("number_fullwidth_digit", "[\xef\xbc\x91]"),
    N("number_arabic_digit", "[\xd9\xa1]"),
    N("number_sum", "[1+2]"),
    N("number_hex_one_digit", "[0x1]"),
    N("number_hex_two_digits", "[0x42]"),
    N("number_octal", "[0o17]"),
    N("number_binary", "[0b1]"),
    N("number_with_underscore", "[1_000]"),
    N("number_with_apostrophe", "[1'000]"),
    N("number_decimal_comma_in_object", "{\"a\":1,5}"),
    N("number_invalid_plus_minus", "[0e+-1]"),
    N("number_invalid_negative_real", "[-123.123foo]"),
    N("number_bad_byte_in_bigger_int", "[123\xe5]"),
    N("number_bad_byte_in_exponent", "[1e1\xe5]"),
    N("number_bad_byte_in_int", "[0\xe5]\n"),
    N("number_minus_space_one", "[- 1]"),
    N("number_minus_sign_with_garbage", "[-foo]"),
    N("number_negative_starting_with_zero", "[-012]"),
    N("number_negative_without_int_part", "[-.123]"),
    N("number_negative_with_garbage", "[-1x]"),
    N("number_with_garbage_behind_e", "[1ea]"),
    N("number_with_bad_byte_behind_e", "[1e\xe5]"),
    N("number_real_without_fraction", "[1.]"),
    N("number_real_without_int_part", "[.123]"),
    N("number_with_alpha", "[1.2a-3]"),
    N("number_with_alpha_char", "[1.8011670033376514H-308]"),
    N("number_with_leading_zero", "[012]"),
    N("number_two_zeros", "[00]"),
    N("number_minus_two_zeros", "[-00]"),
    N("number_long_suffix", "[1L]"),
    N("number_float_suffix", "[1.5f]"),
    N("number_percent", "[50%]"),
    N("number_then_nul_byte", "[123\0]"),
    N("number_alone_then_nul_byte", "123\0"),
    N("number_alone_then_nul_and_more", "123\0"
                                        "456"),
    N("number_two_signs", "[--1]"),
    N("number_just_e", "[e1]"),
    N("number_point_alone", "[.]"),
    N("number_exponent_with_point", "[1e2.5]"),
    N("number_leading_zero_exponentless", "[0123e4]"),
    N("number_unicode_minus", "[\xe2\x88\x92"
                              "1]"),
};

static const struct json_case literals[] = {
    N("incomplete_false", "[fals]"),
    N("incomplete_null", "[nul]"),
    N("incomplete_true", "[tru]"),
    N("incomplete_false_alone", "fals"),
    N("incomplete_null_alone", "nul"),
    N("incomplete_true_alone", "tru"),
    N("capital_null", "[NULL]"),
    N("capitalized_true", "[True]"),
    N("capitalized_false", "[False]"),
    N("capitalized_null", "[Null]"),
    N("python_none", "[None]"),
    N("true_with_garbage", "[truex]"),
    N("null_with_garbage", "[nullnull]"),
    N("false_then_nul_byte", "[false\0]"),
    N("true_then_nul_byte_alone", "true\0"),
    N("yes", "[yes]"),
};

static const struct json_case objects[] = {
    N("object_bad_value", "[\"x\", truth]"),
    N("object_bracket_key", "{[: \"x\"}\n"),
    N("object_comma_instead_of_colon", "{\"x\", null}"),
    N("object_double_colon", "{\"x\"::\"b\"}"),
    N("object_emoji", "{\xf0\x9f\x87\xa8\xf0\x9f\x87\xad}"),
    N("object_garbage_at_end", "{\"a\":\"a\" 123}"),
    N("object_key_with_single_quotes", "{key: 'value'}"),
    N("object_key_in_single_quotes", "{'a':0}"),
    N("object_bad_continuation_in_key", "{\"\xb9\":\"0\",}"),
    N("object_missing_colon", "{\"a\" b}"),
    N("object_missing_key", "{:\"b\"}"),
    N("object_missing_semicolon", "{\"a\" \"b\"}"),
    N("object_missing_value", "{\"a\":"),
    N("object_missing_value_closed", "{\"a\":}"),
    N("object_no_colon", "{\"a\""),
    N("object_non_string_key", "{1:1}"),
    N("object_non_string_key_but_huge_number", "{9999E9999:1}"),
    N("object_null_key", "{null:null,null:null}"),
    N("object_true_key", "{true:1}"),
    N("object_array_key", "{[1]:1}"),
    N("object_object_key", "{{}:1}"),
    N("object_several_trailing_commas", "{\"id\":0,,,,,}"),
    N("object_trailing_comma", "{\"id\":0,}"),
    N("object_trailing_comment", "{\"a\":\"b\"}/**/"),
    N("object_trailing_comment_open", "{\"a\":\"b\"}/**//"),
    N("object_trailing_line_comment", "{\"a\":\"b\"}//"),
    N("object_trailing_slash", "{\"a\":\"b\"}/"),
    N("object_trailing_hash", "{\"a\":\"b\"}#"),
    N("object_comment_inside", "{/*b*/\"a\":\"b\"}"),
    N("object_two_commas_in_a_row", "{\"a\":\"b\",,\"c\":\"d\"}"),
    N("object_unquoted_key", "{a: \"b\"}"),
    N("object_unterminated_value", "{\"a\":\"a"),
    N("object_with_single_string", "{ \"foo\" : \"bar\", \"a\" }"),
    N("object_trailing_garbage", "{\"a\":\"b\"}#{}"),
    N("object_closed_as_array", "{\"a\":1]"),
    N("object_leading_comma", "{,\"a\":1}"),
    N("object_just_comma", "{,}"),
    N("object_just_colon", "{:}"),
    N("object_equals_sign", "{\"a\"=1}"),
    N("object_arrow", "{\"a\"=>1}"),
    N("object_semicolon_between", "{\"a\":1;\"b\":2}"),
    N("object_string_alone", "{\"a\"}"),
    N("object_unclosed_inner", "{\"a\":{}"),
    N("object_nul_byte_inside", "{\"a\":\0"
                                "1}"),
    N("object_newline_in_key", "{\"a\nb\":1}"),
    N("object_template_value", "{\"a\":`b`}"),
};

static const struct json_case strings[] = {
    N("single_space", " "),
    N("string_one_surrogate_then_escape", "[\"\\uD800\\\"]"),
    N("string_one_surrogate_then_escape_u", "[\"\\uD800\\u\"]"),
    N("string_one_surrogate_then_escape_u1", "[\"\\uD800\\u1\"]"),
    N("string_one_surrogate_then_escape_u1x", "[\"\\uD800\\u1x\"]"),
    N("string_e_acute_unquoted", "[\xc3\xa9]"),
    N("string_backslash_00", "[\"\\\0\"]"),
    N("string_nul_byte", "[\"a\0"
                         "a\"]"),
    N("string_escape_x", "[\"\\x00\"]"),
    N("string_escaped_backslash_bad", "[\"\\\\\\\"]"),
    N("string_escaped_tab", "[\"\\\t\"]"),
    N("string_escaped_emoji", "[\"\\\xf0\x9f\x8c\x80\"]"),
    N("string_incomplete_escape", "[\"\\\"]"),
    N("string_incomplete_escaped_character", "[\"\\u00A\"]"),
    N("string_incomplete_surrogate", "[\"\\uD834\\uDd\"]"),
    N("string_incomplete_surrogate_escape", "[\"\\uD800\\uD800\\x\"]"),
    N("string_bad_byte_in_escape", "[\"\\u\xe5\"]"),
    N("string_bad_byte_escaped", "[\"\\\xe5\"]"),
    N("string_invalid_escape", "[\"\\a\"]"),
    N("string_octal_escape", "[\"\\101\"]"),
    N("string_escaped_single_quote", "[\"\\'\"]"),
    N("string_braced_escape", "[\"\\u{41}\"]"),
    N("string_capital_u_escape", "[\"\\U00000041\"]"),
    N("string_escaped_newline", "[\"a\\\nb\"]"),
    N("string_invalid_unicode_escape", "[\"\\uqqqq\"]"),
    N("string_leading_escaped_blank", "[\\u0020\"asd\"]"),
    N("string_no_quotes_with_bad_escape", "[\\n]"),
    N("string_single_doublequote", "\""),
    N("string_single_quote", "['single quote']"),
    N("string_without_quotes", "abc"),
    N("string_start_escape_unclosed", "[\"\\"),
    N("string_unescaped_control", "[\"a\x1f"
                                  "a\"]"),
    N("string_unescaped_newline", "[\"new\nline\"]"),
    N("string_unescaped_return", "[\"new\rline\"]"),
    N("string_unescaped_tab", "[\"\t\"]"),
    N("string_unescaped_backspace", "[\"\b\"]"),
    N("string_unclosed", "[\"a"),
    N("string_unclosed_behind_escape", "[\"a\\\""),
    N("string_closed_by_other_quote", "[\"a']"),
    N("string_curly_quotes", "[\xe2\x80\x9c"
                             "a\xe2\x80\x9d]"),
    N("string_triple_quotes", "[\"\"\"a\"\"\"]"),
    N("string_two_behind_each_other", "\"a\" \"b\""),
    N("string_sum", "[\"a\" + \"b\"]"),
    N("string_prefix", "[b\"a\"]"),
    N("string_with_trailing_garbage", "\"\"x"),
    N("string_unicode_capital_u", "\"\\UA66D\""),
};

static const struct json_case structures[] = {
    N("structure_nothing", ""),
    N("structure_newline_only", "\n"),
    N("structure_angle_bracket", "<.>"),
    N("structure_angle_null", "[<null>]"),
    N("structure_array_trailing_garbage", "[1]x"),
    N("structure_array_with_extra_close", "[1]]"),
    N("structure_array_unclosed_string", "[\"asd]"),
    N("structure_a_acute", "a\xc3\xa5"),
    N("structure_capitalized_true", "[True]"),
    N("structure_close_unopened", "1]"),
    N("structure_comma_instead_of_close", "{\"x\": true,"),
    N("structure_double_array", "[][]"),
    N("structure_double_object", "{}{}"),
    N("structure_object_and_word", "{} x"),
    N("structure_end_array", "]"),
    N("structure_end_object", "}"),
    N("structure_incomplete_bom", "\xef\xbb{}"),
    N("structure_lone_bad_byte", "\xe5"),
    N("structure_lone_open_bracket", "["),
    N("structure_lone_open_brace", "{"),
    N("structure_nul_byte_outside", "[\0]"),
    N("structure_nul_byte_behind", "{}\0"),
    N("structure_nul_byte_before", "\0{}"),
    N("structure_number_with_garbage", "2@"),
    N("structure_object_followed_by_close", "{}}"),
    N("structure_object_unclosed_no_value", "{\"\":"),
    N("structure_object_with_comment", "{\"a\":/*comment*/\"b\"}"),
    N("structure_object_trailing_garbage", "{\"a\": true} \"x\""),
    N("structure_open_array_apostrophe", "['"),
    N("structure_open_array_comma", "[,"),
    N("structure_open_array_object", "[{\"\":[{\"\":[{\"\":[{\"\":"),
    N("structure_open_array_open_object", "[{"),
    N("structure_open_array_open_string", "[\"a"),
    N("structure_open_array_string", "[\"a\""),
    N("structure_open_object_close_array", "{]"),
    N("structure_open_object_comma", "{,"),
    N("structure_open_object_open_array", "{["),
    N("structure_open_object_open_string", "{\"a"),
    N("structure_open_object_apostrophe", "{'a'"),
    N("structure_open_open", "[\"\\{[\"\\{[\"\\{[\"\\{"),
    N("structure_single_star", "*"),
    N("structure_comma_alone", ","),
    N("structure_colon_alone", ":"),
    N("structure_two_numbers", "1 2"),
    N("structure_unclosed_array", "[1"),
    N("structure_unclosed_partial_null", "[ false, nul"),
    N("structure_unclosed_after_true", "[ true, fals"),
    N("structure_unclosed_object", "{\"asd\":\"asd\""),
    N("structure_word_joiner", "\xe2\x81\xa0[]"),
    N("structure_next_line", "[\xc2\x85]"),
    N("structure_line_separator", "\xe2\x80\xa8[]"),
    N("structure_vertical_tab", "\v[]"),
    N("structure_form_feed", "[\f]"),
    N("structure_xml", "<a>1</a>"),
    N("structure_yaml", "a: 1\n"),
    N("structure_query", "a=1&b=2"),
    N("structure_call", "f({})"),
    N("structure_assignment", "a = {}"),
    N("structure_record_separator", "\x1e{}\n"),
    N("structure_two_lines", "{}\n{}\n"),
};

ROWS_OF(arrays);
ROWS_OF(numbers);
ROWS_OF(literals);
ROWS_OF(objects);
ROWS_OF(strings);
ROWS_OF(structures);

#define EXPECT(cases) expect_json_verdicts((cases), sizeof(cases) / sizeof(*(cases)))

Test(json_refused, arrays)
{
    EXPECT(arrays);
}

Test(json_refused, numbers)
{
    EXPECT(numbers);
}

Test(json_refused, literals)
{
    EXPECT(literals);
}

Test(json_refused, objects)
{
    EXPECT(objects);
}

Test(json_refused, strings)
{
    EXPECT(strings);
}

Test(json_refused, structures)
{
    EXPECT(structures);
}
