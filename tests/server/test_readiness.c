#include <criterion/criterion.h>
#include <string.h>

#include "readiness.h"
#include "server.h"

static struct server server; /* large, and zeroed */

static struct service_check check(const char *name)
{
    struct service_check checks[SERVICE_CHECKS_MAX];
    const size_t count = readiness_read(&server, checks);

    for (size_t i = 0; i < count; i++)
        if (strcmp(checks[i].name, name) == 0)
            return checks[i];
    cr_assert(false, "there is no check named %s", name);
    return checks[0];
}

static void set_limits(void)
{
    server.settings.connections_max = 1000;
    server.settings.queue_max = 10;
    server.budget.limit = UINT64_C(1) << 40;
}

Test(readiness, is_given_while_nothing_is_wrong)
{
    struct service_check checks[SERVICE_CHECKS_MAX];
    size_t count;

    set_limits();
    count = readiness_read(&server, checks);
    cr_expect_geq(count, 5);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(checks[i].health, SERVICE_PASS, "%s", checks[i].name);
        cr_expect(*checks[i].detail, "%s", checks[i].name);
    }
    cr_expect(readiness_is_given(&server));
    server.settings.queue_max = 0; /* nothing may wait, and nothing does */
    cr_expect_eq(check("workers").health, SERVICE_PASS);
}

Test(readiness, ends_with_the_signal)
{
    set_limits();
    atomic_store(&server.is_leaving, true);
    cr_expect_not(readiness_is_given(&server));
    cr_expect_eq(check("serving").health, SERVICE_FAIL);
    cr_expect_eq(check("listeners").health, SERVICE_PASS);
    atomic_store(&server.is_draining, true);
    cr_expect_eq(check("listeners").health, SERVICE_FAIL);
}

Test(readiness, stays_given_but_warns_where_something_is_full_or_stale)
{
    set_limits();
    atomic_store(&server.connections, 899);
    cr_expect_eq(check("connections").health, SERVICE_PASS);
    atomic_store(&server.connections, 900);
    cr_expect_eq(check("connections").health, SERVICE_WARN);
    cr_expect_str_eq(check("connections").detail, "900 of 1000 connections");
    atomic_store(&server.budget.used, UINT64_C(1) << 40);
    cr_expect_eq(check("memory").health, SERVICE_WARN);
    atomic_store(&server.answers.queued, 9);
    cr_expect_eq(check("workers").health, SERVICE_WARN);
    cr_expect_str_eq(check("workers").detail, "9 of 10 computations waiting");
    atomic_store(&server.has_stale_files, true);
    cr_expect_eq(check("files").health, SERVICE_WARN);
    atomic_store(&server.is_exhausted, true);
    cr_expect_eq(check("listeners").health, SERVICE_WARN);
    cr_expect(readiness_is_given(&server));
}
