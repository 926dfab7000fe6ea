/* Positions of several axes, and which of them each pair follows. */
#include <math.h>

#include "asking.h"

/* float64 tables are right to two ulp of 1. */
#define TABLE_ERROR 4.5e-16

#define DIM(n)                                                                                     \
    {                                                                                              \
        "dim", posenc_number(n)                                                                    \
    }
#define ORDER(o)                                                                                   \
    {                                                                                              \
        "mrope_order", posenc_text(o)                                                              \
    }
#define SECTIONS(...)                                                                              \
    {                                                                                              \
        "mrope_section", LIST(__VA_ARGS__)                                                         \
    }
#define ZEROS                                                                                      \
    {                                                                                              \
        "positions", ROWS(3, 1, 0, 0, 0)                                                           \
    }

/* Published sections, and a small set for each order. */
struct dealing {
    const char *order;
    double sections[3];
    const char *axes;
};

static const struct dealing dealings[] = {
    {"chunked", {16, 24, 24}, "TTTTTTTTTTTTTTTTHHHHHHHHHHHHHHHHHHHHHHHHWWWWWWWWWWWWWWWWWWWWWWWW"},
    {"chunked", {8, 12, 12}, "TTTTTTTTHHHHHHHHHHHHWWWWWWWWWWWW"},
    {"interleaved",
     {24, 20, 20},
     "THWTHWTHWTHWTHWTHWTHWTHWTHWTHWTHWTHWTHWTHWTHWTHWTHWTHWTHWTHWTTTT"},
    {"interleaved", {11, 11, 10}, "THWTHWTHWTHWTHWTHWTHWTHWTHWTHWTH"},
    {"ernie", {22, 22, 20}, "HWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWHWTTTTTTTTTTTTTTTTTTTT"},
    {"chunked", {0, 1, 3}, "HWWW"},
    {"interleaved", {3, 1, 0}, "THTT"},
    {"ernie", {1, 1, 2}, "HWTT"},
    {"ernie", {0, 0, 4}, "TTTT"},
};

Test(rope_axes, each_order_deals_the_pairs_of_its_models)
{
    for (size_t i = 0; i < sizeof(dealings) / sizeof(*dealings); i++) {
        const struct dealing *row = &dealings[i];
        struct asked asked;

        ask(&asked, "rope", "table", DIM(2 * (double)strlen(row->axes)), ORDER(row->order),
            {"mrope_section", posenc_numbers(row->sections, 3)}, ZEROS);
        cr_expect_str_eq(asked_text(&asked, "axis_per_pair"), row->axes, "%s", row->order);
        posenc_memory_release(&asked.memory);
    }
}

/* Angles of (t, h, w) = (5, 7, 9), base 1e6, by 40 digits. */
Test(rope_axes, a_pair_turns_by_its_axis_and_its_own_frequency)
{
    static const struct {
        const char *order;
        double sections[3];
        size_t pairs[3];
        double angles[3];
    } rows[] = {
        {"chunked", {16, 24, 24}, {0, 16, 40}, {5, 0.22135943621178655, 0.0016004514690350306}},
        {"interleaved", {24, 20, 20}, {0, 1, 2}, {5, 5.640895314330373, 5.844434684185901}},
    };

    for (size_t k = 0; k < 2; k++) {
        struct asked asked;

        ask(&asked, "rope", "table", DIM(128), ORDER(rows[k].order),
            {"dtype", posenc_text("float64")}, {"base", posenc_number(1e6)},
            {"mrope_section", posenc_numbers(rows[k].sections, 3)},
            {"positions", ROWS(3, 1, 5, 7, 9)});
        for (size_t i = 0; i < 3; i++) {
            cr_expect_float_eq(asked_value(&asked, "cos", rows[k].pairs[i]), cos(rows[k].angles[i]),
                               TABLE_ERROR);
            cr_expect_float_eq(asked_value(&asked, "sin", rows[k].pairs[i]), sin(rows[k].angles[i]),
                               TABLE_ERROR);
        }
        posenc_memory_release(&asked.memory);
    }
}

/* Text: every axis stands at the same place. */
Test(rope_axes, a_length_stands_for_three_equal_lists)
{
    struct asked of_length, of_lists;

    ask(&of_length, "rope", "table", DIM(8), ORDER("interleaved"), SECTIONS(2, 1, 1),
        {"length", posenc_number(3)}, {"offset", posenc_number(40)});
    ask(&of_lists, "rope", "table", DIM(8), ORDER("interleaved"), SECTIONS(2, 1, 1),
        {"positions", ROWS(3, 3, 40, 41, 42, 40, 41, 42, 40, 41, 42)});
    for (size_t i = 0; i < 12; i++)
        cr_expect_eq(asked_value(&of_length, "sin", i), asked_value(&of_lists, "sin", i));
    posenc_memory_release(&of_length.memory);
    posenc_memory_release(&of_lists.memory);
}

