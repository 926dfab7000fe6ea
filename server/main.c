/* posencd: reads settings, prepares the process, and lets lifecycle.c serve. */
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <malloc.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "hash_token.h"
#include "healthcheck.h"
#include "json_reserve.h"
#include "lifecycle.h"
#include "listener_set.h"
#include "log_queue.h"
#include "metrics_page.h"
#include "notify.h"
#include "posenc.h"
#include "readiness.h"
#include "reloader.h"
#include "sandbox.h"
#include "server.h"
#include "settings_row.h"

#define EXIT_USAGE 2

/* Descriptors beside those of connections: standard streams, listening, signals, spares. */
#define MAIN_DESCRIPTORS_RESERVED 48U
#define MAIN_DESCRIPTORS_PER_LOOP 4U
#define MAIN_CONNECTIONS_MIN      16U

#define MAIN_ADDRESSES_SCARCE (UINT64_C(4) << 30)
#define MAIN_ROOMS_SHARE      4U /* of scarce addresses, one part in so many is for bodies */

static const char *main_lookup(const char *name)
{
    return getenv(name);
}

/* A socket must never become descriptor 2, or the log would be written to a client. */
static bool main_open_standard_streams(void)
{
    int fd;

    do {
        fd = open("/dev/null", O_RDWR);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd < 0)
        return false;
    (void)close(fd);
    return true;
}

/*
 * Signals that stop the server become readable; none interrupts a thread, all of which inherit the
 * mask. Those whose default would end the process for no reason are ignored. -1 on failure.
 */
