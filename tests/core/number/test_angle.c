/* Sines and cosines of exact angles against MPFR, and level against level. */
#include <criterion/criterion.h>
#include <string.h>

#include "angle.h"
#include "exact.h"

#ifndef SAMPLES
#define SAMPLES 24000
#endif

/* What angle.h promises: absolute errors up to 2^53, and up to 2^48. */
#define PROMISED_ERROR      3e-16
#define PROMISED_ERROR_2_48 1.2e-16

/* ... and in units in the last place up to 2^40, for results above 2^-10. */
#define PROMISED_ULP 0.85

#define WAVES 37 /* not a multiple of any vector */

struct one_wave {
    double hi, lo;
    struct posenc__waves waves;
};

static void one_wave_init(struct one_wave *one, struct posenc__dd radians)
{
    one->waves = (struct posenc__waves){.count = 1, .hi = &one->hi, .lo = &one->lo};
    posenc__waves_set(&one->waves, 0, radians);
}

/* A frequency as encodings have them: base^(-2 pair / dim), by a random base, dim and pair. */
struct frequency {
    double base, pair, dim;
};

static struct frequency random_frequency(uint64_t *seed)
{
    const double pairs = (double)(1 + exact_bits(seed) % 2048);
    const double base = exact_bits(seed) % 4 ? 10000.0 : pow(10.0, exact_between(seed, 0.3, 7.0));

    return (struct frequency){base, floor(exact_between(seed, 0.0, pairs)), 2.0 * pairs};
}

static struct posenc__dd frequency_radians(struct frequency frequency)
{
    return posenc__dd_power((struct posenc__dd){frequency.base, 0.0}, -2.0 * frequency.pair,
                            frequency.dim);
}

/* Below 2^bits in magnitude: integers, fractions, and sums that no double holds, of both signs. */
static struct posenc__dd random_position(uint64_t *seed, double bits)
{
    const double size = exp2(exact_between(seed, 0.0, bits));
    const double position = exact_bits(seed) % 2 ? size : -size;

    switch (exact_bits(seed) % 3) {
    case 0:
        return (struct posenc__dd){floor(position), 0.0};
    case 1:
        return (struct posenc__dd){position, 0.0};
    default:
        return exact_widen(seed, position);
    }
}

struct sample {
    struct frequency frequency;
    struct posenc__dd position;
    mpfr_t angle, sine, cosine;
};

static void sample_compute(struct sample *sample)
{
    mpfr_set_d(sample->sine, -2.0 * sample->frequency.pair, MPFR_RNDN);
    mpfr_div_d(sample->sine, sample->sine, sample->frequency.dim, MPFR_RNDN);
    mpfr_set_d(sample->angle, sample->frequency.base, MPFR_RNDN);
    mpfr_pow(sample->angle, sample->angle, sample->sine, MPFR_RNDN);
    exact_set(sample->sine, sample->position);
    mpfr_mul(sample->angle, sample->angle, sample->sine, MPFR_RNDN);
    mpfr_sin_cos(sample->sine, sample->cosine, sample->angle, MPFR_RNDN);
}

static double absolute_error(double ours, mpfr_t exact)
{
    mpfr_t error;

    mpfr_init2(error, EXACT_BITS);
    mpfr_sub_d(error, exact, ours, MPFR_RNDN);
    const double size = fabs(mpfr_get_d(error, MPFR_RNDN));

    mpfr_clear(error);
    return size;
}

struct worst {
    double error, ulp;
    size_t misrounded; /* float32 */
};

static void worst_see(struct worst *worst, double ours, mpfr_t exact)
{
    const double error = absolute_error(ours, exact);

    worst->error = fmax(worst->error, error);
    if (fabs(ours) > 0x1p-10)
        worst->ulp = fmax(worst->ulp, error / ldexp(0x1p-52, ilogb(ours)));
    worst->misrounded += (float)ours != mpfr_get_flt(exact, MPFR_RNDN);
}

static struct worst worst_of_samples(uint64_t seed, double bits)
{
    struct worst worst = {0};
    struct sample sample;

    mpfr_inits2(EXACT_BITS, sample.angle, sample.sine, sample.cosine, (mpfr_ptr)NULL);
    for (int i = 0; i < SAMPLES; i++) {
        struct one_wave one;
        double sine, cosine;

        sample.frequency = random_frequency(&seed);
        sample.position = random_position(&seed, bits);
        sample_compute(&sample);
        one_wave_init(&one, frequency_radians(sample.frequency));
        posenc__sincos(&one.waves, sample.position, 0, 1, &sine, &cosine);
        worst_see(&worst, sine, sample.sine);
        worst_see(&worst, cosine, sample.cosine);
    }
    mpfr_clears(sample.angle, sample.sine, sample.cosine, (mpfr_ptr)NULL);
    cr_log_info("|position| < 2^%g: worst error %.3g, %.3f ulp, %zu float32 values misrounded",
                bits, worst.error, worst.ulp, worst.misrounded);
    return worst;
}

