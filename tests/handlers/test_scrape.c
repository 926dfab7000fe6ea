/* GET /metrics: which format is agreed on. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "json_text.h"

#define TEXT        "text/plain; version=0.0.4; charset=utf-8"
#define OPENMETRICS "application/openmetrics-text; version=1.0.0; charset=utf-8"

static void write_page(void *context, bool is_openmetrics, struct json_text *text)
{
    (void)context;
    json_text_raw(text, is_openmetrics ? "new" : "old", 3);
}

Test(scrape, come_in_the_format_that_is_preferred)
{
    static const struct {
        const char *accept, *type, *body;
    } rows[] = {
        {NULL, TEXT, "old\n"},
        {"*/*", TEXT, "old\n"},
        {"image/png", TEXT, "old\n"},
        {"application/openmetrics-text", OPENMETRICS, "new\n"},
        {"application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.4", OPENMETRICS, "new\n"},
        {"application/openmetrics-text;version=1.0.0;q=0.3,text/plain;q=0.4", TEXT, "old\n"},
        {"application/openmetrics-text;q=0", TEXT, "old\n"},
    };
    struct service service = ask_service();

    service.write_metrics = write_page;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct header accept = {"Accept", rows[i].accept};
        struct answer answer =
            ask_service_with(&service, "GET", "/metrics", NULL, &accept, rows[i].accept ? 1 : 0);

        cr_expect_eq(answer.status, 200);
        cr_expect_str_eq(answer.content_type, rows[i].type, "%s", rows[i].accept);
        cr_expect_str_eq(answer.body, rows[i].body);
        cr_expect_str_eq(answer_header(&answer, "Cache-Control"), "no-store");
        cr_expect_str_eq(answer_header(&answer, "Vary"), "Accept");
        answer_release(&answer);
    }
}

Test(scrape, are_not_there_where_the_server_keeps_none)
{
    struct service service = ask_service();
    struct answer answer;

    service.write_metrics = NULL;
    answer = ask_service_with(&service, "GET", "/metrics", NULL, NULL, 0);
    cr_expect_eq(answer.status, 404);
    cr_expect_str_eq(answer_text(&answer, "type"), "urn:posenc:problem:not-found");
    answer_release(&answer);
}
