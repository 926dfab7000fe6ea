#include "openapi_rows.h"

#include <criterion/criterion.h>
#include <string.h>

#include "piece.h"

PIECE_SUITE(openapi_rows);

static const char *const aliases[] = {"d_model", "length", NULL};
static const struct posenc_parameter own[] = {
    {.name = "dim", .type = POSENC_TYPE_INTEGER, .aliases = aliases, .flags = POSENC_FROM_TENSOR},
    {.name = "length", .type = POSENC_TYPE_INTEGER},
    {.name = "base", .type = POSENC_TYPE_REAL, .has_fallback = true},
    {.name = "offset", .type = POSENC_TYPE_REAL, .flags = POSENC_OPTIONAL},
    {.name = "preset", .type = POSENC_TYPE_TEXT, .flags = POSENC_OPTIONAL},
    {.name = NULL}};
static const struct posenc_parameter tensors[] = {
    {.name = "x", .type = POSENC_TYPE_TENSOR},
    {.name = "mask", .type = POSENC_TYPE_TENSOR, .flags = POSENC_OPTIONAL},
    {.name = NULL}};
static const struct posenc_parameter *const table_groups[] = {own, NULL},
                                            *const apply_groups[] = {own, tensors, NULL},
                                            *const mask_groups[] = {tensors + 1, NULL};
static const struct posenc_operation table = {.name = "table", .groups = table_groups},
                                     apply = {.name = "apply",
                                              .groups = apply_groups,
                                              .takes_tensors = true},
                                     masked = {.name = "masked", .groups = mask_groups};
static const struct posenc_preset presets[] = {
    {.name = "whisper", .settings = {{.name = "scaling.type"}}}, {.name = NULL}};
static const struct posenc_encoding encoding = {.name = "e", .presets = presets};

static struct openapi_rows rows;

static const struct openapi_row *find(const char *name)
{
    const struct openapi_row *const row = openapi_find_row(rows.first, name);

    cr_assert(row, "%s", name);
    return row;
}

Test(openapi_rows, are_the_operation_s_own_and_then_those_that_shape_every_reply)
{
    static const char *const expected[] = {"dim",    "length", "base",   "offset",         "preset",
                                           "format", "tensor", "pretty", "numeric_version"};
    size_t count = 0;

    openapi_collect_rows(&piece, NULL, &table, &rows);
    for (const struct openapi_row *item = rows.first; item; item = item->next, count++) {
        cr_assert_lt(count, 9, "%s", item->row->name);
        cr_expect_str_eq(item->row->name, expected[count]);
        cr_expect_eq(item->is_shared, count >= 5);
    }
    cr_expect_eq(count, 9);
}

Test(openapi_rows, of_an_encoding_include_those_that_name_a_model)
{
    openapi_collect_rows(&piece, &encoding, &table, &rows);
    cr_expect(find("model")->is_shared && find("config")->is_shared);
    cr_expect(find("layer")->takes_index, "a layer's type, or its number");
    cr_expect_not(find("model")->takes_index);
}

Test(openapi_rows, are_required_where_nothing_else_tells_the_value)
{
    openapi_collect_rows(&piece, &encoding, &table, &rows);
    cr_expect(find("length")->is_required);
    cr_expect(find("dim")->is_required, "there is no tensor that could tell it");
    cr_expect_not(find("base")->is_required);
    cr_expect_not(find("offset")->is_required);
    openapi_collect_rows(&piece, &encoding, &apply, &rows);
    cr_expect_not(find("dim")->is_required, "the tensor tells it");
    cr_expect(find("x")->is_required);
}

/* A model or a preset sets parameters, but brings no tensors. */
Test(openapi_rows, may_be_left_out_for_what_sets_them)
{
    openapi_collect_rows(&piece, &encoding, &apply, &rows);
    cr_assert(find("length")->instead);
    cr_expect_str_eq(find("length")->instead[0], "model");
    cr_expect_str_eq(find("length")->instead[1], "config");
    cr_expect_str_eq(find("length")->instead[2], "preset");
    cr_expect_null(find("x")->instead);
    openapi_collect_rows(&piece, &(struct posenc_encoding){0}, &table, &rows);
    cr_expect_null(find("length")->instead[2], "it has no presets");
    openapi_collect_rows(&piece, NULL, &table, &rows);
    cr_expect_null(find("length")->instead);
}

Test(openapi_rows, know_the_names_of_presets_and_formats)
{
    openapi_collect_rows(&piece, &encoding, &table, &rows);
    cr_assert(find("preset")->names);
    cr_expect_str_eq(find("preset")->names[0], "whisper");
    cr_assert(find("format")->names);
    cr_expect_str_eq(find("format")->names[0], "json");
    cr_expect_null(find("tensor")->names);
}

