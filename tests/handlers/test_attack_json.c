/* Hostile JSON, row by row, through the whole service: a stable answer, soon, and in bounds. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ask.h"
#include "hostile.h"
#include "rows.h"

/* Generous for a sanitized build on a busy machine; what is not linear takes far longer. */
#define SECONDS_MAX 5.0

#define SINUSOIDAL   "/v1/sinusoidal"
#define WITH(member) "{\"length\":2,\"dim\":4," member "}"

/* A problem document whose status is the answer's, for whatever is refused. */
static void expect_problem(const struct answer *answer, const char *what)
{
    cr_expect_str_eq(answer->content_type, "application/problem+json", "%s", what);
    cr_expect_eq(json_integer_value(json_object_get(answer->document, "status")), answer->status,
                 "%s: %s", what, answer->body);
    cr_expect_eq(strncmp(answer_text(answer, "type"), "urn:posenc:problem:", 19), 0, "%s: %s", what,
                 answer->body);
    cr_expect_gt(strlen(answer_text(answer, "detail")), 10, "%s: %s", what, answer->body);
}

Test(attack_json, each_text_has_its_answer)
{
    for (size_t i = 0; i < hostile_json.count; i++) {
        const struct hostile *const one = &hostile_json.rows[i];
        struct answer answer = ask("POST", one->target, one->body);

        cr_expect_eq(answer.status, one->status, "%s %s: %s", one->row, one->body, answer.body);
        if (one->status != 200)
            expect_problem(&answer, one->body);
        if (one->parameter)
            cr_expect_str_eq(answer_text(&answer, "parameter"), one->parameter, "%s %s: %s",
                             one->row, one->body, answer.body);
        cr_expect(!one->word || strstr(answer.body, one->word), "%s %s: %s", one->row, one->body,
                  answer.body);
        answer_release(&answer);
    }
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* A body of `count` times `item` between `first` and `last`, in which %d counts. */
static struct answer ask_repeated(const char *first, const char *item, size_t count,
                                  const char *last)
{
    static const struct header type = {"content-type", "application/json"};
    struct service service = ask_service();
    const size_t room = strlen(first) + count * (strlen(item) + 16) + strlen(last) + 1;
    char *const text = malloc(room);
    char *at = text;
    struct answer answer;
    double start;

    cr_assert(text);
    at = stpcpy(at, first);
    for (size_t i = 0; i < count; i++)
        at = strchr(item, '%') ? at + sprintf(at, "\"k%zu\":0,", i) : stpcpy(at, item);
    at = stpcpy(at, last);
    service.body_bytes_max = (size_t)64 << 20;
    start = seconds();
    answer = ask_bytes(&service, "POST", SINUSOIDAL, text, (size_t)(at - text), &type, 1);
    cr_expect_lt(seconds() - start, SECONDS_MAX, "%.20s", item);
    cr_expect_lt(answer.size, 4096, "%.20s: the answer has %zu bytes", item, answer.size);
    free(text);
    return answer;
}

static const struct {
    const char *row;
    const char *first, *item;
    size_t count;
    const char *last;
    unsigned status;
    const char *word;
} loads[] = {
    {"J7", "{", "\"\":1,", 1000000, "\"a\":1}", 400, "20000 values"},
    {"J7", "{", "%", 1000000, "\"a\":1}", 400, "20000 values"},
    {"J7", "{", "%", 19000, "\"length\":2}", 422, "unknown-parameter"},
    {"J5", "", "[", 100000, "", 400, "deeper"},
    {"J5", "", "{\"\":", 100000, "", 400, "deeper"},
    {"J12", "{\"dim\":4,\"length\":1", "0", 1000000, "}", 400, "too large"},
    {"J12", "{\"length\":2,\"dim\":4,\"base\":100.", "0", 1000000, "1}", 200, "\"base\":100,"},
    {"J12", "{\"length\":2,\"dim\":4,\"base\":0.", "0", 1000000, "1}", 400, "too small"},
    {"J14", "{\"", "n", 8 << 20, "\":1}", 400, "malformed-body"},
    {"J14", "{\"length\":2,\"dim\":4,\"layout\":\"", "n", 8 << 20, "\"}", 422, "layout"},
    {"J19", "{\"dim\":4,\"positions\":[", "null,", 1000000, "1]}", 400, "20000 values"},
    {"J19", "{\"dim\":4,\"positions\":[", "1,", 1000000, "null]}", 400, "20000 values"},
};
ROWS_OF(loads);

Test(attack_json, a_million_of_anything_is_bounded)
{
    for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
        struct answer answer =
            ask_repeated(loads[i].first, loads[i].item, loads[i].count, loads[i].last);

        cr_expect_eq(answer.status, loads[i].status, "%s %.40s: %s", loads[i].row, loads[i].first,
                     answer.body);
        cr_expect(strstr(answer.body, loads[i].word), "%s %.40s: %s", loads[i].row, loads[i].first,
                  answer.body);
        answer_release(&answer);
    }
}

ROW(J4);

