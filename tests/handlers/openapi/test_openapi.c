/* /openapi.json is written from the registry, the routes and the formats. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "format.h"
#include "posenc.h"
#include "writing.h"

static struct answer document(void)
{
    struct answer answer = ask("GET", "/openapi.json", NULL);

    cr_assert_eq(answer.status, 200);
    cr_assert_not_null(answer.document);
    return answer;
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
    const json_t *post = look_at(root, "paths", path, "post", NULL);
    const json_t *ok = follow(root, json_object_get(json_object_get(post, "responses"), "200"));
    const json_t *content = json_object_get(ok, "content");
    const json_t *json = json_object_get(json_object_get(content, "application/json"), "schema");
    const json_t *tensors = look_at(json, "properties", "tensors", "properties", NULL);

    cr_assert_not_null(post, "%s is missing", path);
    check_rows(look_at(root, "components", "schemas", component, NULL), operation->groups, path);
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

/* The ways in which a body may give `name`, one of which is required; NULL: none is. */
static const json_t *find_ways(const json_t *schema, const char *name)
{
    size_t i;
    json_t *item;

    json_array_foreach(json_object_get(schema, "allOf"), i, item)
    {
        const json_t *ways = json_object_get(item, "anyOf");

        if (holds_text(json_object_get(json_array_get(ways, 0), "required"), name))
            return ways;
    }
    return NULL;
}

Test(openapi, requires_in_a_body_what_nothing_else_tells)
{
    struct answer answer = document();
    const json_t *sinusoidal =
        look_at(answer.document, "components", "schemas", "sinusoidal", NULL);
    const json_t *apply = look_at(answer.document, "components", "schemas", "rope.apply", NULL);

    cr_expect_not_null(find_ways(sinusoidal, "dim"));
    cr_expect_gt(json_array_size(find_ways(sinusoidal, "dim")), 2); /* aliases, a model, ... */
    cr_expect_null(find_ways(sinusoidal, "base"));
    cr_expect_null(find_ways(apply, "dim"), "the tensor tells it");
    cr_expect_not_null(find_ways(apply, "layout"));
    cr_expect(json_is_false(json_object_get(apply, "additionalProperties")));
    answer_release(&answer);
}

Test(openapi, names_the_encodings_that_have_a_quantity_and_lends_it_their_parameters)
{
    struct answer answer = document();
    const json_t *schema =
        look_at(answer.document, "components", "schemas", "analysis.wavelengths", NULL);
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *names = json_object_get(json_object_get(properties, "encoding"), "enum");

    cr_expect(holds_text(names, "rope"));
    cr_expect(holds_text(names, "rotary"));
    cr_expect_not(holds_text(names, "alibi"));
    cr_expect_not_null(json_object_get(properties, "base"));
    cr_expect(holds_text(json_object_get(schema, "required"), "encoding"));
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
            look_at(answer.document, "components", "securitySchemes", "token", NULL), "scheme")),
        "bearer");
    json_object_foreach(json_object_get(answer.document, "paths"), path, item)
    {
        const bool is_open = strcmp(path, "/livez") == 0 || strcmp(path, "/readyz") == 0 ||
                             strcmp(path, "/explorer/{file}") == 0 ||
                             strncmp(path, "/v2/health/", 11) == 0;

        json_object_foreach(item, method, operation)
        {
            if (!json_is_object(operation)) /* parameters that methods share */
                continue;
            cr_expect_eq((json_object_get(json_object_get(operation, "responses"), "401") == NULL),
                         is_open, "%s", path);
            cr_expect_eq(json_is_array(json_object_get(operation, "security")), is_open, "%s",
                         path);
        }
    }
    answer_release(&answer);
}