/* {"rope_type": "default", "mrope_section": ...} is multimodal, whatever the type says. */
Test(rope_axes, the_dictionarys_sections_and_flag_count_as_parameters)
{
    const struct posenc_member scaling[] = {{"rope_type", posenc_text("default")},
                                            {"mrope_section", LIST(24, 20, 20)},
                                            {"mrope_interleaved", posenc_boolean(true)}};
    struct asked asked;

    ask(&asked, "rope", "table", DIM(128), {"scaling", posenc_object(scaling, 3)}, ZEROS);
    cr_expect_str_eq(asked_text(&asked, "axis_per_pair"), dealings[2].axes);
    cr_expect_str_eq(posenc_find_argument(&asked.arguments, "mrope_order")->value.as.text,
                     "interleaved");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(128), {"scaling", posenc_object(scaling, 2)}, ZEROS);
    expect_refusal(&asked, POSENC_MISSING_PARAMETER, "mrope_order");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(128), {"scaling", posenc_object(scaling, 3)}, ZEROS,
        ORDER("chunked"));
    expect_refusal(&asked, POSENC_CONFLICT, "mrope_order");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(128), {"scaling", posenc_object(scaling, 3)}, ZEROS,
        SECTIONS(24, 20, 20));
    cr_expect_eq(asked.status, POSENC_OK);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(128), {"scaling", posenc_object(scaling, 3)}, ZEROS,
        SECTIONS(24, 21, 19));
    expect_refusal(&asked, POSENC_CONFLICT, "mrope_section");
    posenc_memory_release(&asked.memory);
}

/* The 16-channel head of which 4 pairs turn under proportional still has 8 pairs to deal. */
Test(rope_axes, sections_sum_to_the_pairs_that_there_are)
{
    const struct posenc_member proportional = {"rope_type", posenc_text("proportional")};
    struct asked asked;

    ask(&asked, "rope", "table", DIM(16), {"rotary_dim", posenc_number(8)}, ORDER("chunked"),
        SECTIONS(2, 1, 1), ZEROS);
    cr_expect_str_eq(asked_text(&asked, "axis_per_pair"), "TTHW");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(16), ORDER("chunked"), SECTIONS(2, 1, 1), ZEROS);
    expect_refusal(&asked, POSENC_CONFLICT, "mrope_section");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(16), {"rotary_dim", posenc_number(8)}, ORDER("chunked"),
        SECTIONS(2, 1, 1), ZEROS, {"scaling", posenc_object(&proportional, 1)});
    expect_refusal(&asked, POSENC_CONFLICT, "mrope_section");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(16), {"rotary_dim", posenc_number(8)}, ORDER("chunked"),
        SECTIONS(2, 3, 3), {"positions", ROWS(3, 1, 1, 2, 3)}, {"dtype", posenc_text("float64")},
        {"scaling", posenc_object(&proportional, 1)});
    cr_expect_str_eq(asked_text(&asked, "axis_per_pair"), "TTHHHWWW");
    EXPECT_VALUES(&asked, "sin", TABLE_ERROR, sin(1.0), sin(0.31622776601683794), sin(0.2),
                  sin(2 * 0.031622776601683794), 0, 0, 0, 0);
    posenc_memory_release(&asked.memory);
}

Test(rope_axes, refuses_sections_and_lists_that_are_not_three)
{
    struct asked asked;

    ask(&asked, "rope", "table", DIM(8), ORDER("chunked"), SECTIONS(2, 2), ZEROS);
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "mrope_section");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), ORDER("chunked"), SECTIONS(1, 1, 1, 1), ZEROS);
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "mrope_section");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), ORDER("ernie"), SECTIONS(2, 1, 1), ZEROS);
    expect_refusal(&asked, POSENC_CONFLICT, "mrope_section");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), ORDER("chunked"), SECTIONS(2, 1, 1),
        {"positions", ROWS(2, 1, 0, 0)});
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "positions");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), ORDER("chunked"), SECTIONS(2, 1, 1),
        {"positions", LIST(0, 1, 2)});
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "positions");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), ORDER("chunked"), SECTIONS(2, 1, 1), ZEROS,
        {"axes_rule", posenc_text("blocks")});
    expect_refusal(&asked, POSENC_CONFLICT, "mrope_section");
    posenc_memory_release(&asked.memory);
}

Test(rope_axes, a_token_of_text_always_has_a_position)
{
    const struct posenc_value columns[] = {posenc_number(4), posenc_null()};
    const struct posenc_value list = {.kind = POSENC_LIST, .as.list = {columns, 2}};
    const struct posenc_value lists[] = {list, list, list};
    const struct posenc_value positions = {.kind = POSENC_LIST, .as.list = {lists, 3}};
    struct asked asked;

    ask(&asked, "rope", "table", DIM(8), ORDER("chunked"), SECTIONS(2, 1, 1),
        {"positions", positions});
    expect_refusal(&asked, POSENC_WRONG_TYPE, "positions.0.1");
    posenc_memory_release(&asked.memory);
}

/* The length of a sequence is that of its positions only where they count up from 0. */
Test(rope_axes, plain_positions_tell_the_sequence_length)
{
    struct asked asked;

    ask(&asked, "rope", "table", DIM(8), {"length", posenc_number(7)});
    cr_expect_eq(posenc_find_argument(&asked.arguments, "sequence_length")->value.as.number, 7);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), {"length", posenc_number(7)},
        {"sequence_length", posenc_number(99)});
    cr_expect_eq(posenc_find_argument(&asked.arguments, "sequence_length")->value.as.number, 99);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), {"length", posenc_number(7)},
        {"offset", posenc_number(1)});
    cr_expect_neq(posenc_find_argument(&asked.arguments, "sequence_length")->value.kind,
                  POSENC_NUMBER);
    posenc_memory_release(&asked.memory);
}
