/* Where T5's buckets start, against comparisons of exact powers. */
#include <criterion/criterion.h>
#include <gmp.h>

#include "exact.h"
#include "t5.h"

/* (n / exact)^spread >= (max_distance / exact)^index, in integers. */
static bool reaches(const struct posenc__t5_scale *scale, int64_t n, size_t index)
{
    mpz_t left, right, part;

    mpz_inits(left, right, part, NULL);
    mpz_ui_pow_ui(left, (unsigned long)n, scale->spread);
    mpz_ui_pow_ui(right, (unsigned long)scale->max_distance, index);
    mpz_ui_pow_ui(part, (unsigned long)scale->exact, scale->spread - index);
    mpz_mul(right, right, part);
    const bool reached = mpz_cmp(left, right) >= 0;

    mpz_clears(left, right, part, NULL);
    return reached;
}

static void assert_start(const struct posenc__t5_scale *scale, size_t index)
{
    const int64_t start = posenc__t5_start(scale, index);

    cr_assert(reaches(scale, start, index), "%ld %ld %zu: %zu", (long)scale->exact,
              (long)scale->max_distance, scale->spread, index);
    cr_assert_not(reaches(scale, start - 1, index), "%ld %ld %zu: %zu", (long)scale->exact,
                  (long)scale->max_distance, scale->spread, index);
}

Test(t5_starts, are_the_published_ones)
{
    static const int64_t bidirectional[] = {8, 12, 16, 23, 32, 46, 64, 91};
    static const int64_t causal[] = {16, 19, 21, 24, 27, 31, 35, 40,
                                     46, 52, 59, 67, 77, 87, 99, 113};
    const struct posenc__t5_scale encoder = {8, 128, 8}, decoder = {16, 128, 16};

    for (size_t i = 0; i < 8; i++)
        cr_expect_eq(posenc__t5_start(&encoder, i), bidirectional[i], "%zu", i);
    for (size_t i = 0; i < 16; i++)
        cr_expect_eq(posenc__t5_start(&decoder, i), causal[i], "%zu", i);
}

Test(t5_starts, are_right_at_powers_of_fractions)
{
    /* exact w^spread and exact s^spread have (s / w) as the ratio of neighbours. */
    static const struct posenc__t5_scale scales[] = {
        {1, 2, 1},
        {1, 1ll << 52, 52},
        {2, 1ll << 52, 51},
        {1, 1ll << 52, 4},
        {1, 1853020188851841, 32},        /* 3^32 */
        {1024, 59049, 10},                /* (3 / 2)^10 of 2^10 */
        {1ll << 26, 1594323ll << 13, 13}, /* (3 / 2)^13 */
        {4096, 531441, 12},
        {1ll << 50, 9007199254740991, 3},
        {9007199254740989, 9007199254740991, 2},
    };

    for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++)
        for (size_t index = 0; index < scales[i].spread; index++)
            assert_start(&scales[i], index);
}

#define SAMPLES 3000

Test(t5_starts, are_right_for_random_scales)
{
    uint64_t seed = 11;

    for (int i = 0; i < SAMPLES; i++) {
        const uint64_t limit = (uint64_t)1 << (2 + exact_bits(&seed) % 51);
        struct posenc__t5_scale scale = {.exact = 1 + (int64_t)(exact_bits(&seed) % limit),
                                         .spread = 1 + exact_bits(&seed) % 200};

        scale.max_distance = scale.exact + 1 + (int64_t)(exact_bits(&seed) % limit);
        assert_start(&scale, exact_bits(&seed) % scale.spread);
    }
}
