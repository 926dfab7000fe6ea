/* A tick is an integer times a power of ten, so its label is exact and asks no locale. */
#include "picture_ticks.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number_text.h"

#define DIGITS_MAX 7    /* of an integer that is written out */
#define PLACES_MAX 12   /* behind the point */
#define ZEROS_MAX  3    /* of them before the first digit */
#define SLACK      1e-9 /* of a step: a bound that a rounding moved still has its tick */

/* A step of digit * 10^exponent; digit is 1, 2 or 5. */
struct step {
    int digit, exponent;
};

static struct step step_for(double span, bool integral)
{
    static const int digits[] = {1, 2, 5};
    const int exponent = (int)floor(log10(span));

    if (integral && exponent < 0)
        return (struct step){1, 0};
    for (size_t i = 0; i < 3; i++) {
        if (digits[i] * pow(10, exponent) >= span * (1 - SLACK))
            return (struct step){digits[i], exponent};
    }
    return (struct step){1, exponent + 1};
}

/* "1.25e-9" for 125 * 10^-11. */
static void print_scientific(const char *digits, int exponent, char *label)
{
    const size_t count = strlen(digits);
    size_t kept = count;

    while (kept > 1 && digits[kept - 1] == '0')
        kept--;
    (void)snprintf(label, PICTURE_TICK_LABEL_MAX - 1, kept > 1 ? "%c.%.*se%d" : "%c%.*se%d",
                   digits[0], (int)(kept - 1), digits + 1, exponent + (int)count - 1);
}

/* "0.25" for 25 * 10^-2. */
static void print_places(const char *digits, int places, char *label)
{
    const int before = (int)strlen(digits) - places;

    if (before > 0)
        (void)snprintf(label, PICTURE_TICK_LABEL_MAX - 1, "%.*s.%s", before, digits,
                       digits + before);
    else
        (void)snprintf(label, PICTURE_TICK_LABEL_MAX - 1, "0.%.*s%s", -before, "000000000000",
                       digits);
}

/* Bytes of an integer's digits, ended by a NUL byte. */
static int print_digits(int64_t integer, char digits[NUMBER_TEXT_MAX + 1])
{
    const size_t count = number_print_integer(integer < 0 ? -integer : integer, digits);

    digits[count] = '\0';
    return (int)count;
}

/* True when integer * 10^exponent is short without an exponent. */
static bool is_plain(int64_t integer, int exponent)
{
    char digits[NUMBER_TEXT_MAX + 1];
    const int count = print_digits(integer, digits);

    return exponent >= 0 ? count + exponent <= DIGITS_MAX
                         : -exponent <= PLACES_MAX && -exponent - count <= ZEROS_MAX;
}

/* Prints integer * 10^exponent. */
static void print_label(int64_t integer, int exponent, bool plain, char *label)
{
    char digits[NUMBER_TEXT_MAX + 1];

    (void)print_digits(integer, digits);
    if (integer < 0)
        *label++ = '-';
    if (integer == 0)
        (void)strcpy(label, "0");
    else if (!plain)
        print_scientific(digits, exponent, label);
    else if (exponent < 0)
        print_places(digits, -exponent, label);
    else
        (void)snprintf(label, PICTURE_TICK_LABEL_MAX - 1, "%s%.*s", digits, exponent, "0000000");
}

size_t picture_ticks(double low, double high, size_t wanted, bool integral,
                     struct picture_tick ticks[PICTURE_TICKS_MAX])
{
    const double share = (double)(wanted > 0 ? wanted : 1);
    const double span = high / share - low / share; /* high - low may be too large for a double */
    const struct step step = step_for(span > 0 ? span : 1, integral);
    const double width = step.digit * pow(10, step.exponent);
    const double first = ceil(low / width - SLACK), last = floor(high / width + SLACK);
    /* All labels of an axis are written alike, as suits the longest. */
    const bool plain = is_plain((int64_t)fmax(fabs(first), fabs(last)) * step.digit, step.exponent);
    size_t count = 0;

    for (double number = first; number <= last && count < PICTURE_TICKS_MAX; number++) {
        ticks[count].value = number * width;
        print_label((int64_t)number * step.digit, step.exponent, plain, ticks[count++].label);
    }
    return count;
}

size_t picture_ticks_of_powers(double low, double high, size_t wanted,
                               struct picture_tick ticks[PICTURE_TICKS_MAX])
{
    const size_t count = picture_ticks(low, high, wanted, true, ticks);

    for (size_t i = 0; i < count; i++) {
        const int exponent = (int)lround(ticks[i].value);

        print_label(1, exponent, is_plain(1, exponent), ticks[i].label);
    }
    return count;
}
