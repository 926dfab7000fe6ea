/* Elements of sinusoidal tables: any run, any layout, the same bits on either way to them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

Test(sinusoidal_fill, any_runs_of_wide_rows_agree)
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

Test(sinusoidal_fill, layouts_are_permutations_of_each_other)
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

Test(sinusoidal_fill, the_padding_row_is_zero_wherever_it_stands)
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
}

/* Whole rows are written in the dtype, sums by way of doubles: both must round the same value. */
static void assert_same_bits(const char *own, const char *dtype, size_t dim)
{
    static const double zeros[9 * 11];
    const struct posenc_member x = {"x", support_array(zeros, 2, (const size_t[]){9, dim})};
    struct asked table, sum;
    char query[200];

    (void)snprintf(query, sizeof(query), "%s&dtype=%s&length=9&dim=%zu", own, dtype, dim);
    cr_assert_eq(ask(&table, "sinusoidal/table", query), POSENC_OK, "%s", query);
    cr_assert_eq(ask_with(&sum, "sinusoidal/apply", query, &x, 1), POSENC_OK, "%s", query);
    const struct posenc_tensor *encoding = &table.result.tensors[0];

    cr_assert_eq(encoding->count, 9 * dim);
    cr_expect_arr_eq(asked_bytes(&table, encoding), asked_bytes(&sum, &sum.result.tensors[0]),
                     (size_t)posenc_tensor_bytes(encoding), "%s", query);
    asked_release(&table);
    asked_release(&sum);
}

Test(sinusoidal_fill, rows_and_sums_with_zero_have_the_same_bits)
{
    static const char *const dtypes[] = {"float64", "float32", "float16", "bfloat16"};
    static const char *const layouts[] = {"interleaved", "sin_cos", "cos_sin"};
    static const char *const own[] = {"odd=zero_pad&padding_idx=3&output_scale=-1.7",
                                      "odd=extra_sine&offset=100000",
                                      "odd=pair_index&step=0.3&padding_idx=0"};

    for (size_t i = 0; i < 3 * 3 * 4; i++) {
        char query[120];

        (void)snprintf(query, sizeof(query), "%s&layout=%s", own[i % 3], layouts[i / 3 % 3]);
        for (size_t dim = 10; dim <= 11; dim++)
            assert_same_bits(query, dtypes[i / 9], dim);
    }
}

/* Position 0 under a negative scale: its sines are zeros, and minus nothing. */
Test(sinusoidal_fill, no_zero_is_negative)
{
    static const char *const queries[] = {
        "dim=10",
        "dim=11&odd=extra_sine",
        "dim=11&odd=zero_pad",
        "dim=10&arithmetic=float32",
        "dim=10&padding_idx=0&arithmetic=float32",
    };

    for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
        struct asked asked;
        char query[120];

        (void)snprintf(query, sizeof(query), "positions=0&output_scale=-1.7&dtype=float64&%s",
                       queries[i]);
        cr_assert_eq(ask(&asked, "sinusoidal/table", query), POSENC_OK);
        for (size_t column = 0; column < asked.result.tensors[0].count; column++) {
            const double value = asked_values(&asked, "encoding")[column];

            cr_expect(value != 0 || !signbit(value), "%s, %zu", query, column);
            if (column % 2 == 0)
                cr_expect_eq(value, 0, "%s, %zu", query, column);
        }
        asked_release(&asked);
    }
}

/* The last column of an odd dim, at position 1 with dim 5 and base 16: pairs at 1, 16^(-2/5), ...
 */
Test(sinusoidal_fill, the_last_column_of_an_odd_dim_is_what_was_said)
{
    static const struct {
        const char *query;
        double last;
    } cases[] = {
        {"odd=extra_sine&layout=interleaved", 0.10860418387539389}, /* sin 16^(-4/5) */
        {"odd=zero_pad&layout=sin_cos", 0},
        {"odd=zero_pad&layout=interleaved", 0},
        {"odd=pair_index&layout=sin_cos", 0.9460822008902012}, /* cos 16^(-2/5) */
        {"odd=extra_sine&layout=cos_sin", 0.10860418387539389},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct asked asked;
        char query[160];

        (void)snprintf(query, sizeof(query), "positions=1&dim=5&base=16&dtype=float64&%s",
                       cases[i].query);
        cr_assert_eq(ask(&asked, "sinusoidal/table", query), POSENC_OK);
        cr_expect_float_eq(asked_values(&asked, "encoding")[4], cases[i].last, 2e-16, "%s", query);
        asked_release(&asked);
    }
}
