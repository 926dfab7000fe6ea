/* The sinusoidal encoding against MPFR, and its properties. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scaled_table.h"
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

Test(sinusoidal, scales_multiply_positions_and_values)
{
    assert_scaled("length=5&dim=6&dtype=float64&output_scale=-0.5", "length=5&dim=6&dtype=float64",
                  -0.5);
    assert_scaled("length=5&dim=6&dtype=float64&position_scale=0.25",
                  "length=5&dim=6&dtype=float64&step=0.25", 1);
    assert_scaled("length=5&dim=6&dtype=float64&preset=mlx&output_scale=1",
                  "length=5&dim=6&dtype=float64&preset=whisper", 1);
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
