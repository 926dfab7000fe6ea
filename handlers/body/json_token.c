/* Tokens of JSON text. Each reader leaves the cursor behind its token, or notes the fault. */
#include "json_token.h"

#include <string.h>

#include "number_text.h"
#include "utf8.h"

bool json_fail(struct json_cursor *cursor, size_t at, const char *fault)
{
    cursor->fault_at = at;
    cursor->fault = fault;
    return false;
}

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

static bool starts_with(const struct json_cursor *cursor, const char *word)
{
    const size_t length = strlen(word);

    return cursor->size - cursor->at >= length &&
           memcmp(cursor->text + cursor->at, word, length) == 0;
}

static const char *const no_nan =
    "JSON has no NaN or Infinity; send the string \"NaN\", \"Infinity\" or \"-Infinity\" instead";

/* Values. */

bool json_fail_value(struct json_cursor *cursor)
{
    const char *fault = "a value is due here: an object, an array, a text in double quotes, a "
                        "number, true, false or null";
    const int byte = json_peek(cursor);

    if (byte < 0)
        fault = "the body ends where a value is due; send all of it";
    else if (byte == '\'')
        fault = "put names and texts into double quotes; JSON knows no others";
    else if (starts_with(cursor, "NaN") || byte == 'I' || starts_with(cursor, "-I"))
        fault = no_nan;
    else if (byte == 'T' || byte == 'F' || starts_with(cursor, "None"))
        fault = "write true, false and null in small letters";
    else if (byte == ',' || byte == ']' || byte == '}')
        fault = "a value is missing here; put one, or remove the comma";
    else if (byte == '-')
        fault = "a digit is due after '-'";
    else if (byte == '+' || byte == '.')
        fault = "a number starts with a digit or with '-' and a digit, as 0.5 or -0.5";
    else if (byte == '/' || byte == '#')
        fault = "JSON has no comments; remove this one";
    else if (starts_with(cursor, "\xEF\xBB\xBF"))
        fault = "remove the byte order mark; send plain UTF-8";
    return json_fail(cursor, cursor->at, fault);
}

/* Numbers. */

/* A number stops where its grammar does; some bytes that may not follow deserve their own words. */
static bool fail_number_end(struct json_cursor *cursor)
{
    const int byte = json_peek(cursor);
    const char *fault = "a comma, a closing bracket or the end is due after a number";

    if (is_digit(byte))
        fault = "a number has no leading zeros";
    else if (byte == '.')
        fault = "digits are due after the decimal point, and a number has only one";
    else if (byte == 'e' || byte == 'E')
        fault = "digits are due after the exponent's e";
    return json_fail(cursor, cursor->at, fault);
}

/* Whether a byte, or the end of the text, may follow a number. */
static bool ends_number(int byte)
{
    static const bool ends[256] = {
        [','] = true,  [']'] = true,  ['}'] = true,  [' '] = true,
        ['\n'] = true, ['\r'] = true, ['\t'] = true,
    };

    return byte < 0 || ends[byte];
}

bool json_read_number(struct json_cursor *cursor, double *value)
{
    const size_t start = cursor->at;
    const char *const text = cursor->text + start;
    bool overflow;
    const size_t length = number_parse(text, cursor->size - start, value, &overflow);

    if (length == 0)
        return json_fail_value(cursor);
    cursor->at += length;
    if (!ends_number(json_peek(cursor)))
        return fail_number_end(cursor);
    if (overflow)
        return json_fail(cursor, start,
                         "this number is too large for a double; send one below 1.8e308");
    if (*value == 0 && number_underflowed(text, length))
        return json_fail(cursor, start,
                         "this number is too small for a double; send 0 or one above 4.9e-324");
    return true;
}

/* Strings. */

/* Four hexadecimal digits; -1 when they are not there. */
static int read_hex4(const struct json_cursor *cursor, size_t at)
{
    int code = 0;

    if (cursor->size - at < 4)
        return -1;
    for (size_t i = at; i < at + 4; i++) {
        const char byte = cursor->text[i];
        const int lower = byte | 0x20;

        if (is_digit(byte))
            code = code * 16 + (byte - '0');
        else if (lower >= 'a' && lower <= 'f')
            code = code * 16 + (lower - 'a' + 10);
        else
            return -1;
    }
    return code;
}

/* Bytes of a character below U+10000 in UTF-8. */
static size_t utf8_bytes(int code)
{
    return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

/* Behind "\u". */
static bool skip_unicode_escape(struct json_cursor *cursor, size_t escape)
{
    const int code = read_hex4(cursor, cursor->at);
    const bool is_high = code >= 0xD800 && code <= 0xDBFF;

    if (code < 0)
        return json_fail(cursor, escape, "four hexadecimal digits are due after \\u");
    if (code == 0)
        return json_fail(cursor, escape, "names and texts cannot hold a NUL byte; remove \\u0000");
    cursor->at += 4;
    cursor->text_bytes += utf8_bytes(code);
    if (is_high && starts_with(cursor, "\\u")) {
        const int low = read_hex4(cursor, cursor->at + 2);

        cursor->at += 6;
        cursor->text_bytes++; /* a pair takes 4 */
        if (low >= 0xDC00 && low <= 0xDFFF)
            return true;
    }
    if (code >= 0xD800 && code <= 0xDFFF)
        return json_fail(cursor, escape,
                         "surrogates come in pairs, a high one and a low one, as \\ud83d\\ude00");
    return true;
}

static bool skip_escape(struct json_cursor *cursor)
{
    const size_t escape = cursor->at++;
    const int byte = json_peek(cursor);

    if (byte < 0)
        return true; /* the string is cut off, which the caller finds */
    cursor->at++;
    if (byte == 'u')
        return skip_unicode_escape(cursor, escape);
    cursor->text_bytes++;
    if (!strchr("\"\\/bfnrt", byte) || byte == 0)
        return json_fail(cursor, escape,
                         "JSON knows the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u; write "
                         "a backslash as \\\\");
    return true;
}

bool json_skip_string(struct json_cursor *cursor)
{
    const size_t start = cursor->at++;

    while (cursor->at < cursor->size) {
        const unsigned char byte = (unsigned char)cursor->text[cursor->at];

        if (byte == '"') {
            cursor->at++;
            return true;
        }
        if (byte == '\\') {
            if (!skip_escape(cursor))
                return false;
            continue;
        }
        if (byte < 0x20)
            return json_fail(cursor, cursor->at,
                             "write control characters as escapes, such as \\n, or close the text "
                             "with a double quote before");
        const size_t length = utf8_character(cursor->text + cursor->at, cursor->size - cursor->at);

        if (length == 0)
            return json_fail(cursor, cursor->at, "this byte is not UTF-8; send the body as UTF-8");
        cursor->at += length;
        cursor->text_bytes += length;
    }
    return json_fail(cursor, start, "this text is not closed; end it with a double quote");
}

/* Words. */

bool json_skip_word(struct json_cursor *cursor)
{
    static const char *const words[] = {"true", "false", "null"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (starts_with(cursor, words[i])) {
            cursor->at += strlen(words[i]);
            if (ends_number(json_peek(cursor)))
                return true;
            return json_fail(cursor, cursor->at, "a comma, a closing bracket or the end is due");
        }
    }
    return json_fail_value(cursor);
}
