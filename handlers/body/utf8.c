/* The table of well-formed byte sequences in The Unicode Standard, section 3.9, as code. */
#include "utf8.h"

#include <stdbool.h>

static bool is_between(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

/* Only the second byte's range depends on the first: that shuts out overlong forms and surrogates.
 */
static bool is_second(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0:
        return is_between(second, 0xA0, 0xBF);
    case 0xED:
        return is_between(second, 0x80, 0x9F);
    case 0xF0:
        return is_between(second, 0x90, 0xBF);
    case 0xF4:
        return is_between(second, 0x80, 0x8F);
    default:
        return is_between(second, 0x80, 0xBF);
    }
}

size_t utf8_character(const char *text, size_t size)
{
    const unsigned char *const bytes = (const unsigned char *)text;
    size_t length;

    if (size == 0)
        return 0;
    if (bytes[0] < 0x80)
        return 1;
    if (!is_between(bytes[0], 0xC2, 0xF4))
        return 0;
    length = bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4;
    if (size < length || !is_second(bytes[0], bytes[1]))
        return 0;
    for (size_t i = 2; i < length; i++) {
        if (!is_between(bytes[i], 0x80, 0xBF))
            return 0;
    }
    return length;
}
