/*
 * Weights of resizing along one axis. With s = from / (to + extra) cells of the old axis to a cell
 * of the new one, cell i of the new axis samples the old one at
 *
 *   x = (i + 1/2) s - 1/2,   or i (from - 1) / (to - 1) with aligned corners
 *
 * Without antialias the taps around floor(x) are weighted by linear interpolation or by cubic
 * convolution (Keys, 1981) with A = -3/4, taps beyond the ends counting as the end; with antialias
 * all cells within the kernel widened by max(s, 1), A = -1/2, weights divided by their sum. These
 * are PyTorch's rules. Everything is a quotient of numbers that double-doubles hold exactly.
 */
#include <math.h>
#include <stdbool.h>

#include "learned.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

static struct posenc__dd weights_dd(double x)
{
    return (struct posenc__dd){x, 0.0};
}

static struct posenc__dd weights_subtract(struct posenc__dd a, struct posenc__dd b)
{
    return posenc__dd_add(a, (struct posenc__dd){-b.hi, -b.lo});
}

/* The kernel at a distance of x >= 0 cells: 1 - x, or the cubic (A + 2) x^3 - (A + 3) x^2 + 1 up to
 * 1 and A (x - 1) (x - 2)^2 up to 2. */
static struct posenc__dd weights_kernel(bool is_cubic, double a, struct posenc__dd x)
{
    const struct posenc__dd zero = {0.0, 0.0}, one = {1.0, 0.0};

    if (x.hi >= (is_cubic ? 2.0 : 1.0))
        return zero;
    if (!is_cubic)
        return weights_subtract(one, x);
    if (x.hi < 1.0) {
        const struct posenc__dd slope =
            weights_subtract(posenc__dd_multiply(weights_dd(a + 2.0), x), weights_dd(a + 3.0));

        return posenc__dd_add(posenc__dd_multiply(slope, posenc__dd_multiply(x, x)), one);
    }
    const struct posenc__dd rest = weights_subtract(x, weights_dd(2.0));

    return posenc__dd_multiply(posenc__dd_multiply(weights_dd(a), weights_subtract(x, one)),
                               posenc__dd_multiply(rest, rest));
}

static struct posenc__dd weights_magnitude(struct posenc__dd x)
{
    return x.hi < 0.0 ? (struct posenc__dd){-x.hi, -x.lo} : x;
}

/* The new length that counts in the step. */
static struct posenc__dd weights_length(const struct posenc__resampling *axis)
{
    return posenc__dd_sum((double)axis->to, axis->extra_length);
}

size_t posenc__resampling_taps(const struct posenc__resampling *axis)
{
    const size_t reach = axis->is_cubic ? 4 : 2;

    if (!axis->antialias || axis->from <= axis->to)
        return reach + axis->antialias < axis->from ? reach + axis->antialias : axis->from;
    /* reach * s, which may touch one cell more at each end. */
    const double wide = ceil((double)reach * (double)axis->from / (double)axis->to) + 2.0;

    return wide < (double)axis->from ? (size_t)wide : axis->from;
}

/* x as numerator / denominator. */
static void weights_place(const struct posenc__resampling *axis, size_t i,
                          struct posenc__dd *numerator, struct posenc__dd *denominator)
{
    if (axis->align_corners) {
        *numerator = posenc__dd_product((double)i, (double)axis->from - 1.0);
        *denominator = weights_dd(axis->to > 1 ? (double)axis->to - 1.0 : 1.0);
        return;
    }
    const struct posenc__dd length = weights_length(axis);

    *numerator =
        weights_subtract(posenc__dd_product(2.0 * (double)i + 1.0, (double)axis->from), length);
    *denominator = (struct posenc__dd){2.0 * length.hi, 2.0 * length.lo};
}

