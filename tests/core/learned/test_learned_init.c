/* Generated tables: values of the frameworks, and what must hold of every stream. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact.h"
#include "support.h"

#define OPERATION "learned/table"

struct row {
    const char *query; /* of a table in float64 */
    double expected[4];
    double absolute; /* 0: equal */
};

/* A float32 erf_inverse of torch's own is right to 1e-5; ours is exact. */
#define TORCH_ERROR 1e-5

/* SciPy takes another way to the same number. */
#define SCIPY_ERROR 4e-16

static const struct row rows[] = {
    {"rows=2&dim=4&init=uniform&seed=0",
     {0.49625658988952637, 0.7682217955589294, 0.08847743272781372, 0.13203048706054688},
     0},
    {"rows=3&dim=4&init=normal&std=1",
     {1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991},
     0},
    {"rows=2&dim=2&init=uniform&seed=4294967338",
     {0.8822692632675171, 0.9150039553642273, 0.38286375999450684, 0.9593056440353394},
     0},
    {"rows=1&dim=8&init=trunc_normal_torch&std=1",
     {-0.008956527337431908, 0.6935495138168335, -1.2415473461151123, -1.041709542274475},
     TORCH_ERROR},
    {"rows=1&dim=8&init=trunc_normal_torch",
     {-0.00018766950233839452, 0.014660065993666649, -0.027003811672329903, -0.02233687348041607},
     TORCH_ERROR * 0.02},
    {"rows=1&dim=6&init=normal&std=1&seed=42&generator=numpy_legacy",
     {0x1.fca2a28a9307cp-2, -0x1.1b2a505de052ap-3, 0x1.4b9dd50245e68p-1, 0x1.85e548e01aa2bp+0},
     0},
    {"rows=2&dim=2&init=normal&std=1&seed=42&generator=numpy",
     {0x1.3807c1104fc6bp-2, -0x1.0a3c65fca9a7ep+0, 0x1.803b239e77350p-1, 0x1.e191b2d157f36p-1},
     0},
    {"rows=2&dim=2&init=normal&std=1&seed=42&generator=numpy&draw_dtype=float32",
     {0x1.22a03ap-3, -0x1.ab2356p+0, -0x1.550508p+0, 0x1.2a4472p-1},
     0},
    {"rows=2&dim=2&init=uniform&low=-1&high=3&seed=42&generator=numpy",
     {0x1.0c43f79a2db24p+1, 0x1.82d2b30d3c8fcp-1, 0x1.379a2584ddb42p+1, 0x1.ca1ad83858022p+0},
     0},
    {"rows=2&dim=2&init=truncated_normal&mean=0.5&seed=5&generator=numpy",
     {0x1.084c3c606b56cp-1, 0x1.0865ece049c66p-1, 0x1.006024b4d32cbp-1, 0x1.f4ff43467780cp-2},
     SCIPY_ERROR},
    {"rows=2&dim=3&init=normal&std=1&generator=jax",
     {1.622642159461975, 2.0252647399902344, -0.43359437584877014, -0.07861735671758652},
     5e-7},
    {"rows=2&dim=3&init=glorot_uniform&seed=42&generator=jax",
     {-0x1.9546b4p-6, 0x1.935ebp-2, 0x1.04da1p-2, 0x1.11c694p-3},
     0},
    {"rows=2&dim=3&init=glorot_uniform&seed=42&generator=jax_original",
     {0x1.01cbc8p-1, 0x1.9e234ep-1, 0x1.a19f56p-1, -0x1.4756aep-1},
     0},
};

Test(learned_init, tables_are_the_frameworks)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char query[200];
        struct asked asked;

        (void)snprintf(query, sizeof(query), "%s&dtype=float64", rows[i].query);
        cr_assert_eq(ask(&asked, OPERATION, query), POSENC_OK, "%s: %s", query,
                     asked.problem.detail);
        const double *values = asked_values(&asked, "encoding");

        for (size_t k = 0; k < 4; k++)
            cr_expect_float_eq(values[k], rows[i].expected[k], rows[i].absolute, "%s: %a", query,
                               values[k]);
        asked_release(&asked);
    }
}

