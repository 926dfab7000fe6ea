/* Probes. */
#include <criterion/criterion.h>

#include "ask.h"
#include "posenc.h"

static bool never(void *context)
{
    (void)context;
    return false;
}

Test(probes, say_alive_and_ready)
{
    struct answer alive = ask("GET", "/livez", NULL), ready = ask("GET", "/readyz", NULL);

    cr_expect_str_eq(answer_text(&alive, "status"), "alive");
    cr_expect_str_eq(answer_text(&ready, "status"), "ready");
    answer_release(&alive);
    answer_release(&ready);
}

Test(probes, stay_alive_but_not_ready_while_draining)
{
    struct service service = ask_service();

    service.is_ready = never;
    struct answer alive = ask_service_with(&service, "GET", "/livez", NULL, NULL, 0);
    struct answer ready = ask_service_with(&service, "GET", "/readyz", NULL, NULL, 0);

    cr_expect_eq(alive.status, 200);
    cr_expect_eq(ready.status, 503);
    cr_expect_str_eq(answer_text(&ready, "status"), "draining");
    answer_release(&alive);
    answer_release(&ready);
}

static size_t some_checks(void *context, struct service_check checks[SERVICE_CHECKS_MAX])
{
    (void)context;
    checks[0] = (struct service_check){"first", SERVICE_PASS, "3 of 4 things"};
    checks[1] = (struct service_check){"second", SERVICE_WARN, "\"odd\""};
    checks[2] = (struct service_check){"third", SERVICE_FAIL, ""};
    return 3;
}

static const char *check_text(const struct answer *answer, const char *name, const char *member)
{
    const json_t *checks = json_object_get(answer->document, "checks");

    return json_string_value(json_object_get(json_object_get(checks, name), member));
}

Test(probes, tell_on_request_what_readiness_looked_at)
{
    static const char *const targets[] = {"/readyz?verbose", "/readyz?verbose=true"};
    struct service service = ask_service();

    service.is_ready = never;
    service.read_checks = some_checks;
    for (size_t i = 0; i < 2; i++) {
        struct answer answer = ask_service_with(&service, "GET", targets[i], NULL, NULL, 0);

        cr_expect_eq(answer.status, 503);
        cr_expect_str_eq(answer_text(&answer, "status"), "draining");
        cr_expect_str_eq(check_text(&answer, "first", "status"), "pass");
        cr_expect_str_eq(check_text(&answer, "first", "detail"), "3 of 4 things");
        cr_expect_str_eq(check_text(&answer, "second", "status"), "warn");
        cr_expect_str_eq(check_text(&answer, "second", "detail"), "\"odd\"");
        cr_expect_str_eq(check_text(&answer, "third", "status"), "fail");
        cr_expect_str_eq(answer_header(&answer, "Cache-Control"), "no-store");
        answer_release(&answer);
    }
}

Test(probes, tell_nothing_more_without_being_asked_and_refuse_other_questions)
{
    static const struct {
        const char *target;
        unsigned status;
    } rows[] = {{"/readyz", 200},
                {"/readyz?", 200},
                {"/readyz?verbose=false", 200},
                {"/readyz?verbose=yes", 422},
                {"/readyz?loud", 422},
                {"/readyz?verbose&verbose", 422}};
    struct service service = ask_service();

    service.read_checks = some_checks;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct answer answer = ask_service_with(&service, "GET", rows[i].target, NULL, NULL, 0);

        cr_expect_eq(answer.status, rows[i].status, "%s", rows[i].target);
        cr_expect_null(json_object_get(answer.document, "checks"));
        answer_release(&answer);
    }
}

Test(probes, tell_the_version)
{
    struct answer answer = ask("GET", "/version", NULL);

    cr_expect_str_eq(answer_text(&answer, "version"), POSENC_VERSION);
    cr_expect_eq(json_integer_value(json_object_get(answer.document, "numeric_version")),
                 POSENC_NUMERIC_VERSION);
    answer_release(&answer);
}
