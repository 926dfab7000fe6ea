/* Positions of text, images and videos. */
#include "asking.h"

#define RULE(r)                                                                                    \
    {                                                                                              \
        "rule", posenc_text(r)                                                                     \
    }
#define TYPES(n, ...)                                                                              \
    {                                                                                              \
        "token_types", ROWS(1, n, __VA_ARGS__)                                                     \
    }

Test(token_positions_mrope, an_image_spans_rows_and_columns)
{
    struct asked asked;

    /* Two text tokens, an image of 4 x 6 patches (2 x 3 tokens), two text tokens. */
    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), TYPES(10, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0),
        {"image_grid_thw", ROWS(1, 3, 1, 4, 6)});
    EXPECT_VALUES(&asked, "positions", 0, 0, 1, 2, 2, 2, 2, 2, 2, 5, 6, 0, 1, 2, 2, 2, 3, 3, 3, 5,
                  6, 0, 1, 2, 3, 4, 2, 3, 4, 5, 6);
    EXPECT_VALUES(&asked, "deltas", 0, -3);
    posenc_memory_release(&asked.memory);
}

Test(token_positions_mrope, token_ids_name_images_too)
{
    struct asked asked;

    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), {"token_ids", LIST(5, 99, 6)},
        {"image_token_id", posenc_number(99)}, {"image_grid_thw", ROWS(1, 3, 1, 2, 2)});
    EXPECT_VALUES(&asked, "positions", 0, 0, 1, 2, 0, 1, 2, 0, 1, 2);
    EXPECT_VALUES(&asked, "deltas", 0, 0);
    posenc_memory_release(&asked.memory);
}

/* A video of 3 frames of 2 x 2 patches, a token each, then text. */
#define VIDEO                                                                                      \
    TYPES(4, 2, 2, 2, 0),                                                                          \
    {                                                                                              \
        "video_grid_thw", ROWS(1, 3, 3, 2, 2)                                                      \
    }

Test(token_positions_mrope, frames_are_counted_or_timed)
{
    struct asked asked;

    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), VIDEO);
    EXPECT_VALUES(&asked, "positions", 0, 0, 1, 2, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    cr_expect_eq(asked.result.warning_count, 1u);
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), VIDEO,
        {"resume", posenc_text("largest")});
    EXPECT_VALUES(&asked, "positions", 0, 0, 1, 2, 3, 0, 0, 0, 3, 0, 0, 0, 3);
    posenc_memory_release(&asked.memory);
    /* 1.7 seconds and 2 positions a second: 0, 3.4, 6.8, cut. */
    ask(&asked, NULL, "positions", RULE("mrope_qwen2_5_vl"), VIDEO,
        {"second_per_grid_ts", LIST(1.7)});
    EXPECT_VALUES(&asked, "positions", 0, 0, 3, 6, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    posenc_memory_release(&asked.memory);
}

Test(token_positions_mrope, qwen3_has_text_between_frames)
{
    struct asked asked;

    ask(&asked, NULL, "positions", RULE("mrope_qwen3_vl"), TYPES(6, 0, 2, 2, 0, 2, 2),
        {"video_grid_thw", ROWS(1, 3, 2, 2, 4)});
    EXPECT_VALUES(&asked, "positions", 0, 0, 1, 1, 3, 4, 4, 0, 1, 1, 3, 4, 4, 0, 1, 2, 3, 4, 5);
    posenc_memory_release(&asked.memory);
}

Test(token_positions_mrope, padding_stands_at_1_and_does_not_count)
{
    struct asked asked;

    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), TYPES(4, 0, 0, 0, 1),
        {"attention_mask", ROWS(1, 4, 0, 0, 1, 1)}, {"image_grid_thw", ROWS(1, 3, 1, 2, 2)});
    EXPECT_VALUES(&asked, "positions", 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1);
    EXPECT_VALUES(&asked, "deltas", 0, -2);
    posenc_memory_release(&asked.memory);
}

Test(token_positions_mrope, refuses_grids_that_do_not_fit_the_tokens)
{
    struct asked asked;

    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), TYPES(2, 1, 0),
        {"image_grid_thw", ROWS(1, 3, 1, 4, 2)});
    expect_refusal(&asked, POSENC_CONFLICT, "image_grid_thw");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), TYPES(2, 1, 0));
    expect_refusal(&asked, POSENC_CONFLICT, "image_grid_thw");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), TYPES(2, 0, 0),
        {"image_grid_thw", ROWS(1, 3, 1, 2, 2)});
    expect_refusal(&asked, POSENC_CONFLICT, "image_grid_thw");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), TYPES(2, 1, 0),
        {"image_grid_thw", ROWS(1, 3, 1, 3, 2)});
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "image_grid_thw.0.1");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("mrope_qwen3_vl"), TYPES(1, 0),
        {"tokens_per_second", posenc_number(4)});
    expect_refusal(&asked, POSENC_CONFLICT, "tokens_per_second");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), {"token_types", LIST(0, 3)});
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "token_types.1");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "positions", RULE("mrope_qwen2_vl"), {"attention_mask", LIST(1)});
    expect_refusal(&asked, POSENC_MISSING_PARAMETER, "token_types");
    posenc_memory_release(&asked.memory);
}