Test(angle, sines_and_cosines_are_right_at_positions_up_to_2_53)
{
    const struct worst worst = worst_of_samples(1, 53.0);

    cr_expect_leq(worst.error, PROMISED_ERROR, "%g", worst.error);
    cr_expect_eq(worst.misrounded, 0);
}

Test(angle, sines_and_cosines_are_nearer_at_positions_up_to_2_48)
{
    const struct worst worst = worst_of_samples(2, 48.0);

    cr_expect_leq(worst.error, PROMISED_ERROR_2_48, "%g", worst.error);
    cr_expect_eq(worst.misrounded, 0);
}

Test(angle, sines_and_cosines_are_right_to_an_ulp_at_positions_up_to_2_40)
{
    const struct worst worst = worst_of_samples(3, 40.0);

    cr_expect_leq(worst.ulp, PROMISED_ULP, "%g", worst.ulp);
    cr_expect_eq(worst.misrounded, 0);
}

/* The largest positions alone, where what double-double leaves out weighs most. */
Test(angle, the_last_positions_before_2_53_are_right)
{
    uint64_t seed = 3;
    struct worst worst = {0};
    struct sample sample;

    mpfr_inits2(EXACT_BITS, sample.angle, sample.sine, sample.cosine, (mpfr_ptr)NULL);
    for (int i = 0; i < SAMPLES / 8; i++) {
        struct one_wave one;
        double sine, cosine;

        sample.frequency = random_frequency(&seed);
        sample.frequency.pair = i % 4 ? floor(sample.frequency.pair / 16.0) : 0.0;
        sample.position = (struct posenc__dd){0x1p53 - (double)(exact_bits(&seed) % 65536),
                                              i % 3 ? 0.0 : exact_between(&seed, -0.5, 0.5)};
        sample_compute(&sample);
        one_wave_init(&one, frequency_radians(sample.frequency));
        posenc__sincos(&one.waves, sample.position, 0, 1, &sine, &cosine);
        worst_see(&worst, sine, sample.sine);
        worst_see(&worst, cosine, sample.cosine);
    }
    mpfr_clears(sample.angle, sample.sine, sample.cosine, (mpfr_ptr)NULL);
    cr_log_info("next to 2^53: worst error %.3g", worst.error);
    cr_expect_leq(worst.error, PROMISED_ERROR, "%g", worst.error);
    cr_expect_eq(worst.misrounded, 0);
}

/* Where the quarter changes, and where a result is all but zero. */
Test(angle, the_neighbours_of_quarter_turns_are_right)
{
    struct worst worst = {0};
    struct sample sample = {.frequency = {10000.0, 0.0, 64.0}};
    struct one_wave one;

    one_wave_init(&one, (struct posenc__dd){1.0, 0.0});
    mpfr_inits2(EXACT_BITS, sample.angle, sample.sine, sample.cosine, (mpfr_ptr)NULL);
    for (int eighth = -4000; eighth <= 4000; eighth++) {
        const double middle = eighth * 0x1.921fb54442d18p-1; /* pi / 4 */
        const double around[] = {nextafter(middle, -1e9), middle, nextafter(middle, 1e9)};

        for (int k = 0; k < 3; k++) {
            double sine, cosine;

            sample.position = (struct posenc__dd){around[k], 0.0};
            sample_compute(&sample);
            posenc__sincos(&one.waves, sample.position, 0, 1, &sine, &cosine);
            worst_see(&worst, sine, sample.sine);
            worst_see(&worst, cosine, sample.cosine);
        }
    }
    mpfr_clears(sample.angle, sample.sine, sample.cosine, (mpfr_ptr)NULL);
    cr_expect_leq(worst.error, PROMISED_ERROR_2_48, "%g", worst.error);
    cr_expect_eq(worst.misrounded, 0);
}

Test(angle, an_angle_of_zero_gives_0_and_1_exactly)
{
    struct one_wave still, moving;
    double sine, cosine;

    one_wave_init(&still, (struct posenc__dd){0.0, 0.0});
    one_wave_init(&moving, (struct posenc__dd){0.3, 0.0});
    posenc__sincos(&still.waves, (struct posenc__dd){0x1p53, 0.25}, 0, 1, &sine, &cosine);
    cr_expect_eq(sine, 0.0);
    cr_expect_eq(cosine, 1.0);
    posenc__sincos(&moving.waves, (struct posenc__dd){0.0, 0.0}, 0, 1, &sine, &cosine);
    cr_expect_eq(sine, 0.0);
    cr_expect_eq(cosine, 1.0);
}

