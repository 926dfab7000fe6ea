/* Timestep embeddings against MPFR. */
#include <criterion/criterion.h>
#include <math.h>

#include "exact.h"
#include "support.h"

#define PROMISED_ERROR 0x1p-51 /* absolute: float64 tables, two ulp of 1 */

struct embedding {
    double shift, scale, max_period;
    bool flip;
};

static double exact_column(const struct embedding *embedding, size_t dim, double timestep,
                           size_t column)
{
    const size_t half = dim / 2;
    const bool is_sine = (column < half) != embedding->flip;
    mpfr_t angle, exponent;

    if (column == 2 * half)
        return 0;
    mpfr_inits2(EXACT_BITS, angle, exponent, NULL);
    mpfr_set_d(exponent, embedding->shift, MPFR_RNDN);
    mpfr_ui_sub(exponent, half, exponent, MPFR_RNDN);
    mpfr_d_div(exponent, -(double)(column % half), exponent, MPFR_RNDN);
    mpfr_set_d(angle, embedding->max_period, MPFR_RNDN);
    mpfr_pow(angle, angle, exponent, MPFR_RNDN);
    mpfr_mul_d(angle, angle, embedding->scale, MPFR_RNDN);
    mpfr_mul_d(angle, angle, timestep, MPFR_RNDN);
    if (is_sine)
        mpfr_sin(angle, angle, MPFR_RNDN);
    else
        mpfr_cos(angle, angle, MPFR_RNDN);
    const double result = mpfr_get_d(angle, MPFR_RNDN);

    mpfr_clears(angle, exponent, NULL);
    return result;
}

static void assert_exact(const char *query, size_t dim, const struct embedding *embedding,
                         const double *timesteps, size_t count)
{
    const struct posenc_member list = {"timesteps", posenc_numbers(timesteps, count)};
    uint64_t seed = 41;
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "timestep/table", query, &list, 1), POSENC_OK, "%s",
                 asked.problem.detail);
    const double *values = asked_values(&asked, "encoding");

    cr_assert_eq(asked.result.tensors[0].count, count * dim);
    for (size_t i = 0; i < count * dim; i++) {
        const double exact = exact_column(embedding, dim, timesteps[i / dim], i % dim);

        cr_assert_float_eq(values[i], exact, PROMISED_ERROR, "%s: %zu", query, i);
    }
    assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

Test(timestep, columns_are_exact_in_every_preset_and_between)
{
    static const double timesteps[] = {0, 1, 999, 500.5, -3.125, 1e-3, 123456.789};

    assert_exact("preset=ddpm&dim=10&dtype=float64", 10, &(struct embedding){1, 1, 1e4, false},
                 timesteps, 7);
    assert_exact("preset=diffusers&dim=12&dtype=float64", 12, &(struct embedding){1, 1, 1e4, false},
                 timesteps, 7);
    assert_exact("preset=stable_diffusion&dim=320&dtype=float64", 320,
                 &(struct embedding){0, 1, 1e4, true}, timesteps, 7);
    assert_exact("preset=dit&dim=7&dtype=float64", 7, &(struct embedding){0, 1, 1e4, true},
                 timesteps, 7);
    assert_exact("flip_sin_to_cos=false&downscale_freq_shift=-2&scale=1000&max_period=523.7&dim=9&"
                 "dtype=float64",
                 9, &(struct embedding){-2, 1000, 523.7, false}, timesteps, 7);
}

Test(timestep, a_shift_that_no_double_difference_holds_stays_exact)
{
    static const double timesteps[] = {999, 2147483647.5};

    assert_exact("preset=dit&downscale_freq_shift=0.1&dim=321&dtype=float64", 321,
                 &(struct embedding){0.1, 1, 1e4, true}, timesteps, 2);
}

struct refused {
    const char *query, *parameter;
    enum posenc_status status;
};

Test(timestep, refuses_what_has_no_frequencies_and_defaults_nobody_should_guess)
{
    static const struct refused rows[] = {
        {"dim=8&preset=dit", "timesteps", POSENC_MISSING_PARAMETER},
        {"timesteps=1&preset=dit", "dim", POSENC_MISSING_PARAMETER},
        {"timesteps=1&dim=8&downscale_freq_shift=0", "flip_sin_to_cos", POSENC_MISSING_PARAMETER},
        {"timesteps=1&dim=8&flip_sin_to_cos=true", "downscale_freq_shift",
         POSENC_MISSING_PARAMETER},
        {"timesteps=1&dim=2&preset=ddpm", "downscale_freq_shift", POSENC_OUT_OF_RANGE},
        {"timesteps=1&dim=8&preset=dit&downscale_freq_shift=4.5", "downscale_freq_shift",
         POSENC_OUT_OF_RANGE},
        {"timesteps=1&dim=1&preset=dit", "dim", POSENC_OUT_OF_RANGE},
        {"timesteps=1,9007199254740994&dim=8&preset=dit", "timesteps.1", POSENC_OUT_OF_RANGE},
        {"timesteps=1e9&dim=8&preset=dit&scale=1e9", "max_period", POSENC_OUT_OF_RANGE},
        {"timesteps=1&dim=8&preset=dit&max_period=1e-300&scale=1e300", "max_period",
         POSENC_OUT_OF_RANGE},
        {"timesteps=1&dim=8&preset=dit&max_period=0", "max_period", POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "timestep/table", rows[i].query), rows[i].status, "%s",
                     rows[i].query);
        cr_expect_str_eq(asked.problem.parameter, rows[i].parameter, "%s", rows[i].query);
        asked_release(&asked);
    }
}

Test(timestep, ends_well_without_memory)
{
    cr_expect_gt(
        assert_memory_ends_well("timestep/table", "timesteps=1,2&dim=8&preset=dit", NULL, 0), 0);
}
