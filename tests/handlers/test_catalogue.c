/* The catalogue is written from the rows, for every encoding. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "posenc.h"

static void check_parameter(const json_t *parameter)
{
    cr_expect_not_null(json_string_value(json_object_get(parameter, "name")));
    cr_expect_not_null(json_string_value(json_object_get(parameter, "type")));
    cr_expect(json_is_boolean(json_object_get(parameter, "required")));
    cr_expect_not_null(json_string_value(json_object_get(parameter, "meaning")),
                       "%s has no meaning", json_string_value(json_object_get(parameter, "name")));
    if (strcmp(json_string_value(json_object_get(parameter, "type")), "choice") == 0)
        cr_expect_neq(json_array_size(json_object_get(parameter, "choices")), 0);
}

static void check_operation(const json_t *operation)
{
    json_t *parameters = json_object_get(operation, "parameters");

    cr_expect_not_null(json_string_value(json_object_get(operation, "path")));
    cr_expect_neq(json_array_size(json_object_get(operation, "methods")), 0);
    for (size_t i = 0; i < json_array_size(parameters); i++)
        check_parameter(json_array_get(parameters, i));
}

Test(catalogue, describes_every_encoding_of_the_registry)
{
    struct answer answer = ask("GET", "/v1/encodings", NULL);
    json_t *encodings = json_object_get(answer.document, "encodings");
    size_t count = 0;

    while (posenc_encoding_at(count))
        count++;
    cr_assert_eq(answer.status, 200);
    cr_assert_eq(json_array_size(encodings), count);
    for (size_t i = 0; i < count; i++) {
        json_t *operations = json_object_get(json_array_get(encodings, i), "operations");

        cr_expect_str_eq(json_string_value(json_object_get(json_array_get(encodings, i), "name")),
                         posenc_encoding_at(i)->name);
        cr_expect_geq(json_array_size(operations), 1);
        for (size_t j = 0; j < json_array_size(operations); j++)
            check_operation(json_array_get(operations, j));
    }
    answer_release(&answer);
}

/* Every operation of a list is described under its own name, in the library's order. */
static void check_list(const struct answer *answer, const char *key,
                       const struct posenc_operation *at(size_t index))
{
    json_t *list = json_object_get(answer->document, key);
    const struct posenc_operation *operation;
    size_t count = 0;

    for (; (operation = at(count)) != NULL; count++) {
        json_t *described = json_array_get(list, count);

        cr_expect_str_eq(json_string_value(json_object_get(described, "name")), operation->name);
        cr_expect_neq(json_array_size(json_object_get(described, "tensors")), 0);
        check_operation(described);
    }
    cr_expect_eq(json_array_size(list), count);
}

Test(catalogue, describes_every_quantity_and_every_tool)
{
    struct answer answer = ask("GET", "/v1/encodings", NULL);

    cr_assert_eq(answer.status, 200);
    check_list(&answer, "quantities", posenc_quantity_at);
    check_list(&answer, "tools", posenc_tool_at);
    answer_release(&answer);
}

Test(catalogue, gives_one_encoding_by_name_or_alias)
{
    struct answer name = ask("GET", "/v1/encodings/rope", NULL),
                  alias = ask("GET", "/v1/encodings/rotary", NULL);
    struct answer unknown = ask("GET", "/v1/encodings/sinusoidal_9d", NULL);

    cr_expect_eq(name.status, 200);
    cr_expect_str_eq(name.body, alias.body);
    cr_expect_eq(unknown.status, 404);
    answer_release(&name);
    answer_release(&alias);
    answer_release(&unknown);
}
