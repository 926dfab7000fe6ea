/* Attention's inner loops, at every level with the same bits: each sum has an order of its own. */
#ifndef POSENC_ATTENTION_KERNEL_H
#define POSENC_ATTENTION_KERNEL_H

#include "level.h"
#include "posenc.h"

/*
 * out[i] = scale * (a . row i of b) for `rows` rows of `width` numbers that follow one another. A
 * product has four sums side by side, over every fourth channel.
 */
struct posenc__dots {
    const double *a, *b;
    size_t width, rows;
    double scale;
    double *out;
};

void posenc__dots(const struct posenc__dots *dots);

/* The same at a level of choice, which must run here: for tests and benchmarks. */
void posenc__dots_at(enum posenc__level level, const struct posenc__dots *dots);

/* out[i] += weight * v[i] for `count` numbers, and for each of `rows` weights that are not 0; row r
 * of v stands at v + r * stride. */
struct posenc__weighed {
    const double *weights, *v;
    size_t rows, stride, count;
    double *out;
};

void posenc__weigh(const struct posenc__weighed *weighed);
void posenc__weigh_at(enum posenc__level level, const struct posenc__weighed *weighed);

#endif
