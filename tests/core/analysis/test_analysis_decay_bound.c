/* RoPE's decay bound against values of 50-digit arithmetic, and its value at no distance. */
#include <criterion/criterion.h>

#include "quantity.h"

Test(analysis_decay_bound, falls_as_expected_for_dim_128)
{
    /* By 50-digit arithmetic, to three digits. */
    static const double expected[] = {32.5, 31.5, 29.0, 20.8, 18.0, 12.6, 4.47};
    static const double half_a_digit[] = {0, 0.05, 0.05, 0.05, 0.05, 0.05, 0.005};
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "decay_bound",
                              "encoding=rope&dim=128&offsets=0,1,2,5,10,50,1000&dtype=float64"),
                 POSENC_OK);
    const double *values = asked_values(&asked, "decay_bound");

    for (size_t i = 0; i < 7; i++)
        cr_expect_leq(values[i] > expected[i] ? values[i] - expected[i] : expected[i] - values[i],
                      half_a_digit[i], "%zu: %.17g", i, values[i]);
    asked_release(&asked);
}

Test(analysis_decay_bound, is_right_to_a_few_ulp)
{
    static const double expected[] = {2.5, 2.292506708053788, 1.7432497858475582,
                                      0.991899562142356};
    const double four_cosines = 4 * 0x1p-51; /* two ulp of 1 for each term */
    struct asked asked;

    cr_assert_eq(
        ask_quantity(&asked, "decay_bound", "encoding=rope&dim=8&offsets=0,1,2,10&dtype=float64"),
        POSENC_OK);
    assert_tensor_near(&asked, "decay_bound", expected, 4, four_cosines);
    asked_release(&asked);
}

Test(analysis_decay_bound, is_the_same_in_both_directions)
{
    struct asked there, back;

    cr_assert_eq(ask_quantity(&there, "decay_bound", "encoding=rope&dim=8&offsets=3"), POSENC_OK);
    cr_assert_eq(ask_quantity(&back, "decay_bound", "encoding=rope&dim=8&offsets=-3&direction=-1"),
                 POSENC_OK);
    assert_tensor_near(&back, "decay_bound", asked_values(&there, "decay_bound"), 1, 0);
    asked_release(&there);
    asked_release(&back);
}
