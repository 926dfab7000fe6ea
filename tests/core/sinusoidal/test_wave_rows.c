/* Rows of waves: right against MPFR, and the same bits by whatever way they are asked for. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "wave_rows.h"

#ifndef WAVE_ROWS_TESTED
#define WAVE_ROWS_TESTED 60 /* of 64 waves each, per place; 1500 make 192 000 values */
#endif

/* What blend.h promises. */
#define PROMISED_ERROR 3.5e-16

#define DIM   128
#define WAVES (DIM / 2)
#define ROWS  300

struct bank {
    struct posenc_memory memory;
    struct posenc__waves waves;
};

/* base^(-2i / dim) */
static void bank_init(struct bank *bank, size_t waves, double base)
{
    posenc_memory_init(&bank->memory, POSENC_MEMORY_DEFAULT);
    cr_assert(posenc__waves_init(&bank->waves, waves, &bank->memory));
    for (size_t i = 0; i < waves; i++)
        posenc__waves_set(
            &bank->waves, i,
            posenc__dd_power((struct posenc__dd){base, 0}, -(double)i, (double)waves));
}

static struct posenc__wave_rows rows_of(struct bank *bank, struct posenc__positions positions)
{
    struct posenc__wave_rows rows;

    cr_assert(posenc__wave_rows_init(&rows, &bank->waves, &positions, &bank->memory));
    return rows;
}

struct findings {
    size_t values, misrounded;
    double worst;
};

static void compare(struct findings *findings, const mpfr_t exact, double wide, float narrow)
{
    mpfr_t error;

    mpfr_init2(error, EXACT_BITS);
    mpfr_sub_d(error, exact, wide, MPFR_RNDN);
    findings->worst = fmax(findings->worst, fabs(mpfr_get_d(error, MPFR_RNDN)));
    findings->misrounded += narrow != mpfr_get_flt(exact, MPFR_RNDN);
    findings->values++;
    mpfr_clear(error);
}

/* Rows of WAVES sines and WAVES cosines, against 10000^(-i / WAVES) position. */
static void compare_rows(struct findings *findings, double offset, const double *wide,
                         const float *narrow)
{
    mpfr_t angle, sine, cosine;

    mpfr_inits2(EXACT_BITS, angle, sine, cosine, (mpfr_ptr)NULL);
    for (size_t i = 0; i < WAVES; i++) {
        for (size_t row = 0; row < WAVE_ROWS_TESTED; row++) {
            const size_t at = row * DIM + i;

            mpfr_set_d(angle, -(double)i / WAVES, MPFR_RNDN); /* exact: WAVES is 2^6 */
            mpfr_ui_pow(angle, 10000, angle, MPFR_RNDN);
            mpfr_mul_d(angle, angle, offset + (double)row, MPFR_RNDN);
            mpfr_sin_cos(sine, cosine, angle, MPFR_RNDN);
            compare(findings, sine, wide[at], narrow[at]);
            compare(findings, cosine, wide[at + WAVES], narrow[at + WAVES]);
        }
    }
    mpfr_clears(angle, sine, cosine, (mpfr_ptr)NULL);
}

Test(wave_rows, float32_is_never_misrounded_and_float64_is_within_the_promise)
{
    static const double offsets[] = {0, 1e6, 1e9, -1e9, 1e12};
    double *const wide = malloc(WAVE_ROWS_TESTED * DIM * sizeof(*wide));
    float *const narrow = malloc(WAVE_ROWS_TESTED * DIM * sizeof(*narrow));
    struct bank bank;

    cr_assert(wide && narrow);
    bank_init(&bank, WAVES, 10000);
    for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
        const struct posenc__positions positions = {
            .count = WAVE_ROWS_TESTED, .offset = offsets[i], .step = 1};
        const struct posenc__wave_rows rows = rows_of(&bank, positions);
        const struct posenc__wave_layout layout = posenc__wave_halves(&rows, false, DIM);
        struct findings findings = {0};

        posenc__wave_rows_fill(&rows, &layout, POSENC_FLOAT64, 0, WAVE_ROWS_TESTED, wide);
        posenc__wave_rows_fill(&rows, &layout, POSENC_FLOAT32, 0, WAVE_ROWS_TESTED, narrow);
        compare_rows(&findings, offsets[i], wide, narrow);
        cr_log_info("around %g: %zu values, worst error %.3g, %zu misrounded", offsets[i],
                    findings.values, findings.worst, findings.misrounded);
        cr_expect_leq(findings.worst, PROMISED_ERROR, "%g", findings.worst);
        cr_expect_eq(findings.misrounded, 0);
    }
    posenc_memory_release(&bank.memory);
    free(wide), free(narrow);
}

