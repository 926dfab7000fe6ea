/* PCG64 against NumPy's words. */
#include <criterion/criterion.h>

#include "random_pcg64.h"

struct words {
    uint64_t seed, expected[3];
};

/* numpy.random.PCG64(seed).random_raw(3) */
static const struct words rows[] = {
    {0, {0xa30febcfd9c2825f, 0x4510bdf882d9d721, 0x0a7d3da94ecde8b8}},
    {42, {0xc621fbcd16d92688, 0x705a5661a791ffc1, 0xdbcd12c26eda1624}},
    {9007199254740991, {0xc948dddc0fcf0895, 0x9b36b064d3d8a891, 0x89a0c668d784663b}},
};

Test(random_pcg64, words_are_numpys)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct posenc__pcg64 generator;

        posenc__pcg64_seed(&generator, rows[i].seed);
        for (size_t k = 0; k < 3; k++)
            cr_expect_eq(posenc__pcg64_next(&generator), rows[i].expected[k], "seed %zu, word %zu",
                         (size_t)rows[i].seed, k);
    }
}

Test(random_pcg64, a_word_gives_its_lower_half_first_and_keeps_the_upper)
{
    struct posenc__pcg64 generator;

    posenc__pcg64_seed(&generator, 42);
    cr_expect_eq(posenc__pcg64_next32(&generator), 0x16d92688u);
    cr_expect_eq(posenc__pcg64_next(&generator), 0x705a5661a791ffc1u);
    cr_expect_eq(posenc__pcg64_next32(&generator), 0xc621fbcdu);
    cr_expect_eq(posenc__pcg64_next32(&generator), 0x6eda1624u);
}

Test(random_pcg64, units_keep_the_upper_bits)
{
    struct posenc__pcg64 generator;

    posenc__pcg64_seed(&generator, 42);
    cr_expect_eq(posenc__pcg64_unit(&generator), (double)(0xc621fbcd16d92688u >> 11) / 0x1p53);
    cr_expect_eq(posenc__pcg64_unit32(&generator), (double)(0xa791ffc1u >> 8) / 0x1p24);
}
