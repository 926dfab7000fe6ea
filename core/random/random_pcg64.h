/* NumPy's default bit generator: PCG64 (O'Neill, 2014), seeded by numpy.random.SeedSequence. */
#ifndef POSENC_RANDOM_PCG64_H
#define POSENC_RANDOM_PCG64_H

#include <stdbool.h>
#include <stdint.h>

/* A number of 128 bits. */
struct posenc__u128 {
    uint64_t high, low;
};

struct posenc__pcg64 {
    struct posenc__u128 state, increment;
    bool has_half; /* the upper half of a word waits for the next 32 bits */
    uint32_t half;
};

/* numpy.random.PCG64(seed). */
void posenc__pcg64_seed(struct posenc__pcg64 *generator, uint64_t seed);

uint64_t posenc__pcg64_next(struct posenc__pcg64 *generator);
uint32_t posenc__pcg64_next32(struct posenc__pcg64 *generator); /* the lower half comes first */

/* [0, 1) in steps of 2^-53 from one word, or of 2^-24 from half a word. */
double posenc__pcg64_unit(struct posenc__pcg64 *generator);
double posenc__pcg64_unit32(struct posenc__pcg64 *generator);

#endif
