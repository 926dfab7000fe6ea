/* Rows and presets of learned tables: what frameworks call things, and how models resize. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "learned.h"
#include "support.h"

struct alias {
    const char *given, *canonical;
    double number;
};

Test(learned_rows, names_of_frameworks_are_understood)
{
    static const struct alias aliases[] = {
        {"num_embeddings=6&dim=4", "rows", 6},   {"rows=6&embedding_dim=4", "dim", 4},
        {"rows=6&embed_dim=4", "dim", 4},        {"rows=6&hidden_size=4", "dim", 4},
        {"rows=6&d_model=4", "dim", 4},          {"rows=6&dim=4&initializer_range=0.5", "std", 0.5},
        {"rows=6&dim=4&stddev=0.5", "std", 0.5},
    };

    for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++) {
        struct asked asked;
        char query[120];

        (void)snprintf(query, sizeof(query), "init=normal&%s", aliases[i].given);
        cr_assert_eq(ask(&asked, "learned/table", query), POSENC_OK, "%s: %s", query,
                     asked.problem.detail);
        cr_expect_eq(echoed_number(&asked.result, aliases[i].canonical), aliases[i].number, "%s",
                     query);
        asked_release(&asked);
    }
}

Test(learned_rows, a_table_may_be_called_weight)
{
    static const double numbers[] = {1, 2, 3, 4, 5, 6};
    const struct posenc_member weight = {"weight",
                                         support_array(numbers, 2, (const size_t[]){3, 2})};
    struct asked asked;

    cr_assert_eq(ask_with(&asked, "learned/table", "positions=2", &weight, 1), POSENC_OK);
    cr_expect_eq(asked_values(&asked, "encoding")[1], 6);
    asked_release(&asked);
}

struct limit {
    const char *query, *parameter;
    enum posenc_status status;
};

Test(learned_rows, limits_hold_to_the_last_number)
{
    static const struct limit limits[] = {
        {"init=zeros&rows=1&dim=1048576", "", POSENC_OK},
        {"init=zeros&rows=1&dim=1048577", "dim", POSENC_OUT_OF_RANGE},
        {"init=zeros&rows=0&dim=1", "rows", POSENC_OUT_OF_RANGE},
        {"init=uniform&rows=1&dim=1&skip=-1", "skip", POSENC_OUT_OF_RANGE},
        {"init=uniform&rows=1&dim=1&skip=134217729", "skip", POSENC_OUT_OF_RANGE},
        {"init=normal&rows=1&dim=1&std=0", "std", POSENC_OUT_OF_RANGE},
        {"init=normal&rows=1&dim=1&seed=-1", "", POSENC_OK},
        {"init=normal&rows=1&dim=1&position_offset=-1", "position_offset", POSENC_OUT_OF_RANGE},
        {"init=normal&rows=1&dim=1&padding_idx=-1", "padding_idx", POSENC_OUT_OF_RANGE},
        {"init=ones&rows=1&dim=1", "init", POSENC_OUT_OF_RANGE},
        {"init=normal&rows=1&dim=1&generator=tensorflow", "generator", POSENC_OUT_OF_RANGE},
    };

    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
        struct asked asked;

        cr_expect_eq(ask(&asked, "learned/table", limits[i].query), limits[i].status, "%s",
                     limits[i].query);
        if (limits[i].status != POSENC_OK)
            cr_expect_str_eq(asked.problem.parameter, limits[i].parameter, "%s", limits[i].query);
        asked_release(&asked);
    }
}

/* How the published code of each resizes its table. */
struct resized {
    const char *preset, *mode;
    double prefix_tokens, interpolate_offset;
    bool align_corners, antialias;
};

static const struct resized models[] = {
    {"vit", "bicubic", 1, 0, false, false},       {"vit_jax", "linear", 1, 0, true, false},
    {"deit", "bicubic", 1, 0, false, false},      {"dinov2", "bicubic", 1, 0.1, false, false},
    {"dinov2_reg", "bicubic", 1, 0, false, true},
};

static const struct posenc_value *member(const struct posenc_value *object, const char *name)
{
    const struct posenc_value *const value = posenc_find_member(object, name);

    cr_assert_not_null(value, "%s", name);
    return value;
}

