#include "attention_kernel.h"

#include <string.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define LANES 4 /* sums side by side, for the processor and for the rounding errors */
#define ROWS  4 /* products side by side: an addition waits for the one before */

/* Left to find the lanes by itself, gcc 12 gathers them from everywhere. */
typedef double dot_lanes __attribute__((vector_size(LANES * sizeof(double))));

/* ROWS products, or one: `rows` is a constant where this is called. */
POSENC__KERNEL void dot_rows(const double *a, const double *b, size_t width, double scale,
                             size_t rows, double *out)
{
    dot_lanes sums[ROWS] = {{0}}, x, y;
    size_t i = 0;

    for (; i + LANES <= width; i += LANES) {
        memcpy(&x, a + i, sizeof(x));
        for (size_t row = 0; row < rows; row++) {
            memcpy(&y, b + row * width + i, sizeof(y));
            sums[row] += x * y;
        }
    }
    for (; i < width; i++)
        for (size_t row = 0; row < rows; row++)
            sums[row][0] += a[i] * b[row * width + i];
    for (size_t row = 0; row < rows; row++)
        out[row] = scale * ((sums[row][0] + sums[row][2]) + (sums[row][1] + sums[row][3]));
}

POSENC__KERNEL void dot_all(const struct posenc__dots *dots)
{
    size_t row = 0;

    for (; row + ROWS <= dots->rows; row += ROWS)
        dot_rows(dots->a, dots->b + row * dots->width, dots->width, dots->scale, ROWS,
                 dots->out + row);
    for (; row < dots->rows; row++)
        dot_rows(dots->a, dots->b + row * dots->width, dots->width, dots->scale, 1,
                 dots->out + row);
}

POSENC__KERNEL void weigh_all(const struct posenc__weighed *weighed)
{
    double *const out = weighed->out;

    for (size_t row = 0; row < weighed->rows; row++) {
        const double weight = weighed->weights[row], *const v = weighed->v + row * weighed->stride;

        if (weight == 0)
            continue;
        POSENC__INDEPENDENT
        for (size_t i = 0; i < weighed->count; i++)
            out[i] += weight * v[i];
    }
}

static void dots_plain(const struct posenc__dots *dots)
{
    dot_all(dots);
}

static void weigh_plain(const struct posenc__weighed *weighed)
{
    weigh_all(weighed);
}

#ifdef __x86_64__
POSENC__FOR_AVX2 static void dots_avx2(const struct posenc__dots *dots)
{
    dot_all(dots);
}

POSENC__FOR_AVX2 static void weigh_avx2(const struct posenc__weighed *weighed)
{
    weigh_all(weighed);
}

POSENC__FOR_AVX512 static void weigh_avx512(const struct posenc__weighed *weighed)
{
    weigh_all(weighed);
}
#endif

struct attention_level {
    void (*dots)(const struct posenc__dots *dots);
    void (*weigh)(const struct posenc__weighed *weighed);
};

static const struct attention_level attention_levels[POSENC__LEVEL_COUNT] = {
    [POSENC__PLAIN] = {dots_plain, weigh_plain},
#ifdef __x86_64__
    [POSENC__AVX2] = {dots_avx2, weigh_avx2},
    [POSENC__AVX512] = {dots_avx2, weigh_avx512}, /* four lanes fill no more than AVX2's vectors */
#endif
};

void posenc__dots_at(enum posenc__level level, const struct posenc__dots *dots)
{
    attention_levels[level].dots(dots);
}

void posenc__dots(const struct posenc__dots *dots)
{
    posenc__dots_at(posenc__level_best(), dots);
}

void posenc__weigh_at(enum posenc__level level, const struct posenc__weighed *weighed)
{
    attention_levels[level].weigh(weighed);
}

void posenc__weigh(const struct posenc__weighed *weighed)
{
    posenc__weigh_at(posenc__level_best(), weighed);
}
