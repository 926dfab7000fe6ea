#include "openapi_schema.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "piece.h"

PIECE_SUITE(openapi_schema);

static void expect_schema(const struct openapi_row *item, enum openapi_place place,
                          const char *expected)
{
    openapi_begin_schema(&piece, item, place);
    json_text_end_object(&written);
    expect_written(expected);
}

static const struct posenc_parameter flag = {.name = "flag", .type = POSENC_TYPE_BOOLEAN},
                                     on = {.name = "on",
                                           .type = POSENC_TYPE_BOOLEAN,
                                           .meaning = "whether",
                                           .has_fallback = true,
                                           .fallback = {.kind = POSENC_BOOLEAN,
                                                        .as.boolean = true}},
                                     text = {.name = "text", .type = POSENC_TYPE_TEXT},
                                     unset = {.name = "unset",
                                              .type = POSENC_TYPE_TEXT,
                                              .has_fallback = true};

/* In a query there is no null; in a body it asks for the default, which what is required has not.
 */
Test(openapi_schema, takes_null_for_the_default_in_a_body)
{
    expect_schema(&(struct openapi_row){.row = &flag}, OPENAPI_QUERY, "{\"type\":\"boolean\"}");
    expect_schema(&(struct openapi_row){.row = &flag}, OPENAPI_BODY,
                  "{\"type\":[\"boolean\",\"null\"]}");
    expect_schema(&(struct openapi_row){.row = &flag, .is_required = true}, OPENAPI_BODY,
                  "{\"type\":\"boolean\"}");
}

Test(openapi_schema, tells_the_default_where_there_is_one)
{
    expect_schema(&(struct openapi_row){.row = &on}, OPENAPI_QUERY,
                  "{\"type\":\"boolean\",\"default\":true}");
    expect_schema(&(struct openapi_row){.row = &unset}, OPENAPI_BODY,
                  "{\"type\":[\"string\",\"null\"],\"default\":null}");
    expect_schema(&(struct openapi_row){.row = &unset}, OPENAPI_QUERY, "{\"type\":\"string\"}");
    expect_schema(&(struct openapi_row){.row = &on, .is_borrowed = true}, OPENAPI_QUERY,
                  "{\"type\":\"boolean\"}");
}

Test(openapi_schema, takes_what_any_of_several_encodings_understands_by_a_name)
{
    struct openapi_row variant = {.row = &text}, first = {.row = &flag, .variant = &variant};

    expect_schema(&first, OPENAPI_QUERY,
                  "{\"anyOf\":[{\"type\":\"boolean\"},{\"type\":\"string\"}]}");
    expect_schema(
        &first, OPENAPI_BODY,
        "{\"anyOf\":[{\"type\":[\"boolean\",\"null\"]},{\"type\":[\"string\",\"null\"]}]}");
}

static const char *const aliases[] = {"rope_type", "name", NULL};
static const struct posenc_parameter members[] = {
    {.name = "type", .type = POSENC_TYPE_TEXT, .aliases = aliases, .meaning = "which"},
    {.name = "depth", .type = POSENC_TYPE_BOOLEAN, .meaning = "how deep", .flags = POSENC_OPTIONAL},
    {.name = NULL}};

#define TYPE_NOTES                                                                                 \
    "\"description\":\"which. Required.\",\"x-aliases\":[\"rope_type\",\"name\"],"                 \
    "\"x-required-unless\":[\"rope_type\",\"name\"]"
#define TYPE_IS_REQUIRED                                                                           \
    "\"allOf\":[{\"anyOf\":[{\"required\":[\"type\"]},{\"required\":[\"rope_type\"]},"             \
    "{\"required\":[\"name\"]}]}]"
#define DEPTH "\"depth\":{\"type\":[\"boolean\",\"null\"],\"description\":\"how deep.\"}"

/* An object's aliases are written again. */
Test(openapi_schema, of_an_object_has_the_schemas_of_its_members)
{
    const struct posenc_parameter closed = {.name = "scaling",
                                            .type = POSENC_TYPE_OBJECT,
                                            .members = members},
                                  open = {.name = "scaling",
                                          .type = POSENC_TYPE_OBJECT,
                                          .members = members,
                                          .flags = POSENC_OPEN};

    expect_schema(&(struct openapi_row){.row = &closed}, OPENAPI_BODY,
                  "{\"type\":[\"object\",\"null\"],\"properties\":{"
                  "\"type\":{\"type\":\"string\"," TYPE_NOTES "},"
                  "\"rope_type\":{\"type\":\"string\"},\"name\":{\"type\":\"string\"}," DEPTH
                  "}," TYPE_IS_REQUIRED ",\"additionalProperties\":false}");
    openapi_begin_schema(&piece, &(struct openapi_row){.row = &open}, OPENAPI_BODY);
    json_text_end_object(&written);
    const json_t *const schema = written_json();

    cr_expect(json_is_true(look_at(schema, "additionalProperties", NULL)));
}

Test(openapi_schema, of_members_lets_aliases_refer_to_the_property_that_they_stand_for)
{
    struct openapi_row depth = {.row = &members[1]},
                       type = {.row = &members[0], .is_required = true, .next = &depth};

    json_text_begin_object(&written);
    openapi_write_members(&piece, &type, "#/base");
    json_text_end_object(&written);
    expect_written(
        "{\"properties\":{\"type\":{\"type\":\"string\"," TYPE_NOTES "},"
        "\"rope_type\":{\"$ref\":\"#/base/type\"},\"name\":{\"$ref\":\"#/base/type\"}," DEPTH
        "}," TYPE_IS_REQUIRED "}");
}

/* As where one encoding's alias is another encoding's own name. */
Test(openapi_schema, of_members_leaves_a_name_to_the_row_that_bears_it)
{
    static const char *const both[] = {"on", NULL};
    static const struct posenc_parameter aliased = {.name = "text",
                                                    .type = POSENC_TYPE_TEXT,
                                                    .aliases = both,
                                                    .flags = POSENC_OPTIONAL,
                                                    .meaning = "some"};
    struct openapi_row second = {.row = &on}, first = {.row = &aliased, .next = &second};
    const json_t *const object = OBJECT_OF(openapi_write_members(&piece, &first, "#/base"));

    cr_expect_eq(json_object_size(look_at(object, "properties", NULL)), 2);
    cr_expect(json_is_true(look_at(object, "properties", "on", "default", NULL)));
}

Test(openapi_schema, of_what_all_operations_share_is_referred_to)
{
    const struct openapi_row shared = {.row = &on, .is_shared = true};

    json_text_begin_object(&written);
    openapi_write_members(&piece, &shared, "#/base");
    json_text_end_object(&written);
    expect_written("{\"properties\":{\"on\":{\"$ref\":\"#/components/schemas/parameter.on\"}}}");

    const json_t *const schemas = OBJECT_OF(openapi_write_shared_schemas(&piece));

    for (const struct openapi_row *item = openapi_list_shared(&piece); item; item = item->next) {
        char name[64];

        (void)snprintf(name, sizeof name, "parameter.%s", item->row->name);
        cr_expect(look_at(schemas, name, "description", NULL), "%s", name);
    }
    cr_expect(look_at(schemas, "parameter.format", "enum", NULL));
}
