/* /openapi.json is written from the registry, the routes and the formats. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "format.h"
#include "posenc.h"
#include "router.h"

static struct answer document(void)
{
    struct answer answer = ask("GET", "/openapi.json", NULL);

    cr_assert_eq(answer.status, 200);
    cr_assert_not_null(answer.document);
    return answer;
}

static json_t *member(const json_t *object, const char *first, const char *second,
                      const char *third)
{
    return json_object_get(json_object_get(json_object_get(object, first), second), third);
}

/* What a reference of this document points to; other values are what they are. */
static const json_t *follow(const json_t *root, const json_t *value)
{
    const char *pointer = json_string_value(json_object_get(value, "$ref"));

    if (!pointer)
        return value;
    value = root;
    for (pointer += 1; *pointer == '/' && value; pointer += strcspn(pointer, "/")) {
        char step[128];

        pointer++;
        (void)snprintf(step, sizeof(step), "%.*s", (int)strcspn(pointer, "/"), pointer);
        value = json_object_get(value, step);
    }
    return value;
}

/* Every reference, however deep, points to something. */
static void check_references(const json_t *root, const json_t *value)
{
    const char *name;
    json_t *item;
    size_t i;

    if (json_string_value(json_object_get(value, "$ref")))
        cr_expect_not_null(follow(root, value), "%s points nowhere",
                           json_string_value(json_object_get(value, "$ref")));
    json_object_foreach((json_t *)value, name, item) check_references(root, item);
    json_array_foreach(value, i, item) check_references(root, item);
}

static const json_t *find_parameter(const json_t *root, const json_t *parameters, const char *name)
{
    size_t i;
    json_t *item;

    json_array_foreach(parameters, i, item)
    {
        const json_t *parameter = follow(root, item);
        const char *own = json_string_value(json_object_get(parameter, "name"));

        if (own && strcmp(own, name) == 0)
            return parameter;
    }
    return NULL;
}

static bool holds(const json_t *array, const char *string)
{
    size_t i;
    json_t *item;

    json_array_foreach(array, i, item)
    {
        if (json_is_string(item) && strcmp(json_string_value(item), string) == 0)
            return true;
    }
    return false;
}

Test(openapi, is_version_3_1_and_refers_only_to_what_is_there)
{
    struct answer answer = document();

    cr_expect_str_eq(answer_text(&answer, "openapi"), "3.1.0");
    cr_expect_str_eq(answer.content_type, "application/json");
    check_references(answer.document, answer.document);
    answer_release(&answer);
}

/* Every row of the groups is a property, under each of its names. */
static void check_rows(const json_t *schema, const struct posenc_parameter *const *groups,
                       const char *path)
{
    const json_t *properties = json_object_get(schema, "properties");

    for (; *groups; groups++)
        for (const struct posenc_parameter *row = *groups; row->name; row++) {
            cr_expect_not_null(json_object_get(properties, row->name), "%s: %s", path, row->name);
            for (const char *const *alias = row->aliases; alias && *alias; alias++)
                cr_expect_not_null(json_object_get(properties, *alias), "%s: %s", path, *alias);
        }
}

static void check_operation(const json_t *root, const char *path, const char *component,
                            const struct posenc_operation *operation)
{
    const json_t *post = member(root, "paths", path, "post");
    const json_t *ok = follow(root, json_object_get(json_object_get(post, "responses"), "200"));
    const json_t *content = json_object_get(ok, "content");
    const json_t *json = json_object_get(json_object_get(content, "application/json"), "schema");
    const json_t *tensors = member(json, "properties", "tensors", "properties");

    cr_assert_not_null(post, "%s is missing", path);
    check_rows(member(root, "components", "schemas", component), operation->groups, path);
    for (size_t i = 0; format_at(i); i++)
        cr_expect_not_null(json_object_get(content, format_at(i)->media_type), "%s", path);
    for (const struct posenc_tensor_row *row = operation->tensors; row->name; row++)
        cr_expect_not_null(json_object_get(tensors, row->name), "%s: %s", path, row->name);
}

Test(openapi, has_every_operation_of_every_encoding_with_its_rows_formats_and_tensors)
{
    struct answer answer = document();
    const struct posenc_encoding *encoding;
    char path[128], component[128];

    for (size_t i = 0; (encoding = posenc_encoding_at(i)) != NULL; i++)
        for (const struct posenc_operation *operation = encoding->operations; operation->name;
             operation++) {
            const bool is_table = strcmp(operation->name, "table") == 0;

            (void)snprintf(path, sizeof(path), "/v1/%s%s%s", encoding->name, is_table ? "" : "/",
                           is_table ? "" : operation->name);
            (void)snprintf(component, sizeof(component), "%s%s%s", encoding->name,
                           is_table ? "" : ".", is_table ? "" : operation->name);
            check_operation(answer.document, path, component, operation);
        }
    answer_release(&answer);
}

