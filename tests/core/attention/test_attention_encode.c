/* An encoding's apply, run on queries, keys and scores. */
#include <stdio.h>

#include "attending.h"

/* What each encoding does to attention, as apply's rows tell it. */
Test(attention_encode, parts_follow_from_what_apply_takes_and_gives)
{
    static const struct {
        const char *encoding;
        enum posenc__attention_part part;
    } parts[] = {
        {"alibi", POSENC__PART_BIASES},
        {"cope", POSENC__PART_NONE},
        {"deberta", POSENC__PART_SCORES},
        {"fire", POSENC__PART_BIASES},
        {"kerple", POSENC__PART_BIASES},
        {"learned", POSENC__PART_ADDS},
        {"music_transformer", POSENC__PART_NONE},
        {"none", POSENC__PART_ADDS},
        {"rope", POSENC__PART_ROTATES},
        {"sandwich", POSENC__PART_BIASES},
        {"shaw", POSENC__PART_SCORES},
        {"sinusoidal", POSENC__PART_ADDS},
        {"sinusoidal_grid", POSENC__PART_ADDS},
        {"swin", POSENC__PART_BIASES},
        {"t5", POSENC__PART_BIASES},
        {"timestep", POSENC__PART_NONE},
        {"transformer_xl", POSENC__PART_SCORES},
    };

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        cr_expect_eq(posenc__attention_part_of(posenc_find(parts[i].encoding)), parts[i].part, "%s",
                     parts[i].encoding);
    cr_expect_null(posenc_encoding_at(sizeof(parts) / sizeof(*parts)));
}

Test(attention_encode, schemes_see_the_length_of_the_keys)
{
    const struct posenc_member scaling[] = {{"rope_type", posenc_text("dynamic")},
                                            {"factor", posenc_number(2)}};
    const struct posenc_member given[] = {{"layout", posenc_text("half")},
                                          {"scaling", posenc_object(scaling, 2)},
                                          {"max_position_embeddings", posenc_number(2)}};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("rotary"), CAUSAL, F64,
        {"parameters", posenc_object(given, 3)}, {"q", ROWS(1, 4, 1, 0, 0, 1)},
        {"k", ROWS(4, 4, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1)});
    const struct posenc_value derived = {.kind = POSENC_OBJECT, .as.object = asked.result.derived};

    cr_assert_eq(asked.status, POSENC_OK, "%s", asked.problem.detail);
    cr_expect_eq(posenc_find_member(&derived, "sequence_length")->as.number, 4.0);
    cr_expect_str_eq(posenc_find_argument(&asked.arguments, "encoding")->value.as.text, "rope");
    posenc_memory_release(&asked.memory);
}

/* Given positions may be anywhere: then only the request can say how long the sequence is. */
Test(attention_encode, a_length_of_the_request_wins_and_positions_tell_none)
{
    const struct posenc_member given[] = {{"layout", posenc_text("half")},
                                          {"sequence_length", posenc_number(99)}};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("rope"), OPEN, {"parameters", posenc_object(given, 2)},
        {"q", ROWS(1, 2, 1, 2)}, {"k", ROWS(2, 2, 1, 2, 3, 4)});
    const struct posenc_value derived = {.kind = POSENC_OBJECT, .as.object = asked.result.derived};

    cr_assert_eq(asked.status, POSENC_OK, "%s", asked.problem.detail);
    cr_expect_eq(posenc_find_member(&derived, "sequence_length")->as.number, 99);
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "attention", UNDER("rope"), OPEN, {"parameters", posenc_object(given, 1)},
        {"q_positions", LIST(7)}, {"k_positions", LIST(5, 9)}, {"q", ROWS(1, 2, 1, 2)},
        {"k", ROWS(2, 2, 1, 2, 3, 4)});
    const struct posenc_value other = {.kind = POSENC_OBJECT, .as.object = asked.result.derived};

    cr_assert_eq(asked.status, POSENC_OK, "%s", asked.problem.detail);
    cr_expect_null(posenc_find_member(&other, "sequence_length"));
    posenc_memory_release(&asked.memory);
}

Test(attention_encode, echoes_the_encodings_parameters_with_their_defaults)
{
    const struct posenc_member layout = {"layout", posenc_text("half")};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("rope"), OPEN, {"parameters", posenc_object(&layout, 1)},
        {"q", ROWS(1, 4, 1, 2, 3, 4)}, {"k", ROWS(1, 4, 1, 2, 3, 4)});
    cr_assert_eq(asked.status, POSENC_OK);
    const struct posenc_value *echo = &posenc_find_argument(&asked.arguments, "parameters")->value;

    cr_expect_eq(posenc_find_member(echo, "base")->as.number, 10000.0);
    cr_expect_eq(posenc_find_member(echo, "rotary_dim")->as.number, 4.0);
    cr_expect_null(posenc_find_member(echo, "dtype"));
    cr_expect_null(posenc_find_member(echo, "offset"));
    cr_expect_eq(posenc_find_argument(&asked.arguments, "scale")->value.as.number, 0.5);
    posenc_memory_release(&asked.memory);
}

