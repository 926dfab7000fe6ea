#include "readiness.h"

#include <stdio.h>

#include "server.h"

#define READINESS_FULL_PERCENT 90 /* from here on a limit is worth a warning */

/* Writes a check's detail and returns its health. */
typedef enum service_health readiness_look(const struct server *server, char *detail, size_t size);

static enum service_health look_at_limit(uint64_t used, uint64_t most, const char *unit,
                                         char *detail, size_t size)
{
    (void)snprintf(detail, size, "%ju of %ju %s", (uintmax_t)used, (uintmax_t)most, unit);
    return used == 0 || used < most / 100 * READINESS_FULL_PERCENT +
                                   most % 100 * READINESS_FULL_PERCENT / 100
               ? SERVICE_PASS
               : SERVICE_WARN;
}

static enum service_health look_at_serving(const struct server *server, char *detail, size_t size)
{
    const bool is_leaving = atomic_load(&server->is_leaving);

    (void)snprintf(detail, size, "%s",
                   is_leaving ? "a signal has come: running requests finish" : "serving");
    return is_leaving ? SERVICE_FAIL : SERVICE_PASS;
}

static enum service_health look_at_listeners(const struct server *server, char *detail, size_t size)
{
    if (atomic_load(&server->is_draining)) {
        (void)snprintf(detail, size, "closed");
        return SERVICE_FAIL;
    }
    if (atomic_load(&server->is_exhausted)) {
        (void)snprintf(detail, size, "accepting pauses: descriptors or memory are out");
        return SERVICE_WARN;
    }
    (void)snprintf(detail, size, "accepting");
    return SERVICE_PASS;
}

static enum service_health look_at_files(const struct server *server, char *detail, size_t size)
{
    const struct settings *settings = &server->settings;
    const char *words = "none are configured";

    if (atomic_load(&server->has_stale_files))
        words = "the last SIGHUP could not read one; what was read before is in use";
    else if (settings->tables || settings->auth_tokens || settings->tls_cert)
        words = "read";
    (void)snprintf(detail, size, "%s", words);
    return atomic_load(&server->has_stale_files) ? SERVICE_WARN : SERVICE_PASS;
}

static enum service_health look_at_connections(const struct server *server, char *detail,
                                               size_t size)
{
    return look_at_limit(atomic_load(&server->connections), server->settings.connections_max,
                         "connections", detail, size);
}

static enum service_health look_at_memory(const struct server *server, char *detail, size_t size)
{
    return look_at_limit(atomic_load(&server->budget.used), server->budget.limit,
                         "bytes held for requests", detail, size);
}

static enum service_health look_at_workers(const struct server *server, char *detail, size_t size)
{
    return look_at_limit(pool_load(&server->answers).queued, server->settings.queue_max,
                         "computations waiting", detail, size);
}

static const struct {
    const char *name;
    readiness_look *look;
} readiness_rows[] = {
    {"serving", look_at_serving}, {"listeners", look_at_listeners},
    {"files", look_at_files},     {"connections", look_at_connections},
    {"memory", look_at_memory},   {"workers", look_at_workers},
};

#define READINESS_ROWS (sizeof(readiness_rows) / sizeof(readiness_rows[0]))

_Static_assert(READINESS_ROWS <= SERVICE_CHECKS_MAX, "a reply has room for every check");

size_t readiness_read(void *context, struct service_check checks[SERVICE_CHECKS_MAX])
{
    const struct server *server = context;

    for (size_t i = 0; i < READINESS_ROWS; i++) {
        checks[i].name = readiness_rows[i].name;
        checks[i].health =
            readiness_rows[i].look(server, checks[i].detail, sizeof(checks[i].detail));
    }
    return READINESS_ROWS;
}

bool readiness_is_given(void *context)
{
    struct service_check checks[SERVICE_CHECKS_MAX];
    const size_t count = readiness_read(context, checks);

    for (size_t i = 0; i < count; i++)
        if (checks[i].health == SERVICE_FAIL)
            return false;
    return true;
}
