/* Offsets, and the first whose value falls below a threshold. */
#include <criterion/criterion.h>

#include "quantity.h"

Test(analysis_profile, offsets_are_those_given_or_count_up_to_the_length)
{
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "dot_by_offset", "encoding=sinusoidal&dim=8&length=5"),
                 POSENC_OK);
    cr_expect_eq(posenc_find_tensor(&asked.result, "dot_by_offset")->count, 5);
    asked_release(&asked);
    cr_assert_eq(
        ask_quantity(&asked, "dot_by_offset", "encoding=sinusoidal&dim=8&length=5&offsets=2,1"),
        POSENC_OK);
    cr_expect_eq(posenc_find_tensor(&asked.result, "dot_by_offset")->count, 2);
    asked_release(&asked);
    assert_quantity_refused(&asked, "dot_by_offset", "encoding=sinusoidal&dim=8",
                            POSENC_MISSING_PARAMETER, "offsets");
    asked_release(&asked);
}

/* Where the mean cosine of these widths first is below one half, by 50-digit arithmetic. */
Test(analysis_profile, tells_the_first_offset_below_a_threshold)
{
    static const struct {
        const char *query;
        double first;
    } cases[] = {{"encoding=sinusoidal&dim=8&length=60&threshold=0.5", 3},
                 {"encoding=sinusoidal&dim=64&length=60&threshold=0.5", 28},
                 {"encoding=sinusoidal&dim=512&length=60&threshold=0.5", 54}};
    struct asked asked;

    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(ask_quantity(&asked, "decay", cases[i].query), POSENC_OK);
        cr_expect_eq(derived_value(&asked, "first_offset_below")->as.number, cases[i].first);
        asked_release(&asked);
    }
    cr_assert_eq(ask_quantity(&asked, "decay", "encoding=rope&dim=8&length=9&threshold=-9"),
                 POSENC_OK);
    cr_expect_eq(derived_value(&asked, "first_offset_below")->kind, POSENC_NULL);
    asked_release(&asked);
}

Test(analysis_profile, tells_it_for_each_head_of_a_bias)
{
    struct asked asked;

    cr_assert_eq(
        ask_quantity(&asked, "decay", "encoding=alibi&slopes=1,0.25&offsets=0,2,5&threshold=-1"),
        POSENC_OK);
    const struct posenc_value *first = derived_value(&asked, "first_offset_below");

    cr_assert_eq(first->kind, POSENC_LIST);
    cr_assert_eq(first->as.list.count, 2);
    cr_expect_eq(first->as.list.items[0].as.number, 2);
    cr_expect_eq(first->as.list.items[1].as.number, 5);
    asked_release(&asked);
}

Test(analysis_profile, refuses_to_look_through_too_many_numbers_at_once)
{
    static const char endless[] = "encoding=sinusoidal&dim=512&length=1000000&threshold=-600";
    struct asked asked;

    assert_quantity_refused(&asked, "dot_by_offset", endless, POSENC_TOO_LARGE, "length");
    asked_release(&asked);
    cr_assert_eq(
        ask_quantity(&asked, "dot_by_offset", "encoding=sinusoidal&dim=512&length=1000000"),
        POSENC_OK); /* the values themselves are computed as they are asked for */
    asked_release(&asked);
}
