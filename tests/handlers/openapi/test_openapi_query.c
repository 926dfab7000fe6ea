#include "openapi_query.h"

#include <criterion/criterion.h>

#include "format.h"
#include "piece.h"

PIECE_SUITE(openapi_query);

static const char *const aliases[] = {"theta", NULL};
static const struct posenc_parameter inner[] = {
    {.name = "deep", .type = POSENC_TYPE_BOOLEAN, .meaning = "deep"}, {.name = NULL}};
static const struct posenc_parameter members[] = {
    {.name = "factor", .type = POSENC_TYPE_BOOLEAN, .meaning = "how much"},
    {.name = "inner", .type = POSENC_TYPE_OBJECT, .members = inner, .meaning = "more"},
    {.name = NULL}};
static const struct posenc_parameter
    flag = {.name = "flag", .type = POSENC_TYPE_BOOLEAN, .meaning = "whether"},
    aliased = {.name = "base", .type = POSENC_TYPE_BOOLEAN, .meaning = "what", .aliases = aliases},
    list = {.name = "axes", .type = POSENC_TYPE_CHOICES, .meaning = "which"},
    tensor = {.name = "x", .type = POSENC_TYPE_TENSOR, .meaning = "numbers"},
    object = {.name = "scaling", .type = POSENC_TYPE_OBJECT, .members = members, .meaning = "how"},
    bare = {.name = "config", .type = POSENC_TYPE_OBJECT, .meaning = "any"};

static const json_t *query(struct openapi_row *rows, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++)
        rows[i].next = &rows[i + 1];
    return ARRAY_OF(openapi_write_query(&piece, rows));
}

Test(openapi_query, has_a_parameter_for_each_row)
{
    json_text_begin_array(&written);
    openapi_write_query(&piece, &(struct openapi_row){.row = &flag});
    json_text_end_array(&written);
    expect_written("[{\"name\":\"flag\",\"in\":\"query\",\"description\":\"whether.\","
                   "\"schema\":{\"type\":\"boolean\"}}]");
}

/* OpenAPI's other style repeats the name for each element. */
Test(openapi_query, separates_lists_by_commas)
{
    const json_t *const parameters = query((struct openapi_row[]){{.row = &list}}, 1);
    const json_t *const axes = find_item(parameters, "name", "axes");

    cr_expect_str_eq(look_at_text(axes, "style", NULL), "form");
    cr_expect(json_is_false(look_at(axes, "explode", NULL)));
}

Test(openapi_query, requires_what_can_be_given_in_one_way_only)
{
    static const char *const instead[] = {"model", NULL};
    const json_t *parameters = query((struct openapi_row[]){{.row = &flag, .is_required = true},
                                                            {.row = &aliased, .is_required = true},
                                                            {.row = &list}},
                                     3);

    cr_expect(json_is_true(look_at(find_item(parameters, "name", "flag"), "required", NULL)));
    cr_expect_null(look_at(find_item(parameters, "name", "base"), "required", NULL));
    cr_expect_null(look_at(find_item(parameters, "name", "axes"), "required", NULL));
    parameters =
        query((struct openapi_row[]){{.row = &flag, .is_required = true, .instead = instead},
                                     {.row = &list, .is_required = true, .is_set_by_preset = true}},
              2);
    cr_expect_null(look_at(find_item(parameters, "name", "flag"), "required", NULL));
    cr_expect_null(look_at(find_item(parameters, "name", "axes"), "required", NULL));
}

/* What an object requires is required of it, not of everybody. */
Test(openapi_query, has_members_under_dotted_names)
{
    const json_t *parameters = query((struct openapi_row[]){{.row = &object}}, 1);

    cr_assert_eq(json_array_size(parameters), 2);
    cr_expect(find_item(parameters, "name", "scaling.factor"));
    cr_expect(find_item(parameters, "name", "scaling.inner.deep"));
    cr_expect_null(look_at(find_item(parameters, "name", "scaling.factor"), "required", NULL));
    cr_expect_null(look_at(find_item(parameters, "name", "scaling.inner.deep"), "required", NULL));
    parameters = query((struct openapi_row[]){{.row = &object, .is_required = true}}, 1);
    cr_expect(
        json_is_true(look_at(find_item(parameters, "name", "scaling.factor"), "required", NULL)));
    cr_expect(json_is_true(
        look_at(find_item(parameters, "name", "scaling.inner.deep"), "required", NULL)));
}

Test(openapi_query, leaves_out_what_only_a_body_can_bring)
{
    cr_expect_eq(json_array_size(query(
                     (struct openapi_row[]){{.row = &tensor}, {.row = &bare}, {.row = &flag}}, 3)),
                 1);
}

Test(openapi_query, refers_to_what_all_operations_share)
{
    const struct openapi_row shared = {.row = &flag, .is_shared = true};
    const json_t *const parameters = OBJECT_OF(openapi_write_shared_parameters(&piece));

    json_text_begin_array(&written);
    openapi_write_query(&piece, &shared);
    json_text_end_array(&written);
    expect_written("[{\"$ref\":\"#/components/parameters/flag\"}]");
    cr_expect_str_eq(look_at_text(parameters, "pretty", "in", NULL), "query");
    cr_expect(look_at(parameters, "model", NULL));
    cr_expect_null(look_at(parameters, "config", NULL), "which no query can bring");
    for (size_t i = 0; format_at(i); i++)
        cr_expect(
            holds_text(look_at(parameters, "format", "schema", "enum", NULL), format_at(i)->name));
}

Test(openapi_query, tells_type_range_default_and_aliases_of_rope_s_parameters)
{
    const json_t *const parameters =
        look_at(whole_document(), "paths", "/v1/rope", "get", "parameters", NULL);
    const json_t *const base = find_item(parameters, "name", "base");
    const json_t *const factor = find_item(parameters, "name", "scaling.factor");

    cr_expect_str_eq(look_at_text(base, "schema", "type", NULL), "number");
    cr_expect_eq(json_number_value(look_at(base, "schema", "default", NULL)), 10000);
    cr_expect(json_is_number(look_at(base, "schema", "exclusiveMinimum", NULL)));
    cr_expect(holds_text(look_at(base, "x-aliases", NULL), "rope_theta"));
    cr_expect_eq(json_number_value(look_at(factor, "schema", "minimum", NULL)), 1);
    cr_expect_str_eq(look_at_text(find_item(parameters, "name", "positions"), "style", NULL),
                     "form");
    cr_expect_null(find_item(parameters, "name", "scaling"));
}
