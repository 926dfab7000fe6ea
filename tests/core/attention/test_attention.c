/* The tool: shapes, masks, terms, linear attention, and how encodings take part. */
#include <math.h>

#include "attending.h"

/* Sums of a few products of numbers below 10. */
#define SUM_ERROR 1e-14

Test(attention, the_last_query_stands_at_the_last_key)
{
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("none"), CAUSAL, SCALE(1), F64, {"q", ROWS(2, 1, 1, 2)},
        {"k", ROWS(3, 1, 1, 2, 3)}, {"v", ROWS(3, 1, 1, 1, 1)});
    EXPECT_VALUES(&asked, "scores", 0, 1, 2, HIDDEN, 2, 4, 6);
    EXPECT_VALUES(&asked, "output", SUM_ERROR, 1, 1);
    posenc_memory_release(&asked.memory);
}

Test(attention, positions_hide_keys_that_lie_after)
{
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("none"), CAUSAL, SCALE(1), F64, {"q", ROWS(1, 1, 1)},
        {"k", ROWS(3, 1, 1, 2, 3)}, {"q_positions", LIST(5)}, {"k_positions", LIST(9, 5, 4)});
    EXPECT_VALUES(&asked, "scores", 0, HIDDEN, 2, 3);
    posenc_memory_release(&asked.memory);
}

Test(attention, a_row_without_keys_gives_zeros)
{
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("none"), CAUSAL, F64, {"q", ROWS(2, 1, 1, 1)},
        {"k", ROWS(1, 1, 1)}, {"v", ROWS(1, 2, 3, 4)});
    EXPECT_VALUES(&asked, "weights", 0, 0, 1);
    EXPECT_VALUES(&asked, "output", 0, 0, 0, 3, 4);
    posenc_memory_release(&asked.memory);
}

Test(attention, query_heads_share_key_heads)
{
    const double q[] = {1, 2, 3, 4}, k[] = {10, 100};
    const struct posenc_array queries = {
        .dtype = POSENC_FLOAT64, .rank = 3, .shape = {4, 1, 1}, .data = q};
    const struct posenc_array keys = {
        .dtype = POSENC_FLOAT64, .rank = 3, .shape = {2, 1, 1}, .data = k};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("none"), OPEN, SCALE(1), F64,
        {"q", posenc_nested(&queries)}, {"k", posenc_nested(&keys)}, {"v", posenc_nested(&keys)});
    EXPECT_VALUES(&asked, "scores", 0, 10, 20, 300, 400);
    EXPECT_VALUES(&asked, "output", 0, 10, 10, 100, 100);
    posenc_memory_release(&asked.memory);
}

Test(attention, four_terms_make_the_score)
{
    const struct posenc_member dim = {"dim", posenc_number(2)};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("sinusoidal"), OPEN, F64, SCALE(0.5),
        {"parameters", posenc_object(&dim, 1)}, {"terms", posenc_boolean(true)},
        {"q", ROWS(1, 2, 3, 4)}, {"k", ROWS(1, 2, 5, 6)}, {"q_positions", LIST(1)},
        {"k_positions", LIST(2)});
    EXPECT_VALUES(&asked, "content_content", SUM_ERROR, 19.5);
    EXPECT_VALUES(&asked, "content_position", SUM_ERROR, 1.5 * sin(2.0) + 2 * cos(2.0));
    EXPECT_VALUES(&asked, "position_content", SUM_ERROR, 2.5 * sin(1.0) + 3 * cos(1.0));
    EXPECT_VALUES(&asked, "position_position", SUM_ERROR, 0.5 * cos(1.0));
    EXPECT_VALUES(&asked, "scores", SUM_ERROR,
                  19.5 + 1.5 * sin(2.0) + 2 * cos(2.0) + 2.5 * sin(1.0) + 3 * cos(1.0) +
                      0.5 * cos(1.0));
    posenc_memory_release(&asked.memory);
}

Test(attention, memory_that_ends_is_an_answer)
{
    const struct posenc_member layout = {"layout", posenc_text("half")};
    const struct posenc_member members[] = {UNDER("rope"),
                                            CAUSAL,
                                            {"parameters", posenc_object(&layout, 1)},
                                            {"q", ROWS(1, 4, 1, 2, 3, 4)},
                                            {"k", ROWS(1, 4, 1, 2, 3, 4)},
                                            {"v", ROWS(1, 1, 1)}};
    const struct posenc_value input = posenc_object(members, sizeof(members) / sizeof(*members));
    const struct posenc_operation *tool = posenc_find_tool("attention");
    const struct posenc_schema schema = {.groups = tool->groups, .takes_tensors = true};
    enum posenc_status status = POSENC_NO_MEMORY;

    for (size_t limit = 0; status != POSENC_OK; limit += 256) {
        struct asked asked;

        memset(&asked, 0, sizeof(asked));
        posenc_memory_init(&asked.memory, limit);
        status = posenc_bind(&schema, &input, &asked.memory, &asked.arguments, &asked.problem);
        if (status == POSENC_OK)
            status = posenc_plan(NULL, tool, &asked.arguments, &asked.memory, &asked.result,
                                 &asked.problem);
        cr_assert(status == POSENC_OK || status == POSENC_NO_MEMORY);
        posenc_memory_release(&asked.memory);
        cr_assert_lt(limit, (size_t)1 << 22);
    }
}
