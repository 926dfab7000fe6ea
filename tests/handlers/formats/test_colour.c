#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include "colour.h"

/* Oklab of a colour in 8 bits, the other way round than the scales are made. */
struct lab {
    double l, a, b;
};

static double decode(uint8_t byte)
{
    const double coded = byte / 255.0;

    return coded <= 0.04045 ? coded / 12.92 : pow((coded + 0.055) / 1.055, 2.4);
}

static struct lab lab_of(struct colour colour)
{
    const double r = decode(colour.red), g = decode(colour.green), b = decode(colour.blue);
    const double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

    return (struct lab){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static double distance(struct lab a, struct lab b)
{
    return sqrt(pow(a.l - b.l, 2) + pow(a.a - b.a, 2) + pow(a.b - b.b, 2));
}

/* Steps over ten levels differ by what 8 bits and the edge of the sRGB gamut cost. */
#define EVEN 0.25

static void expect_even_steps(const struct colour *levels, int first, int last)
{
    const int jump = 10;
    double sum = 0;

    for (int i = first; i + jump <= last; i += jump)
        sum += distance(lab_of(levels[i]), lab_of(levels[i + jump]));
    const double mean = sum / ((last - first) / jump);

    for (int i = first; i + jump <= last; i += jump) {
        const double step = distance(lab_of(levels[i]), lab_of(levels[i + jump]));

        cr_expect(fabs(step / mean - 1) < EVEN, "level %d: %g of %g", i, step, mean);
    }
}

Test(colour, of_one_sign_grow_brighter_in_even_steps)
{
    struct colour palette[COLOUR_COUNT];
    const struct colour *const levels = palette + COLOUR_SCALE;

    colour_palette(COLOUR_ONE_SIGNED, palette);
    expect_even_steps(levels, 0, COLOUR_SCALE_LEVELS - 1);
    for (int i = 4; i < COLOUR_SCALE_LEVELS; i += 4)
        cr_expect_gt(lab_of(levels[i]).l, lab_of(levels[i - 4]).l, "level %d", i);
    cr_expect_lt(lab_of(levels[0]).l, 0.3);
    cr_expect_gt(lab_of(levels[COLOUR_SCALE_LEVELS - 1]).l, 0.9);
}

Test(colour, around_zero_are_equally_dark_on_both_sides)
{
    struct colour palette[COLOUR_COUNT];
    const struct colour *const zero = palette + COLOUR_SCALE + COLOUR_SCALE_LEVELS / 2;

    colour_palette(COLOUR_AROUND_ZERO, palette);
    cr_expect(zero->red == zero->green && zero->green == zero->blue, "zero is neutral");
    expect_even_steps(palette + COLOUR_SCALE, 0, COLOUR_SCALE_LEVELS / 2);
    expect_even_steps(palette + COLOUR_SCALE, COLOUR_SCALE_LEVELS / 2, COLOUR_SCALE_LEVELS - 1);
    for (int i = 1; i <= COLOUR_SCALE_LEVELS / 2; i++)
        cr_expect_float_eq(lab_of(zero[i]).l, lab_of(zero[-i]).l, 0.02, "level %d", i);
    cr_expect_gt(zero[-100].blue, zero[-100].red + 60);
    cr_expect_gt(zero[100].red, zero[100].blue + 60);
}

Test(colour, of_values_span_the_scale_and_stop_at_its_ends)
{
    const int last = COLOUR_SCALE + COLOUR_SCALE_LEVELS - 1;

    cr_expect_eq(colour_of(-2, -2, 6), COLOUR_SCALE);
    cr_expect_eq(colour_of(6, -2, 6), last);
    cr_expect_eq(colour_of(2, -2, 6), COLOUR_SCALE + 100);
    cr_expect_eq(colour_of(0.04, -2, 6), COLOUR_SCALE + 51);
    cr_expect_eq(colour_of(7, -2, 6), last);
    cr_expect_eq(colour_of(-3, -2, 6), COLOUR_SCALE);
    cr_expect_eq(colour_of(0, -DBL_MAX, DBL_MAX), COLOUR_SCALE + 100);
    cr_expect_eq(colour_of(-INFINITY, 0, 1), COLOUR_MINUS_INFINITY);
    cr_expect_eq(colour_of(INFINITY, 0, 1), COLOUR_PLUS_INFINITY);
    cr_expect_eq(colour_of(NAN, 0, 1), COLOUR_NAN);
}

Test(colour, of_what_is_not_finite_is_told_from_every_level)
{
    static const uint8_t others[] = {COLOUR_MINUS_INFINITY, COLOUR_PLUS_INFINITY, COLOUR_NAN};

    for (int scale = COLOUR_ONE_SIGNED; scale <= COLOUR_AROUND_ZERO; scale++) {
        struct colour palette[COLOUR_COUNT];

        colour_palette((enum colour_scale)scale, palette);
        for (size_t i = 0; i < 3; i++) {
            for (int level = 0; level < COLOUR_SCALE_LEVELS; level++)
                cr_expect_gt(
                    distance(lab_of(palette[others[i]]), lab_of(palette[COLOUR_SCALE + level])),
                    0.04, "scale %d, colour %d, level %d", scale, others[i], level);
        }
    }
}

Test(colour, ramps_start_as_paper)
{
    struct colour palette[COLOUR_COUNT];

    colour_palette(COLOUR_ONE_SIGNED, palette);
    cr_expect_eq(palette[COLOUR_PAPER].red, 255);
    cr_expect_eq(palette[COLOUR_CURVE - COLOUR_RAMP_LEVELS + 1].blue, 255);
    cr_expect_lt(palette[COLOUR_INK].green, 64, "ink is dark");
    cr_expect_gt(palette[COLOUR_CURVE].blue, palette[COLOUR_CURVE].red + 60, "a curve is blue");
}