Test(angle, waves_give_back_their_radians)
{
    uint64_t seed = 4;

    for (int i = 0; i < SAMPLES; i++) {
        const double radians = pow(10.0, exact_between(&seed, -280.0, 6.0));
        struct one_wave one;

        one_wave_init(&one, (struct posenc__dd){radians, 0.0});
        cr_assert_eq(posenc__waves_radians(&one.waves, 0), radians, "%a", radians);
    }
}

struct bank {
    struct posenc_memory memory;
    struct posenc__waves waves;
};

/* Waves from fast to so slow that products of their low parts leave the range of double. */
static void bank_init(struct bank *bank, uint64_t *seed)
{
    posenc_memory_init(&bank->memory, POSENC_MEMORY_DEFAULT);
    cr_assert(posenc__waves_init(&bank->waves, WAVES, &bank->memory));
    for (size_t i = 0; i < WAVES; i++) {
        const double decades =
            i % 5 == 4 ? exact_between(seed, -290.0, 6.0) : exact_between(seed, -6.0, 0.0);

        posenc__waves_set(&bank->waves, i, exact_widen(seed, pow(10.0, decades)));
    }
}

Test(angle, every_level_gives_the_same_bits)
{
    uint64_t seed = 5;
    struct bank bank;
    int levels = 0;

    bank_init(&bank, &seed);
    for (int level = 0; level < POSENC__LEVEL_COUNT; level++) {
        if (!posenc__level_runs((enum posenc__level)level))
            continue;
        levels++;
        for (int i = 0; i < SAMPLES / 4; i++) {
            const struct posenc__dd position = random_position(&seed, i % 2 ? 53.0 : 20.0);
            double ours[2][WAVES], plain[2][WAVES];

            posenc__sincos_at((enum posenc__level)level, &bank.waves, position, 0, WAVES, ours[0],
                              ours[1]);
            posenc__sincos_at(POSENC__PLAIN, &bank.waves, position, 0, WAVES, plain[0], plain[1]);
            cr_assert_arr_eq(ours, plain, sizeof(ours), "level %d at %a", level, position.hi);
        }
    }
    cr_log_info("%d levels run here", levels);
    cr_expect_geq(levels, 1);
    cr_expect(posenc__level_runs(posenc__level_best()));
    posenc_memory_release(&bank.memory);
}

/* A vector and the loop's last, single elements must agree, wherever a run starts. */
Test(angle, a_part_of_the_waves_gives_the_bits_of_the_whole)
{
    uint64_t seed = 6;
    struct bank bank;
    double whole[2][WAVES];
    const struct posenc__dd position = {123456789.0, 0x1p-40};

    bank_init(&bank, &seed);
    posenc__sincos(&bank.waves, position, 0, WAVES, whole[0], whole[1]);
    for (size_t first = 0; first < WAVES; first++) {
        for (size_t count = 0; first + count <= WAVES; count++) {
            double part[2][WAVES + 1] = {{0.0}};

            part[0][count] = part[1][count] = 7.0;
            posenc__sincos(&bank.waves, position, first, count, part[0], part[1]);
            cr_assert_arr_eq(part[0], whole[0] + first, count * sizeof(double));
            cr_assert_arr_eq(part[1], whole[1] + first, count * sizeof(double));
            cr_assert_eq(part[0][count], 7.0);
            cr_assert_eq(part[1][count], 7.0);
        }
    }
    posenc_memory_release(&bank.memory);
}

Test(angle, either_output_may_be_left_out)
{
    enum { MANY = 1000 };
    static double sines[MANY], cosines[MANY], alone[MANY];
    struct posenc_memory memory;
    struct posenc__waves waves;
    const struct posenc__dd position = {4097.0, 0.0};

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    cr_assert(posenc__waves_init(&waves, MANY, &memory));
    for (size_t i = 0; i < MANY; i++)
        posenc__waves_set(
            &waves, i, posenc__dd_power((struct posenc__dd){523.7, 0.0}, -(double)i, (double)MANY));
    posenc__sincos(&waves, position, 0, MANY, sines, cosines);
    posenc__sincos(&waves, position, 0, MANY, alone, NULL);
    cr_expect_arr_eq(alone, sines, sizeof(alone));
    posenc__sincos(&waves, position, 0, MANY, NULL, alone);
    cr_expect_arr_eq(alone, cosines, sizeof(alone));
    posenc__sincos(&waves, position, 0, MANY, NULL, NULL);
    posenc_memory_release(&memory);
}

Test(angle, waves_are_refused_when_memory_is_out)
{
    struct posenc_memory memory;
    struct posenc__waves waves = {.count = 5};

    posenc_memory_init(&memory, 64);
    cr_expect_not(posenc__waves_init(&waves, 1000, &memory));
    cr_expect_eq(waves.count, 5);
    posenc_memory_release(&memory);
}
