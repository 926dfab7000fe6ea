/* The presets of image encoders, and the rows that they set. */
#include <math.h>

#include "asking.h"
#include "rope.h"

#define COUNT_OF(rows) (sizeof(rows) / sizeof(*(rows)))

/* What each class of models does, in the words of the rows; NULL and 0: the general default. */
struct preset_row {
    const char *name, *rule, *order, *layout, *coordinates;
    double base, axes, start;
};

static const struct preset_row presets[] = {
    {"pixtral", "alternate", "yx", "half", "index", 1e4, 2, 0},
    {"qwen2_vl_vision", "blocks", "yx", "half", "index", 1e4, 2, 0},
    {"llama4_vision", "blocks", "xy", "interleaved", "index", 1e4, 2, 1},
    {"dinov3", "blocks", "yx", "half", "centered", 100, 2, 0},
    {"sam2", "blocks", "xy", "interleaved", "index", 1e4, 2, 0},
    {"vjepa2", "separate", "yx", "mixed", "index", 1e4, 3, 0},
    {"gemma4_vision", "separate", "xy", "half", "index", 100, 2, 0},
    {"kimi_k25_vision", "interleaved", "xy", NULL, "index", 1e4, 2, 0},
};

static const char *text_of(const struct asked *asked, const char *name)
{
    const struct posenc_value *value = &posenc_find_argument(&asked->arguments, name)->value;

    return value->kind == POSENC_TEXT ? value->as.text : "";
}

static double number_of(const struct asked *asked, const char *name)
{
    const struct posenc_value *value = &posenc_find_argument(&asked->arguments, name)->value;

    return value->kind == POSENC_NUMBER ? value->as.number : NAN;
}

Test(rope_vision_rows, each_preset_is_its_models_rule)
{
    for (size_t i = 0; i < COUNT_OF(presets); i++) {
        const struct preset_row *row = &presets[i];
        const double grid[] = {2, 2, 2};
        struct asked asked;

        ask(&asked, "rope", "table", {"dim", posenc_number(24)}, {"preset", posenc_text(row->name)},
            {"grid", posenc_numbers(grid, row->axes == 3 ? 3 : 2)});
        cr_assert_eq(asked.status, POSENC_OK, "%s: %s", row->name, asked.problem.detail);
        cr_expect_str_eq(text_of(&asked, "axes_rule"), row->rule, "%s", row->name);
        cr_expect_str_eq(text_of(&asked, "axis_order"), row->order, "%s", row->name);
        cr_expect_str_eq(text_of(&asked, "layout"), row->layout ? row->layout : "", "%s",
                         row->name);
        cr_expect_str_eq(text_of(&asked, "coordinates"), row->coordinates, "%s", row->name);
        cr_expect_eq(number_of(&asked, "base"), row->base, "%s", row->name);
        cr_expect_eq(number_of(&asked, "axis_count"), row->axes, "%s", row->name);
        cr_expect_eq(number_of(&asked, "coordinate_start"), row->start, "%s", row->name);
        posenc_memory_release(&asked.memory);
    }
}

Test(rope_vision_rows, every_preset_is_tried_here)
{
    for (const struct posenc_preset *preset = posenc__rope_presets; preset->name; preset++) {
        bool found = false;

        for (size_t i = 0; i < COUNT_OF(presets); i++)
            found = found || strcmp(preset->name, presets[i].name) == 0;
        cr_expect(found, "%s", preset->name);
    }
}

/* Kimi's published weights and transformers' conversion differ, so the request has to say it. */
Test(rope_vision_rows, kimi_leaves_the_layout_open)
{
    struct asked asked;

    ask(&asked, "rope", "apply", {"preset", posenc_text("kimi_k25_vision")}, {"grid", LIST(1, 1)},
        {"x", ROWS(1, 4, 1, 2, 3, 4)});
    expect_refusal(&asked, POSENC_MISSING_PARAMETER, "layout");
    posenc_memory_release(&asked.memory);
}

Test(rope_vision_rows, a_preset_gives_way_to_the_request)
{
    struct asked asked;

    ask(&asked, "rope", "table", {"dim", posenc_number(8)}, {"preset", posenc_text("pixtral")},
        {"base", posenc_number(10)}, {"grid", LIST(1, 1)});
    cr_expect_eq(number_of(&asked, "base"), 10);
    posenc_memory_release(&asked.memory);
}

/* Every row of this table is refused where no rule gives it a meaning. */
Test(rope_vision_rows, rows_belong_to_a_rule)
{
    static const char *const texts[][2] = {{"axis_order", "xy"}, {"coordinates", "centered"}};
    static const char *const numbers[] = {"axis_count", "coordinate_start"};
    struct asked asked;

    for (size_t i = 0; i < 2; i++) {
        ask(&asked, "rope", "table", {"dim", posenc_number(8)}, {"length", posenc_number(1)},
            {texts[i][0], posenc_text(texts[i][1])});
        expect_refusal(&asked, POSENC_CONFLICT, texts[i][0]);
        posenc_memory_release(&asked.memory);
        ask(&asked, "rope", "table", {"dim", posenc_number(8)}, {"length", posenc_number(1)},
            {numbers[i], posenc_number(2)});
        expect_refusal(&asked, POSENC_CONFLICT, numbers[i]);
        posenc_memory_release(&asked.memory);
    }
}

Test(rope_vision_rows, an_image_has_two_axes_and_a_video_three)
{
    static const double counts[] = {1, 2, 3, 4};

    for (size_t i = 0; i < 4; i++) {
        const double grid[] = {1, 1, 1};
        struct asked asked;

        ask(&asked, "rope", "table", {"dim", posenc_number(12)},
            {"axes_rule", posenc_text("blocks")}, {"axis_count", posenc_number(counts[i])},
            {"grid", posenc_numbers(grid, i == 2 ? 3 : 2)});
        cr_expect_eq(asked.status, i == 1 || i == 2 ? POSENC_OK : POSENC_OUT_OF_RANGE, "%g axes",
                     counts[i]);
        posenc_memory_release(&asked.memory);
    }
}