Test(attention_encode, warnings_name_the_encodings_parameters)
{
    const struct posenc_member scaling[] = {{"rope_type", posenc_text("default")},
                                            {"colour", posenc_number(2)}};
    const struct posenc_member given[] = {{"layout", posenc_text("half")},
                                          {"scaling", posenc_object(scaling, 2)}};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("rope"), OPEN, {"parameters", posenc_object(given, 2)},
        {"q", ROWS(1, 2, 1, 2)}, {"k", ROWS(1, 2, 1, 2)});
    cr_assert_eq(asked.status, POSENC_OK);
    cr_assert_eq(asked.result.warning_count, 1u);
    cr_expect_str_eq(asked.result.warnings[0].parameter, "parameters.scaling.colour");
    posenc_memory_release(&asked.memory);
}

/* Both sides run apply: what it says of the first is enough. */
Test(attention_encode, a_warning_comes_once)
{
    const struct posenc_member scaling[] = {{"rope_type", posenc_text("default")},
                                            {"colour", posenc_number(2)}};
    const struct posenc_member given[] = {{"layout", posenc_text("half")},
                                          {"scaling", posenc_object(scaling, 2)}};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("rope"), OPEN, {"kind", posenc_text("linear")},
        {"parameters", posenc_object(given, 2)}, {"q", ROWS(2, 2, 1, 2, 3, 4)},
        {"k", ROWS(2, 2, 1, 2, 3, 4)});
    cr_assert_eq(asked.status, POSENC_OK);
    cr_expect_eq(asked.result.warning_count, 1u);
    posenc_memory_release(&asked.memory);
}

/* What attention tells apply itself. */
Test(attention_encode, nobody_else_tells_what_attention_tells)
{
    static const char *const reserved[] = {"x",      "q",      "k",    "dtype",        "positions",
                                           "length", "offset", "step", "sequence_axis"};

    for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++) {
        const struct posenc_member given = {reserved[i], posenc_number(1)};
        char parameter[64];
        struct asked asked;

        (void)snprintf(parameter, sizeof(parameter), "parameters.%s", reserved[i]);
        if (strcmp(reserved[i], "q") == 0 || strcmp(reserved[i], "k") == 0)
            (void)snprintf(parameter, sizeof(parameter), "%s", reserved[i]);
        ask(&asked, NULL, "attention", UNDER("rope"), OPEN,
            {"parameters", posenc_object(&given, 1)}, {"q", ROWS(1, 2, 1, 2)},
            {"k", ROWS(1, 2, 1, 2)});
        expect_refusal(&asked, POSENC_CONFLICT, parameter);
        posenc_memory_release(&asked.memory);
    }
}

/* Problems of apply, under the names that the request has. */
Test(attention_encode, refusals_name_what_the_caller_wrote)
{
    const struct posenc_member base[] = {{"layout", posenc_text("half")},
                                         {"base", posenc_number(-1)}};
    const struct posenc_member half = {"layout", posenc_text("half")};
    const struct posenc_member factor = {"factor", posenc_number(2)};
    const struct posenc_member scaling[] = {{"layout", posenc_text("half")},
                                            {"scaling", posenc_object(&factor, 1)}};
    const struct posenc_member slip = {"slopez", posenc_text("press")};
    const struct posenc_member table = {"weight", ROWS(2, 2, 1, 2, 3, 4)};
    const struct {
        const char *encoding;
        struct posenc_member member, q_at, k_at;
        enum posenc_status status;
        const char *parameter;
    } rows[] = {
        {"rope",
         {"parameters", posenc_object(base, 2)},
         {"q_positions", LIST(1)},
         {"k_positions", LIST(1)},
         POSENC_OUT_OF_RANGE,
         "parameters.base"},
        {"rope",
         {"parameters", posenc_null()},
         {"q_positions", LIST(1)},
         {"k_positions", LIST(1)},
         POSENC_MISSING_PARAMETER,
         "parameters.layout"},
        {"rope",
         {"parameters", posenc_object(scaling, 2)},
         {"q_positions", LIST(1)},
         {"k_positions", LIST(1)},
         POSENC_MISSING_PARAMETER,
         "parameters.scaling.rope_type"},
        {"rope",
         {"parameters", posenc_object(&half, 1)},
         {"q_positions", LIST(1)},
         {"k_positions", LIST(1e300)},
         POSENC_OUT_OF_RANGE,
         "k_positions.0"},
        {"rope",
         {"parameters", posenc_object(&half, 1)},
         {"q_positions", LIST(1e300)},
         {"k_positions", LIST(1)},
         POSENC_OUT_OF_RANGE,
         "q_positions.0"},
        {"learned",
         {"parameters", posenc_object(&table, 1)},
         {"q_positions", LIST(1)},
         {"k_positions", LIST(2)}, /* of two rows */
         POSENC_OUT_OF_RANGE,
         "k_positions.0"},
        {"alibi",
         {"parameters", posenc_object(&slip, 1)},
         {"softmax", posenc_boolean(true)},
         {"terms", posenc_boolean(false)},
         POSENC_UNKNOWN_PARAMETER,
         "parameters.slopez"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        ask(&asked, NULL, "attention", UNDER(rows[i].encoding), OPEN, rows[i].member, rows[i].q_at,
            rows[i].k_at, {"q", ROWS(1, 2, 1, 2)}, {"k", ROWS(1, 2, 1, 2)});
        expect_refusal(&asked, rows[i].status, rows[i].parameter);
        posenc_memory_release(&asked.memory);
    }
}

/* A side of odd width: apply calls it x or dim, the request q. */
Test(attention_encode, a_side_that_cannot_turn_is_refused)
{
    const struct posenc_member half = {"layout", posenc_text("half")};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("rope"), OPEN, {"parameters", posenc_object(&half, 1)},
        {"q", ROWS(1, 3, 1, 2, 3)}, {"k", ROWS(1, 3, 1, 2, 3)});
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "parameters.dim");
    posenc_memory_release(&asked.memory);
}

