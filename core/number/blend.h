/*
 * Sines and cosines of many positions from those of few: the addition theorem, with the store.
 *
 * Around a middle position m, for distances d that are known already,
 *
 *   sin(m + d) = sin m cos d + cos m sin d,   cos(m + d) = cos m cos d - sin m sin d
 *
 * and m - d shares all four products. Where all six factors are within an ulp of exact, results are
 * within 3.5e-16 of exact.
 */
#ifndef POSENC_BLEND_H
#define POSENC_BLEND_H

#include "level.h"
#include "posenc.h"

#define POSENC__BLEND_WAVES 256 /* waves of one blend at most; they lie on the stack */

/* Where a row's elements go: in the order of its form. */
enum posenc__blend_form {
    POSENC__BLEND_BOTH,     /* s0 s1 s2 at `sine`, c0 c1 c2 at `cosine` */
    POSENC__BLEND_MIXED,    /* s0 c0 s1 c1 s2 c2 at `sine` */
    POSENC__BLEND_ONE,      /* the first kind alone, s0 s1 s2 at `sine` */
    POSENC__BLEND_DOUBLED,  /* the first kind alone, s0 s0 s1 s1 s2 s2 at `sine` */
    POSENC__BLEND_REPEATED, /* the first kind alone, s0 s1 s2 at `sine` and again at `cosine` */
};

/*
 * Rows around one middle. Values are the middle's and the distances' sines and cosines; none is -0,
 * and neither is any result. To get cosines as the first kind, give cosines as `sines` and negated
 * sines as `cosines`: cos(m + d) = sin(m + pi / 2 + d).
 */
struct posenc__blend {
    enum posenc__blend_form form;
    enum posenc_dtype dtype;       /* a real one */
    size_t waves;                  /* at most POSENC__BLEND_WAVES */
    const double *sines, *cosines; /* [waves] of the middle */
    /* Distance d >= 0: sines at near + d * near_stride, cosines `near_cosines` doubles further. */
    const double *near;
    size_t near_stride, near_cosines;
    double sine_factor, cosine_factor; /* multiply results, before their one rounding */
    void *out;                         /* the row of distance `origin` */
    ptrdiff_t origin;
    ptrdiff_t row_stride; /* elements from a distance's row to the next one's; may be negative */
    size_t sine, cosine;  /* elements from a row's start to the two places */
};

/* Fills the rows of distances [begin, end), which may be negative. Same bits on every processor. */
void posenc__blend(const struct posenc__blend *blend, ptrdiff_t begin, ptrdiff_t end);

/* The same at a level of choice, which must run here: for tests and benchmarks. */
void posenc__blend_at(enum posenc__level level, const struct posenc__blend *blend, ptrdiff_t begin,
                      ptrdiff_t end);

#endif
