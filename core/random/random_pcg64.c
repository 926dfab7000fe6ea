/*
 * PCG64 in its XSL-RR form: a linear congruential generator of 128 bits whose halves are xored and
 * rotated. SeedSequence spreads a seed over four words by hashing and mixing (after O'Neill,
 * "Developing a seed_seq alternative", 2015).
 */
#include "random_pcg64.h"

#include <stddef.h>

#define POOL 4

struct hash {
    uint32_t constant, multiplier;
};

static uint32_t pcg64_hash(struct hash *hash, uint32_t value)
{
    value ^= hash->constant;
    hash->constant *= hash->multiplier;
    value *= hash->constant;
    return value ^ (value >> 16);
}

static uint32_t pcg64_mix(uint32_t a, uint32_t b)
{
    const uint32_t mixed = UINT32_C(0xca01f9dd) * a - UINT32_C(0x4973f715) * b;

    return mixed ^ (mixed >> 16);
}

/* A seed of at most two words fills the pool's first places; the others count as zero. */
static void pcg64_fill_pool(uint64_t seed, uint32_t pool[POOL])
{
    struct hash hash = {UINT32_C(0x43b0d7e5), UINT32_C(0x931e8875)};
    const uint32_t words[POOL] = {(uint32_t)seed, (uint32_t)(seed >> 32), 0, 0};

    for (size_t i = 0; i < POOL; i++)
        pool[i] = pcg64_hash(&hash, words[i]);
    for (size_t from = 0; from < POOL; from++)
        for (size_t to = 0; to < POOL; to++)
            if (from != to)
                pool[to] = pcg64_mix(pool[to], pcg64_hash(&hash, pool[from]));
}

static struct posenc__u128 u128_add(struct posenc__u128 a, struct posenc__u128 b)
{
    const uint64_t low = a.low + b.low;

    return (struct posenc__u128){a.high + b.high + (low < a.low), low};
}

/* The product of two words, from those of their halves. */
static struct posenc__u128 u128_product(uint64_t a, uint64_t b)
{
    const uint64_t mask = UINT32_MAX;
    const uint64_t low = (a & mask) * (b & mask), high = (a >> 32) * (b >> 32);
    const uint64_t left = (a >> 32) * (b & mask), right = (a & mask) * (b >> 32);
    const uint64_t middle = (low >> 32) + (left & mask) + right; /* below 2^64 */

    return (struct posenc__u128){high + (left >> 32) + (middle >> 32), middle << 32 | (low & mask)};
}

static void pcg64_step(struct posenc__pcg64 *generator)
{
    const struct posenc__u128 multiplier = {UINT64_C(0x2360ed051fc65da4),
                                            UINT64_C(0x4385df649fccf645)};
    const struct posenc__u128 state = generator->state;
    struct posenc__u128 product = u128_product(state.low, multiplier.low);

    product.high += state.high * multiplier.low + state.low * multiplier.high;
    generator->state = u128_add(product, generator->increment);
}

void posenc__pcg64_seed(struct posenc__pcg64 *generator, uint64_t seed)
{
    struct hash hash = {UINT32_C(0x8b51f9dd), UINT32_C(0x58f38ded)};
    uint32_t pool[POOL];
    uint64_t words[4];

    pcg64_fill_pool(seed, pool);
    for (size_t i = 0; i < 4; i++) {
        const uint64_t low = pcg64_hash(&hash, pool[2 * i % POOL]);

        words[i] = (uint64_t)pcg64_hash(&hash, pool[(2 * i + 1) % POOL]) << 32 | low;
    }
    *generator =
        (struct posenc__pcg64){.increment = {words[2] << 1 | words[3] >> 63, words[3] << 1 | 1}};
    pcg64_step(generator);
    generator->state = u128_add(generator->state, (struct posenc__u128){words[0], words[1]});
    pcg64_step(generator);
}

uint64_t posenc__pcg64_next(struct posenc__pcg64 *generator)
{
    pcg64_step(generator);
    const uint64_t folded = generator->state.high ^ generator->state.low;
    const unsigned turn = (unsigned)(generator->state.high >> 58);

    return folded >> turn | folded << (-turn & 63);
}

uint32_t posenc__pcg64_next32(struct posenc__pcg64 *generator)
{
    if (generator->has_half) {
        generator->has_half = false;
        return generator->half;
    }
    const uint64_t word = posenc__pcg64_next(generator);

    generator->has_half = true;
    generator->half = (uint32_t)(word >> 32);
    return (uint32_t)word;
}

double posenc__pcg64_unit(struct posenc__pcg64 *generator)
{
    return (double)(posenc__pcg64_next(generator) >> 11) * 0x1p-53;
}

double posenc__pcg64_unit32(struct posenc__pcg64 *generator)
{
    return (double)(posenc__pcg64_next32(generator) >> 8) * 0x1p-24;
}
