/* The tool: shapes, masks, terms, linear attention, and how encodings take part. */
#include <math.h>

#include "asking.h"
#include "attention.h"

/* Sums of a few products of numbers below 10. */
#define SUM_ERROR 1e-14

#define F64                                                                                        \
    {                                                                                              \
        "dtype", posenc_text("float64")                                                            \
    }
#define UNDER(e)                                                                                   \
    {                                                                                              \
        "encoding", posenc_text(e)                                                                 \
    }
#define CAUSAL                                                                                     \
    {                                                                                              \
        "causal", posenc_boolean(true)                                                             \
    }
#define OPEN                                                                                       \
    {                                                                                              \
        "causal", posenc_boolean(false)                                                            \
    }
#define SCALE(x)                                                                                   \
    {                                                                                              \
        "scale", posenc_number(x)                                                                  \
    }
#define HIDDEN -(double)INFINITY

Test(attention, parts_follow_from_what_apply_takes_and_gives)
{
    cr_expect_eq(posenc__attention_part_of(posenc_find("rope")), POSENC__PART_ROTATES);
    cr_expect_eq(posenc__attention_part_of(posenc_find("alibi")), POSENC__PART_BIASES);
    cr_expect_eq(posenc__attention_part_of(posenc_find("sinusoidal")), POSENC__PART_ADDS);
    cr_expect_eq(posenc__attention_part_of(posenc_find("none")), POSENC__PART_ADDS);
}

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

Test(attention, without_softmax_scores_weigh_values)
{
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("none"), CAUSAL, SCALE(2), F64,
        {"softmax", posenc_boolean(false)}, {"q", ROWS(2, 1, 1, 1)}, {"k", ROWS(2, 1, 3, 5)},
        {"v", ROWS(2, 1, 1, 10)});
    EXPECT_VALUES(&asked, "output", 0, 6, 106);
    cr_expect_null(posenc_find_tensor(&asked.result, "weights"));
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

Test(attention, linear_attention_rotates_the_numerator_only)
{
    const struct posenc_member layout = {"layout", posenc_text("half")};
    /* Features: q (2, 1), keys (1, 3) and (e^-1, 1). */
    const double near = exp(-1.0), sum = 2 * 1 + 1 * 3 + 2 * near + 1;
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("rope"), OPEN, F64,
        {"parameters", posenc_object(&layout, 1)}, {"kind", posenc_text("linear")},
        {"q", ROWS(1, 2, 1, 0)}, {"k", ROWS(2, 2, 0, 2, -1, 0)}, {"v", ROWS(2, 1, 1, 10)});
    /* The query stands one position after the first key. */
    const double turned = 5 * cos(1.0) + (2 * 3 - 1) * sin(1.0);

    EXPECT_VALUES(&asked, "scores", SUM_ERROR, turned, 2 * near + 1);
    EXPECT_VALUES(&asked, "weights", SUM_ERROR, turned / sum, (2 * near + 1) / sum);
    EXPECT_VALUES(&asked, "output", SUM_ERROR, (turned + 10 * (2 * near + 1)) / sum);
    posenc_memory_release(&asked.memory);
}

Test(attention, linear_attention_adds_before_it_makes_features)
{
    const struct posenc_member dim = {"dim", posenc_number(2)};
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("sinusoidal"), OPEN, F64,
        {"parameters", posenc_object(&dim, 1)}, {"kind", posenc_text("linear")},
        {"q", ROWS(1, 2, 1, 2)}, {"k", ROWS(1, 2, 3, 4)});
    EXPECT_VALUES(&asked, "scores", SUM_ERROR, 2 * 4 + 4 * 6);
    EXPECT_VALUES(&asked, "weights", 0, 1);
    posenc_memory_release(&asked.memory);
}

Test(attention, schemes_see_the_length_of_the_keys)
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

Test(attention, echoes_the_encodings_parameters_with_their_defaults)
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

Test(attention, warnings_name_the_encodings_parameters)
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

struct refusal_row {
    const char *encoding;
    struct posenc_member member, other;
    enum posenc_status status;
    const char *parameter;
};

Test(attention, refusals_name_what_the_caller_wrote)
{
    const struct posenc_member base = {"base", posenc_number(-1)};
    const struct posenc_member positions = {"positions", LIST(1)};
    const struct posenc_member half = {"layout", posenc_text("half")};
    const struct posenc_member given_bad = {"parameters", posenc_object(&base, 1)};
    const struct posenc_member given_own = {"parameters", posenc_object(&positions, 1)};
    const struct posenc_member given_half = {"parameters", posenc_object(&half, 1)};
    const struct posenc_member at = {"q_positions", LIST(1)}, k_at = {"k_positions", LIST(1)};
    const struct posenc_member two = {"k_positions", LIST(1, 2)};
    const struct posenc_member terms = {"terms", posenc_boolean(true)};
    const struct posenc_member linear = {"kind", posenc_text("linear")};
    const struct posenc_member scale = {"scale", posenc_number(1)};
    const struct refusal_row rows[] = {
        {"ropee", scale, linear, POSENC_OUT_OF_RANGE, "encoding"},
        {"rope", given_bad, scale, POSENC_OUT_OF_RANGE, "parameters.base"},
        {"rope", given_own, scale, POSENC_CONFLICT, "parameters.positions"},
        {"rope", scale, k_at, POSENC_MISSING_PARAMETER, "q_positions"},
        {"rope", at, two, POSENC_WRONG_SHAPE, "k_positions"},
        {"alibi", at, k_at, POSENC_CONFLICT, "q_positions"},
        {"alibi", terms, scale, POSENC_CONFLICT, "terms"},
        {"rope", given_half, terms, POSENC_CONFLICT, "terms"},
        {"alibi", linear, terms, POSENC_CONFLICT, "kind"},
        {"none", linear, scale, POSENC_CONFLICT, "scale"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct asked asked;

        ask(&asked, NULL, "attention", UNDER(rows[i].encoding), OPEN, rows[i].member, rows[i].other,
            {"q", ROWS(1, 2, 1, 2)}, {"k", ROWS(1, 2, 1, 2)});
        expect_refusal(&asked, rows[i].status, rows[i].parameter);
        posenc_memory_release(&asked.memory);
    }
}

Test(attention, refuses_shapes_that_do_not_meet_and_work_without_end)
{
    struct asked asked;

    ask(&asked, NULL, "attention", UNDER("none"), OPEN, {"q", ROWS(1, 2, 1, 2)},
        {"k", ROWS(1, 3, 1, 2, 3)});
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "k");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "attention", UNDER("none"), OPEN, {"q", ROWS(1, 2, 1, 2)},
        {"k", ROWS(1, 2, 1, 2)}, {"v", ROWS(2, 1, 1, 2)});
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "v");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "attention", UNDER("none"), OPEN, {"q", LIST(1, 2)}, {"k", ROWS(1, 2, 1, 2)});
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "q");
    posenc_memory_release(&asked.memory);

    static double many[4096];

    ask(&asked, NULL, "attention", UNDER("none"), OPEN, {"q", asking_rows(2049, 1, many)},
        {"k", asking_rows(2048, 1, many)});
    expect_refusal(&asked, POSENC_TOO_LARGE, "q");
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
