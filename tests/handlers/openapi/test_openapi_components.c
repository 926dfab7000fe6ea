#include "openapi_components.h"

#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "piece.h"

PIECE_SUITE(openapi_components);

static const json_t *components(void)
{
    return look_at(OBJECT_OF(openapi_write_components(&piece)), "components", NULL);
}

Test(openapi_components, are_of_each_kind_and_of_tokens_where_some_are_asked_for)
{
    cr_expect_str_eq(names_of(components()), "schemas parameters headers responses");
    piece_service.needs_token = true;
    cr_expect_str_eq(names_of(components()),
                     "schemas parameters headers securitySchemes responses");
    cr_expect_str_eq(look_at_text(components(), "securitySchemes", "token", "scheme", NULL),
                     "bearer");
}

Test(openapi_components, have_the_body_of_each_operation)
{
    const json_t *const schemas = look_at(components(), "schemas", NULL);
    const json_t *const rope = look_at(schemas, "rope", NULL);

    cr_expect_str_eq(look_at_text(rope, "properties", "theta", "$ref", NULL),
                     "#/components/schemas/rope/properties/base");
    cr_expect(json_is_false(look_at(rope, "additionalProperties", NULL)));
    cr_expect_str_eq(look_at_text(schemas, "rope.apply", "properties", "x", "anyOf", NULL), "");
    cr_expect(look_at(schemas, "rope.apply", "properties", "x", NULL));
    cr_expect(look_at(schemas, "analysis.shift", "properties", "encoding", NULL));
}

Test(openapi_components, know_every_dtype_and_the_most_axes)
{
    const json_t *const schemas = look_at(components(), "schemas", NULL);
    const json_t *const dtypes = look_at(schemas, "Dtype", "enum", NULL);

    cr_expect_eq(json_array_size(dtypes), 6);
    cr_expect(holds_text(dtypes, "bfloat16") && holds_text(dtypes, "int64"));
    cr_expect_eq(json_integer_value(look_at(schemas, "Shape", "maxItems", NULL)), 8);
}

/* Every member that the answer has is described, and every one that is required is there. */
static void expect_members(const json_t *schema, const json_t *object)
{
    const json_t *const properties = look_at(schema, "properties", NULL);
    const char *name;
    json_t *item;
    size_t i;

    cr_assert(json_is_object(object));
    json_object_foreach((json_t *)object, name, item)
        cr_expect(json_object_get(properties, name), "%s is not described", name);
    json_array_foreach(look_at(schema, "required", NULL), i, item) cr_expect(
        json_object_get(object, json_string_value(item)), "%s is missing", json_string_value(item));
}

Test(openapi_components, describe_what_is_answered)
{
    const json_t *const schemas = look_at(components(), "schemas", NULL);
    struct answer result = ask("POST", "/v1/rope/apply", "{\"layout\":\"half\",\"x\":[[1,2,3,4]]}");
    struct answer refused = ask("GET", "/v1/sinusoidal?length=1&dim=4&layout=half", NULL);
    struct answer broken = ask("POST", "/v1/sinusoidal", "{");
    struct answer large = ask("GET", "/v1/sinusoidal?length=1e9&dim=1024", NULL);

    expect_members(look_at(schemas, "Result", NULL), result.document);
    expect_members(look_at(schemas, "Tensor", NULL),
                   look_at(result.document, "tensors", "x", NULL));
    expect_members(look_at(schemas, "Problem", NULL), refused.document);
    expect_members(look_at(schemas, "Problem", NULL), broken.document);
    expect_members(look_at(schemas, "Problem", NULL), large.document);
    cr_expect(look_at(large.document, "limit", NULL) && look_at(broken.document, "offset", NULL));
    answer_release(&result);
    answer_release(&refused);
    answer_release(&broken);
    answer_release(&large);
}
