/* The sinusoidal encoding against MPFR, and its properties. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "wave_question.h"

/*
 * Float64 values: what angle.h promises for waves of at most 1 radian per position, at every
 * position up to 2^53.
 */
#define PROMISED_ERROR 3e-16

static const double *ask_waves(struct asked *asked, const struct wave_question *question)
{
    char query[512];

    (void)snprintf(query, sizeof(query),
                   "dim=%zu&layout=%s&spacing=%s&odd=%s&base=%.17g&min_timescale=%.17g&"
                   "position_scale=%.17g&offset=%.17g&step=%.17g&length=%zu&dtype=%s",
                   question->dim, question->layout, question->spacing, question->odd,
                   question->base, question->min_timescale, question->position_scale,
                   question->offset, question->step, question->length, question->dtype);
    cr_assert_eq(ask(asked, "sinusoidal/table", query), POSENC_OK, "%s: %s", query,
                 asked->problem.detail);
    return asked_values(asked, "encoding");
}

static const char *pick(uint64_t *seed, const char *a, const char *b, const char *c)
{
    const char *const all[] = {a, b, c};

    return all[exact_bits(seed) % 3];
}

/* A question whose waves are at most 1 radian per position and whose positions no double need hold.
 */
static struct wave_question random_question(uint64_t *seed, size_t dim, double bits)
{
    struct wave_question question = {
        .dim = dim,
        .layout = pick(seed, "interleaved", "sin_cos", "cos_sin"),
        .spacing = pick(seed, "dim", "half_minus_1_guarded", "half_minus_1"),
        .odd = pick(seed, "extra_sine", "zero_pad", "pair_index"),
        .base = exact_bits(seed) % 2 ? 10000 : exp(exact_between(seed, 3, 16)),
        .min_timescale = exact_bits(seed) % 2 ? 1 : exact_between(seed, 1, 9),
        .position_scale = exact_bits(seed) % 2 ? 1 : exact_between(seed, 0.1, 1),
        .step = exact_bits(seed) % 2 ? 1 : exact_between(seed, -3, 3),
        .length = 2,
        .dtype = "float64",
    };
    const double size = exp2(exact_between(seed, 0, bits)) - 4;

    question.offset = exact_bits(seed) % 2 ? floor(size) : -size;
    if (dim < 4)
        question.spacing = "half_minus_1_guarded";
    return question;
}

/* With more sines than pairs the last exponent passes 1, but never makes a wave faster. */
static void check_question(const struct wave_question *question, double tolerance)
{
    struct asked asked;
    const double *values = ask_waves(&asked, question);

    for (size_t i = 0; i < question->length * question->dim; i++) {
        const size_t row = i / question->dim, column = i % question->dim;
        const double exact = exact_value(question, row, column);

        cr_assert_float_eq(values[i], exact, tolerance + 0x1p-53 * fabs(exact),
                           "dim %zu %s %s %s row %zu column %zu offset %g: %.17g, not %.17g",
                           question->dim, question->layout, question->spacing, question->odd, row,
                           column, question->offset, values[i], exact);
    }
    asked_release(&asked);
}

Test(sinusoidal, every_dim_layout_spacing_and_odd_rule_has_exact_values)
{
    uint64_t seed = 7;

    for (size_t dim = 1; dim <= 130; dim++)
        for (int i = 0; i < 2; i++) {
            const struct wave_question question = random_question(&seed, dim, 24);

            check_question(&question, PROMISED_ERROR);
        }
}

Test(sinusoidal, positions_up_to_2_to_the_53_have_exact_values)
{
    uint64_t seed = 8;

    for (int i = 0; i < 60; i++) {
        const struct wave_question question =
            random_question(&seed, 2 + exact_bits(&seed) % 30, 53);

        check_question(&question, PROMISED_ERROR);
    }
}