Test(openapi_rows, tell_whether_there_are_tensors_and_whether_they_are_needed)
{
    openapi_collect_rows(&piece, NULL, &table, &rows);
    cr_expect(!rows.has_tensors && !rows.needs_tensors);
    openapi_collect_rows(&piece, NULL, &apply, &rows);
    cr_expect(rows.has_tensors && rows.needs_tensors);
    openapi_collect_rows(&piece, NULL, &masked, &rows);
    cr_expect(rows.has_tensors && !rows.needs_tensors);
}

Test(openapi_rows, are_found_by_their_own_name_before_another_s_alias)
{
    openapi_collect_rows(&piece, NULL, &table, &rows);
    cr_expect_str_eq(find("d_model")->row->name, "dim");
    cr_expect_str_eq(find("length")->row->name, "length");
    cr_expect_null(openapi_find_row(rows.first, "d_mode"));
    cr_expect_null(openapi_find_row(NULL, "dim"));
}

/* What either takes is taken by the other, too. */
static bool are_alike(const struct posenc_parameter *a, const struct posenc_parameter *b)
{
    const unsigned flags = POSENC_ABOVE | POSENC_NULLS;

    return a->type == b->type && a->choices == b->choices && a->members == b->members &&
           a->minimum == b->minimum && a->maximum == b->maximum &&
           (a->flags & flags) == (b->flags & flags);
}

static size_t count_alike(const struct openapi_row *item, const struct posenc_parameter *row)
{
    size_t count = 0;

    for (; item; item = item->variant)
        count += are_alike(item->row, row);
    return count;
}

Test(openapi_rows, of_a_quantity_are_lent_by_the_encodings_that_have_it)
{
    openapi_collect_rows(&piece, NULL, posenc_find_quantity("wavelengths"), &rows);
    cr_expect(find("encoding")->is_required && !find("encoding")->is_borrowed);
    cr_expect(find("encoding")->names, "those that have the quantity");
    cr_expect(find("base")->is_borrowed && !find("base")->is_required);
    cr_expect(find("layout")->variant, "encodings take different ones");
    cr_expect_null(find("encoding")->variant, "which hides what encodings call so");
}

/* Each way in which some encoding understands a name is there, and once. */
Test(openapi_rows, of_a_quantity_take_what_each_encoding_takes)
{
    const struct posenc_operation *const quantity = posenc_find_quantity("precision");
    const struct posenc_encoding *lender;

    openapi_collect_rows(&piece, NULL, quantity, &rows);
    for (size_t i = 0; (lender = posenc_encoding_at(i)) != NULL; i++) {
        if (!posenc_quantity_serves(quantity, lender))
            continue;
        const struct posenc_parameter *const *group =
            posenc_find_operation(lender, quantity->asks_encoding)->groups;

        for (; *group; group++)
            for (const struct posenc_parameter *row = *group; row->name; row++)
                if (find(row->name)->is_borrowed)
                    cr_expect_eq(count_alike(find(row->name), row), 1, "%s of %s", row->name,
                                 lender->name);
    }
}

Test(openapi_rows, of_an_object_are_its_members_some_of_which_a_preset_sets)
{
    static const struct posenc_parameter members[] = {{.name = "type", .type = POSENC_TYPE_TEXT},
                                                      {.name = "factor", .type = POSENC_TYPE_REAL},
                                                      {.name = NULL}};
    static const struct posenc_parameter object = {
        .name = "scaling", .type = POSENC_TYPE_OBJECT, .members = members};
    const struct openapi_row *const type =
        openapi_list_members(&piece, &(struct openapi_row){.row = &object, .presets = presets});

    cr_assert(type && type->next);
    cr_expect_str_eq(type->row->name, "type");
    cr_expect(type->is_set_by_preset && type->is_required);
    cr_expect_str_eq(type->next->row->name, "factor");
    cr_expect_not(type->next->is_set_by_preset);
    cr_expect_null(type->next->next);
}

Test(openapi_rows, that_are_shared_are_those_of_models_and_of_replies)
{
    rows.first = openapi_list_shared(&piece);
    cr_expect(find("model")->is_shared && find("pretty")->is_shared);
    cr_expect_null(openapi_find_row(rows.first, "dim"));
}

Test(openapi_rows, note_when_memory_is_out)
{
    memory.limit = 0;
    openapi_collect_rows(&piece, NULL, &table, &rows);
    cr_expect(written.failed);
}
