/* Frequencies of sinusoidal tables against MPFR, and the limits of time scales. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "exact.h"
#include "sinusoidal.h"
#include "support.h"
#include "wave_question.h"

/* log2 of the relative error: powers have 105 bits, then follow two products and a quotient. */
#define FREQUENCY_ERROR (-103.0)

/* The plan's waves in turns per position against the formula's angle at position 1. */
static double worst_error(const struct posenc__sinusoidal *plan,
                          const struct wave_question *question)
{
    double worst = -INFINITY;
    mpfr_t exact, turn;

    mpfr_inits2(EXACT_BITS, exact, turn, (mpfr_ptr)NULL);
    mpfr_const_pi(turn, MPFR_RNDN);
    mpfr_mul_ui(turn, turn, 2, MPFR_RNDN);
    for (size_t i = 0; i < plan->waves.count; i++) {
        exact_angle(exact, question, 0, i);
        mpfr_div(exact, exact, turn, MPFR_RNDN);
        worst = fmax(worst, exact_error_bits(
                                (struct posenc__dd){plan->waves.hi[i], plan->waves.lo[i]}, exact));
    }
    mpfr_clears(exact, turn, (mpfr_ptr)NULL);
    return worst;
}

static void set_waves(struct posenc__sinusoidal *plan, struct asked *asked,
                      const struct wave_question *question)
{
    char query[240];

    (void)snprintf(query, sizeof(query),
                   "dim=%zu&spacing=%s&base=%.17g&min_timescale=%.17g&position_scale=%.17g&"
                   "positions=1&odd=extra_sine",
                   question->dim, question->spacing, question->base, question->min_timescale,
                   question->position_scale);
    cr_assert_eq(ask(asked, "sinusoidal/table", query), POSENC_OK, "%s", asked->problem.detail);
    *plan = (struct posenc__sinusoidal){.positions = {.count = 1, .offset = 1, .step = 1},
                                        .dim = question->dim,
                                        .sines = (question->dim + 1) / 2,
                                        .position_scale = question->position_scale};
    cr_assert_eq(
        posenc__sinusoidal_set_waves(plan, &asked->arguments, &asked->memory, &asked->problem),
        POSENC_OK);
}

Test(sinusoidal_waves, frequencies_are_exact_in_every_spacing)
{
    static const char *const spacings[] = {"dim", "half_minus_1", "half_minus_1_guarded"};
    uint64_t seed = 71;

    for (size_t i = 0; i < 300; i++) {
        const struct wave_question question = {
            .dim = 4 + exact_bits(&seed) % 300,
            .spacing = spacings[i % 3],
            .base = pow(10, exact_between(&seed, 0.1, 9)),
            .min_timescale = i % 2 ? 1 : exact_between(&seed, 0.01, 10),
            .position_scale = i % 5 ? 1 : exact_between(&seed, -2, 2),
            .offset = 1,
            .length = 1,
        };
        struct posenc__sinusoidal plan;
        struct asked asked;

        set_waves(&plan, &asked, &question);
        cr_assert_null(plan.frequencies);
        cr_assert_leq(worst_error(&plan, &question), FREQUENCY_ERROR, "dim %zu, base %g, %s",
                      question.dim, question.base, question.spacing);
        asked_release(&asked);
    }
}

/*
 * What a float32 pipeline may be off, for angle a and frequency w: exponent, exp, product and sine
 * each round once, and the exponent's error is multiplied by |ln w| and the angle.
 */
static double float32_tolerance(double angle, double frequency)
{
    return 0x1p-23 * (1 + fabs(angle) * (2 + fabs(log(frequency))));
}

Test(sinusoidal_waves, the_float32_dialect_stays_within_the_error_of_its_roundings_and_differs)
{
    struct asked asked;
    double largest = 0;

    cr_assert_eq(ask(&asked, "sinusoidal/table",
                     "length=40&step=200&dim=64&dtype=float64&arithmetic=float32"),
                 POSENC_OK);
    const double *values = asked_values(&asked, "encoding");

    for (size_t row = 0; row < 40; row++)
        for (size_t pair = 0; pair < 32; pair++) {
            const double frequency = pow(10000, -(double)pair / 32);
            const double angle = 200.0 * (double)row * frequency;
            const double sine = values[row * 64 + 2 * pair];
            const double cosine = values[row * 64 + 2 * pair + 1];

            cr_assert_float_eq(sine, sin(angle), float32_tolerance(angle, frequency));
            cr_assert_float_eq(cosine, cos(angle), float32_tolerance(angle, frequency));
            cr_assert_eq(sine, (double)(float)sine);
            largest = fmax(largest, fabs(sine - sin(angle)));
        }
    cr_expect_gt(largest, 0x1p-22, "it should show its rounded frequencies");
    asked_release(&asked);
}

/* The rounded frequencies themselves, times the scale: nothing is rounded again. */
Test(sinusoidal_waves, widened_frequencies_are_the_float32_ones)
{
    struct asked asked;
    struct posenc__sinusoidal plan = {.positions = {.count = 1, .offset = 1, .step = 1},
                                      .dim = 64,
                                      .sines = 32,
                                      .position_scale = 0.25};

    cr_assert_eq(ask(&asked, "sinusoidal/table",
                     "dim=64&positions=1&arithmetic=float32&position_scale=0.25"),
                 POSENC_OK);
    cr_assert_eq(
        posenc__sinusoidal_set_waves(&plan, &asked.arguments, &asked.memory, &asked.problem),
        POSENC_OK);
    cr_assert_not_null(plan.frequencies);
    cr_assert(posenc__sinusoidal_widen(&plan, &asked.memory));
    for (size_t i = 0; i < 32; i++) {
        const double exact = pow(10000, -(double)i / 32);

        cr_expect_eq(posenc__waves_radians(&plan.waves, i), 0.25 * (double)plan.frequencies[i]);
        cr_expect_float_eq(plan.frequencies[i], exact, exact * 0x1p-23 * (1 + fabs(log(exact))));
    }
    asked_release(&asked);
}

struct scales {
    double base, min_timescale;
    enum posenc_status status;
};

Test(sinusoidal_waves, time_scales_and_their_quotient_lie_within_1000_powers_of_two)
{
    const struct scales rows[] = {
        {0x1p1000, 1, POSENC_OK},
        {nextafter(0x1p1000, INFINITY), 1, POSENC_OUT_OF_RANGE},
        {0x1p-1000, 1, POSENC_OK},
        {nextafter(0x1p-1000, 0), 1, POSENC_OUT_OF_RANGE},
        {1, 0x1p1000, POSENC_OK},
        {1, 0x1p-1000, POSENC_OK},
        {1, 0x1p1001, POSENC_OUT_OF_RANGE},
        {0x1p500, 0x1p-500, POSENC_OK},
        {0x1p501, 0x1p-500, POSENC_OUT_OF_RANGE},
        {0x1p-500, 0x1p501, POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct posenc_member members[] = {
            {"base", posenc_number(rows[i].base)},
            {"min_timescale", posenc_number(rows[i].min_timescale)}};
        struct asked asked;

        (void)ask_with(&asked, "sinusoidal/table", "length=1&dim=2", members, 2); /* binds them */
        cr_expect_eq(posenc__check_timescales(&asked.arguments, &asked.problem), rows[i].status,
                     "%zu", i);
        if (rows[i].status != POSENC_OK)
            cr_expect_str_eq(asked.problem.parameter, "base");
        asked_release(&asked);
    }
}
