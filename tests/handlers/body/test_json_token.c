#include "json_token.h"

#include <criterion/criterion.h>
#include <string.h>

/* A reader of one token, and what it is tried with: its text, and where it stops. */
struct row {
    const char *text;
    size_t at;        /* of the cursor behind it, or of the fault */
    const char *word; /* of the fault; NULL: it is read */
};

static struct json_cursor cursor;
static double number;

static bool read_number(struct json_cursor *at)
{
    return json_read_number(at, &number);
}

static void expect_rows(bool read(struct json_cursor *cursor), const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct row *const row = &rows[i];

        cursor = (struct json_cursor){.text = row->text, .size = strlen(row->text)};
        cr_expect_eq(read(&cursor), row->word == NULL, "%s", row->text);
        cr_expect_eq(row->word ? cursor.fault_at : cursor.at, row->at, "%s: %zu, %zu", row->text,
                     cursor.at, cursor.fault_at);
        cr_expect((cursor.fault == NULL) == (row->word == NULL), "%s", row->text);
        if (cursor.fault && row->word)
            cr_expect(strstr(cursor.fault, row->word), "%s: %s", row->text, cursor.fault);
    }
}

#define EXPECT_ROWS(read, rows) expect_rows(read, rows, sizeof(rows) / sizeof *(rows))

Test(json_token, bytes_and_spaces_are_passed_one_by_one)
{
    cursor = (struct json_cursor){.text = " \n\r\t\v", .size = 5};
    json_skip_space(&cursor);
    cr_expect_eq(cursor.at, 4, "a vertical tab is none of JSON's spaces");
    cr_expect_eq(json_peek(&cursor), '\v');
    cursor.at = 5;
    json_skip_space(&cursor);
    cr_expect_eq(json_peek(&cursor), -1);
    cursor = (struct json_cursor){.text = "\xFF", .size = 1};
    cr_expect_eq(json_peek(&cursor), 255, "a byte is not negative");
}

Test(json_token, numbers_end_where_something_else_may_stand)
{
    static const struct row rows[] = {
        {"0", 1, NULL},
        {"-0,", 2, NULL},
        {"12.5e+1]", 7, NULL},
        {"7}", 1, NULL},
        {"7 8", 1, NULL},
        {"7\n", 1, NULL},
        {"007", 1, "leading zeros"},
        {"-01", 2, "leading zeros"},
        {"1.", 1, "decimal point"},
        {"1.2.3", 3, "only one"},
        {"1e", 1, "exponent"},
        {"1e+", 1, "exponent"},
        {"1:", 1, "comma"},
        {"1[", 1, "comma"},
        {"0x10", 1, "comma"},
        {"1\v", 1, "comma"},
        {"", 0, "ends"},
        {"-", 0, "after '-'"},
        {"-x", 0, "after '-'"},
        {"+1", 0, "starts with a digit"},
        {".5", 0, "starts with a digit"},
    };

    EXPECT_ROWS(read_number, rows);
}

/* The largest double is 1.7976931348623157e308; halfway to what would follow it lies
 * 1.797693134862315807...e308. The least is 4.94e-324, and half of it rounds to 0. */
Test(json_token, numbers_that_no_double_is_near_are_refused_at_their_start)
{
    static const struct row rows[] = {
        {"1.7976931348623157e308", 22, NULL},
        {"1.7976931348623158e308", 22, NULL},
        {"1.7976931348623159e308", 0, "too large"},
        {"-1e309", 0, "too large"},
        {"4.9e-324", 8, NULL},
        {"2.5e-324", 8, NULL},
        {"2.4e-324", 0, "too small"},
        {"-1e-400", 0, "too small"},
        {"0e999999999999", 14, NULL},
        {"-0.000e-400", 11, NULL},
    };

    EXPECT_ROWS(read_number, rows);
}

