/* Version 2's coordinates and gate against golden values and 320 bits. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "exact.h"
#include "support.h"
#include "swin.h"

#define ULP 0x1p-52 /* relative: a value rounded once, or by one step more */

/* sign(offset) log2(1 + 8 |offset| / reach) / 3 */
static double exact_coordinate(long offset, long reach)
{
    mpfr_t value, eight;

    mpfr_inits2(EXACT_BITS, value, eight, NULL);
    mpfr_set_si(value, 8 * (offset < 0 ? -offset : offset), MPFR_RNDN);
    if (offset != 0)
        mpfr_div_si(value, value, reach, MPFR_RNDN);
    mpfr_log1p(value, value, MPFR_RNDN);
    mpfr_set_ui(eight, 8, MPFR_RNDN);
    mpfr_log(eight, eight, MPFR_RNDN);
    mpfr_div(value, value, eight, MPFR_RNDN);
    const double rounded = mpfr_get_d(value, MPFR_RNDN);

    mpfr_clears(value, eight, NULL);
    return offset < 0 ? -rounded : rounded;
}

static void check_coordinates(const char *query, long height, long width, long height_reach,
                              long width_reach)
{
    struct asked asked;
    uint64_t seed = 10;
    size_t at = 0;

    cr_assert_eq(ask(&asked, "swin/table", query), POSENC_OK);
    const double *coordinates = asked_values(&asked, "coordinates");

    for (long down = 1 - height; down < height; down++)
        for (long right = 1 - width; right < width; right++, at += 2) {
            const double row = exact_coordinate(down, height_reach);
            const double column = exact_coordinate(right, width_reach);

            cr_assert_leq(fabs(coordinates[at] - row), ULP * fabs(row));
            cr_assert_leq(fabs(coordinates[at + 1] - column), ULP * fabs(column));
        }
    cr_assert_eq(posenc_find_tensor(&asked.result, "coordinates")->count, at);
    for (int i = 0; i < 10; i++)
        assert_runs_agree(&asked, &seed);
    asked_release(&asked);
}

Test(swin_coordinates, are_logarithms_of_offsets_rows_first)
{
    check_coordinates("window=3,3&version=2&dtype=float64", 3, 3, 2, 2);
    check_coordinates("window=2,4&version=2&dtype=float64", 2, 4, 1, 3);
    check_coordinates("window=16,12&version=2&pretrained_window=8,7&dtype=float64", 16, 12, 7, 6);
    check_coordinates("window=1,5&version=2&dtype=float64", 1, 5, 0, 4);
}

Test(swin_coordinates, reach_a_third_of_the_logarithm_of_9_not_1)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "swin/table", "window=3,3&version=2&dtype=float64"), POSENC_OK);
    const double *coordinates = asked_values(&asked, "coordinates");

    cr_expect_eq(coordinates[0], -1.0566416671474375);
    cr_expect_eq(coordinates[3], -0.7739760316291208);
    cr_expect_eq(coordinates[2 * 12], 0);
    asked_release(&asked);
}

Test(swin_coordinates, a_window_of_training_one_token_wide_has_no_scale)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "swin/table", "window=2,2&version=2&pretrained_window=2,1"),
                 POSENC_CONFLICT);
    cr_expect_str_eq(asked.problem.parameter, "pretrained_window");
    asked_release(&asked);
    cr_assert_eq(ask(&asked, "swin/table", "window=2,1&version=2&pretrained_window=2,1"),
                 POSENC_OK);
    cr_expect_eq(asked_values(&asked, "coordinates")[1], 0);
    asked_release(&asked);
}

Test(swin_coordinates, the_bias_is_16_sigmoids_of_the_networks_output)
{
    static const double output[] = {-1, 0, 2.5, 1, -3, 0.25, 4, -0.5, 2};
    static const double golden[] = {0.7588139708410685,
                                    11.696937258080078,
                                    8.0,
                                    4.303062741919922,
                                    8.994824014172769,
                                    0.7588139708410685,
                                    14.786269119660103,
                                    8.0,
                                    6.040650700770327,
                                    15.712220640606535,
                                    0.7588139708410685,
                                    11.696937258080078,
                                    14.092753247646119,
                                    6.040650700770327,
                                    8.994824014172769,
                                    0.7588139708410685};
    const struct posenc_member member = {"mlp_output",
                                         support_array(output, 2, (const size_t[]){9, 1})};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "swin/table", "window=2,2&version=2&dtype=float64", &member, 1),
                 POSENC_OK);
    const double *bias = asked_values(&asked, "bias");

    for (size_t i = 0; i < 16; i++)
        cr_assert_leq(fabs(bias[i] - golden[i]), ULP * golden[i], "%zu", i);
    asked_release(&asked);
}

/* One element more than are gated beforehand: the same bits either way. */
Test(swin_coordinates, a_table_too_large_to_gate_beforehand_gives_the_same_bits)
{
    const size_t heads = POSENC__SWIN_GATES_MAX / 9 + 1, fewer = 5;
    double *output = calloc(9 * heads, sizeof(*output));
    double few[9 * 5];
    struct asked large, small;

    cr_assert_not_null(output);
    for (size_t i = 0; i < 9; i++)
        for (size_t h = 0; h < fewer; h++) {
            few[i * fewer + h] = (double)(i * 7 + h) / 8 - 4;
            output[i * heads + h] = few[i * fewer + h];
        }
    const struct posenc_member many = {"mlp_output",
                                       support_array(output, 2, (const size_t[]){9, heads})},
                               some = {"mlp_output",
                                       support_array(few, 2, (const size_t[]){9, fewer})};

    cr_assert_eq(ask_with(&large, "swin/table", "window=2,2&version=2&dtype=float64", &many, 1),
                 POSENC_OK);
    cr_assert_eq(ask_with(&small, "swin/table", "window=2,2&version=2&dtype=float64", &some, 1),
                 POSENC_OK);
    const struct posenc_tensor *bias = posenc_find_tensor(&large.result, "bias");
    double head[16];

    for (size_t h = 0; h < fewer; h++) {
        posenc_fill(bias, h * 16, 16, head);
        for (size_t i = 0; i < 16; i++)
            cr_assert_eq(head[i], asked_values(&small, "bias")[h * 16 + i]);
    }
    asked_release(&large);
    asked_release(&small);
    free(output);
}
