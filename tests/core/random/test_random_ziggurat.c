/* The ziggurat's tables and draws. */
#include <criterion/criterion.h>
#include <math.h>

#include "random_ziggurat.h"

#define LAST (POSENC__STRIPS - 1)

/* NumPy's edges were computed in double from the last to the first: errors grow on the way. */
#define EDGE_ERROR 1e-13

static void check_strips(enum posenc_dtype draw, double steps, double rounding)
{
    struct posenc__ziggurat ziggurat;

    posenc__ziggurat_init(&ziggurat, draw);
    for (size_t i = 2; i < POSENC__STRIPS; i++) {
        const double edge = ziggurat.widths[i] * steps, inner = ziggurat.widths[i - 1] * steps;
        const double area = edge * (ziggurat.heights[i - 1] - ziggurat.heights[i]);

        cr_expect_float_eq(ziggurat.heights[i], exp(-0.5 * edge * edge), rounding, "height %zu", i);
        cr_expect_float_eq(area, 0.00492867323397465, 4 * rounding, "area %zu", i);
        cr_expect_float_eq((double)ziggurat.insides[i] / steps, inner / edge, 2 * rounding,
                           "inside %zu", i);
    }
    cr_expect_eq(ziggurat.insides[1], 0);
    cr_expect_float_eq(ziggurat.widths[LAST] * steps, 3.6541528853610088, 4 * rounding);
}

Test(random_ziggurat, strips_have_one_area_and_end_on_the_curve)
{
    check_strips(POSENC_FLOAT64, 0x1p52, EDGE_ERROR);
    check_strips(POSENC_FLOAT32, 0x1p23, 0x1p-23);
}

/* numpy's tables at the strips that rounding changed most: ki_double and fi_double. */
Test(random_ziggurat, tables_round_as_numpys)
{
    struct posenc__ziggurat ziggurat;

    posenc__ziggurat_init(&ziggurat, POSENC_FLOAT64);
    cr_expect_eq(ziggurat.insides[0], 4208095142473578u);
    cr_expect_eq(ziggurat.insides[2], 3387314423973544u);
    cr_expect_eq(ziggurat.widths[0], 8.683627060801306e-16);
    cr_expect_eq(ziggurat.widths[1], 4.779330175727737e-17);
    cr_expect_eq(ziggurat.heights[1], 0.9771017012676716);
    cr_expect_eq(ziggurat.heights[38], 0x1.5ad29acc85c89p-1);
    cr_expect_eq(ziggurat.heights[39], 0x1.57fe4264c8d8fp-1);
}

struct tail {
    enum posenc_dtype draw;
    uint64_t seed;
    size_t skipped; /* draws before */
    double expected[4];
};

/* numpy.random.default_rng(seed).standard_normal(40, dtype), around the first draw of the tail */
static const struct tail tails[] = {
    {POSENC_FLOAT64,
     459,
     22,
     {-0x1.09518fae54dddp-3, -0x1.e23f4083ddb99p+1, 0x1.8115be2d28865p-2, -0x1.c473378765a8bp-3}},
    {POSENC_FLOAT32, 11, 36, {-0x1.024bb2p+0, 0x1.d8d104p+1, 0x1.22286cp-2, -0x1.64061ap+0}},
};

Test(random_ziggurat, draws_of_the_tail_are_numpys)
{
    for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
        struct posenc__ziggurat ziggurat;
        struct posenc__pcg64 generator;

        posenc__ziggurat_init(&ziggurat, tails[i].draw);
        posenc__pcg64_seed(&generator, tails[i].seed);
        for (size_t k = 0; k < tails[i].skipped; k++)
            (void)posenc__ziggurat_next(&ziggurat, &generator);
        for (size_t k = 0; k < 4; k++)
            cr_expect_eq(posenc__ziggurat_next(&ziggurat, &generator), tails[i].expected[k],
                         "row %zu, draw %zu", i, k);
    }
}

/* A million draws pass through every strip, its edge and the tail some thousand times. */
Test(random_ziggurat, the_last_of_a_million_draws_are_numpys)
{
    static const double expected[2][2] = {{0x1.be971f785303ap-1, 0x1.9df3cebdc7194p+0},
                                          {-0x1.43ecc4p+1, -0x1.2644cap+0}};
    static const enum posenc_dtype draws[] = {POSENC_FLOAT64, POSENC_FLOAT32};

    for (size_t i = 0; i < 2; i++) {
        struct posenc__ziggurat ziggurat;
        struct posenc__pcg64 generator;

        posenc__ziggurat_init(&ziggurat, draws[i]);
        posenc__pcg64_seed(&generator, 7);
        for (int k = 0; k < 999998; k++)
            (void)posenc__ziggurat_next(&ziggurat, &generator);
        cr_expect_eq(posenc__ziggurat_next(&ziggurat, &generator), expected[i][0]);
        cr_expect_eq(posenc__ziggurat_next(&ziggurat, &generator), expected[i][1]);
    }
}