/* Row after row, wave by wave, in doubles. */
static void fill_slowly(const struct posenc__wave_rows *rows, size_t count, double *out)
{
    const size_t waves = rows->waves.count;

    for (size_t row = 0; row < count; row++)
        for (size_t i = 0; i < waves; i++) {
            double *const at = out + row * 2 * waves + i;

            posenc__wave_rows_sincos(rows, row, i, 1, at, NULL);
            posenc__wave_rows_sincos(rows, row, i, 1, NULL, at + waves);
        }
}

static void assert_runs(const struct posenc__wave_rows *rows, size_t count, uint64_t *seed)
{
    const size_t width = 2 * rows->waves.count;
    const struct posenc__wave_layout layout = posenc__wave_halves(rows, false, width);
    double *const whole = malloc(count * width * sizeof(*whole));
    double *const run = malloc(count * width * sizeof(*run));

    cr_assert(whole && run);
    fill_slowly(rows, count, whole);
    for (int i = 0; i < 20; i++) {
        const size_t first = i == 0 ? 0 : exact_bits(seed) % count;
        const size_t length = i == 0 ? count : 1 + exact_bits(seed) % (count - first);

        posenc__wave_rows_fill(rows, &layout, POSENC_FLOAT64, first, length, run);
        cr_assert_eq(memcmp(run, whole + first * width, length * width * sizeof(*run)), 0,
                     "rows %zu to %zu", first, first + length);
    }
    free(whole), free(run);
}

Test(wave_rows, any_run_of_rows_has_the_bits_of_its_rows_one_by_one)
{
    static const struct posenc__positions sequences[] = {
        {.count = ROWS, .step = 1},
        {.count = ROWS, .offset = 1e9 + 17, .step = 1},
        {.count = ROWS, .offset = 150, .step = -1},
        {.count = ROWS, .offset = 0.375, .step = 0.25},
        {.count = ROWS, .offset = -1e5 - 0.1, .step = 0.3},
        {.count = ROWS, .offset = 77, .step = 0},
        {.count = ROWS, .offset = 0x1p52, .step = 1},
        {.count = ROWS, .offset = 0x1p40 - 150, .step = 1},
        {.count = 20, .offset = -3, .step = 1},
    };
    struct bank bank, wide;
    uint64_t seed = 7;

    bank_init(&bank, 37, 523.7);
    bank_init(&wide, 1100, 10000);
    for (size_t i = 0; i < sizeof(sequences) / sizeof(*sequences); i++) {
        const struct posenc__wave_rows rows = rows_of(&bank, sequences[i]);

        assert_runs(&rows, sequences[i].count, &seed);
    }
    const struct posenc__wave_rows rows = rows_of(&wide, sequences[3]);

    assert_runs(&rows, 40, &seed);
    posenc_memory_release(&bank.memory);
    posenc_memory_release(&wide.memory);
}

/* Integers in and out of order, fractions, both ends of what is split. */
Test(wave_rows, a_list_has_the_bits_of_its_positions_one_by_one)
{
    double list[ROWS];
    struct bank bank;
    uint64_t seed = 8;

    for (size_t i = 0; i < ROWS; i++)
        list[i] = i % 50 < 30 ? (double)(1000 * (i / 50) + i % 50)
                              : rint(exact_between(&seed, -1e6, 1e6)) + (i % 4 ? 0 : 0.5);
    list[17] = 0x1p53, list[18] = -0x1p53, list[19] = -0.0, list[20] = 0x1p40;
    bank_init(&bank, 37, 523.7);
    const struct posenc__wave_rows rows =
        rows_of(&bank, (struct posenc__positions){.count = ROWS, .list = list, .step = 1});

    assert_runs(&rows, ROWS, &seed);
    for (size_t i = 0; i < ROWS; i++) {
        double row[2][37], alone[2][37];

        posenc__wave_rows_sincos(&rows, i, 0, 37, row[0], row[1]);
        posenc__wave_at(&bank.waves, (struct posenc__dd){list[i], 0}, 0, 37, alone[0], alone[1]);
        cr_assert_eq(memcmp(row, alone, sizeof(row)), 0, "%.17g", list[i]);
    }
    posenc_memory_release(&bank.memory);
}

