/* Seeded generators that give the frameworks' own draws. Each names its source. */
#ifndef POSENC_RANDOM_H
#define POSENC_RANDOM_H

#include "posenc.h"

#define POSENC__MT19937_WORDS 624

/* MT19937 (Matsumoto and Nishimura, 1998) seeded by init_genrand with the low 32 bits of the seed,
 * as torch.manual_seed does. */
struct posenc__mt19937 {
    uint32_t state[POSENC__MT19937_WORDS];
    unsigned next;
    bool has_cached; /* a second Box-Muller value, kept across calls as torch does */
    double cached;
};

void posenc__mt19937_seed(struct posenc__mt19937 *generator, uint64_t seed);
uint32_t posenc__mt19937_next(struct posenc__mt19937 *generator);

/*
 * torch.empty(count).uniform_(low, high) on a CPU, contiguous; float32 draws (24 bits) or float64
 * draws (53 bits). The values are written as doubles that are exact float32 values when `draw` is
 * POSENC_FLOAT32. Bit for bit torch's.
 */
void posenc__torch_uniform(struct posenc__mt19937 *generator, enum posenc_dtype draw, double low,
                           double high, size_t count, double *out);

/*
 * torch.empty(count).normal_(mean, std) on a CPU, contiguous: blocks of 16 from 16 values on,
 * Box-Muller in double below. Within 2 float32 steps of torch, whose own builds differ by as much;
 * below 16 values its very float32 values. The same bits on every machine: nothing here comes from
 * libm but square roots and fma, which have one right result.
 */
void posenc__torch_normal(struct posenc__mt19937 *generator, enum posenc_dtype draw, double mean,
                          double std, size_t count, double *out);

#endif