/* The last query stands at the last key: its side starts at the difference of the lengths. */
Test(attention_encode, queries_are_rotated_where_they_stand)
{
    const struct posenc_member half = {"layout", posenc_text("half")};
    struct asked counted, given;

    ask(&counted, NULL, "attention", UNDER("rope"), OPEN, F64, SCALE(1),
        {"parameters", posenc_object(&half, 1)}, {"q", ROWS(2, 2, 1, 2, 3, 4)},
        {"k", ROWS(4, 2, 1, 0, 0, 1, 2, 1, 1, 2)});
    ask(&given, NULL, "attention", UNDER("rope"), OPEN, F64, SCALE(1),
        {"parameters", posenc_object(&half, 1)}, {"q", ROWS(2, 2, 1, 2, 3, 4)},
        {"k", ROWS(4, 2, 1, 0, 0, 1, 2, 1, 1, 2)}, {"q_positions", LIST(2, 3)},
        {"k_positions", LIST(0, 1, 2, 3)});
    for (size_t i = 0; i < 8; i++)
        cr_expect_eq(asked_value(&counted, "scores", i), asked_value(&given, "scores", i));
    /* (1, 2) at 2 and (1, 0) at 0: cos 2 + 2 sin(2)... turned by -2: 1 cos 2 - 2 sin 2 */
    cr_expect_float_eq(asked_value(&counted, "scores", 0), cos(2.0) - 2 * sin(2.0), SUM_ERROR);
    posenc_memory_release(&counted.memory);
    posenc_memory_release(&given.memory);
}

/* Scores of queries of two axes are those of one head; of three, a head each. */
Test(attention_encode, a_bias_meets_the_scores_of_its_head)
{
    static const double ones[] = {1, 1, 1, 1};
    const struct posenc_array heads = shaped(ones, 3, 2, 2, 1, 0);
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("alibi"), CAUSAL, F64, SCALE(1),
        {"q", posenc_nested(&heads)}, {"k", posenc_nested(&heads)});
    /* slopes of two heads: 1/16, 1/256 */
    EXPECT_VALUES(&asked, "scores", 0, 1, HIDDEN, 1 - 0.0625, 1, 1, HIDDEN, 1 - 0.00390625, 1);
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "attention", UNDER("alibi"), CAUSAL, F64, SCALE(1), {"q", ROWS(2, 1, 1, 1)},
        {"k", ROWS(2, 1, 1, 1)});
    EXPECT_VALUES(&asked, "scores", 0, 1, HIDDEN, 1 - 0.00390625, 1);
    posenc_memory_release(&asked.memory);
}

/* ALiBi masks by its own parameter, whose default is that of decoders. */
Test(attention_encode, a_mask_of_the_encoding_beside_open_attention_is_warned_of)
{
    const struct posenc_member both_ways = {"form", posenc_text("symmetric")};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("alibi"), OPEN, {"q", ROWS(2, 1, 1, 1)},
        {"k", ROWS(2, 1, 1, 1)});
    cr_assert_eq(asked.result.warning_count, 1);
    cr_expect_str_eq(asked.result.warnings[0].parameter, "causal");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "attention", UNDER("alibi"), OPEN, {"q", ROWS(2, 1, 1, 1)},
        {"k", ROWS(2, 1, 1, 1)}, {"parameters", posenc_object(&both_ways, 1)});
    cr_expect_eq(asked.result.warning_count, 0);
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "attention", UNDER("alibi"), CAUSAL, {"q", ROWS(2, 1, 1, 1)},
        {"k", ROWS(2, 1, 1, 1)});
    cr_expect_eq(asked.result.warning_count, 0);
    posenc_memory_release(&asked.memory);
}