static int main_take_signals(void)
{
    static const int ignored[] = {SIGPIPE, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM};
    sigset_t stopping;

    for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
        if (signal(ignored[i], SIG_IGN) == SIG_ERR)
            return -1;
    }
    if (sigemptyset(&stopping) != 0 || sigaddset(&stopping, SIGTERM) != 0 ||
        sigaddset(&stopping, SIGINT) != 0 || pthread_sigmask(SIG_BLOCK, &stopping, NULL) != 0)
        return -1;
    return signalfd(-1, &stopping, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* Raises ulimit -n as far as it may go, and lowers the number of connections to what it allows. */
static void main_fit_descriptors(struct server *server)
{
    struct settings *settings = &server->settings;
    const uint64_t others = MAIN_DESCRIPTORS_RESERVED + SERVER_SURPLUS_MAX +
                            (settings->admin_listen.count > 0 ? SERVER_OPERATORS_MAX : 0) +
                            MAIN_DESCRIPTORS_PER_LOOP * settings->threads;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    if (limit.rlim_cur < settings->connections_max + others) {
        limit.rlim_cur = limit.rlim_max < settings->connections_max + others
                             ? limit.rlim_max
                             : settings->connections_max + others;
        (void)setrlimit(RLIMIT_NOFILE, &limit); /* what it allows is read back */
        if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
            return;
    }
    if (limit.rlim_cur >= settings->connections_max + others)
        return;
    settings->connections_max = limit.rlim_cur > others + MAIN_CONNECTIONS_MIN
                                    ? limit.rlim_cur - others
                                    : MAIN_CONNECTIONS_MIN;
    log_note(&server->log, LOG_WARN, "fewer connections", "reason", "ulimit -n is too small");
}

/* Where addresses are scarce (ulimit -v), rooms of bodies have a share of them, and the allocator
 * does not reserve 64 MiB for each thread. */
static void main_fit_addresses(struct server *server)
{
    const uint64_t addresses = budget_addresses();

    spares_init(&server->spares,
                addresses == UINT64_MAX ? UINT64_MAX : addresses / MAIN_ROOMS_SHARE);
    if (addresses < MAIN_ADDRESSES_SCARCE)
        (void)mallopt(M_ARENA_MAX, 1); /* a matter of memory only */
}

/* False, with errno, when the system refuses. */
static bool main_init_server(struct server *server)
{
    const struct settings *settings = &server->settings;

    server->log_limit.lines_per_second = settings->log_lines_max;
    server->log = (struct log){.fd = STDERR_FILENO,
                               .format = (enum log_format)settings->log_format,
                               .level = (enum log_level)settings->log_level,
                               .limit = &server->log_limit,
                               .drops = &server->log_drops};
    server->log.queue = log_queue_start(&server->log);
    if (!server->log.queue)
        return false;
    server->service = (struct service){.body_bytes_max = (size_t)settings->body_bytes_max,
                                       .result_bytes_max = settings->result_bytes_max,
                                       .memory_bytes_max = (size_t)settings->memory_bytes_max,
                                       .is_ready = readiness_is_given,
                                       .read_checks = readiness_read,
                                       .write_metrics = metrics_write_page,
                                       .context = server};
    server->budget.limit = settings->total_bytes_max;
    address_counts_init(&server->addresses);
    main_fit_addresses(server);
    main_fit_descriptors(server);
    return metrics_init(&server->metrics, lifecycle_loops_max(settings));
}

/* Every setting that is in force, "max-body-bytes" as max_body_bytes=64MiB. */
static void main_log_settings(const struct server *server, struct log_line *line)
{
    char name[SETTINGS_WANTED_MAX], value[SETTINGS_WANTED_MAX];
    const struct settings_row *row;

    for (size_t i = 0; (row = settings_row_at(i)) != NULL; i++) {
        settings_format(row, &server->settings, value, sizeof(value));
        (void)snprintf(name, sizeof(name), "%s", row->name);
        for (char *dash = strchr(name, '-'); dash; dash = strchr(dash, '-'))
            *dash = '_';
        log_add_text(line, name, value);
    }
}

static const char *main_scheme(const struct listener *listener)
{
    if (listener->address.is_unix)
        return "";
    return listener->is_tls ? "https://" : "http://";
}

/* A line for scripts on standard output, one for people in the log. */
static void main_announce_listener(const struct server *server, const struct listener *listener)
{
    char text[ADDRESS_TEXT_MAX];
    struct log_line line;

    address_format(&listener->address, text);
    (void)printf("posencd %s on %s%s\n", listener->is_admin ? "admin" : "listening",
                 main_scheme(listener), text); /* nobody need read it */
    log_begin(&line, &server->log, LOG_INFO, "listening");
    log_add_text(&line, "address", text);
    log_add_text(&line, "for", listener->is_admin ? "operators" : "callers");
    log_end(&line);
}

static void main_announce(const struct server *server, const struct listener_set *listeners)
{
    struct log_line line;

    log_begin(&line, &server->log, LOG_INFO, "started");
    log_add_text(&line, "version", POSENC_VERSION);
    log_add_text(&line, "confined", server->is_confined ? "yes" : "no");
    log_add_text(&line, "kernels", posenc_kernel_level());
    log_add_text(&line, "libmicrohttpd", MHD_get_version());
    main_log_settings(server, &line);
    log_end(&line);
    for (size_t i = 0; i < listeners->count; i++)
        main_announce_listener(server, &listeners->items[i]);
    (void)fflush(stdout); /* now who waits for it finds the log complete */
}

static int main_fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "posencd: %s%s%s\n", what, *why ? ": " : "", why);
    return EXIT_FAILURE;
}

/* Reads the operator's files and sees to it that SIGHUP reads them again; before any other thread
 * runs. The exit status. */
static int main_read_files(struct server *server)
{
    char problem[RELOADER_PROBLEM_MAX];

    if (!reloader_read(server, problem)) {
        (void)main_fail(problem, "");
        return EXIT_USAGE;
    }
    if (!reloader_start(server))
        return main_fail("cannot start threads", strerror(errno));
    return EXIT_SUCCESS;
}

/* From here on the process can do little more than serve. False where it must be kept from the rest
 * and cannot be. */
