/* The index lists every route, with an example that works when it is pasted. */
#include <criterion/criterion.h>
#include <string.h>

#include "ask.h"
#include "router.h"

Test(index, lists_every_route)
{
    struct answer answer = ask("GET", "/", NULL);
    json_t *routes = json_object_get(answer.document, "routes");
    size_t count = 0;

    while (route_at(count))
        count++;
    cr_assert_eq(json_array_size(routes), count);
    for (size_t i = 0; i < count; i++)
        cr_expect_str_eq(json_string_value(json_object_get(json_array_get(routes, i), "path")),
                         route_at(i)->path);
    answer_release(&answer);
}

Test(index, gives_examples_that_work)
{
    for (size_t i = 0; route_at(i); i++) {
        const struct route *route = route_at(i);
        struct answer answer =
            ask(route->example_body ? "POST" : "GET", route->example, route->example_body);

        cr_expect_eq(answer.status, 200, "%s: %s", route->example, answer.body);
        answer_release(&answer);
    }
}

Test(index, gives_examples_of_which_a_shell_runs_nothing_but_curl)
{
    static const struct {
        const char *host, *wanted;
    } rows[] = {
        {"posenc.example:8080", "curl 'http://posenc.example:8080/'"},
        {"[::1]:8080", "curl 'http://[::1]:8080/'"},
        {"a';id;'", "curl 'http://localhost:8080/'"},
        {"a'b", "curl 'http://localhost:8080/'"},
        {"", "curl 'http://localhost:8080/'"},
    };
    const struct service service = ask_service();

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct header header = {"Host", rows[i].host};
        struct answer answer = ask_service_with(&service, "GET", "/", NULL, &header, 1);
        const json_t *first = json_array_get(json_object_get(answer.document, "routes"), 0);

        cr_expect_str_eq(json_string_value(json_object_get(first, "example")), rows[i].wanted);
        answer_release(&answer);
    }
}

Test(index, is_a_page_to_those_who_like_that_better)
{
    static const struct {
        const char *accept, *media_type;
        unsigned status;
    } rows[] = {
        {"*/*", "application/json", 200},
        {"text/html", "text/html; charset=utf-8", 200},
        {"text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
         "text/html; charset=utf-8", 200},
        {"text/html;q=0.5, application/json", "application/json", 200},
        {"text/html, application/json;q=0.9", "text/html; charset=utf-8", 200},
        {"text/html, application/json", "application/json", 200},
        {"text/html;q=0, */*;q=0.1", "application/json", 200},
        {"text/*", "text/html; charset=utf-8", 200},
        {"application/json", "application/json", 200},
        {"image/png", "application/problem+json", 406},
    };
    const struct service service = ask_service();

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct header header = {"Accept", rows[i].accept};
        struct answer answer = ask_service_with(&service, "GET", "/", NULL, &header, 1);

        cr_expect_eq(answer.status, rows[i].status, "%s", rows[i].accept);
        cr_expect_str_eq(answer.content_type, rows[i].media_type, "%s", rows[i].accept);
        answer_release(&answer);
    }
}

Test(index, addresses_its_examples_as_the_client_did)
{
    const struct service service = ask_service();
    const struct header header = {"Host", "posenc.example:81"};
    struct answer answer = ask_service_with(&service, "GET", "/", NULL, &header, 1);

    cr_expect_not_null(strstr(answer.body, "http://posenc.example:81/livez"));
    answer_release(&answer);
}