/* jax.random.truncated_normal(key(42), -2, 2, (3,)), within three float32 steps. */
Test(learned_init, truncated_normals_of_jax_are_jaxs)
{
    static const double expected[] = {-0x1.baa368p-6, 0x1.c70bc4p-2, 0x1.20a462p-2};
    struct asked asked;

    cr_assert_eq(
        ask(&asked, OPERATION,
            "rows=1&dim=3&init=truncated_normal&std=1&seed=42&generator=jax&dtype=float64"),
        POSENC_OK);
    for (size_t k = 0; k < 3; k++)
        cr_expect_float_eq(asked_values(&asked, "encoding")[k], expected[k], 0x3p-25);
    asked_release(&asked);
}

Test(learned_init, rows_do_not_depend_on_which_are_asked_for)
{
    static const char *const recipes[] = {
        "rows=9&dim=7&init=normal&seed=3",
        "rows=9&dim=7&init=truncated_normal&seed=3&generator=jax_original",
        "rows=9&dim=7&init=glorot_uniform&seed=3&generator=numpy",
    };
    uint64_t seed = 4;

    for (size_t i = 0; i < sizeof(recipes) / sizeof(*recipes); i++) {
        char query[200];
        struct asked whole, some;

        (void)snprintf(query, sizeof(query), "%s&positions=8,2,2", recipes[i]);
        cr_assert_eq(ask(&whole, OPERATION, recipes[i]), POSENC_OK);
        cr_assert_eq(ask(&some, OPERATION, query), POSENC_OK);
        const double *all = asked_values(&whole, "encoding");
        const double *picked = asked_values(&some, "encoding");

        cr_expect_arr_eq(picked, all + 56, 7 * sizeof(double));
        cr_expect_arr_eq(picked + 7, all + 14, 7 * sizeof(double));
        cr_expect_arr_eq(picked + 14, all + 14, 7 * sizeof(double));
        assert_runs_agree(&whole, &seed);
        asked_release(&whole);
        asked_release(&some);
    }
}

/* 9 uniform float32 numbers of torch take 9 words. */
Test(learned_init, skip_counts_the_words_drawn_before)
{
    struct asked whole, later;

    cr_assert_eq(ask(&whole, OPERATION, "rows=4&dim=3&init=uniform&seed=8"), POSENC_OK);
    cr_assert_eq(ask(&later, OPERATION, "rows=1&dim=3&init=uniform&seed=8&skip=9"), POSENC_OK);
    cr_expect_arr_eq(asked_values(&later, "encoding"), asked_values(&whole, "encoding") + 9,
                     3 * sizeof(double));
    asked_release(&whole);
    asked_release(&later);
}

/* torch: manual_seed(-1) is manual_seed(2^64 - 2), of which the low 32 bits count. */
Test(learned_init, a_negative_seed_of_torch_counts_from_above)
{
    struct asked negative, positive;

    cr_assert_eq(ask(&negative, OPERATION, "rows=1&dim=3&init=uniform&seed=-1"), POSENC_OK);
    cr_assert_eq(ask(&positive, OPERATION, "rows=1&dim=3&init=uniform&seed=4294967294"), POSENC_OK);
    cr_expect_arr_eq(asked_values(&negative, "encoding"), asked_values(&positive, "encoding"),
                     3 * sizeof(double));
    asked_release(&negative);
    asked_release(&positive);
}

struct bounds {
    const char *query;
    double low, high;
};

