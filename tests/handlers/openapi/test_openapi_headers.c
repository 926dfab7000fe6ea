#include "openapi_headers.h"

#include <criterion/criterion.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "piece.h"

PIECE_SUITE(openapi_headers);

Test(openapi_headers, refer_to_a_component_each_which_says_what_it_is)
{
    openapi_write_result_headers(&written);
    const json_t *const references = written_json();
    const json_t *const components = OBJECT_OF(openapi_write_headers(&written));
    const char *name;
    json_t *component;

    cr_expect_eq(json_object_size(references), json_object_size(components));
    json_object_foreach((json_t *)components, name, component)
    {
        char pointer[128];

        (void)snprintf(pointer, sizeof pointer, "#/components/headers/%s", name);
        cr_expect_str_eq(look_at_text(references, name, "$ref", NULL), pointer);
        cr_expect_gt(strlen(look_at_text(component, "description", NULL)), 5, "%s", name);
        cr_expect(json_is_object(look_at(component, "schema", NULL)), "%s", name);
    }
}

/* OpenAPI 3.1 leaves Content-Type to the media types. X-Request-Id is the server's to add. */
static void expect_described(const json_t *components, const struct answer *answer)
{
    for (const char *line = answer->headers; *line; line = strchr(line, '\n') + 1) {
        char name[64];

        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(line, ":"), line);
        if (strcmp(name, "Content-Type") != 0)
            cr_expect(json_object_get(components, name), "%s is not described", name);
    }
}

Test(openapi_headers, are_all_that_results_come_with)
{
    static const struct header zipped = {"Accept-Encoding", "gzip"};
    const struct service service = ask_service();
    const json_t *const components = OBJECT_OF(openapi_write_headers(&written));
    struct answer raw = ask("GET", "/v1/rope?length=2&dim=4&layout=half&format=raw", NULL);
    struct answer json =
        ask_service_with(&service, "GET", "/v1/sinusoidal?length=99&dim=8", NULL, &zipped, 1);
    regex_t shape;

    cr_assert(raw.status == 200 && json.status == 200);
    cr_assert_str_eq(answer_header(&json, "Content-Encoding"), "gzip");
    expect_described(components, &raw);
    expect_described(components, &json);
    cr_assert_eq(regcomp(&shape,
                         look_at_text(components, "X-Tensor-Shape", "schema", "pattern", NULL),
                         REG_EXTENDED),
                 0);
    cr_expect_eq(regexec(&shape, raw.shape, 0, NULL, 0), 0, "%s", raw.shape);
    cr_expect_neq(regexec(&shape, "[2, 2]", 0, NULL, 0), 0);
    cr_expect_str_eq(look_at_text(components, "X-Tensor-Byte-Order", "schema", "const", NULL),
                     answer_header(&raw, "X-Tensor-Byte-Order"));
    regfree(&shape);
    answer_release(&raw);
    answer_release(&json);
}
