#include "openapi_replies.h"

#include <criterion/criterion.h>
#include <string.h>

#include "format.h"
#include "piece.h"

PIECE_SUITE(openapi_replies);

static const json_t *replies(void)
{
    return OBJECT_OF(openapi_write_replies(&piece));
}

/* What the JSON document of a result has beside what all have. */
static const json_t *properties(const json_t *all, const char *id)
{
    return look_at(all, id, "content", "application/json", "schema", "properties", NULL);
}

Test(openapi_replies, come_in_every_format)
{
    const json_t *const content = look_at(replies(), "rope", "content", NULL);

    for (size_t i = 0; format_at(i); i++)
        cr_expect(look_at(content, format_at(i)->media_type, NULL), "%s", format_at(i)->name);
    cr_expect_null(look_at(content, "application/x-npy", "schema", NULL), "bytes have no schema");
    cr_expect_null(look_at(content, "image/png", "schema", NULL));
    cr_expect_str_eq(look_at_text(content, "text/csv", "schema", "type", NULL), "string");
    cr_expect_str_eq(look_at_text(content, "image/svg+xml", "schema", "type", NULL), "string");
}

Test(openapi_replies, have_the_operation_s_tensors_and_no_others)
{
    const json_t *const tensors = look_at(properties(replies(), "rope"), "tensors", NULL);

    const struct posenc_tensor_row *row =
        posenc_find_operation(posenc_find("rope"), "table")->tensors;
    const json_t *const all = look_at(tensors, "properties", NULL);
    size_t count = 0;

    for (; row[count].name; count++)
        cr_expect(look_at(all, row[count].name, NULL), "%s", row[count].name);
    cr_expect_eq(json_object_size(all), count);
    cr_expect(json_is_false(look_at(tensors, "additionalProperties", NULL)));
    cr_expect_str_eq(look_at_text(tensors, "properties", "cos", "$ref", NULL),
                     "#/components/schemas/Tensor");
    cr_expect_eq(
        strncmp(look_at_text(tensors, "properties", "cos", "description", NULL), "[length, ", 9),
        0);
}

Test(openapi_replies, name_their_encoding_and_their_operation_as_the_document_does)
{
    const json_t *const all = replies();
    const json_t *const names =
        look_at(properties(all, "analysis.wavelengths"), "encoding", "enum", NULL);

    cr_expect_str_eq(look_at_text(properties(all, "rope"), "encoding", "const", NULL), "rope");
    cr_expect_null(look_at(properties(all, "rope"), "operation", NULL),
                   "of a table it is not told");
    cr_expect_str_eq(look_at_text(properties(all, "rope.apply"), "operation", "const", NULL),
                     "apply");
    cr_expect(holds_text(names, "rope"));
    cr_expect_not(holds_text(names, "rotary"), "replies name the canonical one");
    cr_expect_not(holds_text(names, "alibi"));
    cr_expect_null(look_at(properties(all, "attention"), "encoding", NULL));
}

Test(openapi_replies, add_to_what_all_results_have)
{
    const json_t *const schema =
        look_at(replies(), "alibi", "content", "application/json", "schema", NULL);

    cr_expect_str_eq(look_at_text(json_array_get(look_at(schema, "allOf", NULL), 0), "$ref", NULL),
                     "#/components/schemas/Result");
    cr_expect(look_at(replies(), "alibi", "headers", "ETag", NULL));
}
