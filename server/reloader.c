#include "reloader.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "notify.h"

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

static const struct reloadable reloadables[] = {
    {"tables", offsetof(struct settings, tables), reloader_read_tables},
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
        reloader_read_again(server);
        (void)notify_send(server->notify_path, NOTIFY_READY); /* ... for this, or gives up */
    }
    return NULL;
}

bool reloader_start(struct server *server)
{
    pthread_t thread;
    sigset_t hangup;

    hangup_set(&hangup);
    if (pthread_sigmask(SIG_BLOCK, &hangup, NULL) != 0 || signal(SIGHUP, SIG_DFL) == SIG_ERR)
        return false;
    errno = pthread_create(&thread, NULL, reloader_run, server);
    if (errno != 0)
        return false;
    (void)pthread_detach(thread); /* it is joinable, so this cannot fail */
    return true;
}
