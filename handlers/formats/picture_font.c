/*
 * The glyphs. A stroke is a list of points, two characters each: a digit for x, and a letter for y,
 * where d is the baseline, j the height of an x, m that of a capital, and a the lowest descender:
 *
 *     0d3m6d    straight lines from point to point
 *     ~0g0j5j   a curve from the first to the last, drawn towards those between: pieces of
 *               parabolas that meet halfway between neighbours (a quadratic B-spline)
 *     @0d0j5j   the same, closed, halfway between any two
 */
#include "picture_font.h"

#include <assert.h>
#include <string.h>

#define FONT_UNIT   0.077 /* of the size, for one step of a letter or a digit */
#define FONT_BASE   'd'
#define FONT_GAP    2.7 /* units between characters, from the middle of one's stroke to the next */
#define FONT_BLANK  1.6 /* units; the gap comes on top */
#define FONT_FIGURE 5.0 /* units: digits stand in columns */
#define FONT_PIECES 6   /* straight ones for a piece of a curve */
#define FONT_AT(c)  ((c) - ' ')

static const char *const glyphs[] = {
    [FONT_AT(' ')] = "",
    [FONT_AT('!')] = "0m0g 0d0d",
    [FONT_AT('"')] = "0m0k 2m2k",
    [FONT_AT('#')] = "1d2m 4d5m 0g6g 0j6j",
    [FONT_AT('$')] = "~6k6m0m0i6i6d0d0f 3n3c",
    [FONT_AT('%')] = "0d7m @0j0m3m3j @4d4g7g7d",
    [FONT_AT('&')] = "~6d1k1m4m4k0g0d4d6h",
    [FONT_AT('\'')] = "0m0k",
    [FONT_AT('(')] = "~2n0k0f2b",
    [FONT_AT(')')] = "~0n2k2f0b",
    [FONT_AT('*')] = "2m2i 0l4j 4l0j",
    [FONT_AT('+')] = "3e3k 0h6h",
    [FONT_AT(',')] = "1d0b",
    [FONT_AT('-')] = "0h4h",
    [FONT_AT('.')] = "0d0d",
    [FONT_AT('/')] = "0c4n",
    [FONT_AT('0')] = "@0d0m5m5d",
    [FONT_AT('1')] = "1k3m3d",
    [FONT_AT('2')] = "~0k0m5m5i2f0d 0d5d",
    [FONT_AT('3')] = "~0k0m5m5i2i ~2i5i5d0d0f",
    [FONT_AT('4')] = "4d4m0f5f",
    [FONT_AT('5')] = "5m0m0i ~0i1j5j5d0d0e",
    [FONT_AT('6')] = "@0d0j5j5d ~4m0k0g",
    [FONT_AT('7')] = "0m5m2d",
    [FONT_AT('8')] = "@0d0i5i5d @0i0m5m5i",
    [FONT_AT('9')] = "@0m0g5g5m ~1d5f5j",
    [FONT_AT(':')] = "0d0d 0i0i",
    [FONT_AT(';')] = "1i1i 1d0b",
    [FONT_AT('<')] = "5k0h5e",
    [FONT_AT('=')] = "0g6g 0i6i",
    [FONT_AT('>')] = "0k5h0e",
    [FONT_AT('?')] = "~0k0m5m5i2i2g 2d2d",
    [FONT_AT('@')] = "~5i5g2g2j5j5g ~5j5f8f8m0m0c7c",
    [FONT_AT('A')] = "0d3m6d 1g5g",
    [FONT_AT('B')] = "3d0d0m3m ~3m5m5i3i 3i0i ~3i6i6d3d",
    [FONT_AT('C')] = "~6k6m0m0d6d6f",
    [FONT_AT('D')] = "2d0d0m2m ~2m7m7d2d",
    [FONT_AT('E')] = "5m0m0d5d 0i4i",
    [FONT_AT('F')] = "5m0m0d 0i4i",
    [FONT_AT('G')] = "~6k6m0m0d6d6h 6h4h",
    [FONT_AT('H')] = "0d0m 6d6m 0i6i",
    [FONT_AT('I')] = "0d0m",
    [FONT_AT('J')] = "4m4f ~4f4d0d0f",
    [FONT_AT('K')] = "0d0m 6m0g 2i6d",
    [FONT_AT('L')] = "0m0d5d",
    [FONT_AT('M')] = "0d0m4f8m8d",
    [FONT_AT('N')] = "0d0m6d6m",
    [FONT_AT('O')] = "@0d0m7m7d",
    [FONT_AT('P')] = "0d0m3m ~3m6m6h3h 3h0h",
    [FONT_AT('Q')] = "@0d0m7m7d 4f7d",
    [FONT_AT('R')] = "0d0m3m ~3m6m6h3h 3h0h 3h6d",
    [FONT_AT('S')] = "~6k6m0m0i6i6d0d0f",
    [FONT_AT('T')] = "0m6m 3m3d",
    [FONT_AT('U')] = "0m0g ~0g0d6d6g 6g6m",
    [FONT_AT('V')] = "0m3d6m",
    [FONT_AT('W')] = "0m2d4m6d8m",
    [FONT_AT('X')] = "0d6m 0m6d",
    [FONT_AT('Y')] = "0m3h6m 3h3d",
    [FONT_AT('Z')] = "0m6m0d6d",
    [FONT_AT('[')] = "2n0n0b2b",
    [FONT_AT('\\')] = "0n4c",
    [FONT_AT(']')] = "0n2n2b0b",
    [FONT_AT('^')] = "0j2m4j",
    [FONT_AT('_')] = "0c5c",
    [FONT_AT('`')] = "0m1k",
    [FONT_AT('a')] = "@0d0j5j5d 5j5d",
    [FONT_AT('b')] = "0m0d @0d0j5j5d",
    [FONT_AT('c')] = "~5h5j0j0d5d5f",
    [FONT_AT('d')] = "5m5d @0d0j5j5d",
    [FONT_AT('e')] = "0g5g ~5g5j0j0d5d5e",
    [FONT_AT('f')] = "~3m1m1j 1j1d 0j3j",
    [FONT_AT('g')] = "@0d0j5j5d 5j5d ~5d5a0a0b",
    [FONT_AT('h')] = "0d0m ~0g0j5j5g 5g5d",
    [FONT_AT('i')] = "0d0j 0m0m",
    [FONT_AT('j')] = "1j1c ~1c1a0a 1m1m",
    [FONT_AT('k')] = "0d0m 5j0f 2h5d",
    [FONT_AT('l')] = "0m0f ~0f0d2d",
    [FONT_AT('m')] = "0d0j ~0g0j4j4g 4g4d ~4g4j8j8g 8g8d",
    [FONT_AT('n')] = "0d0j ~0g0j5j5g 5g5d",
    [FONT_AT('o')] = "@0d0j5j5d",
    [FONT_AT('p')] = "0a0j @0d0j5j5d",
    [FONT_AT('q')] = "5a5j @0d0j5j5d",
    [FONT_AT('r')] = "0d0j ~0g0j3j",
    [FONT_AT('s')] = "~4i4j0j0g4g4d0d0e",
    [FONT_AT('t')] = "1l1f ~1f1d3d 0j3j",
    [FONT_AT('u')] = "0j0g ~0g0d5d5g 5j5d",
    [FONT_AT('v')] = "0j2d4j",
    [FONT_AT('w')] = "0j2d4j6d8j",
    [FONT_AT('x')] = "0d5j 0j5d",
    [FONT_AT('y')] = "0j2d 4j1a",
    [FONT_AT('z')] = "0j4j0d4d",
    [FONT_AT('{')] = "~3n1n1h0h ~0h1h1b3b",
    [FONT_AT('|')] = "0n0b",
    [FONT_AT('}')] = "~0n2n2h3h ~3h2h2b0b",
    [FONT_AT('~')] = "~0g2j4f6i",
};

