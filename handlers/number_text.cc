/* The one C++ file: std::to_chars and std::from_chars, which C does not have. */
#include "number_text.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <initializer_list>

#include "short_decimal.h"

namespace
{

size_t print_word(const char *word, char *text)
{
    const size_t length = std::strlen(word);

    std::memcpy(text, word, length);
    return length;
}

template <typename Number> size_t print_shortest(Number number, char *text)
{
    return static_cast<size_t>(std::to_chars(text, text + NUMBER_TEXT_MAX, number).ptr - text);
}

/* A decimal as it is read: digits * 10^exponent, as long as `digits` has not wrapped. */
struct decimal {
    uint64_t digits;
    int64_t digit_count; /* without leading zeros; `digits` holds 19 of them for sure */
    int64_t exponent;
};

/* Both factors are doubles without error, so one operation rounds once (Clinger, 1990). */
bool scale_exactly(const decimal &number, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

    if (number.digit_count > 19 || number.digits > (uint64_t{1} << 53) || number.exponent < -22 ||
        number.exponent > 22)
        return false;
    const double digits = static_cast<double>(number.digits);
    *value =
        number.exponent < 0 ? digits / powers[-number.exponent] : digits * powers[number.exponent];
    return true;
}

/* The double nearest to digits * 10^exponent. */
double read_scaled(uint32_t digits, int exponent)
{
    char text[NUMBER_TEXT_MAX];
    double value = 0;

    if (scale_exactly({digits, 10, exponent}, &value))
        return value;
    char *at = std::to_chars(text, text + 10, digits).ptr;
    *at++ = 'e';
    at = std::to_chars(at, at + 11, exponent).ptr;
    std::from_chars(text, at, value);
    return value;
}

bool rounds_to(enum posenc_dtype half, double candidate, double value)
{
    uint16_t bits;
    double back;

    posenc_round(half, &candidate, 1, &bits);
    posenc_widen(half, &bits, 1, &back);
    return back == value;
}

/*
 * The decimal of fewest digits that rounds to a half value > 0, as a double; of two, the nearer.
 * The candidates of n digits are the decimals of n digits on both sides of the value. They are cut
 * from the shortest float32 decimal: none lies between that and the value, or it were shorter.
 */
double shortest_half(enum posenc_dtype half, double value)
{
    char text[NUMBER_TEXT_MAX];
    char *const end = std::to_chars(text, text + sizeof text, static_cast<float>(value),
                                    std::chars_format::scientific)
                          .ptr;
    uint32_t digits = 0;
    int count = 0, exponent = 0;
    const char *at = text;

    for (; *at != 'e'; at++) {
        if (*at != '.') {
            digits = digits * 10 + static_cast<uint32_t>(*at - '0');
            count++;
        }
    }
    at += at[1] == '+' ? 2 : 1;
    std::from_chars(at, end, exponent);

    uint32_t unit = 1;
    for (int i = 1; i < count; i++)
        unit *= 10;
    for (; unit > 1; unit /= 10, exponent--) {
        const uint32_t below = digits / unit;
        const uint32_t near = digits % unit * 2 < unit ? below : below + 1;
        const uint32_t far = near == below ? below + 1 : below;

        for (const uint32_t candidate : {near, far}) {
            const double decimal = read_scaled(candidate, exponent);
            if (rounds_to(half, decimal, value))
                return decimal;
        }
    }
    return read_scaled(digits, exponent);
}

bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

constexpr uint64_t EACH_BYTE = 0x0101010101010101;

/*
 * Values of up to eight digits whose characters stand in the bytes of a word, the first in the
 * lowest; `count` says how many there are before another character. The word is shifted so that
 * zeros stand in front, then neighbours are put together: to pairs, to fours, to eight.
 */
uint64_t read_digits(uint64_t word, size_t *count)
{
    uint64_t digits = word ^ 0x30 * EACH_BYTE;
    /* The lowest bit that is set belongs to the first byte above 9. */
    const uint64_t others = (digits | (digits + 0x76 * EACH_BYTE)) & 0x80 * EACH_BYTE;
    const size_t found = others ? static_cast<size_t>(__builtin_ctzll(others)) / 8 : 8;

    *count = found;
    digits = digits << 4 * (8 - found) << 4 * (8 - found);
    digits = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FF;
    digits = (digits * 100 + (digits >> 16)) & 0x0000FFFF0000FFFF;
    return (digits * 10000 + (digits >> 32)) & 0xFFFFFFFF;
}

/* Digits that count from the first on. */
const char *skip_counted_digits(const char *at, const char *end, decimal *number)
{
    static const uint64_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    const char *const first = at;
    size_t count = 8;

    while (count == 8 && end - at >= 8) {
        uint64_t word, value;

        std::memcpy(&word, at, sizeof word);
        value = read_digits(word, &count);
        number->digits = number->digits * powers[count] + value;
        at += count;
    }
    if (end - at < 8)
        for (; at < end && is_digit(*at); at++)
            number->digits = number->digits * 10 + static_cast<uint64_t>(*at - '0');
    number->digit_count += at - first;
    return at;
}

const char *skip_digits(const char *at, const char *end, decimal *number)
{
    while (number->digit_count == 0 && at < end && *at == '0')
        at++;
    return skip_counted_digits(at, end, number);
}

/* An exponent part, or nothing when what follows is none. */
const char *skip_exponent(const char *at, const char *end, decimal *number)
{
    const char *digit = at + 1;
    bool negative = false;
    int64_t exponent = 0;

    if (digit < end && (*digit == '+' || *digit == '-'))
        negative = *digit++ == '-';
    if (digit >= end || !is_digit(*digit))
        return at;
    for (; digit < end && is_digit(*digit); digit++) {
        if (exponent < 1000000000)
            exponent = exponent * 10 + (*digit - '0');
    }
    number->exponent += negative ? -exponent : exponent;
    return digit;
}

/* The end of the JSON number that starts at `text`, or `text` itself. */
const char *skip_number(const char *text, const char *end, decimal *number)
{
    const char *at = text;

    at += at < end && *at == '-'; /* signs come as they like: no branch */
    if (at >= end || !is_digit(*at))
        return text;
    at = *at == '0' ? at + 1 : skip_digits(at, end, number);
    if (end - at >= 2 && *at == '.' && is_digit(at[1])) {
        const char *const fraction = at + 1;

        at = skip_digits(fraction, end, number);
        number->exponent -= at - fraction;
    }
    if (at < end && (*at == 'e' || *at == 'E'))
        at = skip_exponent(at, end, number);
    return at;
}

int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Compares the digits of a decimal, from its first that is not 0, with these and zeros behind. */
int compare_digits(const char *text, const char *end, const char *digits, size_t count)
{
    size_t i = 0;
    bool has_begun = false;

    for (const char *at = text; at < end && *at != 'e' && *at != 'E'; at++) {
        has_begun |= *at >= '1' && *at <= '9';
        if (!has_begun || !is_digit(*at))
            continue;
        const char expected = i < count ? digits[i] : '0';
        if (*at != expected)
            return order(*at, expected);
        i++;
    }
    for (; i < count; i++)
        if (digits[i] != '0')
            return -1;
    return 0;
}

} // namespace