/* Half a step of the dtype between an exact value and its rounding, and the error before that. */
static double rounding_tolerance(double exact, int precision, double smallest)
{
    int exponent;

    (void)frexp(exact, &exponent);
    return fmax(ldexp(0.5, exponent - precision), smallest / 2) + PROMISED_ERROR;
}

Test(sinusoidal, narrow_dtypes_are_rounded_once)
{
    static const struct {
        const char *name;
        int precision;
        double smallest; /* subnormal */
    } dtypes[] = {{"float32", 24, 0x1p-149}, {"float16", 11, 0x1p-24}, {"bfloat16", 8, 0x1p-133}};
    uint64_t seed = 9;

    for (int i = 0; i < 60; i++) {
        struct wave_question question = random_question(&seed, 1 + exact_bits(&seed) % 40, 40);
        const size_t dtype = exact_bits(&seed) % 3;
        struct asked asked;

        question.dtype = dtypes[dtype].name;
        const double *values = ask_waves(&asked, &question);

        for (size_t k = 0; k < 2 * question.dim; k++) {
            const double exact = exact_value(&question, k / question.dim, k % question.dim);

            cr_assert_float_eq(
                values[k], exact,
                rounding_tolerance(exact, dtypes[dtype].precision, dtypes[dtype].smallest));
        }
        asked_release(&asked);
    }
}

Test(sinusoidal, any_runs_of_wide_rows_agree)
{
    static const char *const queries[] = {
        "length=3&dim=651&odd=extra_sine&layout=interleaved",
        "length=3&dim=651&odd=zero_pad&layout=sin_cos&dtype=float16",
        "length=3&dim=651&odd=pair_index&layout=cos_sin&dtype=float64",
        "length=3&dim=130&layout=cos_sin&offset=-1.5&padding_idx=-1&step=0.5",
        "length=3&dim=650&arithmetic=float32&layout=sin_cos",
    };
    uint64_t seed = 10;

    for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
        struct asked asked;

        cr_assert_eq(ask(&asked, "sinusoidal/table", queries[i]), POSENC_OK, "%s", queries[i]);
        for (int k = 0; k < 20; k++)
            assert_runs_agree(&asked, &seed);
        asked_release(&asked);
    }
}

/* A sum of `dim` products of values within PROMISED_ERROR and half an ulp of 1. */
#define DOT_TOLERANCE(dim) ((double)(dim)*4 * (PROMISED_ERROR + 0x1p-53))

static double dot(const double *a, const double *b, size_t dim)
{
    double sum = 0;

    for (size_t i = 0; i < dim; i++)
        sum += a[i] * b[i];
    return sum;
}

Test(sinusoidal, rows_have_norm_sqrt_half_dim_and_products_that_depend_on_distance_alone)
{
    static const size_t dims[] = {2, 6, 64, 130};
    static const char *const spacings[] = {"dim", "half_minus_1_guarded"};

    for (size_t i = 0; i < 8; i++) {
        const size_t dim = dims[i / 2];
        struct asked asked;
        char query[128];

        (void)snprintf(query, sizeof(query),
                       "dim=%zu&length=40&base=523.7&offset=-7.25&dtype=float64&spacing=%s", dim,
                       spacings[i % 2]);
        cr_assert_eq(ask(&asked, "sinusoidal/table", query), POSENC_OK);
        const double *rows = asked_values(&asked, "encoding");

        for (size_t a = 0; a < 40; a++) {
            cr_assert_float_eq(dot(rows + a * dim, rows + a * dim, dim), (double)dim / 2,
                               DOT_TOLERANCE(dim));
            for (size_t b = a; b < 40; b++)
                cr_assert_float_eq(dot(rows + a * dim, rows + b * dim, dim),
                                   dot(rows, rows + (b - a) * dim, dim), DOT_TOLERANCE(dim));
        }
        asked_release(&asked);
    }
}

