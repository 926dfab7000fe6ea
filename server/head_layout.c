#include "head_layout.h"

#include <stdint.h>
#include <string.h>

#define HEAD_LAYOUT_LINE_END_MAX 2U /* bytes: CR and LF, or LF alone */

/* Addresses, since parts of an odd head may stand in other storage. */
static uintptr_t head_layout_end_of(const char *text)
{
    return (uintptr_t)text + strlen(text);
}

bool head_layout_has_odd_line(const struct head_layout *layout)
{
    const uintptr_t target_end = (uintptr_t)layout->url + layout->target_length;

    return (uintptr_t)layout->url != head_layout_end_of(layout->method) + 1 ||
           (uintptr_t)layout->version != target_end + 1;
}

/* Whether `next` begins a line, given where the text of the line before ended. */
static bool head_layout_follows(uintptr_t next, uintptr_t end)
{
    return next > end && next - end <= HEAD_LAYOUT_LINE_END_MAX;
}

/* Whether nothing but blanks stands between a name's colon and its value. */
static bool head_layout_is_value_of(const struct header *header, uintptr_t head_end)
{
    const uintptr_t colon = head_layout_end_of(header->name), value = (uintptr_t)header->value;

    if (value <= colon || value >= head_end)
        return false;
    for (const char *at = header->name + (colon - (uintptr_t)header->name) + 1; at < header->value;
         at++) {
        if (*at != ' ' && *at != '\t')
            return false;
    }
    return true;
}

/* Whether the last text, and an empty line, end the head. */
static bool head_layout_ends(const struct head_layout *layout, uintptr_t text_end,
                             uintptr_t head_end)
{
    const size_t left = head_end - text_end;

    if (text_end >= head_end || left < 2 || left > HEAD_LAYOUT_LINE_END_MAX * 2)
        return false;
    for (size_t i = 1; i <= left; i++) {
        if (layout->method[layout->size - i] != '\0')
            return false;
    }
    return true;
}

bool head_layout_has_odd_fields(const struct head_layout *layout)
{
    const uintptr_t head_end = (uintptr_t)layout->method + layout->size;
    uintptr_t end = head_layout_end_of(layout->version);

    for (size_t i = 0; i < layout->header_count; i++) {
        const struct header *header = &layout->headers[i];

        if (!head_layout_follows((uintptr_t)header->name, end) ||
            !head_layout_is_value_of(header, head_end))
            return true;
        end = head_layout_end_of(header->value);
    }
    return !head_layout_ends(layout, end, head_end);
}
