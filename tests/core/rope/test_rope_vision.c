/* Images and videos: which pair follows which axis at which frequency, and where tokens stand. */
#include <math.h>

#include "asking.h"

/* float64 tables are right to two ulp of 1. */
#define TABLE_ERROR 4.5e-16

/* Rotated vectors of numbers below 16 carry a few ulp of that. */
#define ROTATION_ERROR 1e-14

#define F64                                                                                        \
    {                                                                                              \
        "dtype", posenc_text("float64")                                                            \
    }
#define DIM(n)                                                                                     \
    {                                                                                              \
        "dim", posenc_number(n)                                                                    \
    }
#define LAID(l)                                                                                    \
    {                                                                                              \
        "layout", posenc_text(l)                                                                   \
    }
#define SET(p)                                                                                     \
    {                                                                                              \
        "preset", posenc_text(p)                                                                   \
    }

struct axis_row {
    const char *preset;
    double dim;
    size_t axes;
    const char *expected;
};

static const struct axis_row axis_rows[] = {
    {"pixtral", 16, 2, "HHHHWWWW"},         {"qwen2_vl_vision", 8, 2, "HHWW"},
    {"llama4_vision", 8, 2, "WWHH"},        {"sam2", 8, 2, "WWHH"},
    {"vjepa2", 20, 3, "TTTHHHWWW"},         {"gemma4_vision", 8, 2, "WWHH"},
    {"kimi_k25_vision", 16, 2, "WHWHWHWH"},
};

Test(rope_vision, each_pair_follows_the_axis_of_its_rule)
{
    static const double origin[3];

    for (size_t i = 0; i < sizeof(axis_rows) / sizeof(*axis_rows); i++) {
        struct asked asked;

        ask(&asked, "rope", "table", SET(axis_rows[i].preset), DIM(axis_rows[i].dim),
            {"positions", asking_rows(axis_rows[i].axes, 1, origin)});
        cr_expect_str_eq(asked_text(&asked, "axis_per_pair"), axis_rows[i].expected, "%s",
                         axis_rows[i].preset);
        posenc_memory_release(&asked.memory);
    }
}

/* The angles of one token: cos and sin of each. */
static void expect_angles(const struct asked *asked, const double *angles, size_t count)
{
    double cosines[16], sines[16];

    for (size_t i = 0; i < count; i++) {
        cosines[i] = cos(angles[i]);
        sines[i] = sin(angles[i]);
    }
    expect_values(asked, "cos", cosines, count, TABLE_ERROR);
    expect_values(asked, "sin", sines, count, TABLE_ERROR);
}

Test(rope_vision, pixtral_deals_its_frequencies_by_turns)
{
    struct asked asked;

    ask(&asked, "rope", "table", SET("pixtral"), DIM(8), F64, {"positions", ROWS(2, 1, 2, 3)});
    expect_angles(&asked, (const double[]){2, 0.02, 0.3, 0.003}, 4);
    posenc_memory_release(&asked.memory);
}

Test(rope_vision, llama4_counts_columns_first_and_from_one)
{
    struct asked asked;

    ask(&asked, "rope", "table", SET("llama4_vision"), DIM(8), F64,
        {"positions", ROWS(2, 1, 2, 1)});
    expect_angles(&asked, (const double[]){3, 0.03, 2, 0.02}, 4);
    posenc_memory_release(&asked.memory);
}

Test(rope_vision, dinov3_scales_patch_centres_to_its_grid)
{
    const double turn = 2 * acos(-1);
    struct asked asked;

    ask(&asked, "rope", "table", SET("dinov3"), DIM(8), F64, {"grid", LIST(4, 4)},
        {"positions", ROWS(2, 1, 2, 1)});
    expect_angles(&asked, (const double[]){turn * 0.25, turn * 0.025, turn * -0.25, turn * -0.025},
                  4);
    posenc_memory_release(&asked.memory);
}

Test(rope_vision, a_token_without_a_position_does_not_turn)
{
    const struct posenc_value columns[] = {posenc_number(4), posenc_null()};
    const struct posenc_value lists[] = {
        {.kind = POSENC_LIST, .as.list = {columns, 2}},
        {.kind = POSENC_LIST, .as.list = {columns, 2}},
    };
    const struct posenc_value positions = {.kind = POSENC_LIST, .as.list = {lists, 2}};
    struct asked asked;

    ask(&asked, "rope", "table", SET("llama4_vision"), DIM(4), F64, {"positions", positions});
    EXPECT_VALUES(&asked, "cos", TABLE_ERROR, cos(5.0), cos(5.0), 1, 1);
    posenc_memory_release(&asked.memory);
}

Test(rope_vision, a_grid_names_its_cells_row_by_row)
{
    struct asked of_grid, of_lists;

    ask(&of_grid, "rope", "table", SET("sam2"), DIM(8), {"grid", LIST(2, 3)});
    ask(&of_lists, "rope", "table", SET("sam2"), DIM(8),
        {"positions", ROWS(2, 6, 0, 1, 2, 0, 1, 2, 0, 0, 0, 1, 1, 1)});
    for (size_t i = 0; i < 24; i++)
        cr_expect_eq(asked_value(&of_grid, "sin", i), asked_value(&of_lists, "sin", i));
    posenc_memory_release(&of_grid.memory);
    posenc_memory_release(&of_lists.memory);
}

