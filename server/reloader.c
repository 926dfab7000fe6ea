#include "reloader.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

bool reloader_read(struct server *server, char problem[TABLES_PROBLEM_MAX])
{
    struct tables *const tables =
        tables_read(server->settings.tables, server->settings.tables_bytes_max, problem);
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

static void hangup_set(sigset_t *set)
{
    (void)sigemptyset(set); /* neither fails for a signal that there is */
    (void)sigaddset(set, SIGHUP);
}

/* A signal that comes while tables are read stays pending, so that what was written last is read.
 */
static void *reloader_run(void *context)
{
    struct server *const server = context;
    char problem[TABLES_PROBLEM_MAX];
    sigset_t hangup;
    int number;

    hangup_set(&hangup);
    while (sigwait(&hangup, &number) == 0)
        if (!reloader_read(server, problem))
            log_note(&server->log, LOG_ERROR, "tables kept as they were", "reason", problem);
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
