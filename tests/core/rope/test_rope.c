/* What a request of rope settles before any table: base, dictionary, given frequencies, direction,
 * and what it derives. */
#include <math.h>

#include "asking.h"
#include "rope.h"

/* float64 tables are right to two ulp of 1. */
#define TABLE_ERROR 4.5e-16

#define DIM(n)                                                                                     \
    {                                                                                              \
        "dim", posenc_number(n)                                                                    \
    }
#define AT(...)                                                                                    \
    {                                                                                              \
        "positions", LIST(__VA_ARGS__)                                                             \
    }
#define F64                                                                                        \
    {                                                                                              \
        "dtype", posenc_text("float64")                                                            \
    }
#define SCALING(members)                                                                           \
    {                                                                                              \
        "scaling", posenc_object((members), sizeof(members) / sizeof(*(members)))                  \
    }

static const struct posenc_member yarn[] = {
    {"rope_type", {.kind = POSENC_TEXT, .as.text = "yarn"}},
    {"factor", {.kind = POSENC_NUMBER, .as.number = 4}},
    {"original_max_position_embeddings", {.kind = POSENC_NUMBER, .as.number = 2048}},
};

static const struct posenc_value *derived_of(const struct asked *asked, const char *name)
{
    const struct posenc_value object = {.kind = POSENC_OBJECT, .as.object = asked->result.derived};

    cr_assert_eq(asked->status, POSENC_OK, "%s", asked->problem.detail);
    return posenc_find_member(&object, name);
}

Test(rope, the_dictionarys_rope_theta_is_the_base)
{
    const struct posenc_member theta[] = {{"rope_theta", posenc_number(10)}};
    struct asked asked;

    ask(&asked, "rope", "table", DIM(4), AT(1), F64, SCALING(theta));
    EXPECT_VALUES(&asked, "sin", TABLE_ERROR, sin(1.0), sin(0.31622776601683794));
    cr_expect_eq(posenc_find_argument(&asked.arguments, "base")->value.as.number, 10);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(4), AT(1), SCALING(theta), {"base", posenc_number(10)});
    cr_expect_eq(asked.status, POSENC_OK);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(4), AT(1), SCALING(theta), {"theta", posenc_number(11)});
    expect_refusal(&asked, POSENC_CONFLICT, "base");
    posenc_memory_release(&asked.memory);
}

/* Phi-3's files keep it at the top. */
Test(rope, an_original_length_at_the_top_counts_as_the_dictionarys)
{
    const struct posenc_member top = {"original_max_position_embeddings", posenc_number(2048)};
    struct asked inside, outside;

    ask(&inside, "rope", "table", DIM(16), AT(1), F64, SCALING(yarn));
    ask(&outside, "rope", "table", DIM(16), AT(1), F64, {"scaling", posenc_object(yarn, 2)}, top);
    for (size_t i = 0; i < 8; i++)
        cr_expect_eq(asked_value(&outside, "inv_freq", i), asked_value(&inside, "inv_freq", i));
    cr_expect_eq(outside.arguments.warning_count, 0);
    posenc_memory_release(&inside.memory);
    posenc_memory_release(&outside.memory);
    ask(&outside, "rope", "table", DIM(16), AT(1), SCALING(yarn), top);
    cr_expect_eq(outside.status, POSENC_OK);
    posenc_memory_release(&outside.memory);
    ask(&outside, "rope", "table", DIM(16), AT(1), SCALING(yarn),
        {"original_max_position_embeddings", posenc_number(4096)});
    expect_refusal(&outside, POSENC_CONFLICT, "original_max_position_embeddings");
    posenc_memory_release(&outside.memory);
}

