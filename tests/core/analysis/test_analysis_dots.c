/* Sums of cosines: of any number of waves, at any offset, by blocks, in exact angles. */
#include "analysis_dots.h"

#include <criterion/criterion.h>
#include <math.h>

#include "exact.h"
#include "quantity.h"
#include "waves.h"

/* Waves of random frequencies below 1 radian, at given offsets. */
static void make_dots(struct posenc__dots *dots, size_t waves, const double *offsets, size_t count,
                      double *frequencies, struct posenc_memory *memory)
{
    uint64_t seed = 21 + waves;

    memset(dots, 0, sizeof(*dots));
    cr_assert(posenc__waves_init(&dots->view.waves, waves, memory));
    for (size_t i = 0; i < waves; i++) {
        frequencies[i] = exact_between(&seed, 0, 1);
        posenc__waves_set(&dots->view.waves, i, (struct posenc__dd){frequencies[i], 0});
    }
    dots->offsets = (struct posenc__positions){.count = count, .list = offsets};
}

static double exact_sum(const double *frequencies, size_t waves, double offset, double scale)
{
    mpfr_t sum, angle;

    mpfr_inits2(EXACT_BITS, sum, angle, (mpfr_ptr)NULL);
    mpfr_set_zero(sum, 1);
    for (size_t i = 0; i < waves; i++) {
        mpfr_set_d(angle, frequencies[i], MPFR_RNDN);
        mpfr_mul_d(angle, angle, offset, MPFR_RNDN);
        mpfr_cos(angle, angle, MPFR_RNDN);
        mpfr_add(sum, sum, angle, MPFR_RNDN);
    }
    mpfr_mul_d(sum, sum, scale, MPFR_RNDN);
    const double rounded = mpfr_get_d(sum, MPFR_RNDN);

    mpfr_clears(sum, angle, (mpfr_ptr)NULL);
    return rounded;
}

/* Below one block of 64 waves, one, and two with a part: each cosine is right to 0.85 ulp of at
 * most 2^-53. */
Test(analysis_dots, are_right_for_any_number_of_waves)
{
    static const size_t counts[] = {1, 63, 64, 65, 150};
    static const double offsets[] = {0, 1, -7.25, 12345.5, -1e6};

    for (size_t k = 0; k < sizeof(counts) / sizeof(*counts); k++) {
        double frequencies[150], dots_out[5];
        struct posenc__dots dots;
        struct posenc_memory memory;

        posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
        make_dots(&dots, counts[k], offsets, 5, frequencies, &memory);
        dots.scale = 1.5;
        posenc__dot_values(&dots, 0, 5, dots_out);
        for (size_t i = 0; i < 5; i++)
            cr_expect_float_eq(dots_out[i], exact_sum(frequencies, counts[k], offsets[i], 1.5),
                               2 * 1.5 * (double)counts[k] * 0x1p-53, "%zu waves at %g", counts[k],
                               offsets[i]);
        cr_expect_eq(dots_out[0], 1.5 * (double)counts[k]);
        posenc_memory_release(&memory);
    }
}

Test(analysis_dots, a_run_begins_at_its_own_offset)
{
    static const double offsets[] = {3, 1, 4, 1.5, 9};
    double frequencies[9], whole[5], part[2];
    struct posenc__dots dots;
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    make_dots(&dots, 9, offsets, 5, frequencies, &memory);
    dots.scale = 1;
    posenc__dot_values(&dots, 0, 5, whole);
    posenc__dot_values(&dots, 2, 2, part);
    cr_expect_eq(part[0], whole[2]);
    cr_expect_eq(part[1], whole[3]);
    posenc_memory_release(&memory);
}

/* One angle per two columns of a row: a sine without its cosine spoils the sum. */
static const struct {
    const char *query;
    enum posenc_status status;
    const char *parameter;
} refusals[] = {
    {"encoding=sinusoidal&dim=7&odd=extra_sine&offsets=1", POSENC_CONFLICT, "dim"},
    {"encoding=rope&dim=8&mrope_section=2,1,1&mrope_order=chunked&offsets=1", POSENC_CONFLICT,
     "encoding"},
    {"encoding=sinusoidal&dim=8&position_scale=1000&offsets=9e15", POSENC_OUT_OF_RANGE, "offsets"},
    {"encoding=rope&dim=8", POSENC_MISSING_PARAMETER, "offsets"},
};

Test(analysis_dots, refuses_lone_sines_several_axes_and_angles_beyond_bounds)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        struct asked asked;

        assert_quantity_refused(&asked, "dot_by_offset", refusals[i].query, refusals[i].status,
                                refusals[i].parameter);
        asked_release(&asked);
    }
}

/* At offset 0 every cosine is 1: half the width, times the square of what multiplies the table,
 * here 3, nothing and 0.1 ln 4 + 1. */
Test(analysis_dots, scale_with_the_square_of_the_amplitude)
{
    static const struct posenc_member yarn[] = {
        {"rope_type", {.kind = POSENC_TEXT, .as.text = "yarn"}},
        {"factor", {.kind = POSENC_NUMBER, .as.number = 4}},
        {"original_max_position_embeddings", {.kind = POSENC_NUMBER, .as.number = 2048}},
    };
    static const struct {
        const char *query;
        double at_zero;
    } rows[] = {
        {"encoding=sinusoidal&dim=12&offsets=0&dtype=float64&output_scale=3", 54},
        {"encoding=rope&dim=12&offsets=0&dtype=float64&attention_factor=omit", 6},
        {"encoding=rope&dim=12&offsets=0&dtype=float64", 7.778861956684237},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct posenc_member scaling = {"scaling", posenc_object(yarn, 3)};
        struct asked asked;

        cr_assert_eq(ask_quantity_with(&asked, "dot_by_offset", rows[i].query, &scaling, i > 0),
                     POSENC_OK, "%s: %s", rows[i].query, asked.problem.detail);
        assert_tensor_near(&asked, "dot_by_offset", &rows[i].at_zero, 1, 0x1p-50);
        asked_release(&asked);
    }
}
