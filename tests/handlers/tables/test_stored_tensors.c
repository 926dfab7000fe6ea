/* Tensors that a request names instead of sending them. */
#include "stored_tensors.h"

#include <criterion/criterion.h>

#include "ask.h"
#include "table_files.h"
#include "table_store.h"

#define ROOMY ((uint64_t)1 << 20)

static const char *const names[] = {"a.safetensors", "b.npy", "c.safetensors",
                                    "e.safetensors", "v.npy", NULL};

/* A service with a table in every way that there is. */
struct stage {
    struct table_files files;
    struct service service;
};

static void stage_reload(const struct stage *stage)
{
    char problem[TABLES_PROBLEM_MAX];
    struct tables *tables = tables_read(stage->files.path, ROOMY, problem);

    cr_assert_not_null(tables, "%s", problem);
    table_store_replace(stage->service.tables, tables);
}

static struct stage stage_new(void)
{
    struct stage stage = {table_files_new(), ask_service()};

    stage.service.tables = table_store_new();
    table_files_write_npy(&stage.files, "b.npy", 3, 2, 0.5f);
    table_files_write_npy(&stage.files, "v.npy", 0, 2, 0);
    table_files_write_safetensors(&stage.files, "a.safetensors", TABLE_FILES_TWO, 6);
    table_files_write_safetensors(&stage.files, "c.safetensors", TABLE_FILES_ONE, 4);
    table_files_write_safetensors(&stage.files, "e.safetensors", "{}", 0);
    stage_reload(&stage);
    return stage;
}

static void stage_release(struct stage *stage)
{
    table_store_free(stage->service.tables);
    table_files_remove(&stage->files, names);
}

static struct answer get(const struct stage *stage, const char *target)
{
    return ask_service_with(&stage->service, "GET", target, NULL, NULL, 0);
}

static json_t *member(const struct answer *answer, const char *group, const char *name)
{
    return json_object_get(json_object_get(answer->document, group), name);
}

/* The tensor's numbers as compact JSON. */
static void expect_data(const struct answer *answer, const char *tensor, const char *expected)
{
    char *text = json_dumps(json_object_get(member(answer, "tensors", tensor), "data"),
                            JSON_COMPACT | JSON_ENCODE_ANY);

    cr_assert_eq(answer->status, 200, "%s", answer->body);
    cr_expect_str_eq(text, expected);
    free(text);
}

Test(stored_tensors, stand_for_the_tensor_of_a_request)
{
    static const struct {
        const char *query, *expected;
    } rows[] = {
        {"table_file=b.npy&positions=2", "[[0.5,0.5]]"},
        {"table_file=a.safetensors&table_tensor=b/c", "[[2,3],[4,5]]"},
        {"table_file=a.safetensors&table_tensor=a", "[[0,1]]"},
        {"table_file=c.safetensors&offset=1", "[[2,3]]"},
    };
    struct stage stage = stage_new();

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char target[256];

        (void)snprintf(target, sizeof(target), "/v1/learned?%s", rows[i].query);
        struct answer answer = get(&stage, target);

        expect_data(&answer, "encoding", rows[i].expected);
        answer_release(&answer);
    }
    stage_release(&stage);
}

Test(stored_tensors, work_in_every_operation_that_has_the_row)
{
    struct stage stage = stage_new();
    struct answer answer = ask_service_with(
        &stage.service, "POST", "/v1/learned/apply",
        "{\"x\": [[10, 20]], \"table_file\": \"c.safetensors\", \"table\": null}", NULL, 0);

    expect_data(&answer, "x", "[[10,21]]");
    answer_release(&answer);
    answer = get(&stage, "/v1/analysis/similarity?encoding=learned&table_file=c.safetensors");
    expect_data(&answer, "similarity", "[[1,3],[3,13]]");
    answer_release(&answer);
    stage_release(&stage);
}

Test(stored_tensors, are_echoed_by_name_so_that_the_echo_can_be_repeated)
{
    struct stage stage = stage_new();
    struct answer answer = get(&stage, "/v1/learned?table_file=c.safetensors");
    char *parameters = json_dumps(json_object_get(answer.document, "parameters"), 0);
    struct answer again =
        ask_service_with(&stage.service, "POST", "/v1/learned", parameters, NULL, 0);

    cr_assert_eq(answer.status, 200, "%s", answer.body);
    cr_expect_str_eq(json_string_value(member(&answer, "parameters", "table_file")),
                     "c.safetensors");
    cr_expect_str_eq(json_string_value(member(&answer, "parameters", "table_tensor")), "only");
    cr_expect_not_null(member(&answer, "inputs", "table"));
    cr_expect_str_eq(again.body, answer.body);
    free(parameters);
    answer_release(&again);
    answer_release(&answer);
    stage_release(&stage);
}

