#include "openapi_documents.h"

#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "piece.h"
#include "table_files.h"
#include "table_store.h"

PIECE_SUITE(openapi_documents);

static const json_t *document(const char *path)
{
    const struct route *route = piece.routes;

    while (route->path && strcmp(route->path, path) != 0)
        route++;
    cr_assert(route->path, "%s", path);
    return look_at(OBJECT_OF(openapi_write_document(&piece, route)), path, NULL);
}

static const json_t *schema_of(const json_t *method)
{
    return look_at(method, "responses", "200", "content", "application/json", "schema", NULL);
}

/* Whether a route names operations, each of which is described on its own. */
static bool names_operations(const struct route *route)
{
    return strstr(route->path, "{quantity}") || strncmp(route->path, "/v1/{encoding}", 14) == 0;
}

/* What the schema, or the one that it refers to or is made of, requires of the answer is there. */
static void expect_required(const json_t *schemas, const json_t *schema, const json_t *answer,
                            const char *path)
{
    const char *const pointer = look_at_text(schema, "$ref", NULL);
    json_t *item;
    size_t i;

    if (*pointer)
        schema = look_at(schemas, strrchr(pointer, '/') + 1, NULL);
    cr_assert(schema, "%s: %s", path, pointer);
    json_array_foreach(look_at(schema, "allOf", NULL), i, item)
        expect_required(schemas, item, answer, path);
    json_array_foreach(look_at(schema, "required", NULL), i, item)
        cr_expect(json_object_get(answer, json_string_value(item)), "%s: %s is missing", path,
                  json_string_value(item));
    const char *name;

    json_object_foreach((json_t *)look_at(schema, "properties", NULL), name, item)
    {
        const json_t *const list = json_object_get(answer, name);

        if (json_is_array(list) && json_array_size(list) > 0 && json_object_get(item, "items"))
            expect_required(schemas, json_object_get(item, "items"), json_array_get(list, 0), path);
    }
}

/* As the example of the index asks for it. */
static void expect_described(const json_t *schemas, const struct route *route)
{
    const bool is_got = route->methods & ROUTE_GET;
    const json_t *const schema =
        schema_of(look_at(document(route->path), is_got ? "get" : "post", NULL));
    struct answer answer = ask_service_with(&piece_service, is_got ? "GET" : "POST", route->example,
                                            route->example_body, NULL, 0);

    cr_assert_eq(answer.status, 200, "%s", route->path);
    cr_expect_eq(json_object_size(schema) == 1 && !look_at(schema, "$ref", NULL) &&
                     !look_at(schema, "allOf", NULL),
                 strcmp(route->path, "/openapi.json") == 0, "%s has a schema", route->path);
    expect_required(schemas, schema, answer.document, route->path);
    answer_release(&answer);
}

Test(openapi_documents, describe_what_their_routes_answer)
{
    const json_t *const schemas = look_at(whole_document(), "components", "schemas", NULL);
    struct table_files files = table_files_new();
    char problem[TABLES_PROBLEM_MAX];

    table_files_write_npy(&files, "b.npy", 3, 2, 0.5f);
    piece_service.tables = table_store_new();
    table_store_replace(piece_service.tables, tables_read(files.path, 1 << 20, problem));
    for (const struct route *route = piece.routes; route->path; route++)
        if (!names_operations(route) && strcmp(route->path, "/metrics") != 0 &&
            strcmp(route->path, "/explorer/{file}") != 0)
            expect_described(schemas, route);
    table_store_free(piece_service.tables);
    table_files_remove(&files, (const char *const[]){"b.npy", NULL});
}

Test(openapi_documents, tell_the_names_that_may_stand_in_a_path)
{
    const json_t *const parameters =
        look_at(document("/v1/models/{model}"), "get", "parameters", NULL);
    const json_t *const model = find_item(parameters, "name", "model");

    cr_expect_str_eq(look_at_text(model, "in", NULL), "path");
    cr_expect(json_is_true(look_at(model, "required", NULL)));
    cr_expect(holds_text(look_at(model, "schema", "enum", NULL), "llama-3.1-8b"));
    cr_expect(look_at(document("/v1/models/{model}"), "get", "responses", "404", NULL));
    cr_expect_null(look_at(document("/v1/models"), "get", "responses", "404", NULL));
}

/* A query that a route says it takes is taken, and another one is not. */
Test(openapi_documents, take_pretty_and_verbose_where_they_say_so)
{
    cr_expect_str_eq(
        look_at_text(json_array_get(look_at(document("/v1/tables"), "get", "parameters", NULL), 0),
                     "$ref", NULL),
        "#/components/parameters/pretty");
    cr_expect(look_at(document("/v1/tables"), "get", "responses", "422", NULL));
    cr_expect_eq(json_array_size(look_at(document("/livez"), "get", "parameters", NULL)), 0);
    cr_expect(
        find_item(look_at(document("/readyz"), "get", "parameters", NULL), "name", "verbose"));
}

Test(openapi_documents, have_a_body_where_one_is_sent)
{
    const json_t *const item = document("/v1/resolve");

    cr_expect_str_eq(names_of(item), "post");
    cr_expect(json_is_true(look_at(item, "post", "requestBody", "required", NULL)));
    cr_expect(look_at(item, "post", "responses", "415", NULL));
    cr_expect_null(look_at(item, "post", "responses", "304", NULL));
    cr_expect(look_at(document("/version"), "get", "responses", "304", NULL));
}

Test(openapi_documents, may_be_the_answer_of_who_is_not_ready)
{
    const json_t *const busy =
        look_at(document("/readyz"), "get", "responses", "503", "content", NULL);

    cr_expect_str_eq(names_of(busy), "application/json application/problem+json");
    cr_expect(look_at(document("/livez"), "get", "responses", "503", "$ref", NULL));
}

Test(openapi_documents, come_in_the_types_that_scrapers_ask_for)
{
    cr_expect_str_eq(
        names_of(look_at(document("/metrics"), "get", "responses", "200", "content", NULL)),
        "text/plain application/openmetrics-text");
}

Test(openapi_documents, tell_of_the_page_for_a_browser)
{
    const json_t *const content =
        look_at(document("/"), "get", "responses", "200", "content", NULL);
    const json_t *const files = document("/explorer/{file}");

    cr_expect_str_eq(names_of(content), "application/json text/html");
    cr_expect_str_eq(look_at_text(content, "text/html", "schema", "type", NULL), "string");
    cr_expect_str_eq(names_of(look_at(files, "get", "responses", "200", "content", NULL)),
                     "text/html text/css text/javascript");
    piece_service.needs_token = true;
    cr_expect(json_is_array(look_at(document("/explorer/{file}"), "get", "security", NULL)));
    cr_expect_null(look_at(document("/"), "get", "security", NULL));
}

Test(openapi_documents, of_probes_need_no_token)
{
    cr_expect_null(look_at(document("/livez"), "get", "security", NULL));
    piece_service.needs_token = true;
    cr_expect(json_is_array(look_at(document("/livez"), "get", "security", NULL)));
    cr_expect_null(look_at(document("/livez"), "get", "responses", "401", NULL));
    cr_expect_null(look_at(document("/version"), "get", "security", NULL));
    cr_expect(look_at(document("/version"), "get", "responses", "401", NULL));
}

Test(openapi_documents, are_tagged_by_what_they_are_about)
{
    static const char *const paths[][2] = {{"/v1/models", "catalogue"}, {"/version", "service"}};

    for (size_t i = 0; i < 2; i++)
        cr_expect(holds_text(look_at(document(paths[i][0]), "get", "tags", NULL), paths[i][1]));
}