Test(sinusoidal, layouts_are_permutations_of_each_other)
{
    enum { DIM = 10, HALF = 5, LENGTH = 7 };
    static const char *const names[] = {"interleaved", "sin_cos", "cos_sin"};
    const double *values[3];
    struct asked asked[3];

    for (size_t i = 0; i < 3; i++) {
        char query[128];

        (void)snprintf(query, sizeof(query), "dim=10&length=7&layout=%s&dtype=float64", names[i]);
        cr_assert_eq(ask(&asked[i], "sinusoidal/table", query), POSENC_OK);
        values[i] = asked_values(&asked[i], "encoding");
    }
    for (size_t row = 0; row < LENGTH; row++)
        for (size_t pair = 0; pair < HALF; pair++) {
            const size_t at = row * DIM;

            cr_assert_eq(values[0][at + 2 * pair], values[1][at + pair]);
            cr_assert_eq(values[0][at + 2 * pair + 1], values[1][at + HALF + pair]);
            cr_assert_eq(values[2][at + pair], values[1][at + HALF + pair]);
            cr_assert_eq(values[2][at + HALF + pair], values[1][at + pair]);
        }
    for (size_t i = 0; i < 3; i++)
        asked_release(&asked[i]);
}

/* Asks for two tables and asserts that the first is the second times a factor, to two ulp. */
static void assert_scaled(const char *scaled, const char *plain, double factor)
{
    struct asked a, b;

    cr_assert_eq(ask(&a, "sinusoidal/table", scaled), POSENC_OK, "%s", scaled);
    cr_assert_eq(ask(&b, "sinusoidal/table", plain), POSENC_OK, "%s", plain);
    const double *left = asked_values(&a, "encoding"), *right = asked_values(&b, "encoding");

    cr_assert_eq(a.result.tensors[0].count, b.result.tensors[0].count);
    for (size_t i = 0; i < a.result.tensors[0].count; i++)
        cr_assert_float_eq(left[i], right[i] * factor, 0x1p-52 * fabs(left[i]));
    asked_release(&a);
    asked_release(&b);
}

Test(sinusoidal, mlx_is_tensor2tensor_times_sqrt_of_2_over_dim)
{
    static const size_t dims[] = {4, 6, 64};

    for (size_t i = 0; i < 3; i++) {
        char mlx[128], t2t[128];

        (void)snprintf(mlx, sizeof(mlx), "length=5&dim=%zu&dtype=float64&preset=mlx", dims[i]);
        (void)snprintf(t2t, sizeof(t2t), "length=5&dim=%zu&dtype=float64&preset=tensor2tensor",
                       dims[i]);
        assert_scaled(mlx, t2t, sqrt(2.0 / (double)dims[i]));
    }
}

Test(sinusoidal, scales_multiply_positions_and_values)
{
    assert_scaled("length=5&dim=6&dtype=float64&output_scale=-0.5", "length=5&dim=6&dtype=float64",
                  -0.5);
    assert_scaled("length=5&dim=6&dtype=float64&position_scale=0.25",
                  "length=5&dim=6&dtype=float64&step=0.25", 1);
    assert_scaled("length=5&dim=6&dtype=float64&preset=mlx&output_scale=1",
                  "length=5&dim=6&dtype=float64&preset=whisper", 1);
}

struct preset_case {
    const char *preset, *settings;
};

