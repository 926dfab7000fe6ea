/*
 * The ziggurat: strips of equal area v under exp(-x^2 / 2), the lowest with the tail beyond r.
 *
 *   x_255 = r,   exp(-x_i^2 / 2) = exp(-x_(i+1)^2 / 2) + v / x_(i+1)
 *
 * NumPy's tables came from this recursion in double arithmetic, whose roundings are far from the
 * exact edges near the top; to get its draws the recursion must round as that one did.
 */
#include "random_ziggurat.h"

#include <math.h>

#include "dd.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define LAST           (POSENC__STRIPS - 1)
#define TAIL_START     3.6541528853610088
#define TAIL_INVERSE   0.27366123732975828
#define STRIP_AREA     0.004928673233974652
#define UNLUCKY_STRIP  38      /* its height in NumPy is one step above the rounded value: */
#define UNLUCKY_HEIGHT 0x1p-53 /* an exp() of the time rounded upwards */

static double ziggurat_density(double x)
{
    return posenc__dd_exp((struct posenc__dd){-0.5 * x * x, 0.0}).hi;
}

/* Edges and heights in double. */
static void ziggurat_edges(double *edges, double *heights)
{
    edges[LAST] = TAIL_START;
    heights[LAST] = ziggurat_density(TAIL_START);
    for (size_t i = LAST - 1; i > 0; i--) {
        const double height = STRIP_AREA / edges[i + 1] + heights[i + 1];

        edges[i] = sqrt(-2.0 * posenc__dd_log((struct posenc__dd){height, 0.0}).hi);
        heights[i] = ziggurat_density(edges[i]);
        if (i == UNLUCKY_STRIP)
            heights[i] += UNLUCKY_HEIGHT;
    }
    heights[0] = 1.0;
    edges[0] = STRIP_AREA / heights[LAST]; /* the lowest strip, as if it had no tail */
}

static double ziggurat_fit(enum posenc_dtype draw, double x)
{
    return draw == POSENC_FLOAT32 ? (double)(float)x : x;
}

void posenc__ziggurat_init(struct posenc__ziggurat *ziggurat, enum posenc_dtype draw)
{
    const double steps = draw == POSENC_FLOAT32 ? 0x1p23 : 0x1p52;
    double edges[POSENC__STRIPS];

    ziggurat->draw = draw;
    ziggurat_edges(edges, ziggurat->heights);
    for (size_t i = 0; i < POSENC__STRIPS; i++) {
        const double inner =
            i == 0 ? TAIL_START * ziggurat->heights[LAST] / STRIP_AREA : edges[i - 1] / edges[i];

        ziggurat->insides[i] = i == 1 ? 0 : (uint64_t)rint(inner * steps);
        ziggurat->widths[i] = ziggurat_fit(draw, edges[i] / steps);
        ziggurat->heights[i] = ziggurat_fit(draw, ziggurat->heights[i]);
    }
}

/* One draw cut into strip, sign and steps. */
struct throw
{
    size_t strip;
    bool is_negative;
    uint64_t steps;
};

static struct throw ziggurat_throw(enum posenc_dtype draw, struct posenc__pcg64 *generator)
{
    const bool is_short = draw == POSENC_FLOAT32;
    const uint64_t word =
        is_short ? posenc__pcg64_next32(generator) : posenc__pcg64_next(generator);
    const uint64_t mask = is_short ? UINT64_C(0x7fffff) : UINT64_C(0xfffffffffffff);

    return (struct throw){word & 0xff, word >> 8 & 1, word >> 9 & mask};
}

static double ziggurat_unit(enum posenc_dtype draw, struct posenc__pcg64 *generator)
{
    return draw == POSENC_FLOAT32 ? posenc__pcg64_unit32(generator) : posenc__pcg64_unit(generator);
}

/* -log(1 - unit): an exponential number. The difference is exact. */
static double ziggurat_exponential(enum posenc_dtype draw, struct posenc__pcg64 *generator)
{
    return ziggurat_fit(draw, -posenc__log(1.0 - ziggurat_unit(draw, generator)));
}

/* Beyond r: exponential numbers, thinned out (Marsaglia, 1964). */
static double ziggurat_tail(enum posenc_dtype draw, struct posenc__pcg64 *generator, uint64_t steps)
{
    const double inverse = ziggurat_fit(draw, TAIL_INVERSE);
    double beyond, height;

    do {
        beyond = ziggurat_fit(draw, inverse * ziggurat_exponential(draw, generator));
        height = ziggurat_exponential(draw, generator);
    } while (!(height + height > ziggurat_fit(draw, beyond * beyond)));
    const double x = ziggurat_fit(draw, ziggurat_fit(draw, TAIL_START) + beyond);

    return steps >> 8 & 1 ? -x : x;
}

/* Whether a point of the strip at x, at a height still to be drawn, lies under the curve. */
static bool is_under(const struct posenc__ziggurat *ziggurat, size_t strip, double x,
                     struct posenc__pcg64 *generator)
{
    const enum posenc_dtype draw = ziggurat->draw;
    const double *heights = ziggurat->heights;
    const double band = ziggurat_fit(draw, heights[strip - 1] - heights[strip]);
    const double above = ziggurat_fit(draw, band * ziggurat_unit(draw, generator));

    return ziggurat_fit(draw, above + heights[strip]) < ziggurat_density(x);
}

double posenc__ziggurat_next(const struct posenc__ziggurat *ziggurat,
                             struct posenc__pcg64 *generator)
{
    for (;;) {
        const struct throw it = ziggurat_throw(ziggurat->draw, generator);
        const double size =
            ziggurat_fit(ziggurat->draw, (double)it.steps * ziggurat->widths[it.strip]);
        const double x = it.is_negative ? -size : size;

        if (it.steps < ziggurat->insides[it.strip])
            return x;
        if (it.strip == 0)
            return ziggurat_tail(ziggurat->draw, generator, it.steps);
        if (is_under(ziggurat, it.strip, x, generator))
            return x;
    }
}
