/* What routes of documents have in common. */
#include "document.h"

#include <criterion/criterion.h>
#include <string.h>

#include "answering.h"

ANSWERING_SUITE(document);

Test(document, may_be_asked_for_pretty)
{
    static const struct {
        const char *query;
        bool is_pretty;
    } rows[] = {{"", false},
                {"pretty=true", true},
                {"pretty=1", true},
                {"pretty=false", false},
                {"pretty=0", false}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_pretty = !rows[i].is_pretty;

        (void)answering_again();
        answering_request.query = rows[i].query;
        cr_expect(read_document_query(&answering_request, &is_pretty, &answering_response), "%s",
                  rows[i].query);
        cr_expect_eq(is_pretty, rows[i].is_pretty, "%s", rows[i].query);
        cr_expect_eq(answering_response.status, 0, "nothing was answered");
    }
}

Test(document, may_be_asked_for_nothing_else)
{
    static const struct {
        const char *query;
        unsigned status;
        const char *type, *parameter;
    } rows[] = {
        {"prety=true", 422, "unknown-parameter", "prety"},
        {"pretty=true&format=json", 422, "unknown-parameter", "format"},
        {"pretty=yes", 422, "out-of-range", "pretty"},
        {"pretty", 422, "out-of-range", "pretty"},
        {"pretty=1,0", 422, "out-of-range", "pretty"},
        {"pretty.x=true", 422, "out-of-range", "pretty"},
        {"pretty=%zz", 400, "malformed-query", ""},
        {"pretty=1&pretty=1", 400, "malformed-query", "pretty"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char type[64] = "urn:posenc:problem:";
        bool is_pretty;

        (void)answering_again();
        answering_request.query = rows[i].query;
        cr_expect_not(read_document_query(&answering_request, &is_pretty, &answering_response),
                      "%s", rows[i].query);
        const json_t *const problem = answered_json();

        cr_expect_eq(answering_response.status, rows[i].status, "%s", rows[i].query);
        cr_expect_str_eq(look_at_text(problem, "type", NULL), strcat(type, rows[i].type));
        cr_expect_str_eq(look_at_text(problem, "parameter", NULL), rows[i].parameter);
    }
}

static void write_list(void)
{
    struct json_text *const text = &answering_again()->text;

    json_text_begin_object(text);
    json_text_key(text, "list");
    json_text_begin_array(text);
    json_text_integer(text, 1);
    json_text_end_array(text);
    json_text_end_object(text);
}

Test(document, may_be_kept_by_caches_when_it_is_whole)
{
    write_list();
    respond_document(&answering_request, 200, "application/json", &answering_response);
    cr_expect_str_eq(answer_of("Cache-Control"), "public, max-age=300");
    cr_expect_eq(answer_of("ETag")[0], '"');
    cr_expect_str_eq(answer_of("Vary"), "Accept, Accept-Encoding");

    write_list();
    respond_document(&answering_request, 503, "application/json", &answering_response);
    cr_expect_str_eq(answer_of("Cache-Control"), "");
    cr_expect_str_eq(answer_of("ETag"), "");

    write_list();
    cr_expect(response_add_header(&answering_response, "Cache-Control", "no-cache"));
    respond_document(&answering_request, 200, "application/json", &answering_response);
    cr_expect_str_eq(answer_of("Cache-Control"), "no-cache", "it was decided before");
    cr_expect_str_eq(answer_of("ETag"), "");
}

Test(document, has_a_tag_of_its_bytes)
{
    char tag[64];

    write_list();
    respond_document(&answering_request, 200, "application/json", &answering_response);
    (void)stpcpy(tag, answer_of("ETag"));
    write_list();
    respond_document(&answering_request, 200, "application/json", &answering_response);
    cr_expect_str_eq(answer_of("ETag"), tag);
    json_text_string(&answering_again()->text, "other");
    respond_document(&answering_request, 200, "application/json", &answering_response);
    cr_expect_str_neq(answer_of("ETag"), tag);
}

Test(document, says_that_memory_is_out_when_it_could_not_be_written)
{
    write_list();
    ((struct exchange *)answering_response.exchange)->text.failed = true;
    respond_json(&answering_request, true, &answering_response);
    cr_expect_eq(answering_response.status, 503);
    cr_expect_str_eq(answer_of("Cache-Control"), "no-store");
}

Test(document, of_json_is_indented_where_that_was_asked_for)
{
    static const char *const expected[] = {"{\"list\":[1]}\n", "{\n  \"list\": [1]\n}\n"};

    for (int is_pretty = 0; is_pretty < 2; is_pretty++) {
        char bytes[64] = "";

        write_list();
        respond_json(&answering_request, is_pretty, &answering_response);
        cr_expect_str_eq(answer_of("Content-Type"), "application/json");
        (void)answering_response.read(answering_response.state, 0, bytes, sizeof bytes - 1);
        cr_expect_str_eq(bytes, expected[is_pretty]);
    }
}
