/* Rounding into each element type, exhaustively for the 16-bit ones, and widening back. */
#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "dtype.h"
#include "exact.h"

/* A binary format as MPFR takes it: significands in [1/2, 1). */
struct format {
    enum posenc_dtype dtype;
    int precision, emin, emax;
    uint32_t infinity; /* its pattern, one past the largest finite number's */
};

static const struct format formats[] = {
    {POSENC_FLOAT16, 11, -23, 16, 0x7c00},
    {POSENC_BFLOAT16, 8, -132, 128, 0x7f80},
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

static uint16_t round_short(enum posenc_dtype dtype, double value)
{
    uint16_t pattern;

    posenc_round(dtype, &value, 1, &pattern);
    return pattern;
}

static double widen_short(enum posenc_dtype dtype, uint16_t pattern)
{
    double value;

    posenc_widen(dtype, &pattern, 1, &value);
    return value;
}

/* What a non-negative pattern means, by the definition; infinity as the power of two it follows. */
static double pattern_value(const struct format *format, uint32_t pattern)
{
    const int fraction_bits = format->precision - 1;
    const uint32_t exponent = pattern >> fraction_bits;
    const uint32_t fraction = pattern & ((1u << fraction_bits) - 1);

    if (exponent == 0)
        return ldexp((double)fraction, format->emin - 1);
    return ldexp((double)(fraction + (1u << fraction_bits)), format->emin - 1 + (int)exponent - 1);
}

Test(dtype, every_16_bit_pattern_widens_to_its_value)
{
    for (size_t k = 0; k < FORMATS; k++) {
        const struct format *format = &formats[k];

        for (uint32_t pattern = 0; pattern < format->infinity; pattern++) {
            const double value = pattern_value(format, pattern);

            cr_assert_eq(widen_short(format->dtype, (uint16_t)pattern), value, "%x", pattern);
            cr_assert_eq(widen_short(format->dtype, (uint16_t)(pattern | 0x8000)), -value);
        }
        cr_expect_eq(widen_short(format->dtype, (uint16_t)format->infinity), INFINITY);
        cr_expect_eq(widen_short(format->dtype, (uint16_t)(format->infinity | 0x8000)), -INFINITY);
        cr_expect(signbit(widen_short(format->dtype, 0x8000)));
    }
}

Test(dtype, every_16_bit_pattern_comes_back_and_nan_comes_back_quiet)
{
    for (size_t k = 0; k < FORMATS; k++) {
        const struct format *format = &formats[k];
        const uint32_t quiet = 1u << (format->precision - 2);

        for (uint32_t pattern = 0; pattern <= UINT16_MAX; pattern++) {
            const double value = widen_short(format->dtype, (uint16_t)pattern);
            const bool is_nan = (pattern & 0x7fff) > format->infinity;

            cr_assert_eq(isnan(value) != 0, is_nan, "%x", pattern);
            cr_assert_eq(round_short(format->dtype, value), is_nan ? pattern | quiet : pattern,
                         "%x", pattern);
        }
    }
}

/* Ties, and the doubles next to them, which a detour through float would take for ties. */
Test(dtype, every_16_bit_tie_goes_to_even_and_its_neighbours_do_not)
{
    for (size_t k = 0; k < FORMATS; k++) {
        const struct format *format = &formats[k];

        for (uint32_t pattern = 0; pattern < format->infinity; pattern++) {
            const uint32_t even = pattern + (pattern & 1);
            const double tie =
                (pattern_value(format, pattern) + pattern_value(format, pattern + 1)) / 2.0;

            cr_assert_eq(round_short(format->dtype, tie), even, "%a", tie);
            cr_assert_eq(round_short(format->dtype, -tie), even | 0x8000, "%a", -tie);
            cr_assert_eq(round_short(format->dtype, nextafter(tie, 0.0)), pattern, "%a", tie);
            cr_assert_eq(round_short(format->dtype, nextafter(tie, INFINITY)), pattern + 1, "%a",
                         tie);
        }
    }
}

/* value rounded by MPFR to a format with its range, as a double. */
static double exact_round(const struct format *format, double value)
{
    mpfr_t rounded;

    mpfr_set_emin(format->emin);
    mpfr_set_emax(format->emax);
    mpfr_init2(rounded, format->precision);
    const int inexact = mpfr_set_d(rounded, value, MPFR_RNDN);

    (void)mpfr_subnormalize(rounded, mpfr_check_range(rounded, inexact, MPFR_RNDN), MPFR_RNDN);
    const double result = mpfr_get_d(rounded, MPFR_RNDN);

    mpfr_clear(rounded);
    return result;
}

Test(dtype, random_doubles_round_as_mpfr_rounds_them)
{
    const struct format rows[] = {
        formats[0],
        formats[1],
        {POSENC_FLOAT32, 24, -148, 128, 0x7f800000},
    };
    uint64_t seed = 1;

    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        const double low = rows[k].emin - 4, high = rows[k].emax + 2;

        for (int i = 0; i < 20000; i++) {
            const double size = exp2(exact_between(&seed, low, high));
            const double value = i % 2 ? size : -size;
            _Alignas(8) char element[4];
            double ours;

            posenc_round(rows[k].dtype, &value, 1, element);
            posenc_widen(rows[k].dtype, element, 1, &ours);
            cr_assert_eq(ours, exact_round(&rows[k], value), "%a -> %a", value, ours);
        }
    }
}

