/* The seeded generators against published values of torch, and against the formulas. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define MANY 1000

/* Nothing but libm's rounding lies between a double of ours and the formula's. */
#define LIBM_ERROR 1e-14

static struct posenc__mt19937 seeded(uint64_t seed)
{
    struct posenc__mt19937 generator;

    posenc__mt19937_seed(&generator, seed);
    return generator;
}

/* The values every implementation of the paper gives for its default seed. */
Test(random, mt19937_gives_its_first_and_its_ten_thousandth_word)
{
    struct posenc__mt19937 generator = seeded(5489);

    cr_expect_eq(posenc__mt19937_next(&generator), 3499211612u);
    for (int i = 2; i < 10000; i++)
        (void)posenc__mt19937_next(&generator);
    cr_expect_eq(posenc__mt19937_next(&generator), 4123659995u);
}

Test(random, a_seed_counts_modulo_2_32)
{
    struct posenc__mt19937 one = seeded(42), other = seeded(42 + (UINT64_C(7) << 32));

    for (int i = 0; i < MANY; i++)
        cr_assert_eq(posenc__mt19937_next(&one), posenc__mt19937_next(&other));
}

struct uniform_row {
    uint64_t seed;
    size_t count;
    float expected[8];
};

/* torch.manual_seed(seed); torch.rand(count) */
static const struct uniform_row uniform_rows[] = {
    {0,
     8,
     {0.49625658988952637f, 0.7682217955589294f, 0.08847743272781372f, 0.13203048706054688f,
      0.30742281675338745f, 0.6340786814689636f, 0.4900934100151062f, 0.8964447379112244f}},
    {5489, 4, {0.5692651271820068f, 0.6821130514144897f, 0.8827351331710815f, 0.7621989846229553f}},
    {42, 4, {0.8822692632675171f, 0.9150039553642273f, 0.38286375999450684f, 0.9593056440353394f}},
};

Test(random, uniform_float32_draws_are_torchs)
{
    for (size_t i = 0; i < sizeof(uniform_rows) / sizeof(uniform_rows[0]); i++) {
        const struct uniform_row *row = &uniform_rows[i];
        struct posenc__mt19937 generator = seeded(row->seed);
        double ours[8];

        posenc__torch_uniform(&generator, POSENC_FLOAT32, 0.0, 1.0, row->count, ours);
        for (size_t k = 0; k < row->count; k++)
            cr_expect_eq(ours[k], (double)row->expected[k], "seed %d, %zu", (int)row->seed, k);
    }
}

Test(random, uniform_float32_draws_scale_in_float32)
{
    struct posenc__mt19937 generator = seeded(3), words = seeded(3);
    double ours[MANY];

    posenc__torch_uniform(&generator, POSENC_FLOAT32, -0.1, 0.7, MANY, ours);
    for (int i = 0; i < MANY; i++) {
        const float unit = (float)(posenc__mt19937_next(&words) & 0xffffff) * 0x1p-24f;
        const volatile float scaled = unit * (0.7f - -0.1f);

        cr_assert_eq(ours[i], (double)(scaled + -0.1f));
    }
}

Test(random, uniform_float64_draws_take_two_words_upper_first)
{
    struct posenc__mt19937 generator = seeded(3), words = seeded(3);
    double ours[MANY];

    posenc__torch_uniform(&generator, POSENC_FLOAT64, 2.0, 4.0, MANY, ours);
    for (int i = 0; i < MANY; i++) {
        const uint64_t upper = posenc__mt19937_next(&words) & 0x1fffff;
        const uint64_t bits = upper << 32 | posenc__mt19937_next(&words);

        cr_assert_eq(ours[i], ldexp((double)bits, -53) * 2.0 + 2.0);
    }
}

struct normal_row {
    uint64_t seed;
    double std;
    size_t count;
    int steps; /* of float32, by which torch's own builds differ */
    float expected[32];
};