Test(rope, given_frequencies_stand_instead_of_base_and_scaling)
{
    struct asked asked;

    ask(&asked, "rope", "table", DIM(4), AT(3), F64, {"inv_freq", LIST(0.5, -0.25)});
    EXPECT_VALUES(&asked, "sin", TABLE_ERROR, sin(1.5), sin(-0.75));
    EXPECT_VALUES(&asked, "inv_freq", 0, 0.5, -0.25);
    cr_expect_neq(posenc_find_argument(&asked.arguments, "base")->value.kind, POSENC_NUMBER);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), {"rotary_dim", posenc_number(4)}, AT(3), F64,
        {"inv_freq", LIST(0.5, 0.25)});
    cr_expect_eq(asked_value(&asked, "inv_freq", 1), 0.25);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), AT(3), {"inv_freq", LIST(0.5, 0.25)});
    expect_refusal(&asked, POSENC_WRONG_SHAPE, "inv_freq");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(4), AT(3), {"inv_freq", LIST(0.5, 0.25)},
        {"base", posenc_number(10000)});
    expect_refusal(&asked, POSENC_CONFLICT, "inv_freq");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(16), AT(3), SCALING(yarn),
        {"inv_freq", LIST(1, 2, 3, 4, 5, 6, 7, 8)});
    expect_refusal(&asked, POSENC_CONFLICT, "inv_freq");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(4), AT(3), {"inv_freq", LIST(0.5, 0.25)},
        {"arithmetic", posenc_text("ggml")});
    expect_refusal(&asked, POSENC_CONFLICT, "inv_freq");
    posenc_memory_release(&asked.memory);
}

Test(rope, a_negative_direction_negates_the_sine_alone)
{
    struct asked there, back;

    ask(&there, "rope", "table", DIM(8), AT(3, 17), F64);
    ask(&back, "rope", "table", DIM(8), AT(3, 17), F64, {"direction", posenc_number(-1)});
    for (size_t i = 0; i < 8; i++) {
        cr_expect_eq(asked_value(&back, "cos", i), asked_value(&there, "cos", i));
        cr_expect_eq(asked_value(&back, "sin", i), -asked_value(&there, "sin", i));
    }
    posenc_memory_release(&there.memory);
    posenc_memory_release(&back.memory);
    ask(&back, "rope", "table", DIM(8), AT(3), {"direction", posenc_number(0)});
    expect_refusal(&back, POSENC_OUT_OF_RANGE, "direction");
    posenc_memory_release(&back.memory);
}

/* Row 0 shows it: cosines are the factor, sines are 0. Omitted, it is told but not applied. */
Test(rope, the_attention_factor_may_be_left_out_of_the_table)
{
    static const char *const ways[] = {"apply", "omit"};

    for (size_t k = 0; k < 2; k++) {
        struct asked asked;

        ask(&asked, "rope", "table", DIM(16), AT(0), F64, SCALING(yarn),
            {"attention_factor", posenc_text(ways[k])});
        for (size_t i = 0; i < 8; i++) {
            cr_expect_float_eq(asked_value(&asked, "cos", i), k == 0 ? 1.1386294361119891 : 1,
                               TABLE_ERROR);
            cr_expect_eq(asked_value(&asked, "sin", i), 0);
        }
        cr_expect_float_eq(derived_of(&asked, "attention_factor")->as.number, 1.1386294361119891,
                           TABLE_ERROR);
        posenc_memory_release(&asked.memory);
    }
}

Test(rope, derives_what_the_scheme_did)
{
    static const char *const regions[] = {"kept",    "kept",    "kept",   "blended",
                                          "blended", "blended", "scaled", "scaled"};
    const struct posenc_value *range, *region;
    struct asked asked;

    ask(&asked, "rope", "table", DIM(16), {"length", posenc_number(5)}, SCALING(yarn));
    range = derived_of(&asked, "correction_range");
    cr_assert_not_null(range);
    const double *raw = posenc_find_member(range, "raw")->as.array.data;
    const double *used = posenc_find_member(range, "used")->as.array.data;

    cr_expect_float_eq(raw[0], 2.0160002112515443, 1e-15);
    cr_expect_float_eq(raw[1], 5.026300167891356, 1e-15);
    cr_expect_eq(used[0], 2);
    cr_expect_eq(used[1], 6);
    region = derived_of(&asked, "region");
    cr_assert_eq(region->as.list.count, 8);
    for (size_t i = 0; i < 8; i++)
        cr_expect_str_eq(region->as.list.items[i].as.text, regions[i]);
    cr_expect_eq(derived_of(&asked, "rotary_dim")->as.number, 16);
    cr_expect_eq(derived_of(&asked, "sequence_length")->as.number, 5);
    cr_expect_eq(derived_of(&asked, "softmax_scale_multiplier")->as.number, 1);
    cr_expect_null(derived_of(&asked, "effective_base"));
    posenc_memory_release(&asked.memory);
}

