/* Weight rows between rotary layouts. */
#include "asking.h"

#define HEADS(n)                                                                                   \
    {                                                                                              \
        "heads", posenc_number(n)                                                                  \
    }
#define DIM(n)                                                                                     \
    {                                                                                              \
        "dim", posenc_number(n)                                                                    \
    }
#define FROM(l)                                                                                    \
    {                                                                                              \
        "from", posenc_text(l)                                                                     \
    }
#define TO(l)                                                                                      \
    {                                                                                              \
        "to", posenc_text(l)                                                                       \
    }

Test(permutation, adjacent_pairs_become_halves)
{
    struct asked asked;

    ask(&asked, NULL, "permutation", HEADS(2), {"kv_heads", posenc_number(1)}, DIM(6),
        FROM("interleaved"), TO("half"));
    EXPECT_VALUES(&asked, "q_rows", 0, 0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11);
    EXPECT_VALUES(&asked, "k_rows", 0, 0, 2, 4, 1, 3, 5);
    cr_expect_eq(posenc_find_tensor(&asked.result, "q_rows")->dtype, POSENC_INT64);
    posenc_memory_release(&asked.memory);
}

Test(permutation, there_and_back_is_the_identity)
{
    struct asked there, back;

    ask(&there, NULL, "permutation", HEADS(3), DIM(10), {"rotary_dim", posenc_number(6)},
        {"rotary_offset", posenc_number(3)}, FROM("half"), TO("interleaved"));
    ask(&back, NULL, "permutation", HEADS(3), DIM(10), {"rotary_dim", posenc_number(6)},
        {"rotary_offset", posenc_number(3)}, FROM("interleaved"), TO("half"));
    for (size_t row = 0; row < 30; row++) {
        const size_t middle = (size_t)asked_value(&back, "q_rows", row);

        cr_expect_eq(asked_value(&there, "q_rows", middle), (double)row);
    }
    posenc_memory_release(&there.memory);
    posenc_memory_release(&back.memory);
}

Test(permutation, rows_that_do_not_turn_stay)
{
    struct asked asked;

    ask(&asked, NULL, "permutation", HEADS(1), DIM(8), {"rotary_dim", posenc_number(4)},
        {"rotary_offset", posenc_number(4)}, FROM("half"), TO("interleaved"));
    EXPECT_VALUES(&asked, "q_rows", 0, 0, 1, 2, 3, 4, 6, 5, 7);
    posenc_memory_release(&asked.memory);
}

Test(permutation, weights_of_the_deinterleaved_layout_stand_pair_by_pair)
{
    struct asked asked;

    ask(&asked, NULL, "permutation", HEADS(1), DIM(4), FROM("deinterleaved"), TO("interleaved"));
    EXPECT_VALUES(&asked, "q_rows", 0, 0, 1, 2, 3);
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "permutation", HEADS(1), DIM(4), FROM("deinterleaved"), TO("half"));
    EXPECT_VALUES(&asked, "q_rows", 0, 0, 2, 1, 3);
    posenc_memory_release(&asked.memory);
}

Test(permutation, refuses_heads_and_widths_that_do_not_fit)
{
    struct asked asked;

    ask(&asked, NULL, "permutation", HEADS(4), DIM(7), FROM("half"), TO("half"));
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "dim");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "permutation", HEADS(4), DIM(8), {"rotary_dim", posenc_number(10)},
        FROM("half"), TO("half"));
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "rotary_dim");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "permutation", HEADS(4), DIM(8), {"rotary_dim", posenc_number(6)},
        {"rotary_offset", posenc_number(4)}, FROM("half"), TO("half"));
    expect_refusal(&asked, POSENC_CONFLICT, "rotary_offset");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "permutation", HEADS(4), {"kv_heads", posenc_number(3)}, DIM(8), FROM("half"),
        TO("half"));
    expect_refusal(&asked, POSENC_CONFLICT, "kv_heads");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "permutation", HEADS(4), DIM(8), FROM("half"));
    expect_refusal(&asked, POSENC_MISSING_PARAMETER, "to");
    posenc_memory_release(&asked.memory);
}