Test(sinusoidal, presets_are_bundles_of_parameters)
{
    static const struct preset_case cases[] = {
        {"vaswani", "layout=interleaved&spacing=dim"},
        {"fairseq", "layout=sin_cos&spacing=half_minus_1&odd=zero_pad&padding_idx=1"},
        {"m2m100", "layout=sin_cos&spacing=half_minus_1&odd=zero_pad&padding_idx=1"},
        {"tensor2tensor", "layout=sin_cos&spacing=half_minus_1&odd=zero_pad"},
        {"marian", "layout=sin_cos&spacing=dim&odd=extra_sine"},
        {"transformer_xl", "layout=sin_cos&spacing=dim"},
        {"whisper", "layout=sin_cos&spacing=half_minus_1"},
        {"musicgen", "layout=cos_sin&spacing=half_minus_1"},
        {"keras", "layout=interleaved&spacing=dim&odd=extra_sine"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char preset[128], settings[160];

        (void)snprintf(preset, sizeof(preset), "length=5&dim=8&preset=%s", cases[i].preset);
        (void)snprintf(settings, sizeof(settings), "length=5&dim=8&%s", cases[i].settings);
        assert_scaled(preset, settings, 1);
    }
    assert_scaled("length=5&dim=7&preset=marian",
                  "length=5&dim=7&layout=sin_cos&spacing=dim&odd=extra_sine", 1);
    assert_scaled("length=5&dim=7&preset=fairseq",
                  "length=5&dim=7&layout=sin_cos&spacing=half_minus_1&odd=zero_pad&padding_idx=1",
                  1);
}

Test(sinusoidal, tensor2tensor_guards_its_denominator_where_others_refuse)
{
    static const char *const refused[] = {
        "length=3&dim=2&preset=fairseq",
        "length=3&dim=3&preset=fairseq",
        "length=3&dim=2&preset=whisper",
        "length=3&dim=1&odd=extra_sine&spacing=half_minus_1",
        "length=3&dim=2&preset=tensor2tensor&spacing=half_minus_1",
    };

    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "sinusoidal/table", refused[i]), POSENC_OUT_OF_RANGE, "%s",
                     refused[i]);
        cr_expect_str_eq(asked.problem.parameter, "dim");
        asked_release(&asked);
    }
    assert_scaled("length=3&dim=2&preset=tensor2tensor&dtype=float64",
                  "length=3&dim=2&layout=sin_cos&dtype=float64", 1);
}

Test(sinusoidal, the_padding_row_is_zero_wherever_it_stands)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "sinusoidal/table", "positions=1,0,2.5,1&dim=4&padding_idx=1"),
                 POSENC_OK);
    const double *rows = asked_values(&asked, "encoding");

    for (size_t i = 0; i < 16; i++) {
        const bool is_padding = i / 4 == 0 || i / 4 == 3;

        cr_expect(is_padding ? rows[i] == 0 : (rows[i] != 0 || i == 4 || i == 6), "%zu", i);
    }
    asked_release(&asked);
    assert_scaled("length=3&dim=8&preset=fairseq&padding_idx=null", "length=3&dim=8&preset=whisper",
                  1);
}

/* apply with a tensor of zeros gives the table, whichever way the dim became known. */
static void assert_applies(const char *query, size_t dim)
{
    static const double zeros[64];
    const size_t shape[] = {3, dim};
    const struct posenc_member x = {"x", support_array(zeros, 2, shape)};
    struct asked applied, table;
    char with_dim[160];

    (void)snprintf(with_dim, sizeof(with_dim), "%s&length=3&dim=%zu", query, dim);
    cr_assert_eq(ask_with(&applied, "sinusoidal/apply", query, &x, 1), POSENC_OK, "%s: %s", query,
                 applied.problem.detail);
    cr_assert_eq(ask(&table, "sinusoidal/table", with_dim), POSENC_OK, "%s", with_dim);
    const double *sums = asked_values(&applied, "x"), *rows = asked_values(&table, "encoding");

    for (size_t i = 0; i < 3 * dim; i++)
        cr_assert_eq(sums[i], rows[i], "%s", query);
    asked_release(&applied);
    asked_release(&table);
}

Test(sinusoidal, apply_adds_the_table_of_the_tensors_dim_with_every_preset)
{
    const struct posenc_encoding *encoding = posenc_find("sinusoidal");

    for (const struct posenc_preset *preset = encoding->presets; preset->name; preset++) {
        char query[80];

        (void)snprintf(query, sizeof(query), "dtype=float64&preset=%s", preset->name);
        assert_applies(query, 8);
    }
    assert_applies("dtype=float64&preset=tensor2tensor", 2);
    assert_applies("dtype=float64&preset=mlx&output_scale=3", 8);
    assert_applies("dtype=float32&arithmetic=float32&offset=7", 8);
}

