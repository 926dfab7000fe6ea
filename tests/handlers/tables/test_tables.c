/* The list of tables. */

#include <criterion/criterion.h>

#include "ask.h"
#include "table_files.h"
#include "table_store.h"

Test(tables, are_none_without_a_directory)
{
    struct answer answer = ask("GET", "/v1/tables", NULL);
    json_t *tables = json_object_get(answer.document, "tables");

    cr_assert_eq(answer.status, 200);
    cr_expect(json_is_array(tables));
    cr_expect_eq(json_array_size(tables), 0);
    answer_release(&answer);
}

Test(tables, are_listed_with_tensors_types_shapes_and_bytes)
{
    static const char *const names[] = {"a.safetensors", "b.npy", NULL};
    static const char expected[] = "[{\"name\":\"a.safetensors\",\"bytes\":146,\"tensors\":["
                                   "{\"name\":\"a\",\"dtype\":\"float32\",\"shape\":[1,2]},"
                                   "{\"name\":\"b/c\",\"dtype\":\"float32\",\"shape\":[2,2]}]},"
                                   "{\"name\":\"b.npy\",\"bytes\":152,\"tensors\":["
                                   "{\"name\":null,\"dtype\":\"float32\",\"shape\":[3,2]}]}]";
    static const char *const targets[] = {"/v1/tables", "/v1/tables?pretty=true"};
    struct table_files files = table_files_new();
    struct service service = ask_service();
    char problem[TABLES_PROBLEM_MAX];

    table_files_write_npy(&files, "b.npy", 3, 2, 0.5f);
    table_files_write_safetensors(&files, "a.safetensors", TABLE_FILES_TWO, 6);
    service.tables = table_store_new();
    table_store_replace(service.tables, tables_read(files.path, 1 << 20, problem));
    for (size_t i = 0; i < 2; i++) {
        struct answer answer = ask_service_with(&service, "GET", targets[i], NULL, NULL, 0);
        char *text = json_dumps(json_object_get(answer.document, "tables"), JSON_COMPACT);

        cr_assert_eq(answer.status, 200);
        cr_expect_str_eq(text, expected);
        free(text);
        answer_release(&answer);
    }
    table_store_free(service.tables);
    table_files_remove(&files, names);
}

Test(tables, are_only_read)
{
    struct answer answer = ask("POST", "/v1/tables", "{}");

    cr_expect_eq(answer.status, 405);
    cr_expect_str_eq(answer.allow, "GET, HEAD, OPTIONS");
    answer_release(&answer);
    answer = ask("GET", "/v1/tables?length=3", NULL);
    cr_expect_eq(answer.status, 422);
    cr_expect_str_eq(answer_text(&answer, "parameter"), "length");
    answer_release(&answer);
}