static const struct bounds bounds[] = {
    {"init=uniform&low=-0.25&high=0.5", -0.25, 0.5},
    {"init=uniform&low=0.5&high=0.5", 0.5, 0.5},
    {"init=truncated_normal&mean=3&std=0.5&low=-1&high=2", 2.5, 4.0},
    {"init=truncated_normal&std=1&low=1&high=1.5&generator=numpy", 1.0, 1.5},
    {"init=truncated_normal&std=1&low=1&high=1.5&generator=numpy_legacy", 1.0, 1.5},
    {"init=truncated_normal&std=1&low=1&high=1.5&generator=jax", 1.0, 1.5},
    {"init=truncated_normal&std=1&low=1&high=1.5&generator=jax_original&draw_dtype=float64", 1.0,
     1.5},
    {"init=trunc_normal_torch&std=3&low=-1&high=2", -1.0, 2.0},
    {"init=trunc_normal_torch&std=1&low=9&high=10", 9.0, 10.0},
    {"init=glorot_uniform", -0.17320508075688773, 0.17320508075688773}, /* sqrt(6 / 200) */
    {"init=glorot_uniform&generator=numpy_legacy", -0.17320508075688773, 0.17320508075688773},
    {"init=zeros", 0.0, 0.0},
};

/* 10000 numbers come near both ends, and stay within them but for a rounding of the bound. */
Test(learned_init, numbers_stay_within_their_bounds)
{
    for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++) {
        const double slack = 0x1p-21;
        double lowest = INFINITY, highest = -INFINITY;
        char query[200];
        struct asked asked;

        (void)snprintf(query, sizeof(query), "rows=100&dim=100&%s", bounds[i].query);
        cr_assert_eq(ask(&asked, OPERATION, query), POSENC_OK, "%s: %s", query,
                     asked.problem.detail);
        const double *values = asked_values(&asked, "encoding");

        for (size_t k = 0; k < 10000; k++) {
            lowest = fmin(lowest, values[k]);
            highest = fmax(highest, values[k]);
        }
        cr_expect_geq(lowest, bounds[i].low - slack, "%s", query);
        cr_expect_leq(highest, bounds[i].high + slack, "%s", query);
        asked_release(&asked);
    }
}

/* Mean and deviation of 40000 numbers: six standard errors of both are below 0.03 and 0.022. */
Test(learned_init, normal_numbers_have_their_mean_and_deviation)
{
    static const char *const generators[] = {"torch", "numpy_legacy", "numpy", "jax",
                                             "jax_original"};

    for (size_t i = 0; i < sizeof(generators) / sizeof(*generators); i++) {
        double sum = 0, squares = 0;
        char query[200];
        struct asked asked;

        (void)snprintf(query, sizeof(query),
                       "rows=200&dim=200&init=normal&mean=5&std=1&seed=11&generator=%s",
                       generators[i]);
        cr_assert_eq(ask(&asked, OPERATION, query), POSENC_OK);
        const double *values = asked_values(&asked, "encoding");

        for (size_t k = 0; k < 40000; k++) {
            sum += values[k] - 5;
            squares += (values[k] - 5) * (values[k] - 5);
        }
        cr_expect_float_eq(sum / 40000, 0, 0.03, "%s", generators[i]);
        cr_expect_float_eq(sqrt(squares / 40000), 1, 0.022, "%s", generators[i]);
        asked_release(&asked);
    }
}

struct defaults {
    const char *query;
    double low, high;
    const char *draw;
};

static const struct defaults defaults[] = {
    {"init=uniform", 0, 1, "float32"},
    {"init=truncated_normal&generator=jax", -2, 2, "float32"},
    {"init=trunc_normal_torch", -2, 2, "float32"},
    {"init=uniform&generator=numpy", 0, 1, "float64"},
    {"init=uniform&generator=numpy_legacy", 0, 1, "float64"},
    {"init=uniform&low=-3&draw_dtype=float64", -3, 1, "float64"},
};

Test(learned_init, defaults_that_follow_are_echoed)
{
    for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++) {
        char query[200];
        struct asked asked;

        (void)snprintf(query, sizeof(query), "rows=2&dim=2&%s", defaults[i].query);
        cr_assert_eq(ask(&asked, OPERATION, query), POSENC_OK);
        cr_expect_eq(echoed_number(&asked.result, "low"), defaults[i].low, "%s", query);
        cr_expect_eq(echoed_number(&asked.result, "high"), defaults[i].high, "%s", query);
        cr_expect_str_eq(echoed_text(&asked.result, "draw_dtype"), defaults[i].draw, "%s", query);
        asked_release(&asked);
    }
}

