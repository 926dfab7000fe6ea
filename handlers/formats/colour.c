/*
 * Scales of even steps: curves through Oklab (Ottosson, 2020), a space where equal distances look
 * equally far apart, cut into pieces of equal length.
 */
#include "colour.h"

#include <math.h>
#include <string.h>

#define CURVE_POINTS 512 /* that a curve is measured at */

/* A colour in Oklab by lightness in [0, 1], chroma and hue in degrees. */
struct shade {
    double lightness, chroma, hue;
};

struct lab {
    double l, a, b;
};

struct linear {
    double red, green, blue;
};

static struct lab lab_of(struct shade shade)
{
    const double angle = shade.hue * (3.14159265358979323846 / 180);

    return (struct lab){shade.lightness, shade.chroma * cos(angle), shade.chroma * sin(angle)};
}

/* The two matrices of Oklab, from its definition. */
static struct linear linear_of(struct lab lab)
{
    const double l = pow(lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
    const double m = pow(lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
    const double s = pow(lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);

    return (struct linear){4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                           -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                           -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

/* The transfer function of sRGB (IEC 61966-2-1), in 8 bits. */
static uint8_t encode(double linear)
{
    const double light = fmin(fmax(linear, 0), 1);
    const double coded = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;

    return (uint8_t)lround(255 * coded);
}

static struct colour colour_from(struct lab lab)
{
    const struct linear linear = linear_of(lab);

    return (struct colour){encode(linear.red), encode(linear.green), encode(linear.blue)};
}

static struct colour colour_of_shade(struct shade shade)
{
    return colour_from(lab_of(shade));
}

static struct lab between(struct lab a, struct lab b, double part)
{
    return (struct lab){a.l + (b.l - a.l) * part, a.a + (b.a - a.a) * part,
                        a.b + (b.b - a.b) * part};
}

static double distance(struct lab a, struct lab b)
{
    return sqrt(pow(b.l - a.l, 2) + pow(b.a - a.a, 2) + pow(b.b - a.b, 2));
}

static double mix(double a, double b, double part)
{
    return a + (b - a) * part;
}

/* A point of the curve of one-signed values: lightness rises all the way, while hue turns from
 * violet over blue and green to yellow. */
static struct lab rising(double part)
{
    static const struct shade anchors[] = {
        {0.23, 0.095, 298}, {0.39, 0.125, 273}, {0.54, 0.100, 222},
        {0.69, 0.120, 166}, {0.82, 0.160, 132}, {0.93, 0.170, 106},
    };
    const int last = sizeof anchors / sizeof *anchors - 1;
    const int index = (int)fmin(part * last, last - 1);
    const struct shade *const from = &anchors[index], *const to = from + 1;
    const double inside = part * last - index;

    return lab_of((struct shade){mix(from->lightness, to->lightness, inside),
                                 mix(from->chroma, to->chroma, inside),
                                 mix(from->hue, to->hue, inside)});
}

static void fill_rising(struct colour *levels)
{
    double length[CURVE_POINTS] = {0};
    int at = 1;

    for (int i = 1; i < CURVE_POINTS; i++)
        length[i] = length[i - 1] + distance(rising((double)(i - 1) / (CURVE_POINTS - 1)),
                                             rising((double)i / (CURVE_POINTS - 1)));
    for (int level = 0; level < COLOUR_SCALE_LEVELS; level++) {
        const double wanted = length[CURVE_POINTS - 1] * level / (COLOUR_SCALE_LEVELS - 1);

        while (at < CURVE_POINTS - 1 && length[at] < wanted)
            at++;
        const double inside = (wanted - length[at - 1]) / (length[at] - length[at - 1]);

        levels[level] = colour_from(rising(fmin((at - 1 + inside) / (CURVE_POINTS - 1), 1)));
    }
}

/* Two straight arms, whose steps are even without measuring; both are equally dark at equal
 * distance from zero. */
static void fill_around_zero(struct colour *levels)
{
    const struct lab zero = lab_of((struct shade){0.975, 0, 0});
    const struct lab below = lab_of((struct shade){0.42, 0.135, 257});
    const struct lab above = lab_of((struct shade){0.42, 0.165, 26});
    const int middle = COLOUR_SCALE_LEVELS / 2;

    for (int level = 0; level <= middle; level++) {
        levels[middle - level] = colour_from(between(zero, below, (double)level / middle));
        levels[middle + level] = colour_from(between(zero, above, (double)level / middle));
    }
}

static void fill_ramp(struct colour *levels, struct shade end)
{
    const struct lab paper = {1, 0, 0};

    for (int level = 0; level < COLOUR_RAMP_LEVELS; level++)
        levels[level] =
            colour_from(between(paper, lab_of(end), (double)level / (COLOUR_RAMP_LEVELS - 1)));
}

void colour_palette(enum colour_scale scale, struct colour palette[COLOUR_COUNT])
{
    memset(palette, 0, COLOUR_COUNT * sizeof *palette);
    fill_ramp(palette, (struct shade){0.24, 0.01, 265});
    fill_ramp(palette + COLOUR_RAMP_LEVELS, (struct shade){0.50, 0.14, 257});
    palette[COLOUR_GRID] = colour_of_shade((struct shade){0.92, 0.004, 265});
    palette[COLOUR_MINUS_INFINITY] = colour_of_shade((struct shade){0.80, 0, 0});
    palette[COLOUR_PLUS_INFINITY] = colour_of_shade((struct shade){0.45, 0, 0});
    palette[COLOUR_NAN] = colour_of_shade((struct shade){0.72, 0.15, 350});
    if (scale == COLOUR_AROUND_ZERO)
        fill_around_zero(palette + COLOUR_SCALE);
    else
        fill_rising(palette + COLOUR_SCALE);
}

uint8_t colour_of(double value, double low, double high)
{
    if (isnan(value))
        return COLOUR_NAN;
    if (isinf(value))
        return value < 0 ? COLOUR_MINUS_INFINITY : COLOUR_PLUS_INFINITY;
    /* Halves, since the range of doubles near the largest is itself too wide for a double. */
    const double part = fmin(fmax((value / 2 - low / 2) / (high / 2 - low / 2), 0), 1);

    return (uint8_t)(COLOUR_SCALE + lround(part * (COLOUR_SCALE_LEVELS - 1)));
}
