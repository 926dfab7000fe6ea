/* RoPE's parameters: names that frameworks use, defaults that nobody has to guess, limits. */
#include <float.h>

#include "asking.h"
#include "rope.h"

#define COUNT_OF(rows) (sizeof(rows) / sizeof(*(rows)))

static const struct posenc_parameter *find_row(const struct posenc_parameter *rows,
                                               const char *name)
{
    for (; rows->name; rows++)
        if (strcmp(rows->name, name) == 0)
            return rows;
    cr_assert_fail("there is no %s", name);
    return NULL;
}

Test(rope_rows, the_names_of_config_files_and_of_tutorials_are_aliases)
{
    static const char *const pairs[][2] = {
        {"head_dim", "dim"},         {"embed_dim", "dim"},
        {"d_model", "dim"},          {"theta", "base"},
        {"rope_theta", "base"},      {"rotary_pct", "partial_rotary_factor"},
        {"rope_scaling", "scaling"}, {"rope_parameters", "scaling"},
        {"max_len", "length"},       {"seq_len", "length"},
    };

    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        const bool is_length = strcmp(pairs[i][1], "length") == 0;
        const struct posenc_parameter *row =
            find_row(is_length ? posenc__rope_position_rows : posenc__rope_rows, pairs[i][1]);
        bool found = false;

        for (const char *const *alias = row->aliases; alias && *alias; alias++)
            found = found || strcmp(*alias, pairs[i][0]) == 0;
        cr_expect(found, "%s", pairs[i][0]);
    }
}

/* Choices are read as these enumerations: their order counts. */
Test(rope_rows, choices_stand_in_the_order_of_their_enumerations)
{
    static const struct {
        const struct posenc_parameter *rows;
        const char *name, *word;
        size_t index;
    } choices[] = {
        {posenc__rope_apply_rows, "layout", "half", POSENC__HALF},
        {posenc__rope_apply_rows, "layout", "interleaved", POSENC__INTERLEAVED},
        {posenc__rope_apply_rows, "layout", "deinterleaved", POSENC__DEINTERLEAVED},
        {posenc__rope_apply_rows, "layout", "mixed", POSENC__MIXED},
        {posenc__rope_rows, "arithmetic", "exact", POSENC__ROPE_EXACT},
        {posenc__rope_rows, "arithmetic", "float32", POSENC__ROPE_FLOAT32},
        {posenc__rope_rows, "arithmetic", "ggml", POSENC__ROPE_GGML},
        {posenc__rope_rows, "arithmetic", "bfloat16_table", POSENC__ROPE_BFLOAT16_TABLE},
        {posenc__rope_rows, "yarn_dialect", "transformers", POSENC__YARN_TRANSFORMERS},
        {posenc__rope_rows, "yarn_dialect", "deepseek", POSENC__YARN_DEEPSEEK},
        {posenc__rope_vision_rows, "axes_rule", "alternate", POSENC__RULE_ALTERNATE},
        {posenc__rope_vision_rows, "axes_rule", "blocks", POSENC__RULE_BLOCKS},
        {posenc__rope_vision_rows, "axes_rule", "interleaved", POSENC__RULE_INTERLEAVED},
        {posenc__rope_vision_rows, "axes_rule", "separate", POSENC__RULE_SEPARATE},
    };

    for (size_t i = 0; i < COUNT_OF(choices); i++)
        cr_expect_str_eq(find_row(choices[i].rows, choices[i].name)->choices[choices[i].index],
                         choices[i].word);
}

/* What changes values and what people get wrong: nothing is assumed. */
Test(rope_rows, rotation_has_no_default_layout)
{
    struct asked asked;

    ask(&asked, "rope", "apply", {"x", ROWS(1, 4, 1, 2, 3, 4)});
    expect_refusal(&asked, POSENC_MISSING_PARAMETER, "layout");
    posenc_memory_release(&asked.memory);
}

Test(rope_rows, defaults_are_those_of_the_paper)
{
    static const char *const texts[][2] = {{"yarn_dialect", "transformers"},
                                           {"attention_factor", "apply"},
                                           {"arithmetic", "exact"},
                                           {"table_layout", "pairs"}};
    static const struct {
        const char *name;
        double number;
    } numbers[] = {{"base", 10000}, {"direction", 1},     {"rotary_dim", 8},
                   {"offset", 0},   {"rotary_offset", 0}, {"step", 1}};
    struct asked asked;

    ask(&asked, "rope", "table", {"dim", posenc_number(8)}, {"length", posenc_number(2)});
    cr_assert_eq(asked.status, POSENC_OK);
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        cr_expect_eq(posenc_find_argument(&asked.arguments, numbers[i].name)->value.as.number,
                     numbers[i].number, "%s", numbers[i].name);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        cr_expect_str_eq(posenc_find_argument(&asked.arguments, texts[i][0])->value.as.text,
                         texts[i][1]);
    posenc_memory_release(&asked.memory);
}

/* A number at each end of its range and one step beyond. */
struct limit {
    const char *name;
    double inside[2], outside[2];
};

static const struct limit limits[] = {
    {"base", {0x1p-20, DBL_MAX}, {0, -1}},
    {"offset",
     {-POSENC_POSITION_MAX, POSENC_POSITION_MAX - 1},
     {-POSENC_POSITION_MAX - 2, POSENC_POSITION_MAX + 2}},
    {"sequence_length", {1, POSENC_INTEGER_MAX}, {0, -1}},
    {"max_position_embeddings", {1, POSENC_INTEGER_MAX}, {0, -1}},
    {"original_max_position_embeddings", {1, POSENC_INTEGER_MAX}, {0, -1}},
    {"direction", {-1, 1}, {-2, 2}},
    {"rotary_dim", {2, 8}, {0, 10}},
    {"partial_rotary_factor", {0.25, 1}, {0, 1 + DBL_EPSILON}},
    {"rotary_offset", {0, 0}, {-1, POSENC_DIM_MAX + 1}},
    {"length", {0, 2}, {-1, -2}},
};

Test(rope_rows, numbers_end_where_their_meaning_does)
{
    for (size_t k = 0; k < COUNT_OF(limits); k++)
        for (size_t i = 0; i < 4; i++) {
            const bool has_length = strcmp(limits[k].name, "length") != 0;
            const double number = i < 2 ? limits[k].inside[i] : limits[k].outside[i - 2];
            const struct posenc_member members[] = {{"dim", posenc_number(8)},
                                                    {limits[k].name, posenc_number(number)},
                                                    {"length", posenc_number(1)}};
            struct asked asked;

            ask_members(&asked, "rope", "table", members, has_length ? 3 : 2);
            cr_expect_eq(asked.status, i < 2 ? POSENC_OK : POSENC_OUT_OF_RANGE, "%s = %g: %s",
                         limits[k].name, number, asked.problem.detail);
            posenc_memory_release(&asked.memory);
        }
}

Test(rope_rows, dim_ends_at_the_limit_of_widths)
{
    static const double widths[] = {0, POSENC_DIM_MAX, POSENC_DIM_MAX + 2};

    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        struct asked asked;

        ask(&asked, "rope", "table", {"dim", posenc_number(widths[i])},
            {"length", posenc_number(0)});
        cr_expect_eq(asked.status, i == 1 ? POSENC_OK : POSENC_OUT_OF_RANGE, "%g", widths[i]);
        posenc_memory_release(&asked.memory);
    }
}
