/*
 * Feeds texts to the reader of numbers: what it reads is what strtod reads, to the last bit; and
 * where strtold sees the text beside an integer, it lies on that side.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* How many bytes of a text are a number of RFC 8259, section 6, written down anew. */
static size_t number_length(const char *text)
{
    const char *at = text + (*text == '-');
    const size_t whole = strspn(at, "0123456789");

    if (whole == 0)
        return 0;
    at += *at == '0' ? 1 : whole;
    if (*at == '.' && strspn(at + 1, "0123456789") > 0)
        at += 1 + strspn(at + 1, "0123456789");
    if (*at == 'e' || *at == 'E') {
        const char *digits = at + 1 + (at[1] == '+' || at[1] == '-');

        if (strspn(digits, "0123456789") > 0)
            at = digits + strspn(digits, "0123456789");
    }
    return (size_t)(at - text);
}

static void check_side(const char *text, size_t length, double value)
{
    const long double closer = strtold(text, NULL);
    const int side = number_side(text, length, value);

    if (side < -1 || side > 1 || (closer != value && side != (closer > value ? 1 : -1)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = malloc(size + 1);
    bool overflow = false;
    double value = 0, expected;
    size_t length;

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    length = number_parse(text, size, &value, &overflow);
    if (length != number_length(text))
        abort();
    if (length > 0) {
        text[length] = '\0';
        expected = strtod(text, NULL);
        if (overflow != (isinf(expected) != 0))
            abort();
        if (!overflow && memcmp(&value, &expected, sizeof value) != 0)
            abort();
        if (!overflow && value == 0 &&
            number_underflowed(text, length) != (strpbrk(text, "123456789") != NULL &&
                                                 strcspn(text, "123456789") < strcspn(text, "eE")))
            abort();
        if (value != 0 && fabs(value) <= 0x1p53 && value == rint(value))
            check_side(text, length, value);
    }
    free(text);
    return 0;
}