struct known {
    enum posenc_dtype dtype;
    double value;
    uint16_t pattern;
};

Test(dtype, edges_have_their_known_patterns)
{
    const struct known rows[] = {
        {POSENC_FLOAT16, 0.0, 0x0000},         {POSENC_FLOAT16, -0.0, 0x8000},
        {POSENC_FLOAT16, 1.0, 0x3c00},         {POSENC_FLOAT16, 65504.0, 0x7bff},
        {POSENC_FLOAT16, 65519.999, 0x7bff},   {POSENC_FLOAT16, 65520.0, 0x7c00},
        {POSENC_FLOAT16, -1e300, 0xfc00},      {POSENC_FLOAT16, 0x1p-24, 0x0001},
        {POSENC_FLOAT16, 0x1p-25, 0x0000},     {POSENC_FLOAT16, 0x1.000002p-25, 0x0001},
        {POSENC_FLOAT16, 0x1p-14, 0x0400},     {POSENC_FLOAT16, 4.9e-324, 0x0000},
        {POSENC_BFLOAT16, 1.0, 0x3f80},        {POSENC_BFLOAT16, 257.0, 0x4380},
        {POSENC_BFLOAT16, 0x1.ffp127, 0x7f80}, {POSENC_BFLOAT16, 0x1.fep127, 0x7f7f},
        {POSENC_BFLOAT16, 0x1p-133, 0x0001},   {POSENC_BFLOAT16, -0x1p-134, 0x8000},
        {POSENC_BFLOAT16, -INFINITY, 0xff80},  {POSENC_FLOAT16, INFINITY, 0x7c00},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(round_short(rows[i].dtype, rows[i].value), rows[i].pattern, "%a -> %x",
                     rows[i].value, round_short(rows[i].dtype, rows[i].value));
}

Test(dtype, a_nan_stays_one_with_its_sign)
{
    const enum posenc_dtype dtypes[] = {POSENC_FLOAT64, POSENC_FLOAT32, POSENC_FLOAT16,
                                        POSENC_BFLOAT16};

    for (size_t i = 0; i < sizeof(dtypes) / sizeof(dtypes[0]); i++) {
        /* The second has its payload in bits that no shorter format keeps. */
        const uint64_t patterns[] = {0x7ff8000000000000u, 0xfff8000000000001u};

        for (size_t k = 0; k < 2; k++) {
            double value, back;
            _Alignas(8) char element[8];

            memcpy(&value, &patterns[k], sizeof(value));
            posenc_round(dtypes[i], &value, 1, element);
            posenc_widen(dtypes[i], element, 1, &back);
            cr_expect(isnan(back), "%s", posenc_dtype_name(dtypes[i]));
            cr_expect_eq(signbit(back) != 0, k == 1, "%s", posenc_dtype_name(dtypes[i]));
        }
    }
}

Test(dtype, float32_rounds_once_and_keeps_subnormals)
{
    const double values[] = {0.1, 0x1.fffffefp127, 0x1.ffffffp127, -0x1p-149, 0x1p-150, -0.0};
    const float expected[] = {0.1f, 0x1.fffffep127f, INFINITY, -0x1p-149f, 0.0f, -0.0f};
    float ours[6];

    posenc_round(POSENC_FLOAT32, values, 6, ours);
    cr_expect_arr_eq(ours, expected, sizeof(ours));
}

Test(dtype, float64_may_be_rounded_in_place)
{
    double values[3] = {0.1, -0.0, INFINITY};
    const double expected[3] = {0.1, -0.0, INFINITY};

    posenc_round(POSENC_FLOAT64, values, 3, values);
    cr_expect_arr_eq(values, expected, sizeof(values));
    posenc_widen(POSENC_FLOAT64, values, 3, values);
    cr_expect_arr_eq(values, expected, sizeof(values));
}

Test(dtype, integers_come_and_go_exactly)
{
    const double values[] = {0.0, -7.0, 2147483647.0, -2147483648.0};
    const double large[] = {9007199254740992.0, -9223372036854775808.0, 1.0};
    const int64_t beyond = INT64_C(9007199254740993);
    int32_t narrow[4];
    int64_t wide[3];
    double back[4];

    posenc_round(POSENC_INT32, values, 4, narrow);
    cr_expect_eq(narrow[1], -7);
    cr_expect_eq(narrow[2], INT32_MAX);
    cr_expect_eq(narrow[3], INT32_MIN);
    posenc_widen(POSENC_INT32, narrow, 4, back);
    cr_expect_arr_eq(back, values, sizeof(values));
    posenc_round(POSENC_INT64, large, 3, wide);
    cr_expect_eq(wide[0], INT64_C(9007199254740992));
    cr_expect_eq(wide[1], INT64_MIN);
    posenc_widen(POSENC_INT64, wide, 3, back);
    cr_expect_arr_eq(back, large, sizeof(large));
    posenc_widen(POSENC_INT64, &beyond, 1, back);
    cr_expect_eq(back[0], 9007199254740992.0, "the even neighbour of 2^53 + 1");
}

Test(dtype, integers_end_where_their_type_does)
{
    static const double values[] = {0x1p63, 2.7e20, INFINITY, -0x1p63, -1e300,     -INFINITY,
                                    NAN,    -0.9,   2.9,      0x1p31,  -0x1p31 - 1};
    enum { COUNT = sizeof(values) / sizeof(*values) };
    static const int64_t wide[COUNT] = {INT64_MAX,       INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN,
                                        INT64_MIN,       0,         0,         2,         1LL << 31,
                                        -(1LL << 31) - 1};
    static const int32_t narrow[COUNT] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MIN,
                                          INT32_MIN, INT32_MIN, 0,         0,
                                          2,         INT32_MAX, INT32_MIN};
    int64_t got_wide[COUNT];
    int32_t got_narrow[COUNT];

    posenc_round(POSENC_INT64, values, COUNT, got_wide);
    posenc_round(POSENC_INT32, values, COUNT, got_narrow);
    for (size_t i = 0; i < COUNT; i++) {
        cr_expect_eq(got_wide[i], wide[i], "%g", values[i]);
        cr_expect_eq(got_narrow[i], narrow[i], "%g", values[i]);
    }
}