Test(rope_vision, a_grid_of_a_video_names_frames_first)
{
    struct asked asked;

    ask(&asked, "rope", "table", SET("vjepa2"), DIM(6), F64, {"grid", LIST(2, 1, 3)});
    EXPECT_VALUES(&asked, "sin", TABLE_ERROR, 0, 0, 0, 0, 0, sin(1.0), 0, 0, sin(2.0), sin(1.0), 0,
                  0, sin(1.0), 0, sin(1.0), sin(1.0), 0, sin(2.0));
    posenc_memory_release(&asked.memory);
}

/* 1 to 8 at position 3, base 10000, angles tiled over adjacent channels. */
#define MIXED                                                                                      \
    -1.2722325127201799, 2.2061931849125516, 2.8786681004369799, 4.0089819865135061,               \
        -5.7966825313614306, 7.209619968060334, 6.7568862346229473, 8.0209639685270142

Test(rope_vision, vjepa2_turns_three_parts_and_leaves_the_rest)
{
    struct asked asked;

    ask(&asked, "rope", "apply", SET("vjepa2"), F64,
        {"x", ROWS(1, 26, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                   10)},
        {"positions", ROWS(3, 1, 3, 3, 3)});
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, MIXED, MIXED, MIXED, 9, 10);
    posenc_memory_release(&asked.memory);
}

Test(rope_vision, gemma4_turns_each_half_by_itself)
{
    struct asked asked;

    ask(&asked, "rope", "apply", SET("gemma4_vision"), F64,
        {"x", ROWS(1, 8, 1, 2, 3, 4, 5, 6, 7, 8)}, {"positions", ROWS(2, 1, 3, 0)});
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, cos(3.0) - 3 * sin(3.0), 2 * cos(0.3) - 4 * sin(0.3),
                  3 * cos(3.0) + sin(3.0), 4 * cos(0.3) + 2 * sin(0.3), 5, 6, 7, 8);
    posenc_memory_release(&asked.memory);
}

Test(rope_vision, a_half_table_repeats_each_part_by_itself)
{
    struct asked asked;

    ask(&asked, "rope", "table", SET("gemma4_vision"), DIM(8), F64,
        {"table_layout", posenc_text("half")}, {"positions", ROWS(2, 1, 3, 2)});
    EXPECT_VALUES(&asked, "sin", TABLE_ERROR, sin(3.0), sin(0.3), sin(3.0), sin(0.3), sin(2.0),
                  sin(0.2), sin(2.0), sin(0.2));
    posenc_memory_release(&asked.memory);
}

Test(rope_vision, inverse_gives_the_image_back)
{
    struct asked there, back;
    double turned[8];

    ask(&there, "rope", "apply", SET("kimi_k25_vision"), LAID("interleaved"), F64,
        {"x", ROWS(1, 8, 1, 2, 3, 4, 5, 6, 7, 8)}, {"positions", ROWS(2, 1, 31, 17)});
    for (size_t i = 0; i < 8; i++)
        turned[i] = asked_value(&there, "x", i);
    ask(&back, "rope", "apply", SET("kimi_k25_vision"), LAID("interleaved"), F64,
        {"inverse", posenc_boolean(true)}, {"x", asking_rows(1, 8, turned)},
        {"positions", ROWS(2, 1, 31, 17)});
    EXPECT_VALUES(&back, "x", ROTATION_ERROR, 1, 2, 3, 4, 5, 6, 7, 8);
    posenc_memory_release(&there.memory);
    posenc_memory_release(&back.memory);
}

Test(rope_vision, refuses_what_an_image_cannot_be)
{
    struct asked asked;

    ask(&asked, "rope", "table", DIM(8), {"grid", LIST(2, 2)});
    expect_refusal(&asked, POSENC_CONFLICT, "grid");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", SET("pixtral"), DIM(8), {"grid", LIST(2, 2, 2)});
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "grid");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", SET("pixtral"), DIM(8), {"grid", LIST(2, 2)},
        {"positions", ROWS(2, 1, 0, 0)});
    expect_refusal(&asked, POSENC_CONFLICT, "grid");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", SET("pixtral"), DIM(8), {"positions", ROWS(3, 1, 0, 0, 0)});
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "positions");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", SET("pixtral"), DIM(8), {"length", posenc_number(4)});
    expect_refusal(&asked, POSENC_MISSING_PARAMETER, "positions");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", SET("dinov3"), DIM(8), {"positions", ROWS(2, 1, 0, 0)});
    expect_refusal(&asked, POSENC_MISSING_PARAMETER, "grid");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", SET("pixtral"), DIM(6), {"grid", LIST(2, 2)});
    expect_refusal(&asked, POSENC_CONFLICT, "rotary_dim");
    posenc_memory_release(&asked.memory);
}

Test(rope_vision, only_images_have_tokens_without_a_position)
{
    const struct posenc_value items[] = {posenc_number(0), posenc_null()};
    const struct posenc_value positions = {.kind = POSENC_LIST, .as.list = {items, 2}};
    struct asked asked;

    ask(&asked, "rope", "table", DIM(8), {"positions", positions});
    expect_refusal(&asked, POSENC_WRONG_TYPE, "positions.1");
    posenc_memory_release(&asked.memory);
    ask(&asked, "sinusoidal", "table", DIM(8), {"positions", positions});
    expect_refusal(&asked, POSENC_WRONG_TYPE, "positions.1");
    posenc_memory_release(&asked.memory);
}
