/* The shift identity: blocks that move any row, whatever the layout. */
#include <criterion/criterion.h>
#include <math.h>

#include "quantity.h"

/* Blocks and rows are right to two ulp of 1, and a product of them adds as much. */
#define MOVED_TOLERANCE 0x1p-50

/* Moves a row by the blocks, where pair i has its sine and cosine in these columns. */
static void assert_moved(struct asked *asked, size_t pairs, size_t sine, size_t cosine,
                         size_t stride)
{
    const double *blocks = asked_values(asked, "blocks"), *row = asked_values(asked, "row");
    const double *shifted = asked_values(asked, "shifted");

    for (size_t i = 0; i < pairs; i++) {
        const double s = row[sine + i * stride], c = row[cosine + i * stride];
        const double *block = blocks + 4 * i;

        cr_expect_float_eq(shifted[sine + i * stride], block[0] * s + block[1] * c,
                           MOVED_TOLERANCE);
        cr_expect_float_eq(shifted[cosine + i * stride], block[2] * s + block[3] * c,
                           MOVED_TOLERANCE);
    }
}

Test(analysis_shift, blocks_move_the_row_of_every_layout)
{
    static const struct {
        const char *query;
        size_t sine, cosine, stride;
    } cases[] = {
        {"encoding=sinusoidal&dim=6&shift=3.5&position=17&dtype=float64", 0, 1, 2},
        {"encoding=sinusoidal&dim=6&layout=sin_cos&shift=-3&position=17&dtype=float64", 0, 3, 1},
        {"encoding=sinusoidal&dim=6&layout=cos_sin&shift=40&position=2&dtype=float64", 3, 0, 1},
        {"encoding=timestep&preset=dit&dim=6&shift=40&position=2&dtype=float64", 3, 0, 1},
        {"encoding=rope&dim=6&direction=-1&shift=40&position=2&dtype=float64", 3, 0, 1},
    };
    struct asked asked;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        cr_assert_eq(ask_quantity(&asked, "shift", cases[i].query), POSENC_OK, "%s",
                     asked.problem.detail);
        assert_moved(&asked, 3, cases[i].sine, cases[i].cosine, cases[i].stride);
        asked_release(&asked);
    }
}

Test(analysis_shift, rows_are_those_of_the_table)
{
    struct asked asked, table;

    cr_assert_eq(ask_quantity(&asked, "shift",
                              "encoding=sinusoidal&dim=7&odd=zero_pad&layout=sin_cos&output_scale="
                              "2&shift=2&position=1"),
                 POSENC_OK);
    cr_assert_eq(ask(&table, "sinusoidal/table",
                     "dim=7&odd=zero_pad&layout=sin_cos&output_scale=2&positions=1,3"),
                 POSENC_OK);
    const double *rows = asked_values(&table, "encoding");

    assert_tensor_near(&asked, "row", rows, 7, 0);
    assert_tensor_near(&asked, "shifted", rows + 7, 7, 0);
    asked_release(&asked);
    asked_release(&table);
}

Test(analysis_shift, the_sine_comes_first_in_a_block)
{
    const double expected[] = {cos(1.0), sin(1.0), -sin(1.0), cos(1.0)};
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "shift", "encoding=sinusoidal&dim=2&shift=1&dtype=float64"),
                 POSENC_OK);
    assert_tensor_near(&asked, "blocks", expected, 4, 0x1p-52);
    asked_release(&asked);
}

Test(analysis_shift, refuses_a_lone_sine_and_positions_beyond_all_bounds)
{
    struct asked asked;

    assert_quantity_refused(&asked, "shift", "encoding=sinusoidal&dim=7&odd=extra_sine&shift=1",
                            POSENC_CONFLICT, "dim");
    asked_release(&asked);
    assert_quantity_refused(&asked, "shift", "encoding=sinusoidal&dim=8&shift=9e15&position=9e15",
                            POSENC_OUT_OF_RANGE, "shift");
    asked_release(&asked);
    assert_quantity_refused(&asked, "shift", "encoding=sinusoidal&dim=8", POSENC_MISSING_PARAMETER,
                            "shift");
    asked_release(&asked);
}
