/* What a reader could not guess stands first, and so is never cut. */
#include "picture_caption.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number_text.h"
#include "picture_axes.h"
#include "picture_font.h"

#define NUMBERS_SHOWN ((size_t)6) /* of a list */
#define NESTING_MAX   3
#define ELLIPSIS      "..."

/* Appends to a text of PICTURE_CAPTION_MAX bytes; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text + length, PICTURE_CAPTION_MAX - length, format, arguments);
    va_end(arguments);
}

/* Texts come from clients: bytes of other characters become one question mark each. */
static void keep_printable(char *text)
{
    char *end = text;

    for (const char *at = text; *at; at++) {
        const unsigned char byte = (unsigned char)*at;

        if (byte >= ' ' && byte <= '~')
            *end++ = *at;
        else if (byte < 0x80 || byte >= 0xc0) /* not the rest of a longer character */
            *end++ = '?';
    }
    *end = '\0';
}

static void append_number(char *text, double number)
{
    char digits[NUMBER_TEXT_MAX];
    const bool is_integer = fabs(number) < POSENC_INTEGER_MAX && number == trunc(number);
    const size_t length = is_integer ? number_print_integer((int64_t)number, digits)
                                     : number_print(POSENC_FLOAT64, number, digits);

    append(text, "%.*s", (int)length, digits);
}

static void append_shape(char *text, size_t rank, const size_t *shape)
{
    append(text, "[");
    for (size_t axis = 0; axis < rank; axis++)
        append(text, axis ? ", %zu" : "%zu", shape[axis]);
    append(text, "]");
}

/* A short list's numbers, or of any other block dtype and shape. */
static void append_array(char *text, const struct posenc_array *array)
{
    const size_t count = array->shape[0];
    double numbers[NUMBERS_SHOWN];

    if (array->rank != 1 || count > NUMBERS_SHOWN) {
        append(text, "%s ", posenc_dtype_name(array->dtype));
        append_shape(text, array->rank, array->shape);
        return;
    }
    posenc_widen(array->dtype, array->data, count, numbers);
    append(text, "[");
    for (size_t i = 0; i < count; i++) {
        append(text, i ? ", " : "");
        append_number(text, numbers[i]);
    }
    append(text, "]");
}

static void append_members(char *text, const struct posenc_members *members, size_t depth);

static void append_value(char *text, const struct posenc_value *value, size_t depth);

static void append_list(char *text, const struct posenc_list *list, size_t depth)
{
    append(text, "[");
    for (size_t i = 0; i < list->count && i < NUMBERS_SHOWN; i++) {
        append(text, i ? ", " : "");
        append_value(text, &list->items[i], depth + 1);
    }
    append(text, list->count > NUMBERS_SHOWN ? ", " ELLIPSIS "]" : "]");
}

static void append_value(char *text, const struct posenc_value *value, size_t depth)
{
    if (depth > NESTING_MAX) {
        append(text, ELLIPSIS);
        return;
    }
    switch (value->kind) {
    case POSENC_NULL:
        append(text, "null");
        break;
    case POSENC_BOOLEAN:
        append(text, value->as.boolean ? "true" : "false");
        break;
    case POSENC_NUMBER:
        append_number(text, value->as.number);
        break;
    case POSENC_TEXT:
        append(text, "%s", value->as.text);
        break;
    case POSENC_ARRAY:
        append_array(text, &value->as.array);
        break;
    case POSENC_LIST:
        append_list(text, &value->as.list, depth);
        break;
    case POSENC_OBJECT:
        append(text, "{");
        append_members(text, &value->as.object, depth + 1);
        append(text, "}");
        break;
    case POSENC_UNTYPED:
        append(text, "%s", value->as.untyped.text);
        break;
    case POSENC_RAGGED: /* nobody kept its numbers */
        append(text, ELLIPSIS);
        break;
    }
}

static bool is_in_title(const char *name)
{
    return strcmp(name, "dtype") == 0 || strcmp(name, "encoding") == 0;
}

