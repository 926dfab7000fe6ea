/* JAX's draws against JAX 0.10 on a CPU. */
#include <criterion/criterion.h>
#include <math.h>

#include "random_jax.h"

/* What random_jax.h promises of float32 normal numbers, in steps, and relatively of float64 ones.
 */
#define PROMISED_STEPS    3.0
#define PROMISED_RELATIVE 2e-13

typedef void draw_numbers(const struct posenc__stream *stream, double first, double second,
                          size_t count, double *out);

struct row {
    draw_numbers *draw;
    struct posenc__stream stream;
    double first, second; /* low and high, or mean and std */
    size_t count;
    double expected[5];
};

#define SEED_ABOVE_32_BITS 1099511627779

/* jax.random.uniform(jax.random.key(seed), (count,)) */
static const struct row uniform_rows[] = {
    {posenc__jax_uniform,
     {42, 0, POSENC_FLOAT32},
     0,
     1,
     5,
     {0x1.f47048p-2, 0x1.5c0e6p-1, 0x1.3b87fp-1, 0x1.1f3d8p-1, 0x1.cd75c8p-2}},
    {posenc__jax_original_uniform,
     {42, 0, POSENC_FLOAT32},
     0,
     1,
     5,
     {0x1.75aadp-1, 0x1.bd06f8p-1, 0x1.924e1p-3, 0x1.aa5d4p-3, 0x1.7e34dp-3}},
    {posenc__jax_uniform,
     {SEED_ABOVE_32_BITS, 0, POSENC_FLOAT64},
     0,
     1,
     3,
     {0x1.c5ce5366e0e40p-2, 0x1.c487ace5f3580p-2, 0x1.e738361106d84p-1}},
    {posenc__jax_original_uniform,
     {SEED_ABOVE_32_BITS, 0, POSENC_FLOAT64},
     0,
     1,
     3,
     {0x1.9f1dcfb227310p-3, 0x1.8abdd90aa68d8p-1, 0x1.12607e3425ab4p-1}},
};

Test(random_jax, uniform_draws_are_jaxs_bit_for_bit)
{
    for (size_t i = 0; i < sizeof(uniform_rows) / sizeof(*uniform_rows); i++) {
        const struct row *row = &uniform_rows[i];
        double out[5];

        row->draw(&row->stream, row->first, row->second, row->count, out);
        for (size_t k = 0; k < row->count; k++)
            cr_expect_eq(out[k], row->expected[k], "row %zu, draw %zu: %a", i, k, out[k]);
    }
}

/* jax.random.normal(jax.random.key(seed), (count,)) */
static const struct row normal_rows[] = {
    {posenc__jax_normal,
     {42, 0, POSENC_FLOAT32},
     0,
     1,
     5,
     {-0x1.cfbe2ap-6, 0x1.de57dp-2, 0x1.2eccc2p-2, 0x1.3a7648p-3, -0x1.fc09d6p-4}},
    {posenc__jax_original_normal,
     {42, 0, POSENC_FLOAT32},
     0,
     1,
     5,
     {0x1.397ad4p-1, 0x1.1f61f2p+0, -0x1.b575acp-1, -0x1.a01e7ap-1, -0x1.c7e32ap-1}},
    {posenc__jax_normal,
     {SEED_ABOVE_32_BITS, 0, POSENC_FLOAT64},
     0,
     1,
     3,
     {-0x1.24bc447131231p-3, -0x1.2b330a437847dp-3, 0x1.a91b8a5a411e6p+0}},
    {posenc__jax_original_normal,
     {SEED_ABOVE_32_BITS, 0, POSENC_FLOAT64},
     0,
     1,
     3,
     {-0x1.aa00f6887c80ap-1, 0x1.7bf18601be4c2p-1, 0x1.7102f40463310p-4}},
};

Test(random_jax, normal_draws_are_within_the_promise_of_jaxs)
{
    for (size_t i = 0; i < sizeof(normal_rows) / sizeof(*normal_rows); i++) {
        const struct row *row = &normal_rows[i];
        double out[5];

        row->draw(&row->stream, row->first, row->second, row->count, out);
        for (size_t k = 0; k < row->count; k++) {
            const double expected = row->expected[k];
            const double step = nextafterf(fabsf((float)expected), INFINITY) - fabs(expected);
            const double error = row->stream.draw == POSENC_FLOAT32
                                     ? PROMISED_STEPS * step
                                     : PROMISED_RELATIVE * fabs(expected);

            cr_expect_float_eq(out[k], expected, error, "row %zu, draw %zu: %a", i, k, out[k]);
        }
    }
}

/* An odd count leaves the last counter without a partner. */
Test(random_jax, the_original_stream_pads_an_odd_count_with_a_zero)
{
    enum { COUNT = 100001 };
    static double out[COUNT];
    const struct posenc__stream stream = {0, 0, POSENC_FLOAT32};

    posenc__jax_original_uniform(&stream, 0, 1, COUNT, out);
    cr_expect_eq(out[COUNT - 2], 0x1.fbaea8p-1);
    cr_expect_eq(out[COUNT - 1], 0x1.6e90b8p-2);
    posenc__jax_uniform(&stream, 0, 1, COUNT, out);
    cr_expect_eq(out[COUNT - 1], 0x1.c46adp-1);
}

/* Only the partitionable stream lets a longer table begin with the shorter one. */
Test(random_jax, a_longer_draw_begins_alike_only_in_the_partitionable_stream)
{
    const struct posenc__stream stream = {1, 0, POSENC_FLOAT32};
    double shorter[4], longer[6];

    posenc__jax_uniform(&stream, 0, 1, 4, shorter);
    posenc__jax_uniform(&stream, 0, 1, 6, longer);
    cr_expect_arr_eq(shorter, longer, sizeof(shorter));
    posenc__jax_original_uniform(&stream, 0, 1, 4, shorter);
    posenc__jax_original_uniform(&stream, 0, 1, 6, longer);
    cr_expect_neq(shorter[0], longer[0]);
}

Test(random_jax, the_inverse_is_xlas_up_to_the_ends)
{
    cr_expect_float_eq(posenc__jax_erf_inverse32(0.5), 0.4769362762, 1e-7);
    cr_expect_float_eq(posenc__jax_erf_inverse32(-0.999), -2.3267537655, 1e-5);
    cr_expect_eq(posenc__jax_erf_inverse32(1.0), INFINITY);
    cr_expect_eq(posenc__jax_erf_inverse32(-1.0), -INFINITY);
}