/* Without a dictionary the canonical one is null, and said so. */
Test(rope, derives_little_of_the_plain_encoding)
{
    struct asked asked;

    ask(&asked, "rope", "table", DIM(8), AT(5));
    cr_assert_not_null(derived_of(&asked, "scaling"));
    cr_expect_eq(derived_of(&asked, "scaling")->kind, POSENC_NULL);
    cr_expect_eq(derived_of(&asked, "attention_factor")->as.number, 1);
    cr_expect_null(derived_of(&asked, "correction_range"));
    cr_expect_null(derived_of(&asked, "effective_base"));
    cr_expect_null(derived_of(&asked, "sequence_length"));
    posenc_memory_release(&asked.memory);
}

/* ggml carries a product over all pairs anew for each run, so its width has a limit of its own;
 * pairs that stand still count. */
Test(rope, ggml_has_a_limit_of_its_own)
{
    const struct posenc_member proportional[] = {{"rope_type", posenc_text("proportional")}};
    struct asked asked;

    ask(&asked, "rope", "table", DIM(POSENC__GGML_DIM_MAX), {"length", posenc_number(1)},
        {"arithmetic", posenc_text("ggml")});
    cr_expect_eq(asked.status, POSENC_OK);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(POSENC__GGML_DIM_MAX + 2), {"length", posenc_number(1)},
        {"arithmetic", posenc_text("ggml")});
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "rotary_dim");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(POSENC__GGML_DIM_MAX + 2), {"length", posenc_number(1)},
        {"arithmetic", posenc_text("ggml")}, SCALING(proportional),
        {"rotary_dim", posenc_number(4)});
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "rotary_dim");
    posenc_memory_release(&asked.memory);
}

/* The scheme's own warnings reach the caller. */
Test(rope, passes_the_schemes_warnings_on)
{
    const struct posenc_member linear[] = {{"rope_type", posenc_text("linear")},
                                           {"factor", posenc_number(2)},
                                           {"beta_fast", posenc_number(32)}};
    struct asked asked;

    ask(&asked, "rope", "table", DIM(8), AT(5), SCALING(linear));
    cr_assert_eq(asked.result.warning_count, 1);
    cr_expect_str_eq(asked.result.warnings[0].parameter, "scaling.beta_fast");
    posenc_memory_release(&asked.memory);
}

/* The echo names the type and the dialect, which must not contradict each other when it is sent. */
Test(rope, the_echo_of_deepseeks_type_names_its_dialect)
{
    static const struct posenc_member scaling[] = {
        {"rope_type", {.kind = POSENC_TEXT, .as.text = "deepseek_yarn"}},
        {"factor", {.kind = POSENC_NUMBER, .as.number = 4}},
        {"original_max_position_embeddings", {.kind = POSENC_NUMBER, .as.number = 64}},
    };
    const struct posenc_member deepseek = {"yarn_dialect", posenc_text("deepseek")},
                               other = {"yarn_dialect", posenc_text("transformers")};
    struct asked asked;

    ask(&asked, "rope", "table", DIM(8), AT(1), SCALING(scaling));
    cr_assert_eq(asked.status, POSENC_OK, "%s", asked.problem.detail);
    cr_expect_str_eq(posenc_find_argument(&asked.arguments, "yarn_dialect")->value.as.text,
                     "deepseek");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), AT(1), SCALING(scaling), deepseek);
    cr_expect_eq(asked.status, POSENC_OK, "%s", asked.problem.detail);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "table", DIM(8), AT(1), SCALING(scaling), other);
    expect_refusal(&asked, POSENC_CONFLICT, "yarn_dialect");
    posenc_memory_release(&asked.memory);
}