Test(json_token, strings_are_passed_from_quote_to_quote)
{
    static const struct row rows[] = {
        {"\"\"", 2, NULL},
        {"\"a\" b", 3, NULL},
        {"\"\\\"\"", 4, NULL},
        {"\"\\\\\"x", 4, NULL},
        {"\"\xF0\x9F\x98\x80\"", 6, NULL},
        {"\"\x7F\"", 3, NULL},
        {"\"\\uD83D\\uDE00\"", 14, NULL},
        {"\"a", 0, "not closed"},
        {"\"a\\\"", 0, "not closed"},
        {"\"a\\", 0, "not closed"},
        {"\"a\\q\"", 2, "escapes"},
        {"\"\\'\"", 1, "escapes"},
        {"\"\\U0041\"", 1, "escapes"},
        {"\"x\\u12g4\"", 2, "hexadecimal"},
        {"\"\\u", 1, "hexadecimal"},
        {"\"\\u123", 1, "hexadecimal"},
        {"\"\\u 123\"", 1, "hexadecimal"},
        {"\"x\\u0000y\"", 2, "NUL"},
        {"\"x\\ud800y\"", 2, "surrogates"},
        {"\"x\\ud800\\u0041\"", 2, "surrogates"},
        {"\"x\\ud800\\ud800\"", 2, "surrogates"},
        {"\"\\ud800\\u", 1, "surrogates"},
        {"\"\\udc00\"", 1, "surrogates"},
        {"\"\\udc00\\ud800\"", 1, "surrogates"},
        {"\"x\ny\"", 2, "control"},
        {"\"\x1F\"", 1, "control"},
        {"\"x\xFFy\"", 2, "UTF-8"},
        {"\"\xC0\x80\"", 1, "UTF-8"},
        {"\"\xED\xA0\x80\"", 1, "UTF-8"},
        {"\"\xC3", 1, "UTF-8"},
    };

    EXPECT_ROWS(json_skip_string, rows);
}

Test(json_token, strings_know_how_many_bytes_they_will_have)
{
    static const struct {
        const char *text;
        size_t bytes;
    } rows[] = {
        {"\"\"", 0},
        {"\"ab\"", 2},
        {"\"\\n\\/\\\"\"", 3},
        {"\"\\u007f\\u0080\"", 1 + 2},
        {"\"\\u07ff\\u0800\\uffff\"", 2 + 3 + 3},
        {"\"\\ud83d\\ude00\"", 4},
        {"\"\xE2\x82\xAC\"", 3},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cursor = (struct json_cursor){
            .text = rows[i].text, .size = strlen(rows[i].text), .text_bytes = 5};
        cr_expect(json_skip_string(&cursor));
        cr_expect_eq(cursor.text_bytes, 5 + rows[i].bytes, "%s adds to what was", rows[i].text);
    }
}

Test(json_token, words_are_written_in_small_letters_and_stand_alone)
{
    static const struct row rows[] = {
        {"true", 4, NULL},
        {"false,", 5, NULL},
        {"null]", 4, NULL},
        {"truex", 4, "comma"},
        {"nullnull", 4, "comma"},
        {"true\"", 4, "comma"},
        {"tru", 0, "a value is due"},
        {"nil", 0, "a value is due"},
        {"True", 0, "small letters"},
        {"None", 0, "small letters"},
    };

    EXPECT_ROWS(json_skip_word, rows);
}

Test(json_token, what_stands_for_a_value_is_told_by_what_it_seems_to_be)
{
    static const struct row rows[] = {
        {"", 0, "ends"},
        {"'a'", 0, "double quotes"},
        {"NaN", 0, "\"NaN\""},
        {"Infinity", 0, "\"Infinity\""},
        {"-Infinity", 0, "\"-Infinity\""},
        {"False", 0, "small letters"},
        {",", 0, "missing"},
        {"]", 0, "missing"},
        {"}", 0, "missing"},
        {"// x", 0, "comments"},
        {"# x", 0, "comments"},
        {"\xEF\xBB\xBF{}", 0, "byte order mark"},
        {"\xEF\xBB", 0, "a value is due"},
        {"Nothing", 0, "a value is due"},
    };

    EXPECT_ROWS(json_fail_value, rows);
}

/* The byte behind the text is not looked at, whatever would follow from it. */
Test(json_token, texts_end_where_they_end)
{
    cursor = (struct json_cursor){.text = "1234", .size = 2};
    cr_expect(json_read_number(&cursor, &number));
    cr_expect_eq(number, 12);
    cursor = (struct json_cursor){.text = "truex", .size = 4};
    cr_expect(json_skip_word(&cursor));
    cursor = (struct json_cursor){.text = "true", .size = 3};
    cr_expect_not(json_skip_word(&cursor));
    cursor = (struct json_cursor){.text = "\"a\"", .size = 2};
    cr_expect_not(json_skip_string(&cursor));
}