Test(openapi, has_every_tool_and_every_quantity)
{
    struct answer answer = document();
    char path[128], component[128];

    for (size_t i = 0; posenc_tool_at(i); i++) {
        (void)snprintf(path, sizeof(path), "/v1/%s", posenc_tool_at(i)->name);
        check_operation(answer.document, path, posenc_tool_at(i)->name, posenc_tool_at(i));
    }
    for (size_t i = 0; posenc_quantity_at(i); i++) {
        (void)snprintf(path, sizeof(path), "/v1/analysis/%s", posenc_quantity_at(i)->name);
        (void)snprintf(component, sizeof(component), "analysis.%s", posenc_quantity_at(i)->name);
        check_operation(answer.document, path, component, posenc_quantity_at(i));
    }
    answer_release(&answer);
}

Test(openapi, has_every_route_that_names_no_operation)
{
    struct answer answer = document();
    const struct route *route;

    for (size_t i = 0; (route = route_at(i)) != NULL; i++) {
        const json_t *item =
            json_object_get(json_object_get(answer.document, "paths"), route->path);

        /* Templates of operations are resolved to their paths; find() tells the others' names. */
        if (strstr(route->path, "{quantity}") || strncmp(route->path, "/v1/{encoding}", 14) == 0)
            cr_expect_null(item, "%s", route->path);
        else
            cr_expect_not_null(json_object_get(item, route->methods & ROUTE_GET ? "get" : "post"),
                               "%s", route->path);
    }
    answer_release(&answer);
}

static void note_id(json_t *ids, const json_t *operation)
{
    const char *id = json_string_value(json_object_get(operation, "operationId"));

    cr_assert_not_null(id);
    cr_expect_null(json_object_get(ids, id), "%s stands twice", id);
    (void)json_object_set_new(ids, id, json_true());
}

Test(openapi, gives_every_operation_an_id_of_its_own)
{
    struct answer answer = document();
    json_t *ids = json_object(), *item;
    const char *path;

    json_object_foreach(json_object_get(answer.document, "paths"), path, item)
    {
        if (json_object_get(item, "get"))
            note_id(ids, json_object_get(item, "get"));
        if (json_object_get(item, "post"))
            note_id(ids, json_object_get(item, "post"));
    }
    cr_expect_geq(json_object_size(ids),
                  json_object_size(json_object_get(answer.document, "paths")));
    json_decref(ids);
    answer_release(&answer);
}

Test(openapi, writes_a_row_as_a_query_parameter_with_type_range_default_and_aliases)
{
    struct answer answer = document();
    const json_t *root = answer.document;
    const json_t *parameters =
        json_object_get(member(root, "paths", "/v1/rope", "get"), "parameters");
    const json_t *base = find_parameter(root, parameters, "base");
    const json_t *factor = find_parameter(root, parameters, "scaling.factor");
    const json_t *positions = find_parameter(root, parameters, "positions");
    const json_t *format = find_parameter(root, parameters, "format");
    const json_t *schema = json_object_get(base, "schema");

    cr_expect_str_eq(json_string_value(json_object_get(schema, "type")), "number");
    cr_expect_eq(json_number_value(json_object_get(schema, "default")), 10000);
    cr_expect(json_is_number(json_object_get(schema, "exclusiveMinimum")));
    cr_expect(holds(json_object_get(base, "x-aliases"), "rope_theta"));
    cr_expect_not_null(json_string_value(json_object_get(base, "description")));
    cr_expect_eq(json_number_value(json_object_get(json_object_get(factor, "schema"), "minimum")),
                 1);
    cr_expect_str_eq(json_string_value(json_object_get(positions, "style")), "form");
    cr_expect(json_is_false(json_object_get(positions, "explode")));
    for (size_t i = 0; format_at(i); i++)
        cr_expect(
            holds(json_object_get(json_object_get(format, "schema"), "enum"), format_at(i)->name));
    cr_expect_null(find_parameter(root, parameters, "scaling"));
    answer_release(&answer);
}

/* The ways in which a body may give `name`, one of which is required; NULL: none is. */
static const json_t *find_ways(const json_t *schema, const char *name)
{
    size_t i;
    json_t *item;

    json_array_foreach(json_object_get(schema, "allOf"), i, item)
    {
        const json_t *ways = json_object_get(item, "anyOf");

        if (holds(json_object_get(json_array_get(ways, 0), "required"), name))
            return ways;
    }
    return NULL;
}