Test(dtype, every_level_gives_the_same_bits_and_writes_no_further)
{
    enum { MANY = 1023 };
    static double values[MANY], widened[2][MANY];
    static _Alignas(8) char elements[2][8 * MANY + 8];
    uint64_t seed = 2;

    for (int i = 0; i < MANY; i++) {
        const double size = exp2(exact_between(&seed, -160.0, 140.0));

        values[i] = i % 7 == 0 ? INFINITY : i % 11 == 0 ? -NAN : i % 2 ? size : -size;
    }
    for (int level = 0; level < POSENC__LEVEL_COUNT; level++) {
        if (!posenc__level_runs((enum posenc__level)level))
            continue;
        for (int dtype = 0; dtype < POSENC_INT64; dtype++) {
            const size_t bytes = MANY * posenc_dtype_size((enum posenc_dtype)dtype);

            elements[0][bytes] = elements[1][bytes] = 7;
            posenc__round_at(POSENC__PLAIN, (enum posenc_dtype)dtype, values, MANY, elements[0]);
            posenc__round_at((enum posenc__level)level, (enum posenc_dtype)dtype, values, MANY,
                             elements[1]);
            cr_expect_arr_eq(elements[0], elements[1], bytes + 1);
            cr_expect_eq(elements[1][bytes], 7);
            posenc__widen_at(POSENC__PLAIN, (enum posenc_dtype)dtype, elements[0], MANY,
                             widened[0]);
            posenc__widen_at((enum posenc__level)level, (enum posenc_dtype)dtype, elements[0], MANY,
                             widened[1]);
            cr_expect_arr_eq(widened[0], widened[1], sizeof(widened[0]));
        }
    }
}

Test(dtype, names_and_sizes_find_each_other)
{
    const char *const names[] = {"float64", "float32", "float16", "bfloat16", "int64", "int32"};
    const size_t sizes[] = {8, 4, 2, 2, 8, 4};
    enum posenc_dtype found;

    for (int i = 0; i < POSENC_DTYPE_COUNT; i++) {
        cr_assert(posenc_dtype_find(names[i], &found));
        cr_expect_eq(found, (enum posenc_dtype)i);
        cr_expect_str_eq(posenc_dtype_name((enum posenc_dtype)i), names[i]);
        cr_expect_eq(posenc_dtype_size((enum posenc_dtype)i), sizes[i]);
    }
    found = POSENC_INT32;
    cr_expect_not(posenc_dtype_find("Float32", &found));
    cr_expect_not(posenc_dtype_find("", &found));
    cr_expect_eq(found, POSENC_INT32);
}
