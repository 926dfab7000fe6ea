#include "reloader.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "notify.h"

#define RELOADER_STOP_SECONDS 1
#define RELOADER_TIME_MAX     32 /* bytes of a moment, with its end */

/* Something that is read again. */
struct reloadable {
    const char *name;   /* of the setting, and for the log */
    size_t path_offset; /* into struct settings, of a path that may be NULL: there is nothing */
    /* Reads it and says so in the log; or leaves what there was, and says why. */
    bool (*read)(struct server *server, const char *path, char problem[TABLES_PROBLEM_MAX]);
};

static bool reloader_read_tables(struct server *server, const char *path,
                                 char problem[TABLES_PROBLEM_MAX])
{
    struct tables *const tables = tables_read(path, server->settings.tables_bytes_max, problem);
    struct log_line line;

    if (!tables)
        return false;
    log_begin(&line, &server->log, LOG_INFO, "tables read");
    log_add_number(&line, "files", tables->count);
    log_add_number(&line, "bytes", tables->bytes);
    table_store_replace(server->service.tables, tables);
    log_end(&line); /* what it says is true now */
    return true;
}

static bool reloader_read_tokens(struct server *server, const char *path,
                                 char problem[TABLES_PROBLEM_MAX])
{
    struct log_line line;
    bool is_public;
    size_t count;

    if (!access_read(server->access, path, &count, &is_public, problem))
        return false;
    log_begin(&line, &server->log, is_public ? LOG_WARN : LOG_INFO, "auth-tokens read");
    log_add_number(&line, "tokens", count);
    if (is_public)
        log_add_text(&line, "reason", "the file may be read by everybody: chmod o-r");
    log_end(&line);
    return true;
}

/* "2027-01-31T12:00:00Z" */
static void reloader_print_time(time_t moment, char text[RELOADER_TIME_MAX])
{
    struct tm utc;

    if (!gmtime_r(&moment, &utc) ||
        strftime(text, RELOADER_TIME_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        memcpy(text, "?", sizeof("?"));
}

static bool reloader_read_certificate(struct server *server, const char *path,
                                      char problem[TABLES_PROBLEM_MAX])
{
    char expires[RELOADER_TIME_MAX];
    struct tls_facts facts;
    struct log_line line;
    bool is_expired;

    if (!tls_store_read(server->tls, path, server->settings.tls_key, &facts, problem))
        return false;
    is_expired = facts.expires < time(NULL);
    reloader_print_time(facts.expires, expires);
    log_begin(&line, &server->log, is_expired || facts.is_key_public ? LOG_WARN : LOG_INFO,
              "tls-cert read");
    log_add_text(&line, "expires", expires);
    if (is_expired)
        log_add_text(&line, "reason", "the certificate has expired");
    else if (facts.is_key_public)
        log_add_text(&line, "reason", "the key may be read by everybody: chmod o-r");
    log_end(&line);
    return true;
}

static const struct reloadable reloadables[] = {
    {"tables", offsetof(struct settings, tables), reloader_read_tables},
    {"tls-cert", offsetof(struct settings, tls_cert), reloader_read_certificate},
    {"auth-tokens", offsetof(struct settings, auth_tokens), reloader_read_tokens},
};

#define RELOADABLES (sizeof(reloadables) / sizeof(reloadables[0]))

static const char *reloader_path(const struct server *server, const struct reloadable *reloadable)
{
    const char *path;

    memcpy(&path, (const char *)&server->settings + reloadable->path_offset, sizeof(path));
    return path;
}

/* What the service finds its files in, once they are read. */
static bool reloader_prepare(struct server *server)
{
    if (server->settings.tables) {
        server->service.tables = table_store_new();
        if (!server->service.tables)
            return false;
    }
    if (server->settings.auth_tokens) {
        server->access = access_new();
        if (!server->access)
            return false;
        server->service.needs_token = true;
    }
    if (server->settings.tls_cert) {
        server->tls = tls_store_new();
        if (!server->tls)
            return false;
    }
    return true;
}

bool reloader_read(struct server *server, char problem[RELOADER_PROBLEM_MAX])
{
    char why[TABLES_PROBLEM_MAX];

    if (!reloader_prepare(server)) {
        (void)snprintf(problem, RELOADER_PROBLEM_MAX, "out of memory");
        return false;
    }
    for (size_t i = 0; i < RELOADABLES; i++) {
        const struct reloadable *reloadable = &reloadables[i];
        const char *path = reloader_path(server, reloadable);

        if (!path || reloadable->read(server, path, why))
            continue;
        (void)snprintf(problem, RELOADER_PROBLEM_MAX, "--%s %.256s: %s", reloadable->name, path,
                       why);
        return false;
    }
    return true;
}

static void reloader_read_again(struct server *server)
{
    char problem[TABLES_PROBLEM_MAX], message[64];
    bool is_stale = false;

    for (size_t i = 0; i < RELOADABLES; i++) {
        const char *path = reloader_path(server, &reloadables[i]);

        if (!path || reloadables[i].read(server, path, problem))
            continue;
        is_stale = true;
        (void)snprintf(message, sizeof(message), "%s kept as they were", reloadables[i].name);
        log_note(&server->log, LOG_ERROR, message, "reason", problem);
    }
    atomic_store(&server->has_stale_files, is_stale);
}

static void hangup_set(sigset_t *set)
{
    (void)sigemptyset(set); /* neither fails for a signal that there is */
    (void)sigaddset(set, SIGHUP);
}

/* A signal that comes while files are read stays pending, so that what was written last is read. */
static void *reloader_run(void *context)
{
    struct server *const server = context;
    sigset_t hangup;
    int number;

    hangup_set(&hangup);
    while (sigwait(&hangup, &number) == 0) {
        (void)notify_send_reloading(server->notify_path); /* the manager then waits ... */
        (void)pthread_mutex_lock(&server->reloading); /* cannot fail: initialised, not recursive */
        reloader_read_again(server);
        (void)pthread_mutex_unlock(&server->reloading);
        (void)notify_send(server->notify_path, NOTIFY_READY); /* ... for this, or gives up */
    }
    return NULL;
}

bool reloader_start(struct server *server)
{
    pthread_t thread;
    sigset_t hangup;

    hangup_set(&hangup);
    (void)pthread_mutex_init(&server->reloading, NULL); /* cannot fail without attributes */
    if (pthread_sigmask(SIG_BLOCK, &hangup, NULL) != 0 || signal(SIGHUP, SIG_DFL) == SIG_ERR)
        return false;
    errno = pthread_create(&thread, NULL, reloader_run, server);
    if (errno != 0)
        return false;
    (void)pthread_detach(thread); /* it is joinable, so this cannot fail */
    return true;
}

bool reloader_stop(struct server *server)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until); /* cannot fail for this clock */
    until.tv_sec += RELOADER_STOP_SECONDS;
    return pthread_mutex_timedlock(&server->reloading, &until) == 0;
}
