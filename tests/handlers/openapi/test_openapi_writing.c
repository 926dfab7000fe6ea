#include "openapi_writing.h"

#include <criterion/criterion.h>
#include <string.h>

#include "piece.h"

PIECE_SUITE(openapi_writing);

Test(openapi_writing, copies_parts_as_members_of_the_object_that_is_open)
{
    static const struct openapi_part parts[] = {{"a", "{\"b\":[1]}"}, {"c", "true"}};

    json_text_begin_object(&written);
    openapi_write_parts(&written, parts, 2);
    json_text_end_object(&written);
    expect_written("{\"a\":{\"b\":[1]},\"c\":true}");
}

Test(openapi_writing, refers_to_components)
{
    openapi_write_reference(&written, "schemas", "rope.apply");
    expect_written("{\"$ref\":\"#/components/schemas/rope.apply\"}");
}

Test(openapi_writing, makes_an_id_of_a_path)
{
    static const struct {
        const char *path, *id;
    } rows[] = {
        {"/v1/rope", "rope"},
        {"/v1/rope/apply", "rope.apply"},
        {"/v1/models/{model}", "models.model"},
        {"/openapi.json", "openapi.json"},
        {"/livez", "livez"},
        {"/", ""},
    };
    char id[OPENAPI_PATH_MAX], path[2 * OPENAPI_PATH_MAX];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        openapi_fill_id(rows[i].path, id);
        cr_expect_str_eq(id, rows[i].id);
    }
    memset(path, 'a', sizeof path);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    openapi_fill_id(path, id);
    cr_expect_eq(strlen(id), OPENAPI_PATH_MAX - 1);
}

/* Generators of clients make names of functions of them. */
Test(openapi_writing, names_a_method_of_a_path_by_letters_that_names_of_functions_may_have)
{
    openapi_begin_method(&written, "post", "analysis.shift", "analysis", "a matrix");
    json_text_end_object(&written);
    expect_written("\"post\":{\"operationId\":\"post_analysis_shift\",\"tags\":[\"analysis\"],"
                   "\"summary\":\"a matrix\"}");
    openapi_begin_method(&written, "get", "", "service", "the index");
    json_text_end_object(&written);
    expect_written("\"get\":{\"operationId\":\"get_index\",\"tags\":[\"service\"],"
                   "\"summary\":\"the index\"}");
}
