#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture_ticks.h"

static void expect_labels(const struct picture_tick *ticks, size_t count, const char *expected)
{
    char labels[PICTURE_TICKS_MAX * (PICTURE_TICK_LABEL_MAX + 1)] = "";

    for (size_t i = 0; i < count; i++) {
        (void)strcat(labels, i ? " " : "");
        (void)strcat(labels, ticks[i].label);
    }
    cr_expect_str_eq(labels, expected, "%s", labels);
}

Test(picture_ticks, are_round_numbers_with_equal_places)
{
    static const struct {
        double low, high;
        size_t wanted;
        const char *labels;
    } cases[] = {
        {-1, 1, 8, "-1.0 -0.5 0 0.5 1.0"},
        {0, 0.7, 7, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7"},
        {0.31, 0.74, 8, "0.4 0.5 0.6 0.7"},
        {-15.75, 0, 8, "-14 -12 -10 -8 -6 -4 -2 0"},
        {0, 100000, 5, "0 20000 40000 60000 80000 100000"},
        {0, 3e9, 3, "0 1e9 2e9 3e9"},
        {0, 2.5e-9, 5, "0 5e-10 1e-9 1.5e-9 2e-9 2.5e-9"},
        {0, 1e-4, 2, "0 0.00005 0.00010"},
        {0, 1e-5, 2, "0 5e-6 1e-5"},
        {1.00001, 1.00003, 2, "1.00001 1.00002 1.00003"},
        {0.003, 0.006, 3, "0.003 0.004 0.005 0.006"},
        {1e15, 1e15 + 4, 4,
         "1e15 1.000000000000001e15 1.000000000000002e15 1.000000000000003e15 "
         "1.000000000000004e15"},
        {-DBL_MAX, DBL_MAX, 4, "-1e308 0 1e308"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture_tick ticks[PICTURE_TICKS_MAX];
        const size_t count =
            picture_ticks(cases[i].low, cases[i].high, cases[i].wanted, false, ticks);

        expect_labels(ticks, count, cases[i].labels);
    }
}

Test(picture_ticks, stand_where_their_labels_say)
{
    struct picture_tick ticks[PICTURE_TICKS_MAX];
    const double spans[] = {1e-12, 0.07, 1, 33, 4096, 7e20};

    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        for (size_t wanted = 1; wanted <= 12; wanted++) {
            const size_t count = picture_ticks(-spans[i] / 3, spans[i], wanted, false, ticks);

            cr_expect(count >= 1 && count <= wanted + 1, "%zu of %zu", count, wanted);
            for (size_t j = 0; j < count; j++)
                cr_expect_float_eq(strtod(ticks[j].label, NULL), ticks[j].value,
                                   fabs(spans[i]) * 1e-12, "%s", ticks[j].label);
        }
    }
}

Test(picture_ticks, that_are_integral_have_no_fractions)
{
    struct picture_tick ticks[PICTURE_TICKS_MAX];

    expect_labels(ticks, picture_ticks(0, 2, 10, true, ticks), "0 1 2");
    expect_labels(ticks, picture_ticks(0, 0, 10, true, ticks), "0");
    expect_labels(ticks, picture_ticks(0, 127, 5, true, ticks), "0 50 100");
}

Test(picture_ticks, of_powers_are_powers_of_ten)
{
    struct picture_tick ticks[PICTURE_TICKS_MAX];

    expect_labels(ticks, picture_ticks_of_powers(-4.2, 0.3, 8, ticks), "0.0001 0.001 0.01 0.1 1");
    expect_labels(ticks, picture_ticks_of_powers(-40, 40, 5, ticks), "1e-40 1e-20 1 1e20 1e40");
}
