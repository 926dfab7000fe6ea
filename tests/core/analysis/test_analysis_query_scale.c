/* Query scales as a quantity: positions in, factors out. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "quantity.h"

#define TWO_ULP 0x1p-51 /* of 1 */

Test(analysis_query_scale, follows_the_rule_at_each_position)
{
    static const double expected[] = {1, 1, 1.0693147180559945, 1.109861228866811};
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "query_scale",
                              "rule=ministral3&beta=0.1&original_max_position_embeddings=16384&"
                              "positions=0,16383,16384,32768&dtype=float64"),
                 POSENC_OK);
    assert_tensor_near(&asked, "query_scale", expected, 4, TWO_ULP);
    cr_expect_null(asked.result.encoding);
    asked_release(&asked);
}

Test(analysis_query_scale, refuses_positions_before_the_first)
{
    static const char rule[] = "rule=qwen1_logn&seq_length=4";
    char query[96];
    struct asked asked;

    (void)snprintf(query, sizeof(query), "%s&positions=3,-1", rule);
    assert_quantity_refused(&asked, "query_scale", query, POSENC_OUT_OF_RANGE, "positions");
    asked_release(&asked);
    (void)snprintf(query, sizeof(query), "%s&length=3&offset=1&step=-1", rule);
    assert_quantity_refused(&asked, "query_scale", query, POSENC_OUT_OF_RANGE, "offset");
    asked_release(&asked);
    (void)snprintf(query, sizeof(query), "%s&length=2&offset=1&step=-1", rule);
    cr_expect_eq(ask_quantity(&asked, "query_scale", query), POSENC_OK);
    asked_release(&asked);
}

Test(analysis_query_scale, has_no_encoding)
{
    struct asked asked;

    assert_quantity_refused(&asked, "query_scale",
                            "encoding=rope&rule=qwen1_logn&seq_length=4&length=3",
                            POSENC_UNKNOWN_PARAMETER, "encoding");
    asked_release(&asked);
}
