/* Tables with one step in a small type. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "quantity.h"

static double to_bfloat16(double value)
{
    uint16_t bits;
    double rounded;

    posenc_round(POSENC_BFLOAT16, &value, 1, &bits);
    posenc_widen(POSENC_BFLOAT16, &bits, 1, &rounded);
    return rounded;
}

#define ROWS  300
#define PAIRS 3
#define QUERY                                                                                      \
    "encoding=rope&inv_freq=1,0.3,0.007&dim=6&length=300&step_dtype=bfloat16&dtype=float64"

/* libm's sine of an angle in double, whose product is rounded once: 300 * 2^-53 and an ulp. */
#define ANGLE_TOLERANCE (301 * 0x1p-53)

static const double frequencies[PAIRS] = {1, 0.3, 0.007};

/* The angle, sine and cosine of one pair with the step rounded, by libm. */
static void expect_pair(const char *step, double position, double frequency, double *cosine,
                        double *sine)
{
    if (strcmp(step, "inv_freq") == 0)
        frequency = to_bfloat16(frequency);
    if (strcmp(step, "position") == 0)
        position = to_bfloat16(position);
    double angle = position * frequency;

    if (strcmp(step, "angle") == 0)
        angle = to_bfloat16(angle);
    *cosine = cos(angle);
    *sine = sin(angle);
    if (strcmp(step, "cos_sin") == 0) {
        *cosine = to_bfloat16(*cosine);
        *sine = to_bfloat16(*sine);
    }
}

static void check_step(const char *step)
{
    double largest = 0;
    char query[160];
    struct asked asked;

    (void)snprintf(query, sizeof(query), QUERY "&step=%s", step);
    cr_assert_eq(ask_quantity(&asked, "precision", query), POSENC_OK, "%s", asked.problem.detail);
    const double *values = asked_values(&asked, "table");

    for (size_t row = 0; row < ROWS; row++)
        for (size_t i = 0; i < PAIRS; i++) {
            const double angle = (double)row * frequencies[i];
            const double *found = values + row * 2 * PAIRS;
            double cosine, sine;

            expect_pair(step, (double)row, frequencies[i], &cosine, &sine);
            cr_assert_float_eq(found[i], cosine, ANGLE_TOLERANCE, "%s %zu %zu", step, row, i);
            cr_assert_float_eq(found[PAIRS + i], sine, ANGLE_TOLERANCE, "%s %zu %zu", step, row, i);
            largest = fmax(largest, fmax(fabs(cosine - cos(angle)), fabs(sine - sin(angle))));
        }
    cr_expect_float_eq(derived_value(&asked, "max_error")->as.number, largest, 2 * ANGLE_TOLERANCE);
    asked_release(&asked);
}

Test(analysis_precision, rounds_the_one_step_that_is_named)
{
    check_step("inv_freq");
    check_step("position");
    check_step("angle");
    check_step("cos_sin");
}

Test(analysis_precision, tells_the_first_position_that_looks_like_another)
{
    static const struct {
        const char *query;
        double first; /* -1: none */
    } cases[] = {
        /* bfloat16 has 8 bits: 257 becomes 256. */
        {"step=position&step_dtype=bfloat16&length=300", 257},
        {"step=position&step_dtype=float16&length=2050", 2049},
        {"step=position&step_dtype=float32&positions=0,16777216,16777217", 16777217},
        {"step=inv_freq&step_dtype=bfloat16&length=300", -1},
        {"step=cos_sin&step_dtype=bfloat16&positions=3,3", -1}, /* the same position */
    };
    struct asked asked;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char query[160];

        (void)snprintf(query, sizeof(query), "encoding=sinusoidal&dim=8&%s", cases[i].query);
        cr_assert_eq(ask_quantity(&asked, "precision", query), POSENC_OK);
        const struct posenc_value *first = derived_value(&asked, "first_collision");

        if (cases[i].first < 0)
            cr_expect_eq(first->kind, POSENC_NULL, "%s", query);
        else
            cr_expect_eq(first->as.number, cases[i].first, "%s", query);
        asked_release(&asked);
    }
}

Test(analysis_precision, what_overflows_its_type_is_no_number)
{
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "precision",
                              "encoding=sinusoidal&dim=4&positions=1,65520&step=position&"
                              "step_dtype=float16"),
                 POSENC_OK);
    const double *values = asked_values(&asked, "table");

    cr_expect_not(isnan(values[0]));
    cr_expect(isnan(values[4]));
    cr_expect(isinf(derived_value(&asked, "max_error")->as.number));
    asked_release(&asked);
    cr_assert_eq(ask_quantity(&asked, "precision",
                              "encoding=sinusoidal&dim=4&positions=65520&step=angle&"
                              "step_dtype=float16"),
                 POSENC_OK);
    const double *angles = asked_values(&asked, "table");

    cr_expect(isnan(angles[0]));
    cr_expect_not(isnan(angles[2])); /* the second wave's angle is 655.2 */
    asked_release(&asked);
}

Test(analysis_precision, needs_positions_and_a_step)
{
    struct asked asked;

    assert_quantity_refused(&asked, "precision",
                            "encoding=sinusoidal&dim=4&step=angle&step_dtype=float16",
                            POSENC_MISSING_PARAMETER, "length");
    asked_release(&asked);
    assert_quantity_refused(&asked, "precision",
                            "encoding=timestep&preset=dit&dim=4&step=angle&step_dtype=float16",
                            POSENC_MISSING_PARAMETER, "timesteps");
    asked_release(&asked);
    assert_quantity_refused(&asked, "precision",
                            "encoding=sinusoidal&dim=4&length=3&step_dtype=float16",
                            POSENC_MISSING_PARAMETER, "step");
    asked_release(&asked);
}