/* Adds a weight to the band's place of a cell; cells beyond the ends count as the end. */
static void weights_put(const struct posenc__resampling *axis, size_t start, double cell,
                        struct posenc__dd weight, struct posenc__dd *band)
{
    const double last = (double)axis->from - 1.0;
    const size_t place = (size_t)(cell < 0.0 ? 0.0 : cell > last ? last : cell) - start;

    band[place] = posenc__dd_add(band[place], weight);
}

static size_t weights_start(const struct posenc__resampling *axis, double lowest, size_t taps)
{
    const double highest = (double)(axis->from - taps);

    return (size_t)(lowest < 0.0 ? 0.0 : lowest > highest ? highest : lowest);
}

static size_t interpolate(const struct posenc__resampling *axis, size_t i, size_t taps,
                          struct posenc__dd *band)
{
    const int reach = axis->is_cubic ? 2 : 1;
    struct posenc__dd numerator, denominator;

    weights_place(axis, i, &numerator, &denominator);
    const double cell = floor(posenc__dd_divide(numerator, denominator).hi);
    const struct posenc__dd rest =
        weights_subtract(numerator, posenc__dd_multiply(weights_dd(cell), denominator));
    const struct posenc__dd t = posenc__dd_divide(rest, denominator);
    const size_t start = weights_start(axis, cell - (reach - 1), taps);

    for (int k = 1 - reach; k <= reach; k++)
        weights_put(axis, start, cell + k,
                    weights_kernel(axis->is_cubic, -0.75,
                                   weights_magnitude(weights_subtract(t, weights_dd(k)))),
                    band);
    return start;
}

/* Cell j stands (2j + 1) (to + extra) - (2i + 1) from over 2 max(from, to + extra) kernel widths
 * from the sample. */
static size_t average(const struct posenc__resampling *axis, size_t i, size_t taps,
                      struct posenc__dd *band)
{
    const struct posenc__dd length = weights_length(axis);
    const struct posenc__dd sample = posenc__dd_product(2.0 * (double)i + 1.0, (double)axis->from);
    const double widest = fmax((double)axis->from, length.hi);
    const struct posenc__dd denominator =
        widest > length.hi ? weights_dd(2.0 * widest)
                           : (struct posenc__dd){2.0 * length.hi, 2.0 * length.lo};
    const double center = sample.hi / (2.0 * length.hi);
    const double reach = (axis->is_cubic ? 2.0 : 1.0) * widest / length.hi;
    const size_t start = weights_start(axis, floor(center - reach - 0.5) + 1.0, taps);
    struct posenc__dd sum = {0.0, 0.0};

    for (size_t k = 0; k < taps; k++) {
        const struct posenc__dd middle =
            posenc__dd_multiply(weights_dd(2.0 * (double)(start + k) + 1.0), length);
        const struct posenc__dd distance =
            posenc__dd_divide(weights_subtract(middle, sample), denominator);

        band[k] = weights_kernel(axis->is_cubic, -0.5, weights_magnitude(distance));
        sum = posenc__dd_add(sum, band[k]);
    }
    for (size_t k = 0; k < taps; k++)
        band[k] = posenc__dd_divide(band[k], sum);
    return start;
}

bool posenc__resampling_bands(const struct posenc__resampling *axis, struct posenc_memory *memory,
                              struct posenc__bands *bands)
{
    const size_t taps = posenc__resampling_taps(axis);
    size_t *starts = posenc_allocate(memory, axis->to, sizeof(*starts));
    struct posenc__dd *weights = posenc_allocate(memory, axis->to * taps, sizeof(*weights));

    if (!starts || !weights)
        return false;
    for (size_t i = 0; i < axis->to; i++) {
        struct posenc__dd *band = weights + i * taps;

        for (size_t k = 0; k < taps; k++)
            band[k] = weights_dd(0.0);
        starts[i] =
            axis->antialias ? average(axis, i, taps, band) : interpolate(axis, i, taps, band);
    }
    *bands = (struct posenc__bands){taps, starts, weights};
    return true;
}