/*
 * What a float32 pipeline may be off, for angle a and frequency w: exponent, exp, product and sine
 * each round once, and the exponent's error is multiplied by |ln w| and the angle.
 */
static double float32_tolerance(double angle, double frequency)
{
    return 0x1p-23 * (1 + fabs(angle) * (2 + fabs(log(frequency))));
}

Test(sinusoidal, the_float32_dialect_stays_within_the_error_of_its_roundings_and_differs)
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

struct limit_case {
    const char *query;
    enum posenc_status status;
    const char *parameter;
};

Test(sinusoidal, refuses_what_has_no_table)
{
    static const struct limit_case cases[] = {
        {"length=2&dim=5", POSENC_OUT_OF_RANGE, "dim"},
        {"length=2&dim=0", POSENC_OUT_OF_RANGE, "dim"},
        {"length=2&dim=1048577", POSENC_OUT_OF_RANGE, "dim"},
        {"length=2&dim=4&base=0", POSENC_OUT_OF_RANGE, "base"},
        {"length=2&dim=4&base=-2", POSENC_OUT_OF_RANGE, "base"},
        {"length=2&dim=4&base=1e-300", POSENC_OUT_OF_RANGE, "base"},
        {"length=2&dim=4&base=1e300&min_timescale=1e-300", POSENC_OUT_OF_RANGE, "base"},
        {"length=2&dim=4&min_timescale=0", POSENC_OUT_OF_RANGE, "min_timescale"},
        {"length=2&dim=4&position_scale=1e300", POSENC_OUT_OF_RANGE, "base"},
        {"length=2&dim=4&position_scale=1e300&arithmetic=float32", POSENC_OUT_OF_RANGE, "base"},
        {"length=2&dim=4&base=1e300&min_timescale=1e-300&arithmetic=float32", POSENC_OUT_OF_RANGE,
         "base"},
        {"length=2&dim=4&padding_idx=1.5", POSENC_WRONG_TYPE, "padding_idx"},
        {"length=2&dim=4&layout=half", POSENC_OUT_OF_RANGE, "layout"},
        {"dim=4", POSENC_MISSING_PARAMETER, "length"},
        {"length=2", POSENC_MISSING_PARAMETER, "dim"},
        {"positions=0,1&step=2&dim=4", POSENC_CONFLICT, "positions"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "sinusoidal/table", cases[i].query), cases[i].status, "%s",
                     cases[i].query);
        cr_expect_str_eq(asked.problem.parameter, cases[i].parameter, "%s", cases[i].query);
        asked_release(&asked);
    }
}

Test(sinusoidal, whatever_is_not_refused_is_finite)
{
    static const char *const bases[] = {"5e-324", "1e-10", "1", "1e10", "1.7e308"};
    static const char *const scales[] = {"0", "1e-300", "-1e-3", "1e15", "1.7e308"};
    static const char *const arithmetics[] = {"exact", "float32"};

    for (size_t i = 0; i < 250; i++) {
        struct asked asked;
        char query[200];

        (void)snprintf(query, sizeof(query),
                       "length=3&dim=6&base=%s&min_timescale=%s&position_scale=%s&arithmetic=%s",
                       bases[i / 50], bases[i / 10 % 5], scales[i / 2 % 5], arithmetics[i % 2]);
        if (ask(&asked, "sinusoidal/table", query) == POSENC_OK) {
            const double *values = asked_values(&asked, "encoding");

            for (size_t k = 0; k < 18; k++)
                cr_assert_leq(fabs(values[k]), 1, "%s: %g", query, values[k]);
        }
        asked_release(&asked);
    }
}

Test(sinusoidal, tables_without_rows_stay_without)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "sinusoidal/table", "length=0&dim=4"), POSENC_OK);
    cr_expect_eq(asked.result.tensors[0].count, 0);
    cr_expect_eq(asked.result.tensors[0].shape[1], 4);
    asked_release(&asked);
}