struct refusal {
    const char *query;
    enum posenc_status status;
    const char *parameter;
};

static const struct refusal refusals[] = {
    {"init=gaussian", POSENC_OUT_OF_RANGE, "init"},
    {"init=normal&seed=0.5", POSENC_WRONG_TYPE, "seed"},
    {"init=normal&seed=9007199254740992", POSENC_OUT_OF_RANGE, "seed"},
    {"init=normal&seed=-1&generator=numpy", POSENC_OUT_OF_RANGE, "seed"},
    {"init=normal&seed=-1&generator=jax", POSENC_OUT_OF_RANGE, "seed"},
    {"init=normal&seed=4294967296&generator=numpy_legacy", POSENC_OUT_OF_RANGE, "seed"},
    {"init=normal&generator=cuda", POSENC_OUT_OF_RANGE, "generator"},
    {"init=normal&std=0", POSENC_OUT_OF_RANGE, "std"},
    {"init=normal&std=-1", POSENC_OUT_OF_RANGE, "std"},
    {"init=normal&low=0", POSENC_CONFLICT, "low"},
    {"init=normal&high=0", POSENC_CONFLICT, "high"},
    {"init=uniform&mean=0", POSENC_CONFLICT, "mean"},
    {"init=uniform&std=1", POSENC_CONFLICT, "std"},
    {"init=uniform&low=1&high=0", POSENC_CONFLICT, "low"},
    {"init=uniform&low=2", POSENC_CONFLICT, "low"},
    {"init=uniform&low=-1.7e308&high=1.7e308", POSENC_OUT_OF_RANGE, "high"},
    {"init=uniform&low=1e300&high=1e301", POSENC_OUT_OF_RANGE, "init"},
    {"init=zeros&std=1", POSENC_CONFLICT, "std"},
    {"init=glorot_uniform&low=0", POSENC_CONFLICT, "low"},
    {"init=normal&draw_dtype=float16", POSENC_OUT_OF_RANGE, "draw_dtype"},
    {"init=normal&draw_dtype=float32&generator=numpy_legacy", POSENC_CONFLICT, "draw_dtype"},
    {"init=normal&skip=1&generator=jax", POSENC_CONFLICT, "skip"},
    {"init=normal&skip=1&generator=jax_original", POSENC_CONFLICT, "skip"},
    {"init=normal&skip=-1", POSENC_OUT_OF_RANGE, "skip"},
    {"init=normal&skip=134217729", POSENC_OUT_OF_RANGE, "skip"},
    {"init=trunc_normal_torch&generator=numpy", POSENC_CONFLICT, "generator"},
    {"init=trunc_normal_torch&generator=jax", POSENC_CONFLICT, "generator"},
};

Test(learned_init, refuses_what_no_framework_draws)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        char query[200];
        struct asked asked;

        (void)snprintf(query, sizeof(query), "rows=2&dim=4&%s", refusals[i].query);
        cr_expect_eq(ask(&asked, OPERATION, query), refusals[i].status, "%s: %s", query,
                     asked.problem.detail);
        cr_expect_str_eq(asked.problem.parameter, refusals[i].parameter, "%s", query);
        asked_release(&asked);
    }
}

Test(learned_init, zeros_warn_about_a_stream)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, OPERATION, "rows=2&dim=4&init=zeros&seed=3&generator=jax"), POSENC_OK);
    cr_assert_eq(asked.result.warning_count, 2);
    cr_expect_str_eq(asked.result.warnings[0].parameter, "seed");
    cr_expect_str_eq(asked.result.warnings[1].parameter, "generator");
    asked_release(&asked);
}

Test(learned_init, ends_well_without_memory)
{
    cr_expect_gt(assert_memory_ends_well(OPERATION, "rows=3&dim=5&init=normal", NULL, 0), 0);
}
