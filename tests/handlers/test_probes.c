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

Test(probes, tell_the_version)
{
    struct answer answer = ask("GET", "/version", NULL);

    cr_expect_str_eq(answer_text(&answer, "version"), POSENC_VERSION);
    cr_expect_eq(json_integer_value(json_object_get(answer.document, "numeric_version")),
                 POSENC_NUMERIC_VERSION);
    answer_release(&answer);
}
