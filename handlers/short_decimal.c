/*
 * The method of Giulietti (The Schubfach way to render doubles, 2020), where plain doubles are
 * exact. A float32 that is no power of two is c * 2^q with c < 2^24, and all decimals from
 * (c - 1/2) * 2^q to (c + 1/2) * 2^q read back to it. Let 10^-k be the largest power of ten that is
 * not above the width of that interval. Then a multiple of 10^-k lies in it, and at most one of
 * 10^(1-k), which is shorter. Times 10^k, value and limits are (2c or 2c +- 1) * 2^(q-1+k) * 5^k,
 * and up to k = 12 such a product has no more than 53 bits: doubles hold it.
 */
#include "short_decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FRACTION_BITS  23
#define EXPONENT_BIAS  127
#define EXPONENT_FIRST (-16) /* values from 2^-16 ... */
#define EXPONENT_LAST  19    /* ... to below 2^20 */

/* The k of above for each binary exponent of a value. */
static const uint8_t places_of[EXPONENT_LAST - EXPONENT_FIRST + 1] = {
    12, 12, 12, 11, 11, 11, 10, 10, 10, 10, 9, 9, 9, 8, 8, 8, 7, 7,
    7,  7,  6,  6,  6,  5,  5,  5,  4,  4,  4, 4, 3, 3, 3, 2, 2, 2};

static const double powers_of_ten[] = {1e0, 1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
                                       1e7, 1e8, 1e9, 1e10, 1e11, 1e12};

/* digits * 10^-places. */
struct decimal {
    uint32_t digits;
    unsigned places;
};

static double power_of_two(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;

    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The integer nearest to a positive number below 2^31; a tie goes to even, as sums do. */
static uint32_t nearest(double number)
{
    const double sum = number + 0x1p52;
    uint64_t bits;

    memcpy(&bits, &sum, sizeof bits);
    return (uint32_t)bits;
}

/* Of a value > 0; the limits read back to it too where its last bit is 0 (ties go to even). Which
 * candidate it is cannot be foreseen, so selects are better than branches. */
static struct decimal shortest(double value, int exponent, bool is_even)
{
    const unsigned places = places_of[exponent - EXPONENT_FIRST];
    const double scaled = value * powers_of_ten[places];
    const double half = power_of_two(exponent - FRACTION_BITS - 1) * powers_of_ten[places];
    const uint32_t floor_tens = (uint32_t)scaled / 10;
    const uint32_t tens = floor_tens + (scaled - (double)(floor_tens * 10) > 5);
    const double distance = fabs(scaled - (double)(tens * 10));
    const bool is_short = (distance < half) | ((distance == half) & is_even);
    struct decimal decimal = {is_short ? tens : nearest(scaled), places - is_short};

    /* Seldom more than once; a decimal that is not short never ends in 0. */
    while (decimal.digits % 10 == 0 && decimal.places > 0)
        decimal = (struct decimal){decimal.digits / 10, decimal.places - 1};
    return decimal;
}

/*
 * Eight digits, leading zeros included, as characters in the bytes of a word, the first one in the
 * lowest: halves, then quarters, then single digits are split in all lanes at once. Each lane's
 * quotient is a product's high bits, exact for numbers below 10^4 and 10^2.
 */
static uint64_t eight_characters(uint32_t digits)
{
    const uint64_t halves = digits / 10000 | (uint64_t)(digits % 10000) << 32;
    const uint64_t hundreds = halves * 5243 >> 19 & 0x0000007F0000007F;
    const uint64_t quarters = hundreds | (halves - hundreds * 100) << 16;
    const uint64_t tens = quarters * 103 >> 10 & 0x000F000F000F000F;

    return (tens | (quarters - tens * 10) << 8) + 0x3030303030303030;
}

static unsigned count_digits(uint32_t digits)
{
    static const uint32_t least[] = {0, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    unsigned count = 1;

    if (digits >= least[7])
        return 8;
    while (digits >= least[count])
        count++;
    return count;
}

/* Less than 1: 0.00ddd. */
static size_t print_below_one(uint64_t word, unsigned count, unsigned places, char *text)
{
    memcpy(text, "0.000", 5);
    memcpy(text + 2 + places - count, &word, sizeof word);
    return 2 + places;
}

/* dd.ddd, or dd. */
static size_t print_from_one(uint64_t word, unsigned count, unsigned places, char *text)
{
    const unsigned whole = count - places;

    memcpy(text, &word, sizeof word);
    if (places == 0)
        return count;
    text[whole] = '.';
    word >>= 8 * whole;
    memcpy(text + whole + 1, &word, sizeof word);
    return count + 1;
}

/* As people write it, unless that is longer than with an exponent: 0 then. */
static size_t print_decimal(struct decimal decimal, char *text)
{
    const unsigned places = decimal.places;

    if (decimal.digits >= 100000000)
        return 0;

    const unsigned count = count_digits(decimal.digits);
    const uint64_t word = eight_characters(decimal.digits) >> 8 * (8 - count);

    if (places > count + 3 - (count == 1) || (places == 0 && decimal.digits % 100000 == 0))
        return 0;
    return places >= count ? print_below_one(word, count, places, text)
                           : print_from_one(word, count, places, text);
}

size_t short_decimal_print(float value, char *text)
{
    uint32_t bits;
    size_t length;

    memcpy(&bits, &value, sizeof bits);

    const bool is_negative = bits >> 31;
    const int exponent = (int)(bits >> FRACTION_BITS & 0xFF) - EXPONENT_BIAS;
    const uint32_t fraction = bits & ((1U << FRACTION_BITS) - 1);

    if (exponent < EXPONENT_FIRST || exponent > EXPONENT_LAST || fraction == 0)
        return 0;
    *text = '-';
    length = print_decimal(shortest((double)fabsf(value), exponent, fraction % 2 == 0),
                           text + is_negative);
    return length > 0 ? length + is_negative : 0;
}