Test(openapi, requires_in_a_body_what_nothing_else_tells)
{
    struct answer answer = document();
    const json_t *sinusoidal = member(answer.document, "components", "schemas", "sinusoidal");
    const json_t *apply = member(answer.document, "components", "schemas", "rope.apply");

    cr_expect_not_null(find_ways(sinusoidal, "dim"));
    cr_expect_gt(json_array_size(find_ways(sinusoidal, "dim")), 2); /* aliases, a model, ... */
    cr_expect_null(find_ways(sinusoidal, "base"));
    cr_expect_null(find_ways(apply, "dim"), "the tensor tells it");
    cr_expect_not_null(find_ways(apply, "layout"));
    cr_expect(json_is_false(json_object_get(apply, "additionalProperties")));
    answer_release(&answer);
}

Test(openapi, leaves_get_out_where_a_tensor_is_required_and_takes_binary_bodies_there)
{
    struct answer answer = document();
    const json_t *root = answer.document;
    const json_t *body = member(root, "paths", "/v1/rope/apply", "post");
    const json_t *content = member(body, "requestBody", "content", "application/x-npy");

    cr_expect_null(member(root, "paths", "/v1/rope/apply", "get"));
    cr_expect_null(member(root, "paths", "/v1/cope", "get"));
    cr_expect_not_null(member(root, "paths", "/v1/rope", "get"));
    cr_expect_not_null(content);
    body = member(root, "paths", "/v1/sinusoidal", "post");
    cr_expect_null(member(body, "requestBody", "content", "application/x-npy"));
    answer_release(&answer);
}

Test(openapi, names_the_encodings_that_have_a_quantity_and_lends_it_their_parameters)
{
    struct answer answer = document();
    const json_t *schema = member(answer.document, "components", "schemas", "analysis.wavelengths");
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *names = json_object_get(json_object_get(properties, "encoding"), "enum");

    cr_expect(holds(names, "rope"));
    cr_expect(holds(names, "rotary"));
    cr_expect_not(holds(names, "alibi"));
    cr_expect_not_null(json_object_get(properties, "base"));
    cr_expect(holds(json_object_get(schema, "required"), "encoding"));
    cr_expect_null(json_object_get(json_object_get(properties, "base"), "default"));
    answer_release(&answer);
}

Test(openapi, answers_503_when_memory_is_out)
{
    struct service service = ask_service();
    struct answer answer;

    service.memory_bytes_max = 4096;
    answer = ask_service_with(&service, "GET", "/openapi.json", NULL, NULL, 0);
    cr_expect_eq(answer.status, 503);
    answer_release(&answer);
}

Test(openapi, can_be_had_pretty_and_refuses_other_parameters)
{
    struct answer pretty = ask("GET", "/openapi.json?pretty=true", NULL);
    struct answer odd = ask("GET", "/openapi.json?prety=true", NULL);

    cr_expect_eq(pretty.status, 200);
    cr_expect_eq(strncmp(pretty.body, "{\n  \"openapi\": \"3.1.0\"", 22), 0);
    cr_expect_eq(odd.status, 422);
    answer_release(&pretty);
    answer_release(&odd);
}

/* Each operation that is not a probe names 401, and probes need nothing. */
Test(openapi, tells_of_tokens_where_the_server_asks_for_them)
{
    struct service service = ask_service();
    struct answer answer;
    const char *path, *method;
    json_t *item, *operation;

    service.needs_token = true;
    answer = ask_service_with(&service, "GET", "/openapi.json", NULL, NULL, 0);
    cr_assert_eq(answer.status, 200);
    check_references(answer.document, answer.document);
    cr_expect_str_eq(
        json_string_value(json_object_get(
            member(answer.document, "components", "securitySchemes", "token"), "scheme")),
        "bearer");
    json_object_foreach(json_object_get(answer.document, "paths"), path, item)
    {
        const bool is_probe = strcmp(path, "/livez") == 0 || strcmp(path, "/readyz") == 0;

        json_object_foreach(item, method, operation)
        {
            if (!json_is_object(operation)) /* parameters that methods share */
                continue;
            cr_expect_eq((json_object_get(json_object_get(operation, "responses"), "401") == NULL),
                         is_probe, "%s", path);
            cr_expect_eq(json_is_array(json_object_get(operation, "security")), is_probe, "%s",
                         path);
        }
    }
    answer_release(&answer);
}
