/* Similarities of a table's rows, for each metric. */
#include <criterion/criterion.h>
#include <math.h>

#include "quantity.h"

static const double table[] = {1, 2, 2, 0, 3, 4, 0, 0, 0};

static enum posenc_status ask_table(struct asked *asked, const char *query)
{
    const struct posenc_member member = {"table", support_array(table, 2, (size_t[]){3, 3})};

    return ask_quantity_with(asked, "similarity", query, &member, 1);
}

/* Small integers: every sum, root and quotient below is rounded once at most. */
Test(analysis_similarity, knows_three_metrics)
{
    const double dots[] = {9, 14, 0, 14, 25, 0, 0, 0, 0};
    const double cosines[] = {1, 14.0 / 15, NAN, 14.0 / 15, 1, NAN, NAN, NAN, NAN};
    const double distances[] = {0, sqrt(6), 3, sqrt(6), 0, 5, 3, 5, 0};
    struct asked asked;

    cr_assert_eq(ask_table(&asked, "encoding=learned&dtype=float64"), POSENC_OK, "%s",
                 asked.problem.detail);
    assert_tensor_near(&asked, "similarity", dots, 9, 0);
    asked_release(&asked);
    cr_assert_eq(ask_table(&asked, "encoding=learned&metric=distance&dtype=float64"), POSENC_OK);
    assert_tensor_near(&asked, "similarity", distances, 9, 0);
    asked_release(&asked);
    cr_assert_eq(ask_table(&asked, "encoding=learned&metric=cosine&dtype=float64"), POSENC_OK);
    const double *values = asked_values(&asked, "similarity");

    for (size_t i = 0; i < 9; i++)
        cr_expect(isnan(cosines[i]) ? isnan(values[i]) : values[i] == cosines[i], "%zu", i);
    asked_release(&asked);
}

/* 150 products, each of two sines that are right to 0.85 ulp of 1. */
#define DOT_TOLERANCE (150 * 0x1p-51)

Test(analysis_similarity, of_waves_depends_on_the_offset_alone)
{
    struct asked asked, profile;

    cr_assert_eq(ask_quantity(&asked, "similarity",
                              "encoding=sinusoidal&dim=150&length=9&offset=1000&dtype=float64"),
                 POSENC_OK);
    cr_assert_eq(ask_quantity(&profile, "dot_by_offset",
                              "encoding=sinusoidal&dim=150&length=9&dtype=float64"),
                 POSENC_OK);
    const double *values = asked_values(&asked, "similarity");
    const double *dots = asked_values(&profile, "dot_by_offset");

    for (size_t i = 0; i < 9; i++)
        for (size_t j = 0; j < 9; j++) {
            cr_expect_float_eq(values[9 * i + j], dots[i > j ? i - j : j - i], DOT_TOLERANCE);
            cr_expect_eq(values[9 * i + j], values[9 * j + i]);
        }
    asked_release(&asked);
    asked_release(&profile);
}

Test(analysis_similarity, needs_what_the_table_needs_and_refuses_a_table_that_is_too_large)
{
    struct asked asked;

    assert_quantity_refused(&asked, "similarity", "encoding=sinusoidal&dim=8",
                            POSENC_MISSING_PARAMETER, "length");
    asked_release(&asked);
    assert_quantity_refused(&asked, "similarity", "encoding=sinusoidal&dim=8&length=10000000",
                            POSENC_TOO_LARGE, "length");
    asked_release(&asked);
}