Test(stored_tensors, are_refused_with_the_name_of_the_parameter_at_fault)
{
    static const struct {
        const char *query, *slug, *parameter, *allowed;
    } rows[] = {
        {"table_file=d.npy", "out-of-range", "table_file", "a.safetensors"},
        {"table_file=../b.npy", "out-of-range", "table_file", "a.safetensors"},
        {"table_file=.", "out-of-range", "table_file", "a.safetensors"},
        {"table_file=./b.npy", "out-of-range", "table_file", "a.safetensors"},
        {"table_file=b.npy%20", "out-of-range", "table_file", "a.safetensors"},
        {"table_file=", "out-of-range", "table_file", "a.safetensors"},
        {"table_file=e.safetensors", "out-of-range", "table_file", NULL},
        {"table_file=v.npy", "wrong-shape", "table_file", NULL},
        {"table_file=a.safetensors", "missing-parameter", "table_tensor", "a"},
        {"table_file=a.safetensors&table_tensor=z", "out-of-range", "table_tensor", "a"},
        {"table_file=b.npy&table_tensor=z", "contradicting-parameters", "table_tensor", NULL},
        {"table_file=b.npy&seed=1", "contradicting-parameters", "seed", NULL},
        {"table_file=b.npy&rows=4", "contradicting-parameters", "rows", NULL},
        {"table_tensor=z", "missing-parameter", "table_file", NULL},
        {"table_file=d.npy&lenth=1", "unknown-parameter", "lenth", NULL},
    };
    struct stage stage = stage_new();

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char target[256], type[96];

        (void)snprintf(target, sizeof(target), "/v1/learned?%s", rows[i].query);
        (void)snprintf(type, sizeof(type), "urn:posenc:problem:%s", rows[i].slug);
        struct answer answer = get(&stage, target);
        const json_t *allowed = json_object_get(answer.document, "allowed");

        cr_expect_eq(answer.status, 422, "%s: %s", rows[i].query, answer.body);
        cr_expect_str_eq(answer_text(&answer, "type"), type, "%s", rows[i].query);
        cr_expect_str_eq(answer_text(&answer, "parameter"), rows[i].parameter, "%s", rows[i].query);
        if (rows[i].allowed)
            cr_expect_str_eq(json_string_value(json_array_get(allowed, 0)), rows[i].allowed, "%s",
                             rows[i].query);
        answer_release(&answer);
    }
    stage_release(&stage);
}

Test(stored_tensors, are_refused_beside_a_tensor_that_is_sent)
{
    static const char *const bodies[] = {"{\"table\": [[1]], \"table_file\": \"b.npy\"}",
                                         "{\"weight\": [[1]], \"table_file\": \"b.npy\"}"};
    struct stage stage = stage_new();

    for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
        struct answer answer =
            ask_service_with(&stage.service, "POST", "/v1/learned", bodies[i], NULL, 0);

        cr_expect_eq(answer.status, 422);
        cr_expect_str_eq(answer_text(&answer, "parameter"), "table_file");
        cr_expect_str_eq(answer_text(&answer, "type"),
                         "urn:posenc:problem:contradicting-parameters");
        answer_release(&answer);
    }
    stage_release(&stage);
}

Test(stored_tensors, are_refused_where_there_are_no_files)
{
    struct answer answer = ask("GET", "/v1/learned?table_file=b.npy", NULL);

    cr_expect_eq(answer.status, 422);
    cr_expect_str_eq(answer_text(&answer, "parameter"), "table_file");
    cr_expect_not_null(strstr(answer_text(&answer, "detail"), "--tables"));
    answer_release(&answer);
}

/* A response is sent while the operator reads other files. */
Test(stored_tensors, stay_as_they_were_until_the_response_is_released)
{
    const struct request request = {
        .method = "GET", .path = "/v1/learned", .query = "table_file=b.npy&format=raw&positions=0"};
    struct stage stage = stage_new();
    struct response response;
    float cells[2] = {0, 0};

    handle_request(&stage.service, &request, &response);
    cr_assert_eq(response.status, 200);
    table_files_write_npy(&stage.files, "b.npy", 3, 2, 7);
    stage_reload(&stage);
    cr_expect_eq(response.read(response.state, 0, (char *)cells, sizeof(cells)),
                 (ssize_t)sizeof(cells));
    cr_expect_eq(cells[0], 0.5f);
    cr_expect_eq(cells[1], 0.5f);
    response_release(&response);
    handle_request(&stage.service, &request, &response);
    (void)response.read(response.state, 0, (char *)cells, sizeof(cells));
    cr_expect_eq(cells[1], 7);
    response_release(&response);
    stage_release(&stage);
}

/* What the address names may change with the next reload. */
Test(stored_tensors, must_be_asked_for_again_by_caches)
{
    static const struct {
        const char *query, *expected;
    } rows[] = {
        {"table_file=b.npy", "no-cache"},
        {"table_file=b.npy&numeric_version=2", "no-cache"},
        {"rows=2&dim=2&init=zeros", "public, max-age=86400"},
    };
    struct stage stage = stage_new();

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct request request = {
            .method = "GET", .path = "/v1/learned", .query = rows[i].query};
        struct response response;
        const char *found = "";

        handle_request(&stage.service, &request, &response);
        for (size_t j = 0; j < response.header_count; j++)
            if (strcmp(response.headers[j].name, "Cache-Control") == 0)
                found = response.headers[j].value;
        cr_expect_eq(response.status, 200);
        cr_expect_str_eq(found, rows[i].expected, "%s", rows[i].query);
        response_release(&response);
    }
    stage_release(&stage);
}
