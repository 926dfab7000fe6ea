/* Normal numbers by the ziggurat of 256 strips (Marsaglia and Tsang, 2000) as NumPy cuts it. */
#ifndef POSENC_RANDOM_ZIGGURAT_H
#define POSENC_RANDOM_ZIGGURAT_H

#include "posenc.h"
#include "random_pcg64.h"

#define POSENC__STRIPS 256

/* Strip i: the density's height at its edge, the width of one step of the mantissa (52 or 23 bits),
 * and the steps that lie under the curve for certain. */
struct posenc__ziggurat {
    enum posenc_dtype draw;
    double heights[POSENC__STRIPS];
    double widths[POSENC__STRIPS];
    uint64_t insides[POSENC__STRIPS];
};

/* NumPy's tables for float64 or float32 draws, bit for bit. */
void posenc__ziggurat_init(struct posenc__ziggurat *ziggurat, enum posenc_dtype draw);

/* The next number of numpy.random.Generator.standard_normal(dtype=draw). */
double posenc__ziggurat_next(const struct posenc__ziggurat *ziggurat,
                             struct posenc__pcg64 *generator);

#endif