size_t number_print(enum posenc_dtype dtype, double value, char *text)
{
    const size_t length =
        dtype == POSENC_FLOAT32 ? short_decimal_print(static_cast<float>(value), text) : 0;

    if (length > 0)
        return length;
    if (std::isnan(value))
        return print_word("\"NaN\"", text);
    if (std::isinf(value))
        return print_word(value > 0 ? "\"Infinity\"" : "\"-Infinity\"", text);
    if (value == 0)
        return print_word(std::signbit(value) ? "-0.0" : "0", text);

    switch (dtype) {
    case POSENC_FLOAT32:
        return print_shortest(static_cast<float>(value), text);
    case POSENC_FLOAT16:
    case POSENC_BFLOAT16:
        return print_shortest(std::copysign(shortest_half(dtype, std::fabs(value)), value), text);
    case POSENC_INT64:
    case POSENC_INT32:
        /* The largest int64 widens to 2^63, which is none. */
        return number_print_integer(value < 0x1p63 ? static_cast<int64_t>(value) : INT64_MAX, text);
    case POSENC_FLOAT64:
    case POSENC_DTYPE_COUNT:
        break;
    }
    return print_shortest(value, text);
}

size_t number_print_integer(int64_t integer, char *text)
{
    return print_shortest(integer, text);
}

size_t number_parse(const char *text, size_t size, double *value, bool *overflow)
{
    decimal number = {0, 0, 0};
    const char *const end = skip_number(text, text + size, &number);

    *overflow = false;
    if (end == text)
        return 0;
    if (scale_exactly(number, value)) {
        static const double signs[] = {1.0, -1.0};

        *value *= signs[*text == '-'];
        return static_cast<size_t>(end - text);
    }
    *value = 0;
    const std::from_chars_result result = std::from_chars(text, end, *value);
    if (result.ec == std::errc::result_out_of_range) {
        /* from_chars does not tell the two ends of the range apart; the leading digit's place does.
         */
        *overflow = number.digit_count + number.exponent > 0;
        *value = std::copysign(*overflow ? HUGE_VAL : 0.0, *text == '-' ? -1.0 : 1.0);
    }
    return static_cast<size_t>(end - text);
}

int number_side(const char *text, size_t size, double value)
{
    char digits[NUMBER_TEXT_MAX];
    const size_t count = number_print_integer(static_cast<int64_t>(std::fabs(value)), digits);
    const char *const end = text + size;
    decimal number = {0, 0, 0};

    if (value == 0)
        return 0; /* what rounds to zero is no number of a request: number_underflowed() */
    (void)skip_number(text, end, &number);
    /* Digits before the point; then the longer number is the larger. */
    int side = order(number.digit_count + number.exponent, static_cast<int64_t>(count));
    if (side == 0)
        side = compare_digits(text, end, digits, count);
    return value < 0 ? -side : side;
}

size_t number_parse_word(const char *text, size_t size, double *value)
{
    static const struct {
        const char *word;
        size_t length;
        double value;
    } words[] = {{"NaN", 3, NAN}, {"Infinity", 8, HUGE_VAL}, {"-Infinity", 9, -HUGE_VAL}};

    for (const auto &entry : words) {
        if (size >= entry.length && std::memcmp(text, entry.word, entry.length) == 0) {
            *value = entry.value;
            return entry.length;
        }
    }
    return 0;
}

bool number_underflowed(const char *text, size_t size)
{
    for (size_t i = 0; i < size && (text[i] | 0x20) != 'e'; i++) {
        if (text[i] >= '1' && text[i] <= '9')
            return true;
    }
    return false;
}
