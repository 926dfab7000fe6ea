#include <criterion/criterion.h>
#include <string.h>

#include "settings_environment.h"

static bool take(const char *variable, struct settings *settings,
                 char problem[SETTINGS_PROBLEM_MAX])
{
    char text[256];
    char *const environment[] = {text, NULL};

    (void)snprintf(text, sizeof(text), "%s", variable);
    return settings_take_environment(environment, settings, problem);
}

Test(settings_environment, refuses_names_that_no_row_has_and_shows_them)
{
    static const char *const names[] = {"POSENC_LISTN=a:1", "POSENC_=1", "POSENC_listen=a:1",
                                        "POSENC_PORT=8080", "POSENC_LISTEN_=a:1"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char problem[SETTINGS_PROBLEM_MAX] = "", name[64];
        struct settings settings = {0};

        cr_expect_not(take(names[i], &settings, problem), "%s", names[i]);
        (void)snprintf(name, sizeof(name), "%.*s: ", (int)strcspn(names[i], "="), names[i]);
        cr_expect_eq(strncmp(problem, name, strlen(name)), 0, "%s", problem);
    }
}

Test(settings_environment, passes_over_what_is_not_its_own)
{
    static const char *const others[] = {
        "POSENCD=build/posencd",
        "XPOSENC_LISTEN=nonsense",
        "PATH=/bin",
        "POSENC_SERVICE_HOST=10.0.0.1", /* Kubernetes, for a service named posenc */
        "POSENC_SERVICE_PORT=80",
        "POSENC_SERVICE_PORT_HTTP=80",
        "POSENC_PORT=tcp://10.0.0.1:80",
        "POSENC_PORT_80_TCP=tcp://10.0.0.1:80",
        "POSENC_PORT_80_TCP_PROTO=tcp",
        "POSENC_PORT_80_TCP_PORT=80",
        "POSENC_PORT_80_TCP_ADDR=10.0.0.1",
        "POSENC_CANARY_SERVICE_HOST=10.0.0.1", /* and for one named posenc-canary */
        "POSENC_CANARY_PORT_53_UDP_ADDR=10.0.0.1",
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        char problem[SETTINGS_PROBLEM_MAX] = "";
        struct settings settings = {0}, untouched = {0};

        cr_expect(take(others[i], &settings, problem), "%s: %s", others[i], problem);
        cr_expect_eq(memcmp(&settings, &untouched, sizeof(settings)), 0, "%s", others[i]);
    }
}

Test(settings_environment, knows_links_by_their_values_too)
{
    cr_expect(settings_is_service_link("POSENC_PORT", "udp://[fd00::1]:80"));
    cr_expect_not(settings_is_service_link("POSENC_PORT", "80"));
    cr_expect_not(settings_is_service_link("POSENC_PORTS", "tcp://a:1"));
    cr_expect_not(settings_is_service_link("POSENC_SERVICE_PORT", "http"));
    cr_expect_not(settings_is_service_link("POSENC_XSERVICE_HOST", "a"));
    cr_expect_not(settings_is_service_link("POSENC_PORT_TCP", "tcp://a:1"));
    cr_expect_not(settings_is_service_link("OTHER_SERVICE_HOST", "a"));
}

/* A row whose variable looked like a link could be set by Kubernetes. */
Test(settings_environment, has_no_row_whose_name_looks_like_a_link)
{
    const struct settings_row *row;

    for (size_t i = 0; (row = settings_row_at(i)) != NULL; i++) {
        char name[SETTINGS_ENVIRONMENT_MAX];

        settings_environment_name(row->name, name);
        cr_expect_lt(strlen(name), SETTINGS_ENVIRONMENT_MAX - 1);
        cr_expect_not(settings_is_service_link(name, "80"), "%s", name);
        cr_expect_not(settings_is_service_link(name, "tcp://a:80"), "%s", name);
    }
}