static void expect_resizing(const struct resized *model)
{
    static const double numbers[5] = {0}, grid[] = {2, 2}, to[] = {3, 3};
    const struct posenc_member inner[] = {{"grid", posenc_numbers(grid, 2)},
                                          {"to", posenc_numbers(to, 2)}};
    const struct posenc_member members[] = {
        {"table", support_array(numbers, 2, (const size_t[]){5, 1})},
        {"resize", posenc_object(inner, 2)}};
    struct asked asked;
    char query[60];

    (void)snprintf(query, sizeof(query), "preset=%s", model->preset);
    cr_assert_eq(ask_with(&asked, "learned/table", query, members, 2), POSENC_OK, "%s: %s", query,
                 asked.problem.detail);
    const struct posenc_value echo = {.kind = POSENC_OBJECT, .as.object = asked.result.parameters};
    const struct posenc_value *resize = member(&echo, "resize");

    cr_expect_str_eq(member(resize, "mode")->as.text, model->mode, "%s", query);
    cr_expect_eq(member(resize, "prefix_tokens")->as.number, model->prefix_tokens, "%s", query);
    cr_expect_eq(member(resize, "interpolate_offset")->as.number, model->interpolate_offset, "%s",
                 query);
    cr_expect_eq(member(resize, "align_corners")->as.boolean, model->align_corners, "%s", query);
    cr_expect_eq(member(resize, "antialias")->as.boolean, model->antialias, "%s", query);
    asked_release(&asked);
}

Test(learned_rows, presets_say_how_models_resize_and_nothing_else)
{
    size_t presets = 0;

    for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++)
        expect_resizing(&models[i]);
    for (; posenc__learned_presets[presets].name; presets++)
        for (size_t i = 0; posenc__learned_presets[presets].settings[i].name; i++)
            cr_expect_eq(strncmp(posenc__learned_presets[presets].settings[i].name, "resize.", 7),
                         0);
    cr_expect_eq(presets, sizeof(models) / sizeof(*models), "every preset is tried");
}

static const struct posenc_parameter *row_of(const char *name)
{
    for (const struct posenc_parameter *row = posenc__learned_rows; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

/* Who holds files puts the table where these rows say; what formats they have is theirs. */
Test(learned_rows, a_stored_table_is_named_by_two_texts_and_by_no_format)
{
    static const char *const formats[] = {"safetensors", "npy", "npz", "csv"};
    const struct posenc_parameter *table = row_of("table");

    cr_assert_not_null(table->stored_by);
    for (size_t i = 0; i < 2; i++) {
        const struct posenc_parameter *row = row_of(table->stored_by[i]);

        cr_assert_not_null(row, "%s", table->stored_by[i]);
        cr_expect_eq(row->type, POSENC_TYPE_TEXT);
        cr_expect(row->flags & POSENC_OPTIONAL);
    }
    cr_expect_null(table->stored_by[2]);
    for (const struct posenc_parameter *row = posenc__learned_rows; row->name; row++)
        for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
            cr_expect_null(strstr(row->meaning, formats[i]), "%s", row->name);
            cr_expect(!row->fallback_note || !strstr(row->fallback_note, formats[i]), "%s",
                      row->name);
        }
}

Test(learned_rows, a_gradient_needs_to_be_told_how_many_rows_the_table_has)
{
    static const double gradient[] = {1, 2}, indices[] = {0};
    const struct posenc_member members[] = {
        {"gradient", support_array(gradient, 2, (const size_t[]){1, 2})},
        {"indices", support_array(indices, 1, (const size_t[]){1})}};
    struct asked asked;

    cr_expect_eq(ask_with(&asked, "learned/gradient", "", members, 2), POSENC_MISSING_PARAMETER);
    cr_expect_str_eq(asked.problem.parameter, "rows");
    asked_release(&asked);
    cr_expect_eq(ask_with(&asked, "learned/gradient", "num_weights=2", members, 2), POSENC_OK);
    cr_expect_eq(asked.result.tensors[0].shape[0], 2);
    asked_release(&asked);
}
