/* Scores against distance, of waves and of biases. */
#include <criterion/criterion.h>
#include <math.h>

#include "quantity.h"

#define TWO_ULP 0x1p-51 /* of 1: what float64 tables promise */

Test(analysis_decay, of_waves_is_the_mean_cosine)
{
    /* cos(k) + cos(k / 100), halved */
    const double expected[] = {1, (cos(1.0) + cos(0.01)) / 2, (cos(30.0) + cos(0.3)) / 2};
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "decay", "encoding=rope&dim=4&offsets=0,1,30&dtype=float64"),
                 POSENC_OK);
    assert_tensor_near(&asked, "decay", expected, 3, TWO_ULP);
    asked_release(&asked);
}

Test(analysis_decay, of_a_bias_is_what_the_last_query_sees_of_each_head)
{
    const double alibi[] = {0, -0.75, -1.75, 0, -3, -7}; /* exact products */
    const double kerple[] = {0, -1.5 * log(1 + 0.5 * 3), -1.5 * log(1 + 0.5 * 7)};
    struct asked asked;

    cr_assert_eq(
        ask_quantity(&asked, "decay", "encoding=alibi&slopes=0.25,1&offsets=0,3,7&dtype=float64"),
        POSENC_OK);
    assert_tensor_near(&asked, "decay", alibi, 6, 0);
    asked_release(&asked);
    cr_assert_eq(ask_quantity(&asked, "decay",
                              "encoding=kerple&kind=log&p=1.5&a=0.5&offsets=0,3,7&dtype=float64"),
                 POSENC_OK);
    assert_tensor_near(&asked, "decay", kerple, 3, 4 * TWO_ULP); /* values near 2 */
    asked_release(&asked);
}

Test(analysis_decay, of_a_learned_bias_needs_its_table)
{
    const double table[] = {1, 2, 3, 4};
    const struct posenc_member member = {"table", support_array(table, 2, (size_t[]){4, 1})};
    const double expected[] = {1, 2};
    struct asked asked;

    assert_quantity_refused(&asked, "decay", "encoding=t5&bidirectional=true&offsets=1",
                            POSENC_CONFLICT, "encoding");
    asked_release(&asked);
    cr_assert_eq(ask_quantity_with(&asked, "decay",
                                   "encoding=t5&bidirectional=true&num_buckets=4&max_distance=8&"
                                   "offsets=0,5",
                                   &member, 1),
                 POSENC_OK, "%s", asked.problem.detail);
    assert_tensor_near(&asked, "decay", expected, 2, 0);
    asked_release(&asked);
}

Test(analysis_decay, refuses_distances_that_no_key_has)
{
    struct asked asked;

    assert_quantity_refused(&asked, "decay", "encoding=alibi&heads=2&offsets=-1",
                            POSENC_OUT_OF_RANGE, "offsets");
    asked_release(&asked);
    assert_quantity_refused(&asked, "decay", "encoding=alibi&heads=2&offsets=0.5",
                            POSENC_OUT_OF_RANGE, "offsets");
    asked_release(&asked);
    assert_quantity_refused(&asked, "decay", "encoding=alibi&heads=2&offsets=4&key_length=4",
                            POSENC_CONFLICT, "offsets");
    asked_release(&asked);
}
