/* Position ids by the rules of models. */
#include "asking.h"

#define RULE(r)                                                                                    \
    {                                                                                              \
        "rule", posenc_text(r)                                                                     \
    }
#define PAST(n)                                                                                    \
    {                                                                                              \
        "past_length", posenc_number(n)                                                            \
    }

struct rule_row {
    const char *rule;
    double expected[5];
};

/* Of the mask 0 1 1 0 1. */
static const struct rule_row mask_rows[] = {
    {"plain", {0, 1, 2, 3, 4}},         {"fairseq", {1, 2, 3, 1, 4}}, {"roberta", {1, 2, 3, 1, 4}},
    {"bart", {2, 3, 4, 5, 6}},          {"opt", {1, 2, 3, 1, 4}},     {"bloom", {0, 0, 1, 0, 2}},
    {"gpt2_generate", {1, 0, 1, 1, 2}},
};

Test(token_positions, each_rule_counts_in_its_own_way)
{
    for (size_t i = 0; i < sizeof(mask_rows) / sizeof(*mask_rows); i++) {
        struct asked asked;

        ask(&asked, NULL, "positions", RULE(mask_rows[i].rule),
            {"attention_mask", ROWS(1, 5, 0, 1, 1, 0, 1)});
        expect_values(&asked, "positions", mask_rows[i].expected, 5, 0);
        posenc_memory_release(&asked.memory);
    }
}

Test(token_positions, padding_tokens_say_what_a_mask_would)
{
    for (size_t i = 0; i < sizeof(mask_rows) / sizeof(*mask_rows); i++) {
        struct asked asked;

        ask(&asked, NULL, "positions", RULE(mask_rows[i].rule), {"token_ids", LIST(1, 7, 8, 1, 9)});
        expect_values(&asked, "positions", mask_rows[i].expected, 5, 0);
        cr_expect_eq(posenc_find_tensor(&asked.result, "positions")->rank, 1u);
        posenc_memory_release(&asked.memory);
    }
}

Test(token_positions, the_past_shifts_or_is_left_out)
{
    struct asked asked;

    ask(&asked, NULL, "positions", RULE("roberta"), PAST(5), {"padding_idx", posenc_number(3)},
        {"token_ids", ROWS(1, 2, 7, 3)});
    EXPECT_VALUES(&asked, "positions", 0, 9, 3);
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("bart"), PAST(3), {"token_ids", ROWS(1, 1, 4)});
    EXPECT_VALUES(&asked, "positions", 0, 5);
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("opt"), PAST(3),
        {"attention_mask", ROWS(2, 5, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0)});
    EXPECT_VALUES(&asked, "positions", 0, 4, 5, 5, 1);
    posenc_memory_release(&asked.memory);
}

Test(token_positions, refuses_masks_and_parameters_that_mean_nothing)
{
    struct asked asked;

    ask(&asked, NULL, "positions", RULE("opt"), {"attention_mask", ROWS(1, 3, 0, 1, 2)});
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "attention_mask.0.2");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("plain"));
    expect_refusal(&asked, POSENC_MISSING_PARAMETER, "token_ids");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("opt"), {"attention_mask", LIST(1)},
        {"token_ids", LIST(1)});
    expect_refusal(&asked, POSENC_CONFLICT, "attention_mask");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("bloom"), {"attention_mask", LIST(1)}, PAST(2));
    expect_refusal(&asked, POSENC_CONFLICT, "past_length");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("plain"), {"token_ids", LIST(1)},
        {"image_grid_thw", ROWS(1, 3, 1, 2, 2)});
    expect_refusal(&asked, POSENC_CONFLICT, "image_grid_thw");
    posenc_memory_release(&asked.memory);
}