Test(wave_rows, an_integer_position_has_the_same_bits_in_lists_short_tables_and_long_ones)
{
    double from_list[2][WAVES], from_short[2][WAVES], from_long[2][WAVES], backwards[2][WAVES];
    struct bank bank;
    uint64_t seed = 9;

    bank_init(&bank, WAVES, 10000);
    for (int i = 0; i < 200; i++) {
        const double position = rint(exact_between(&seed, -1e5, 1e5));
        const struct posenc__wave_rows list =
            rows_of(&bank, (struct posenc__positions){.count = 1, .list = &position, .step = 1});
        const struct posenc__wave_rows one =
            rows_of(&bank, (struct posenc__positions){.count = 1, .offset = position, .step = 1});
        const struct posenc__wave_rows many = rows_of(
            &bank, (struct posenc__positions){.count = 1u << 20, .offset = -1e5, .step = 1});
        const struct posenc__wave_rows back = rows_of(
            &bank, (struct posenc__positions){.count = 1u << 20, .offset = 1e5, .step = -1});

        posenc__wave_rows_sincos(&list, 0, 0, WAVES, from_list[0], from_list[1]);
        posenc__wave_rows_sincos(&one, 0, 0, WAVES, from_short[0], from_short[1]);
        posenc__wave_rows_sincos(&many, (size_t)(position + 1e5), 0, WAVES, from_long[0],
                                 from_long[1]);
        posenc__wave_rows_sincos(&back, (size_t)(1e5 - position), 0, WAVES, backwards[0],
                                 backwards[1]);
        cr_assert_eq(memcmp(from_list, from_short, sizeof(from_list)), 0, "%g", position);
        cr_assert_eq(memcmp(from_list, from_long, sizeof(from_list)), 0, "%g", position);
        cr_assert_eq(memcmp(from_list, backwards, sizeof(from_list)), 0, "%g", position);
    }
    posenc_memory_release(&bank.memory);
}

Test(wave_rows, what_is_not_split_has_the_bits_of_angles)
{
    static const double list[] = {0.5, -7.25, 0x1p53, 1e15 + 1};
    double row[2][WAVES], alone[2][WAVES];
    struct bank bank;

    bank_init(&bank, WAVES, 10000);
    const struct posenc__wave_rows rows =
        rows_of(&bank, (struct posenc__positions){.count = 4, .list = list, .step = 1});

    for (size_t i = 0; i < 4; i++) {
        posenc__wave_rows_sincos(&rows, i, 0, WAVES, row[0], row[1]);
        posenc__sincos(&bank.waves, (struct posenc__dd){list[i], 0}, 0, WAVES, alone[0], alone[1]);
        cr_expect_eq(memcmp(row, alone, sizeof(row)), 0, "%g", list[i]);
    }
    posenc_memory_release(&bank.memory);
}

Test(wave_rows, a_short_table_keeps_nothing_and_a_long_one_needs_memory)
{
    struct bank bank;
    struct posenc__wave_rows rows;
    struct posenc__positions positions = {.count = 4, .step = 1};

    bank_init(&bank, WAVES, 10000);
    const size_t used = bank.memory.used;

    rows = rows_of(&bank, positions);
    cr_expect_eq(bank.memory.used, used);
    cr_expect_null(rows.near);
    bank.memory.limit = used;
    positions.count = 4000;
    cr_expect_not(posenc__wave_rows_init(&rows, &bank.waves, &positions, &bank.memory));
    posenc_memory_release(&bank.memory);
}