Test(attack_json, a_nul_byte_behind_the_end_is_no_end)
{
    static const struct header type = {"content-type", "application/json"};
    const struct service service = ask_service();
    static const char body[] = "{\"length\":2,\"dim\":4}";
    struct answer answer =
        ask_bytes(&service, "POST", SINUSOIDAL, body, sizeof(body), &type, 1); /* with its NUL */

    cr_expect_eq(answer.status, 400, "%s", answer.body);
    expect_problem(&answer, body);
    answer_release(&answer);
}

ROW(J17);

Test(attack_json, null_for_what_may_be_left_out_is_the_default_and_is_told)
{
    struct answer absent = ask("POST", SINUSOIDAL, "{\"length\":2,\"dim\":4}");
    struct answer null = ask("POST", SINUSOIDAL, WITH("\"base\":null,\"layout\":null"));

    cr_expect_eq(absent.status, 200);
    cr_expect_eq(null.status, 200, "%s", null.body);
    cr_expect(strstr(null.body, "\"base\":10000,\"layout\":\"interleaved\""), "%s", null.body);
    cr_expect_str_eq(null.body, absent.body);
    answer_release(&absent);
    answer_release(&null);
}

ROW(J22);

Test(attack_json, order_and_blanks_do_not_show_in_the_answer)
{
    static const char *const bodies[] = {
        "{\"length\":3,\"dim\":6,\"layout\":\"half\",\"scaling\":{\"type\":\"linear\",\"factor\":2}"
        "}",
        "{\"scaling\":{\"factor\":2,\"type\":\"linear\"},\"layout\":\"half\",\"dim\":6,\"length\":"
        "3}",
        " {\n\t\"dim\" : 6 ,\r\n \"scaling\" : { \"type\" : \"linear\" , \"factor\" : 2.0 } ,"
        " \"layout\":\"h\\u0061lf\", \"length\" : 3e0 } \n",
    };
    struct answer first = ask("POST", "/v1/rope", bodies[0]);

    cr_expect_eq(first.status, 200, "%s", first.body);
    for (size_t i = 1; i < sizeof(bodies) / sizeof(*bodies); i++) {
        struct answer other = ask("POST", "/v1/rope", bodies[i]);

        cr_expect_str_eq(other.body, first.body);
        cr_expect_str_eq(other.headers, first.headers);
        answer_release(&other);
    }
    answer_release(&first);
}

ROW(J18);

/* One value of each kind, and what types may take it. */
static const struct {
    const char *json;
    const char *types; /* of the catalogue; "": none */
} kinds[] = {
    {"true", "boolean"}, {"\"no such thing\"", ""},      {"{\"no_such_member\":1}", ""},
    {"[[[true]]]", ""},  {"-1e300", "real list tensor"},
};

/* What is looked at only once the required parameters are there. */
static bool is_looked_at_late(const char *name)
{
    static const char *const late[] = {"layer",      "format",       "tensor",
                                       "table_file", "table_tensor", "scaling"};

    for (size_t i = 0; i < sizeof(late) / sizeof(*late); i++) {
        if (strcmp(name, late[i]) == 0)
            return true;
    }
    return false;
}

static void expect_kind_refused(const char *path, const json_t *parameter, const char *json)
{
    const char *const name = json_string_value(json_object_get(parameter, "name"));
    char body[512];
    struct answer answer;

    (void)snprintf(body, sizeof(body), "{\"%s\":%s}", name, json);
    answer = ask("POST", path, body);
    cr_expect_eq(answer.status, 422, "%s %s: %u %s", path, body, answer.status, answer.body);
    expect_problem(&answer, body);
    cr_expect(strncmp(answer_text(&answer, "parameter"), name, strlen(name)) == 0 ||
                  (is_looked_at_late(name) && strstr(answer.body, "problem:missing-parameter")),
              "%s %s: %s", path, body, answer.body);
    answer_release(&answer);
}

static size_t expect_kinds_refused(const json_t *operation)
{
    const char *const path = json_string_value(json_object_get(operation, "path"));
    const json_t *const parameters = json_object_get(operation, "parameters");
    size_t asked = 0;

    for (size_t i = 0; i < json_array_size(parameters); i++) {
        const json_t *const parameter = json_array_get(parameters, i);
        const char *const type = json_string_value(json_object_get(parameter, "type"));

        for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
            if (strstr(kinds[k].types, strncmp(type, "list", 4) == 0 ? "list" : type))
                continue;
            expect_kind_refused(path, parameter, kinds[k].json);
            asked++;
        }
    }
    return asked;
}

Test(attack_json, every_parameter_refuses_values_of_other_kinds_by_its_name)
{
    struct answer answer = ask("GET", "/v1/encodings", NULL);
    const json_t *const encodings = json_object_get(answer.document, "encodings");
    size_t asked = 0;

    for (size_t i = 0; i < json_array_size(encodings); i++) {
        const json_t *const operations =
            json_object_get(json_array_get(encodings, i), "operations");

        for (size_t j = 0; j < json_array_size(operations); j++)
            asked += expect_kinds_refused(json_array_get(operations, j));
    }
    cr_expect_gt(asked, 1000, "only %zu", asked);
    answer_release(&answer);
}

Test(attack_json, every_row_of_json_has_a_test)
{
    cr_expect_eq(rows_without_test('J', 22), 0);
}
