/* Writing JSON text into one growing buffer. */
#include "json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number_text.h"
#include "utf8.h"

#define CAPACITY_FIRST ((size_t)512)

void json_text_release(struct json_text *text)
{
    const struct posenc_watch *watch = text->watch;

    free(text->bytes);
    posenc_give_back(watch, text->capacity);
    *text = (struct json_text){.watch = watch};
}

/* Room for `count` more bytes, or `failed`. */
static bool text_reserve(struct json_text *text, size_t count)
{
    size_t capacity = text->capacity ? text->capacity : CAPACITY_FIRST;
    char *bytes;

    if (text->failed)
        return false;
    if (count <= text->capacity - text->length)
        return true;
    while (capacity - text->length < count && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    const size_t more = capacity - text->capacity;

    if (capacity - text->length < count || !posenc_may_take(text->watch, more)) {
        text->failed = true;
        return false;
    }
    bytes = realloc(text->bytes, capacity);
    if (!bytes) {
        posenc_give_back(text->watch, more);
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void json_text_raw(struct json_text *text, const char *bytes, size_t count)
{
    if (count == 0 || !text_reserve(text, count))
        return;
    memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
}

static void text_byte(struct json_text *text, char byte)
{
    json_text_raw(text, &byte, 1);
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

/* Puts the comma that a new item needs behind the last one, before the spaces that follow that. */
static void text_separate(struct json_text *text)
{
    size_t end = text->length;

    while (end > 0 && is_space(text->bytes[end - 1]))
        end--;
    if (end == 0 || strchr("{[:,", text->bytes[end - 1]))
        return;
    if (!text_reserve(text, 1))
        return;
    memmove(text->bytes + end + 1, text->bytes + end, text->length - end);
    text->bytes[end] = ',';
    text->length++;
}

static void text_item(struct json_text *text, const char *bytes, size_t count)
{
    text_separate(text);
    json_text_raw(text, bytes, count);
}

void json_text_begin_object(struct json_text *text)
{
    text_item(text, "{", 1);
}

void json_text_end_object(struct json_text *text)
{
    text_byte(text, '}');
}

void json_text_begin_array(struct json_text *text)
{
    text_item(text, "[", 1);
}

void json_text_end_array(struct json_text *text)
{
    text_byte(text, ']');
}

void json_text_null(struct json_text *text)
{
    text_item(text, "null", 4);
}

void json_text_boolean(struct json_text *text, bool boolean)
{
    text_item(text, boolean ? "true" : "false", boolean ? 4 : 5);
}

void json_text_integer(struct json_text *text, int64_t integer)
{
    char digits[NUMBER_TEXT_MAX];

    text_item(text, digits, number_print_integer(integer, digits));
}

#define PLAIN_INTEGER_MAX                                                                          \
    1e15 /* larger ones are shorter, and no harder to read, with an exponent */

/* A count or a base of 500000 is written as people write it, not as 5e+05. Minus zero keeps its
 * sign. */
static size_t print_plain(enum posenc_dtype dtype, double number, char *digits)
{
    const bool integral = number == floor(number) && fabs(number) <= PLAIN_INTEGER_MAX;

    if (integral && !(number == 0 && signbit(number)))
        return number_print_integer((int64_t)number, digits);
    return number_print(dtype, number, digits);
}

void json_text_number(struct json_text *text, double number)
{
    char digits[NUMBER_TEXT_MAX];

    text_item(text, digits, print_plain(POSENC_FLOAT64, number, digits));
}

/* Strings. */

static void text_escape(struct json_text *text, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    const char code[6] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
    char short_form[2] = {'\\', (char)byte};

    switch (byte) {
    case '\n':
        short_form[1] = 'n';
        break;
    case '\r':
        short_form[1] = 'r';
        break;
    case '\t':
        short_form[1] = 't';
        break;
    case '"':
    case '\\':
        break;
    default:
        json_text_raw(text, code, sizeof code);
        return;
    }
    json_text_raw(text, short_form, sizeof short_form);
}

static bool needs_escape(unsigned char byte)
{
    return byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7F;
}

/* Bytes at the start of a string that stand for themselves: most strings have no others. */
static size_t count_plain(const char *string)
{
    size_t count = 0;

    while ((unsigned char)string[count] < 0x80 && !needs_escape((unsigned char)string[count]))
        count++;
    return count;
}

void json_text_string(struct json_text *text, const char *string)
{
    if (!string) {
        json_text_null(text);
        return;
    }
    const size_t size = strlen(string);

    text_item(text, "\"", 1);
    for (size_t at = 0; at < size;) {
        const size_t plain = count_plain(string + at);
        size_t length;

        json_text_raw(text, string + at, plain);
        at += plain;
        if (at == size)
            break;
        length = utf8_character(string + at, size - at);
        if (length == 0)
            json_text_raw(text, "\xEF\xBF\xBD", 3);
        else if (length == 1 && needs_escape((unsigned char)string[at]))
            text_escape(text, (unsigned char)string[at]);
        else
            json_text_raw(text, string + at, length);
        at += length ? length : 1;
    }
    text_byte(text, '"');
}

void json_text_key(struct json_text *text, const char *name)
{
    json_text_string(text, name);
    text_byte(text, ':');
}

/* Values. */

static void text_element(struct json_text *text, enum posenc_dtype dtype, const void *element)
{
    char digits[NUMBER_TEXT_MAX];
    double number;

    if (dtype == POSENC_INT64) {
        json_text_integer(text, *(const int64_t *)element);
        return;
    }
    posenc_widen(dtype, element, 1, &number);
    text_item(text, digits, print_plain(dtype, number, digits));
}

/* An array of any rank, a bracket at a time. The depth is at most POSENC_RANK_MAX. */
static const char *text_axis(struct json_text *text, const struct posenc_array *array, size_t axis,
                             const char *element)
{
    if (axis == array->rank) {
        text_element(text, array->dtype, element);
        return element + posenc_dtype_size(array->dtype);
    }
    json_text_begin_array(text);
    for (size_t i = 0; i < array->shape[axis] && !text->failed; i++)
        element = text_axis(text, array, axis + 1, element);
    json_text_end_array(text);
    return element;
}

static void text_members(struct json_text *text, const struct posenc_members *members)
{
    json_text_begin_object(text);
    for (size_t i = 0; i < members->count; i++)
        json_text_member_value(text, members->items[i].name, &members->items[i].value);
    json_text_end_object(text);
}

static void text_list(struct json_text *text, const struct posenc_list *list)
{
    json_text_begin_array(text);
    for (size_t i = 0; i < list->count; i++)
        json_text_value(text, &list->items[i]);
    json_text_end_array(text);
}

void json_text_value(struct json_text *text, const struct posenc_value *value)
{
    switch (value->kind) {
    case POSENC_NULL:
    case POSENC_RAGGED:
        json_text_null(text);
        break;
    case POSENC_BOOLEAN:
        json_text_boolean(text, value->as.boolean);
        break;
    case POSENC_NUMBER:
        json_text_number(text, value->as.number);
        break;
    case POSENC_TEXT:
        json_text_string(text, value->as.text);
        break;
    case POSENC_ARRAY:
        (void)text_axis(text, &value->as.array, 0, value->as.array.data);
        break;
    case POSENC_LIST:
        text_list(text, &value->as.list);
        break;
    case POSENC_OBJECT:
        text_members(text, &value->as.object);
        break;
    case POSENC_UNTYPED:
        json_text_string(text, value->as.untyped.text);
        break;
    }
}

void json_text_member_string(struct json_text *text, const char *name, const char *string)
{
    json_text_key(text, name);
    json_text_string(text, string);
}

void json_text_member_nested(struct json_text *text, const char *name, struct json_text *nested)
{
    json_text_raw(nested, "", 1); /* ends it as a string ends */
    if (nested->failed)
        text->failed = true;
    else
        json_text_member_string(text, name, nested->bytes);
    json_text_release(nested);
}

void json_text_member_integer(struct json_text *text, const char *name, int64_t integer)
{
    json_text_key(text, name);
    json_text_integer(text, integer);
}

void json_text_member_boolean(struct json_text *text, const char *name, bool boolean)
{
    json_text_key(text, name);
    json_text_boolean(text, boolean);
}

void json_text_member_value(struct json_text *text, const char *name,
                            const struct posenc_value *value)
{
    json_text_key(text, name);
    json_text_value(text, value);
}

/* Indentation. */

static void text_line(struct json_text *text, size_t depth)
{
    text_byte(text, '\n');
    for (size_t i = 0; i < depth; i++)
        json_text_raw(text, "  ", 2);
}

/* Bytes of the string at the start of compact JSON text, quotes included. */
static size_t string_length(const char *string, size_t count)
{
    size_t length = 1;

    while (length < count && string[length] != '"')
        length += string[length] == '\\' ? 2 : 1;
    return length < count ? length + 1 : count;
}

void json_text_raw_indented(struct json_text *text, const char *compact, size_t count, size_t depth)
{
    /* A bit for each open bracket, the innermost lowest: its items stand on lines of their own. */
    uint64_t lines = 0;

    for (size_t i = 0; i < count; i++) {
        const char byte = compact[i];
        const char next = i + 1 < count ? compact[i + 1] : '\0';

        if (byte == '"') {
            const size_t length = string_length(compact + i, count - i);

            json_text_raw(text, compact + i, length);
            i += length - 1;
            continue;
        }
        if (byte == '}' || byte == ']') {
            depth--;
            if (lines & 1)
                text_line(text, depth);
            lines >>= 1;
        }
        text_byte(text, byte);
        if (byte == '{' || byte == '[') {
            const bool breaks = (byte == '{' && next != '}') || next == '{' || next == '[';

            depth++;
            lines = lines << 1 | breaks;
            if (breaks)
                text_line(text, depth);
        } else if (byte == ',' && (lines & 1)) {
            text_line(text, depth);
        } else if (byte == ',' || byte == ':') {
            text_byte(text, ' ');
        }
    }
}
