/* Rotation by the caller's own tables: a linear map, whatever the numbers. */
#include "asking.h"

/* Sums of two products of numbers below 100. */
#define SUM_ERROR 1e-13

#define F64                                                                                        \
    {                                                                                              \
        "dtype", posenc_text("float64")                                                            \
    }

#define COS                                                                                        \
    {                                                                                              \
        "cos", ROWS(3, 2, 10, 20, 30, 40, 50, 60)                                                  \
    }
#define SIN                                                                                        \
    {                                                                                              \
        "sin", ROWS(3, 2, 1, 2, 3, 4, 5, 6)                                                        \
    }

Test(rope_given, rows_are_found_by_position)
{
    struct asked asked;

    ask(&asked, "rope", "apply", F64, COS, SIN, {"layout", posenc_text("half")},
        {"positions", LIST(2, 0)}, {"x", ROWS(2, 4, 1, 2, 3, 4, 5, 6, 7, 8)});
    EXPECT_VALUES(&asked, "x", SUM_ERROR, 50 - 15, 120 - 24, 150 + 5, 240 + 12, 50 - 7, 120 - 16,
                  70 + 5, 160 + 12);
    posenc_memory_release(&asked.memory);
}

Test(rope_given, rows_follow_the_sequence_without_positions)
{
    struct asked asked;

    ask(&asked, "rope", "apply", F64, COS, SIN, {"layout", posenc_text("interleaved")},
        {"offset", posenc_number(1)}, {"x", ROWS(2, 4, 1, 2, 3, 4, 1, 0, 0, 1)});
    EXPECT_VALUES(&asked, "x", SUM_ERROR, 30 - 6, 60 + 3, 120 - 16, 160 + 12, 50, 5, -6, 60);
    posenc_memory_release(&asked.memory);
}

Test(rope_given, each_batch_may_have_its_own_positions)
{
    const double ones[] = {1, 0, 0, 0, 1, 0, 0, 0};
    const struct posenc_array x = {
        .dtype = POSENC_FLOAT64, .rank = 3, .shape = {2, 1, 4}, .data = ones};
    struct asked asked;

    ask(&asked, "rope", "apply", F64, COS, SIN, {"layout", posenc_text("half")},
        {"positions", ROWS(2, 1, 1, 2)}, {"x", posenc_nested(&x)});
    EXPECT_VALUES(&asked, "x", SUM_ERROR, 30, 0, 3, 0, 50, 0, 5, 0);
    posenc_memory_release(&asked.memory);
}

Test(rope_given, each_batch_may_have_its_own_table)
{
    const double ones[] = {1, 0, 0, 0, 1, 0, 0, 0}, cosines[] = {10, 20, 30, 40},
                 sines[] = {1, 2, 3, 4};
    const struct posenc_array x = {
        .dtype = POSENC_FLOAT64, .rank = 3, .shape = {2, 1, 4}, .data = ones};
    const struct posenc_array cos_table = {
        .dtype = POSENC_FLOAT64, .rank = 3, .shape = {2, 1, 2}, .data = cosines};
    const struct posenc_array sin_table = {
        .dtype = POSENC_FLOAT64, .rank = 3, .shape = {2, 1, 2}, .data = sines};
    struct asked asked;

    ask(&asked, "rope", "apply", F64, {"layout", posenc_text("half")},
        {"cos", posenc_nested(&cos_table)}, {"sin", posenc_nested(&sin_table)},
        {"x", posenc_nested(&x)});
    EXPECT_VALUES(&asked, "x", SUM_ERROR, 10, 0, 1, 0, 30, 0, 3, 0);
    posenc_memory_release(&asked.memory);
}

Test(rope_given, part_of_the_channels_turns_and_inverse_negates_the_sine)
{
    struct asked asked;

    ask(&asked, "rope", "apply", F64, {"cos", ROWS(1, 1, 10)}, {"sin", ROWS(1, 1, 1)},
        {"layout", posenc_text("half")}, {"rotary_dim", posenc_number(2)},
        {"inverse", posenc_boolean(true)}, {"x", ROWS(1, 4, 1, 2, 3, 4)});
    EXPECT_VALUES(&asked, "x", SUM_ERROR, 10 + 2, 20 - 1, 3, 4);
    posenc_memory_release(&asked.memory);
}

Test(rope_given, refuses_what_the_tables_do_not_hold)
{
    struct asked asked;

    ask(&asked, "rope", "apply", COS, SIN, {"layout", posenc_text("half")},
        {"positions", LIST(0, 3)}, {"x", ROWS(2, 4, 1, 2, 3, 4, 5, 6, 7, 8)});
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "positions.1");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "apply", COS, SIN, {"layout", posenc_text("half")},
        {"positions", LIST(0.5)}, {"x", ROWS(1, 4, 1, 2, 3, 4)});
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "positions.0");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "apply", COS, {"layout", posenc_text("half")},
        {"x", ROWS(1, 4, 1, 2, 3, 4)});
    expect_refusal(&asked, POSENC_MISSING_PARAMETER, "sin");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "apply", COS, SIN, {"layout", posenc_text("half")},
        {"x", ROWS(1, 6, 1, 2, 3, 4, 5, 6)});
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "cos");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "apply", COS, SIN, {"layout", posenc_text("half")},
        {"base", posenc_number(500)}, {"x", ROWS(1, 4, 1, 2, 3, 4)});
    expect_refusal(&asked, POSENC_CONFLICT, "base");
    posenc_memory_release(&asked.memory);
}