static bool main_confine(struct server *server, const struct listener_set *listeners)
{
    const enum sandbox_mode mode = (enum sandbox_mode)server->settings.sandbox;
    struct sandbox_needs needs = {.notifies = server->notify_path != NULL};
    int problem = ENOSYS; /* of a build with sanitizers */

    if (mode == SANDBOX_OFF)
        return true;
    for (size_t i = 0; i < listeners->count; i++)
        needs.unlinks |= listeners->items[i].address.is_unix;
    if (sandbox_is_built())
        problem = sandbox_enter(&needs);
    server->is_confined = problem == 0;
    if (problem == 0)
        return true;
    if (mode == SANDBOX_AUTO && sandbox_is_built())
        log_note(&server->log, LOG_WARN, "no sandbox", "reason", strerror(problem));
    return mode == SANDBOX_AUTO;
}

static int main_serve(struct server *server)
{
    char problem[LISTENER_PROBLEM_MAX];
    struct lifecycle lifecycle;
    struct listener_set listeners;
    int signal_fd, status;

    if (!main_open_standard_streams())
        return EXIT_FAILURE;
    signal_fd = main_take_signals();
    if (signal_fd < 0)
        return main_fail("cannot set up signals", strerror(errno));
    if (!main_init_server(server))
        return main_fail("cannot start", strerror(errno));
    server->notify_path = main_lookup("NOTIFY_SOCKET");
    status = main_read_files(server);
    if (status != EXIT_SUCCESS)
        return status;
    if (!listener_set_open(&server->settings, main_lookup, &listeners, problem))
        return main_fail(problem, "");
    server->service.has_operators_listener = listener_set_has_admin(&listeners);
    if (!lifecycle_start(&lifecycle, server, &listeners, signal_fd)) {
        listener_set_close(&listeners, false);
        listener_set_close(&listeners, true);
        return main_fail("cannot start threads", strerror(errno));
    }
    if (!main_confine(server, &listeners)) {
        listener_set_close(&listeners, false);
        listener_set_close(&listeners, true);
        return main_fail("--sandbox on: this kernel, or this build, cannot", "");
    }
    main_announce(server, &listeners);
    (void)notify_send(server->notify_path, NOTIFY_READY); /* the log can be asked, too */
    lifecycle_serve(&lifecycle);
    if (!reloader_stop(server)) { /* destructors would pull libraries from under the reader */
        (void)log_queue_close(server->log.queue, LOG_QUEUE_CLOSE_MS);
        _exit(EXIT_SUCCESS);
    }
    (void)close(signal_fd);
    return EXIT_SUCCESS;
}

int main(int argc, char *argv[])
{
    static struct server server; /* read by every thread; zeroed counters */
    char problem[SETTINGS_PROBLEM_MAX];
    int status;

    /* A library that was linked with -ffast-math lets the program begin with subnormals as zeros;
     * and threads take over the environment that they are started in. */
    if (fesetenv(FE_DFL_ENV) != 0)
        return EXIT_FAILURE;
    json_reserve_install();
    switch (settings_read(argc, argv, environ, &server.settings, problem)) {
    case SETTINGS_HELP:
        settings_print_help(stdout);
        return EXIT_SUCCESS;
    case SETTINGS_VERSION:
        (void)puts("posencd " POSENC_VERSION);
        return EXIT_SUCCESS;
    case SETTINGS_HEALTHCHECK:
        return healthcheck_passes(&server.settings) ? EXIT_SUCCESS : EXIT_FAILURE;
    case SETTINGS_HASH_TOKEN:
        return hash_token(server.settings.token_name, stdin, stdout, stderr);
    case SETTINGS_CHECK:
        settings_print_effective(&server.settings, stdout);
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    case SETTINGS_BAD:
        (void)fprintf(stderr, "posencd: %s\n", problem);
        return EXIT_USAGE;
    case SETTINGS_SERVE:
        break;
    }
    status = main_serve(&server);
    (void)log_queue_close(server.log.queue, LOG_QUEUE_CLOSE_MS); /* who reads nothing, loses it */
    return status;
}
