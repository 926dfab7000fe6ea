#include "range.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* Reads digits; a number beyond what fits is the largest that does. False without digits. */
static bool read_number(const char **text, uint64_t *number)
{
    const char *at = *text;

    for (*number = 0; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*at - '0'), number))
            *number = UINT64_MAX;
    if (at == *text)
        return false;
    *text = at;
    return true;
}

/* "-n": the last n bytes. */
static enum range_kind take_suffix(uint64_t count, uint64_t length, struct byte_range *range)
{
    if (count == 0 || length == 0)
        return RANGE_BEYOND;
    range->count = count < length ? count : length;
    range->first = length - range->count;
    return RANGE_PART;
}

static enum range_kind take_part(uint64_t first, uint64_t last, uint64_t length,
                                 struct byte_range *range)
{
    if (first > last)
        return RANGE_WHOLE;
    if (first >= length)
        return RANGE_BEYOND;
    range->first = first;
    range->count = (last < length ? last + 1 : length) - first;
    return RANGE_PART;
}

static enum range_kind parse(const char *text, uint64_t length, struct byte_range *range)
{
    uint64_t first = 0, last = UINT64_MAX;
    bool has_first, has_last;

    text = skip_blanks(text);
    if (strncasecmp(text, "bytes=", 6) != 0)
        return RANGE_WHOLE;
    text = skip_blanks(text + 6);
    has_first = read_number(&text, &first);
    if (*text++ != '-')
        return RANGE_WHOLE;
    has_last = read_number(&text, &last);
    if (*skip_blanks(text) != '\0' || !(has_first || has_last))
        return RANGE_WHOLE;
    return has_first ? take_part(first, has_last ? last : UINT64_MAX, length, range)
                     : take_suffix(last, length, range);
}

enum range_kind range_read(const struct request *request, uint64_t length, struct byte_range *range)
{
    const char *value = NULL;

    for (size_t i = 0; i < request->header_count; i++) {
        if (strcasecmp(request->headers[i].name, "Range") != 0)
            continue;
        if (value)
            return RANGE_WHOLE;
        value = request->headers[i].value;
    }
    return value ? parse(value, length, range) : RANGE_WHOLE;
}

void range_print(const struct byte_range *range, uint64_t length, char text[RANGE_TEXT_SIZE])
{
    if (range)
        (void)snprintf(text, RANGE_TEXT_SIZE, "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64,
                       range->first, range->first + range->count - 1, length);
    else
        (void)snprintf(text, RANGE_TEXT_SIZE, "bytes */%" PRIu64, length);
}
