#include "openapi_operation.h"

#include <criterion/criterion.h>

#include "piece.h"
#include "route.h"

PIECE_SUITE(openapi_operation);

static const struct posenc_operation table = {.name = "table", .summary = "its table"};
static const struct posenc_encoding encoding = {
    .name = "e", .summary = "waves", .convention = "rows are positions", .source = "a paper"};

/* The path item of an operation at /v1/e. */
static const json_t *write(struct openapi_operation operation)
{
    operation.operation = &table;
    (void)stpcpy(operation.path, "/v1/e");
    (void)stpcpy(operation.id, "e.table");
    operation.tag = "e";
    return look_at(OBJECT_OF(openapi_write_operation(&piece, &operation)), "/v1/e", NULL);
}

Test(openapi_operation, has_the_methods_that_there_are)
{
    cr_expect_str_eq(names_of(write((struct openapi_operation){.methods = ROUTE_GET | ROUTE_POST})),
                     "get post");
    cr_expect_str_eq(names_of(write((struct openapi_operation){.methods = ROUTE_POST})), "post");
    cr_expect_str_eq(names_of(write((struct openapi_operation){.methods = ROUTE_GET})), "get");
}

Test(openapi_operation, says_what_a_porter_must_know)
{
    const json_t *const item =
        write((struct openapi_operation){.methods = ROUTE_GET | ROUTE_POST, .encoding = &encoding});

    cr_expect_str_eq(look_at_text(item, "get", "operationId", NULL), "get_e_table");
    cr_expect_str_eq(look_at_text(item, "post", "operationId", NULL), "post_e_table");
    cr_expect_str_eq(look_at_text(item, "get", "summary", NULL), "its table");
    cr_expect_str_eq(look_at_text(item, "get", "description", NULL),
                     "waves. rows are positions.\n\nSource: a paper.");
    cr_expect_null(look_at(write((struct openapi_operation){.methods = ROUTE_GET}), "get",
                           "description", NULL));
}

Test(openapi_operation, refers_to_its_reply_and_to_its_body)
{
    const json_t *const item = write((struct openapi_operation){.methods = ROUTE_GET | ROUTE_POST});

    cr_expect_str_eq(look_at_text(item, "get", "responses", "200", "$ref", NULL),
                     "#/components/responses/e.table");
    cr_expect_str_eq(look_at_text(item, "post", "requestBody", "content", "application/json",
                                  "schema", "$ref", NULL),
                     "#/components/schemas/e.table");
    cr_expect(json_is_true(look_at(item, "post", "requestBody", "required", NULL)));
    cr_expect_null(look_at(item, "get", "requestBody", NULL));
}

/* The parameters of a binary body stand in the query, so both methods have them there. */
Test(openapi_operation, takes_binary_bodies_where_there_are_tensors)
{
    const json_t *const with = write((struct openapi_operation){.methods = ROUTE_GET | ROUTE_POST,
                                                                .rows = {.has_tensors = true}});
    const json_t *const without =
        write((struct openapi_operation){.methods = ROUTE_GET | ROUTE_POST});

    cr_expect_str_eq(names_of(with), "parameters get post");
    cr_expect_null(look_at(with, "get", "parameters", NULL));
    cr_expect_str_eq(names_of(look_at(with, "post", "requestBody", "content", NULL)),
                     "application/json application/x-npy application/vnd.safetensors");
    cr_expect(look_at(without, "get", "parameters", NULL));
    cr_expect_str_eq(names_of(look_at(without, "post", "requestBody", "content", NULL)),
                     "application/json");
}

/* Only what was asked for by GET can be had in part, or not again; only a body can be too long. */
Test(openapi_operation, is_refused_as_its_method_can_be)
{
    const json_t *item = write((struct openapi_operation){.methods = ROUTE_GET | ROUTE_POST});

    cr_expect_str_eq(names_of(look_at(item, "get", "responses", NULL)),
                     "200 206 304 400 405 406 408 413 416 417 422 429 431 501 503 505");
    cr_expect_str_eq(names_of(look_at(item, "post", "responses", NULL)),
                     "200 400 405 406 408 413 415 417 422 429 431 501 503 505");
    piece_service.needs_token = true;
    item = write((struct openapi_operation){.methods = ROUTE_GET});
    cr_expect(look_at(item, "get", "responses", "401", NULL));
}

Test(openapi_operation, leaves_get_out_where_a_tensor_is_required)
{
    const json_t *const paths = look_at(whole_document(), "paths", NULL);

    cr_expect_str_eq(names_of(look_at(paths, "/v1/rope/apply", NULL)), "parameters post");
    cr_expect_null(look_at(paths, "/v1/cope", "get", NULL));
    cr_expect(look_at(paths, "/v1/rope", "get", NULL));
}
