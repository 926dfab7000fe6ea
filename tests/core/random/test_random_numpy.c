/* NumPy's draws against NumPy 2.4. */
#include <criterion/criterion.h>
#include <math.h>

#include "random_numpy.h"

typedef void draw_numbers(const struct posenc__stream *stream, double first, double second,
                          size_t count, double *out);

struct row {
    const char *name;
    draw_numbers *draw;
    struct posenc__stream stream;
    double first, second; /* low and high, or mean and std */
    double expected[4];
};

static const struct row rows[] = {
    {"default_rng(42).uniform(-1, 3)",
     posenc__numpy_uniform,
     {42, 0, POSENC_FLOAT64},
     -1,
     3,
     {0x1.0c43f79a2db24p+1, 0x1.82d2b30d3c8fcp-1, 0x1.379a2584ddb42p+1, 0x1.ca1ad83858022p+0}},
    {"default_rng(42).normal(0, 1)",
     posenc__numpy_normal,
     {42, 0, POSENC_FLOAT64},
     0,
     1,
     {0x1.3807c1104fc6bp-2, -0x1.0a3c65fca9a7ep+0, 0x1.803b239e77350p-1, 0x1.e191b2d157f36p-1}},
    {"default_rng(42).random(float32)",
     posenc__numpy_uniform,
     {42, 0, POSENC_FLOAT32},
     0,
     1,
     {0x1.6d926p-4, 0x1.8c43f6p-1, 0x1.4f23fep-1, 0x1.c16958p-2}},
    {"default_rng(42).standard_normal(float32)",
     posenc__numpy_normal,
     {42, 0, POSENC_FLOAT32},
     0,
     1,
     {0x1.22a03ap-3, -0x1.ab2356p+0, -0x1.550508p+0, 0x1.2a4472p-1}},
    {"seed(42); uniform(-1, 3)",
     posenc__numpy_legacy_uniform,
     {42, 0, POSENC_FLOAT64},
     -1,
     3,
     {0x1.fe1dc797d47b0p-2, 0x1.66c4068bbd654p+1, 0x1.ed8fd1e3ccea2p+0, 0x1.6506bacc65960p+0}},
    {"seed(42); normal(0, 1)",
     posenc__numpy_legacy_normal,
     {42, 0, POSENC_FLOAT64},
     0,
     1,
     {0x1.fca2a28a9307cp-2, -0x1.1b2a505de052ap-3, 0x1.4b9dd50245e68p-1, 0x1.85e548e01aa2bp+0}},
};

Test(random_numpy, draws_are_numpys_bit_for_bit)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        double out[4];

        rows[i].draw(&rows[i].stream, rows[i].first, rows[i].second, 4, out);
        for (size_t k = 0; k < 4; k++)
            cr_expect_eq(out[k], rows[i].expected[k], "%s, draw %zu: %a", rows[i].name, k, out[k]);
    }
}

/* A float64 draw takes one word of PCG64, or two of MT19937. */
Test(random_numpy, skipped_words_are_draws_that_came_before)
{
    const struct posenc__stream from_start = {9, 0, POSENC_FLOAT64}, later = {9, 6, POSENC_FLOAT64};
    double whole[10], rest[4];

    posenc__numpy_uniform(&from_start, 0, 1, 10, whole);
    posenc__numpy_uniform(&later, 0, 1, 4, rest);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(rest[i], whole[i + 6]);
    posenc__numpy_legacy_uniform(&from_start, 0, 1, 10, whole);
    posenc__numpy_legacy_uniform(&later, 0, 1, 4, rest);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(rest[i], whole[i + 3]);
}

Test(random_numpy, float32_draws_are_scaled_in_float32)
{
    const struct posenc__stream stream = {3, 0, POSENC_FLOAT32};
    double plain[64], scaled[64];

    posenc__numpy_normal(&stream, 0, 1, 64, plain);
    posenc__numpy_normal(&stream, 0.1, 0.02, 64, scaled);
    for (size_t i = 0; i < 64; i++) {
        const float product = (float)plain[i] * 0.02F;

        cr_expect_eq(scaled[i], (double)(product + 0.1F));
    }
}