static const char *glyph_of(char character)
{
    return glyphs[FONT_AT(character < ' ' || character > '~' ? '?' : character)];
}

static struct picture_point point_at(const char *code, double size)
{
    const double unit = size * FONT_UNIT;

    return (struct picture_point){(code[0] - '0' + FONT_GAP / 2) * unit,
                                  (FONT_BASE - code[1]) * unit};
}

static struct picture_point halfway(struct picture_point a, struct picture_point b)
{
    return (struct picture_point){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

/* Adds the parabola from the last point to `end`, drawn towards `control`. */
static size_t add_parabola(struct picture_point *points, size_t count, struct picture_point control,
                           struct picture_point end)
{
    const struct picture_point start = points[count - 1];

    for (int i = 1; i <= FONT_PIECES; i++) {
        const double t = (double)i / FONT_PIECES, a = (1 - t) * (1 - t), b = 2 * t * (1 - t);

        points[count++] = (struct picture_point){a * start.x + b * control.x + t * t * end.x,
                                                 a * start.y + b * control.y + t * t * end.y};
    }
    return count;
}

static size_t draw_closed(const struct picture_point *controls, size_t controls_count,
                          struct picture_point *points)
{
    size_t count = 1;

    points[0] = halfway(controls[controls_count - 1], controls[0]);
    for (size_t i = 0; i < controls_count; i++)
        count = add_parabola(points, count, controls[i],
                             halfway(controls[i], controls[(i + 1) % controls_count]));
    return count;
}

static size_t draw_open(const struct picture_point *controls, size_t controls_count,
                        struct picture_point *points)
{
    const size_t last = controls_count - 1;
    size_t count = 1;

    points[0] = controls[0];
    for (size_t i = 1; i < last; i++)
        count =
            add_parabola(points, count, controls[i],
                         i + 1 == last ? controls[last] : halfway(controls[i], controls[i + 1]));
    return count;
}

size_t picture_font_stroke(char character, double size, const char **state,
                           struct picture_point points[PICTURE_STROKE_MAX])
{
    struct picture_point controls[PICTURE_STROKE_MAX / FONT_PIECES];
    const char *at = *state ? *state : glyph_of(character);
    const char kind = *at;
    size_t count = 0;

    if (*at == '\0')
        return 0;
    for (at += kind == '~' || kind == '@'; *at && *at != ' '; at += 2)
        controls[count++] = point_at(at, size);
    assert(count > 0);
    *state = at + (*at == ' ');
    if (kind == '@')
        return draw_closed(controls, count, points);
    if (kind == '~')
        return draw_open(controls, count, points);
    memcpy(points, controls, count * sizeof *points);
    return count;
}

double picture_font_advance(char character, double size)
{
    double width = character == ' ' ? FONT_BLANK : 0;

    if (character >= '0' && character <= '9')
        width = FONT_FIGURE;
    for (const char *at = glyph_of(character); *at; at++) {
        if (*at >= '0' && *at <= '9' && *at - '0' > width)
            width = *at - '0';
    }
    return (width + FONT_GAP) * size * FONT_UNIT;
}

double picture_font_width(const char *text, size_t count, double size)
{
    double width = 0;

    for (size_t i = 0; i < count; i++)
        width += picture_font_advance(text[i], size);
    return width;
}