/* torch.manual_seed(seed); torch.empty(count).normal_(0, std) */
static const struct normal_row normal_rows[] = {
    {0,
     1.0,
     12,
     0,
     {1.5409961f, -0.2934289f, -2.1787894f, 0.56843126f, -1.0845224f, -1.3985955f, 0.40334684f,
      0.83802634f, -0.7192576f, -0.40334353f, -0.59663534f, 0.18203649f}},
    {0,
     1.0,
     16,
     2,
     {-1.1258398f, -1.1523602f, -0.25057858f, -0.43387884f, 0.84871036f, 0.6920092f, -0.31601277f,
      -2.1152194f, 0.32227492f, -1.2633348f, 0.3499832f, 0.3081339f, 0.11984151f, 1.2376579f,
      1.1167772f, -0.24727814f}},
    {0, 1.0, 27, 2, {-1.1258398f,  -1.1523602f,  -0.25057858f, -0.43387884f, 0.84871036f,
                     0.6920092f,   -0.31601277f, -2.1152194f,  0.32227492f,  -1.2633348f,
                     0.3499832f,   0.2660494f,   0.16645533f,  0.87438184f,  -0.14347385f,
                     -0.11160933f, -0.6135831f,  0.03159274f,  -0.4926769f,  0.053736903f,
                     0.61805665f,  -0.41280222f, -0.8410648f,  -2.316042f,   -0.10230965f,
                     0.792444f,    -0.2896677f}},
    {42, 0.02, 32, 2, {0.038538307f,   0.029745681f,   0.018014343f,    -0.042110417f,
                       0.013568369f,   -0.024690896f,  -0.00086134963f, -0.03209334f,
                       -0.015042705f,  0.03297446f,    -0.007849573f,   -0.028072145f,
                       -0.014557625f,  -0.011188603f,  -0.015376778f,   0.015248908f,
                       0.03284634f,    -0.0031919493f, -0.009947949f,   0.008791785f,
                       -0.015162623f,  0.021566352f,   0.01601601f,     0.03361241f,
                       0.025582487f,   0.025928456f,   0.01220933f,     0.026694754f,
                       -0.0046324865f, 0.0008351898f,  -0.005031505f,   0.01719717f}},
};

/* Float32 steps between two numbers of one sign. */
static int steps_between(float a, float b)
{
    int32_t a_bits, b_bits;

    cr_assert_eq(signbit(a) != 0, signbit(b) != 0, "%a against %a", (double)a, (double)b);
    memcpy(&a_bits, &a, sizeof(a));
    memcpy(&b_bits, &b, sizeof(b));
    return abs(a_bits - b_bits);
}

Test(random, normal_float32_draws_are_torchs)
{
    for (size_t i = 0; i < sizeof(normal_rows) / sizeof(normal_rows[0]); i++) {
        const struct normal_row *row = &normal_rows[i];
        struct posenc__mt19937 generator = seeded(row->seed);
        double ours[32];

        posenc__torch_normal(&generator, POSENC_FLOAT32, 0.0, row->std, row->count, ours);
        for (size_t k = 0; k < row->count; k++) {
            cr_assert_eq(ours[k], (double)(float)ours[k]);
            cr_expect_leq(steps_between((float)ours[k], row->expected[k]), row->steps,
                          "row %zu, %zu: %.9g", i, k, ours[k]);
        }
    }
}

Test(random, a_second_box_muller_value_waits_for_the_next_call_until_seeded_anew)
{
    struct posenc__mt19937 at_once = seeded(9), in_parts = seeded(9);
    double expected[10], ours[10];

    posenc__torch_normal(&at_once, POSENC_FLOAT64, 1.0, 3.0, 10, expected);
    posenc__torch_normal(&in_parts, POSENC_FLOAT64, 1.0, 3.0, 3, ours);
    posenc__torch_normal(&in_parts, POSENC_FLOAT64, 1.0, 3.0, 7, ours + 3);
    cr_expect_arr_eq(ours, expected, sizeof(ours));

    posenc__torch_normal(&in_parts, POSENC_FLOAT64, 1.0, 3.0, 1, ours);
    posenc__mt19937_seed(&in_parts, 9);
    posenc__torch_normal(&in_parts, POSENC_FLOAT64, 1.0, 3.0, 1, ours);
    cr_expect_eq(ours[0], expected[0]);
}