/* "length=16, dim=8", without what was left open, and what the title says. */
static void append_members(char *text, const struct posenc_members *members, size_t depth)
{
    const char *before = "";

    for (size_t i = 0; i < members->count; i++) {
        const struct posenc_member *const member = &members->items[i];

        if (member->value.kind == POSENC_NULL || is_in_title(member->name))
            continue;
        append(text, "%s%s=", before, member->name);
        append_value(text, &member->value, depth);
        before = ", ";
    }
}

static const char *ordinal_ending(size_t number)
{
    const size_t last = number % 10, tens = number / 10 % 10;

    if (tens == 1 || last == 0 || last > 3)
        return "th";
    return last == 1 ? "st" : last == 2 ? "nd" : "rd";
}

/* Says what is left out of an axis. */
static void append_stride(char *text, const struct picture_axis *axis, const char **before)
{
    if (axis->stride == 1)
        return;
    append(text, "%severy %zu%s %s", *before, axis->stride, ordinal_ending(axis->stride),
           axis->name);
    *before = ", ";
}

static void append_left_out(char *text, const struct picture_samples *samples)
{
    const char *before = "Shown: ";

    if (samples->is_slice) {
        append(text, "%sthe first slice of the axes before the last three", before);
        before = ", ";
    }
    append_stride(text, &samples->panels, &before);
    append_stride(text, &samples->rows, &before);
    append_stride(text, &samples->columns, &before);
    if (strcmp(before, ", ") == 0)
        append(text, ". ");
}

static void append_value_facts(char *text, const struct picture_samples *samples)
{
    const size_t infinite = samples->nans + samples->minus_infinities + samples->plus_infinities;

    if (samples->has_range && samples->low == samples->high) {
        append(text, "All finite elements are ");
        append_number(text, samples->low);
        append(text, ". ");
    }
    if (samples->tensor->rank < 2 && infinite > 0)
        append(text, "Not finite, and left out: %zu. ", infinite);
}

void picture_caption_write(const struct posenc_result *result,
                           const struct picture_samples *samples, struct picture_caption *caption)
{
    const struct posenc_tensor *const tensor = samples->tensor;
    const struct posenc_tensor_row *const row = picture_tensor_row(result, tensor);

    memset(caption, 0, sizeof *caption);
    if (result && result->encoding)
        append(caption->title, "%s ", result->encoding->name);
    if (result && result->operation && strcmp(result->operation->name, tensor->name) != 0)
        append(caption->title, "%s: ", result->operation->name);
    append(caption->title, "%s, %s ", tensor->name, posenc_dtype_name(tensor->dtype));
    append_shape(caption->title, tensor->rank, tensor->shape);
    if (row)
        append(caption->meaning, "%s", row->meaning);
    append_left_out(caption->text, samples);
    append_value_facts(caption->text, samples);
    if (result)
        append_members(caption->text, &result->parameters, 0);
    keep_printable(caption->title);
    keep_printable(caption->meaning);
    keep_printable(caption->text);
}

/* Bytes of the longest start of a text that fits. */
static size_t count_fitting(const char *text, int size, double width)
{
    size_t count = 0;

    while (text[count] && (width -= picture_font_advance(text[count], size)) >= 0)
        count++;
    return count;
}

const char *picture_caption_line(const char *text, int size, double width, bool is_last,
                                 char line[PICTURE_CAPTION_MAX])
{
    size_t count = count_fitting(text, size, width);
    const bool is_whole = text[count] == '\0';

    if (!is_whole && is_last)
        count = count_fitting(text, size, width - picture_font_width(ELLIPSIS, 3, size));
    if (!is_whole) {
        const size_t most = count;

        while (count > 0 && text[count] != ' ')
            count--;
        count = count > 0 ? count : most;
    }
    (void)snprintf(line, PICTURE_CAPTION_MAX, "%.*s%s", (int)count, text,
                   !is_whole && is_last ? " " ELLIPSIS : "");
    return text + count + strspn(text + count, " ");
}