Test(random, few_normal_float64_draws_follow_box_muller)
{
    struct posenc__mt19937 generator = seeded(11), units = seeded(11);
    double ours[14], unit[14];

    posenc__torch_normal(&generator, POSENC_FLOAT64, 0.5, 2.0, 14, ours);
    posenc__torch_uniform(&units, POSENC_FLOAT64, 0.0, 1.0, 14, unit);
    for (int i = 0; i < 14; i += 2) {
        const double radius = sqrt(-2.0 * log1p(-unit[i + 1]));
        const double angle = 2.0 * 3.14159265358979323846 * unit[i];

        cr_expect_float_eq(ours[i], radius * cos(angle) * 2.0 + 0.5, LIBM_ERROR);
        cr_expect_float_eq(ours[i + 1], radius * sin(angle) * 2.0 + 0.5, LIBM_ERROR);
    }
}

Test(random, many_normal_float64_draws_pair_the_halves_of_each_block)
{
    struct posenc__mt19937 generator = seeded(12), units = seeded(12);
    double ours[32], unit[32];

    posenc__torch_normal(&generator, POSENC_FLOAT64, 0.5, 2.0, 32, ours);
    posenc__torch_uniform(&units, POSENC_FLOAT64, 0.0, 1.0, 32, unit);
    for (int i = 0; i < 32; i++) {
        const int radius_at = i - i % 16 + i % 8;
        const double radius = sqrt(-2.0 * log(1.0 - unit[radius_at]));
        const double angle = 2.0 * 3.14159265358979323846 * unit[radius_at + 8];
        const double wave = i % 16 < 8 ? cos(angle) : sin(angle);

        cr_expect_float_eq(ours[i], radius * wave * 2.0 + 0.5, LIBM_ERROR);
    }
}

/* 16 to 31 values: the first ones stand, the last 16 come from 16 further draws. */
Test(random, a_rest_redraws_the_last_sixteen_places)
{
    struct posenc__mt19937 generator = seeded(13), again = seeded(13), after = seeded(13);
    double ours[21], first[16], skipped[21], last[16];

    posenc__torch_normal(&generator, POSENC_FLOAT32, 0.0, 1.0, 21, ours);
    posenc__torch_normal(&again, POSENC_FLOAT32, 0.0, 1.0, 16, first);
    posenc__torch_uniform(&after, POSENC_FLOAT32, 0.0, 1.0, 21, skipped);
    posenc__torch_normal(&after, POSENC_FLOAT32, 0.0, 1.0, 16, last);
    cr_expect_arr_eq(ours, first, 5 * sizeof(double));
    cr_expect_arr_eq(ours + 5, last, sizeof(last));
}

Test(random, normal_draws_have_their_mean_and_deviation)
{
    enum { DRAWS = 100000 };
    static double ours[DRAWS];
    struct posenc__mt19937 generator = seeded(14);
    double sum = 0.0, squares = 0.0;

    posenc__torch_normal(&generator, POSENC_FLOAT32, 0.25, 0.5, DRAWS, ours);
    for (int i = 0; i < DRAWS; i++) {
        cr_assert(isfinite(ours[i]));
        sum += ours[i];
        squares += (ours[i] - 0.25) * (ours[i] - 0.25);
    }
    /* Five standard errors: 0.5 / sqrt(DRAWS) of the mean, as much / sqrt(2) of the deviation. */
    cr_expect_float_eq(sum / DRAWS, 0.25, 5.0 * 0.0016);
    cr_expect_float_eq(sqrt(squares / DRAWS), 0.5, 5.0 * 0.0012);
}
