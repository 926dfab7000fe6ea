#include "lifecycle.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "listener.h"
#include "log_queue.h"

#define LIFECYCLE_ACCEPTS_MAX  64  /* in a row, before signals get a look */
#define LIFECYCLE_EXHAUSTED_MS 100 /* pause when descriptors or memory are out */
#define LIFECYCLE_FULL_MS      20 /* pause when no loop has room, or connections are at the limit */
#define LIFECYCLE_OVERTIME_MS                                                                      \
    2000U                           /* beyond the drain time-out, for a loop that is deep in work  \
                                     */
#define LIFECYCLE_LOG_MS        200 /* for the last lines of the log */
#define LIFECYCLE_SECOND_SIGNAL 1   /* exit status */
#define LIFECYCLE_FOREVER       UINT64_MAX

static bool lifecycle_start_pools(struct server *server)
{
    const struct settings *settings = &server->settings;

    return pool_start(&server->answers, (size_t)settings->workers, (size_t)settings->queue_max) &&
           pool_start(&server->blocks, (size_t)settings->workers, SIZE_MAX);
}

bool lifecycle_start(struct lifecycle *lifecycle, struct server *server, int listen_fd,
                     int signal_fd)
{
    const size_t count = (size_t)server->settings.threads;

    *lifecycle =
        (struct lifecycle){.server = server, .listen_fd = listen_fd, .signal_fd = signal_fd};
    lifecycle->done_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    lifecycle->loops = calloc(count, sizeof(*lifecycle->loops));
    if (lifecycle->done_fd < 0 || !lifecycle->loops || !lifecycle_start_pools(server))
        return false; /* the caller ends the process, and with it what is held here */
    for (; lifecycle->loop_count < count; lifecycle->loop_count++) {
        if (!loop_start(&lifecycle->loops[lifecycle->loop_count], server, lifecycle->done_fd))
            return false;
    }
    return true;
}

/* Ends the process at once, but for what the log still holds. */
static _Noreturn void lifecycle_exit(struct lifecycle *lifecycle, int status)
{
    (void)log_queue_close(lifecycle->server->log.queue, LIFECYCLE_LOG_MS);
    _exit(status);
}

/* The loop with the fewest connections. */
static struct loop *lifecycle_choose_loop(struct lifecycle *lifecycle)
{
    struct loop *best = &lifecycle->loops[0];

    for (size_t i = 1; i < lifecycle->loop_count; i++) {
        struct loop *loop = &lifecycle->loops[i];

        if (atomic_load(&loop->connections) < atomic_load(&best->connections))
            best = loop;
    }
    return best;
}

static void lifecycle_pause(struct lifecycle *lifecycle, uint64_t ms)
{
    lifecycle->pause_until_ms = clock_ms() + ms;
}

static void lifecycle_report_exhausted(struct lifecycle *lifecycle)
{
    if (!atomic_exchange(&lifecycle->server->is_exhausted, true))
        log_note(&lifecycle->server->log, LOG_WARN, "accepting pauses", "reason",
                 "descriptors or memory are out");
    lifecycle_pause(lifecycle, LIFECYCLE_EXHAUSTED_MS);
}

/* Takes one client in; false when nobody waits or there is no room, and then perhaps a pause. */
static bool lifecycle_accept(struct lifecycle *lifecycle)
{
    struct server *server = lifecycle->server;
    const uint64_t most = server->settings.connections_max + SERVER_SURPLUS_MAX;
    struct loop *loop = lifecycle_choose_loop(lifecycle);
    struct arrival arrival;

    if (atomic_load(&server->connections) >= most || !loop_has_room(loop)) {
        lifecycle_pause(lifecycle, LIFECYCLE_FULL_MS);
        return false;
    }
    switch (listener_accept(lifecycle->listen_fd, &arrival)) {
    case LISTENER_ACCEPTED:
        atomic_store(&server->is_exhausted, false);
        loop_hand_over(loop, &arrival);
        return true;
    case LISTENER_EMPTY:
        return false;
    case LISTENER_EXHAUSTED:
        lifecycle_report_exhausted(lifecycle);
        return false;
    }
    return false;
}

static void lifecycle_accept_some(struct lifecycle *lifecycle)
{
    for (unsigned i = 0; i < LIFECYCLE_ACCEPTS_MAX && lifecycle_accept(lifecycle); i++)
        continue;
}

/* The signal that has come, or 0. */
static unsigned lifecycle_take_signal(const struct lifecycle *lifecycle)
{
    struct signalfd_siginfo info;

    if (read(lifecycle->signal_fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
        return 0;
    return info.ssi_signo;
}

/* How long to wait for a client or a signal: to the end of a pause or until_ms; -1 for ever. */
static int lifecycle_wait_ms(const struct lifecycle *lifecycle, uint64_t now_ms, uint64_t until_ms)
{
    if (now_ms < lifecycle->pause_until_ms && lifecycle->pause_until_ms < until_ms)
        until_ms = lifecycle->pause_until_ms;
    return until_ms == LIFECYCLE_FOREVER ? -1 : (int)(until_ms - now_ms);
}

/* Takes clients in until a signal comes, which is returned, or the time is over: 0. */
static unsigned lifecycle_accept_until(struct lifecycle *lifecycle, uint64_t until_ms)
{
    for (;;) {
        const unsigned signal_number = lifecycle_take_signal(lifecycle);
        const uint64_t now_ms = clock_ms();
        const bool is_paused = now_ms < lifecycle->pause_until_ms;
        struct pollfd fds[] = {{.fd = lifecycle->signal_fd, .events = POLLIN},
                               {.fd = is_paused ? -1 : lifecycle->listen_fd, .events = POLLIN}};

        if (signal_number != 0 || now_ms >= until_ms)
            return signal_number;
        /* A failure is a wake for nothing. */
        (void)poll(fds, 2, lifecycle_wait_ms(lifecycle, now_ms, until_ms));
        if (fds[1].revents)
            lifecycle_accept_some(lifecycle);
    }
}

/* Balancers see /readyz fail and send others their clients; those that still come are served. */
static void lifecycle_leave(struct lifecycle *lifecycle)
{
    struct server *server = lifecycle->server;
    const uint64_t delay_ms = 1000 * server->settings.drain_delay_seconds;

    atomic_store(&server->is_leaving, true);
    if (delay_ms == 0)
        return;
    log_note(&server->log, LOG_INFO, "leaving", "reason", "signal");
    if (lifecycle_accept_until(lifecycle, clock_ms() + delay_ms) != 0)
        lifecycle_exit(lifecycle, LIFECYCLE_SECOND_SIGNAL);
}

/* Who has connected may have sent a request already: those are served before the door shuts. */
static void lifecycle_begin_drain(struct lifecycle *lifecycle)
{
    struct server *server = lifecycle->server;

    log_note(&server->log, LOG_INFO, "draining", "reason", "signal");
    while (lifecycle_accept(lifecycle))
        continue;
    listener_close(lifecycle->listen_fd);
    atomic_store(&server->drain_started_ms, clock_ms());
    atomic_store(&server->is_draining, true);
    for (size_t i = 0; i < lifecycle->loop_count; i++)
        loop_wake(&lifecycle->loops[i]);
}

/* False when a loop did not end in time. */
static bool lifecycle_await_loops(struct lifecycle *lifecycle)
{
    const uint64_t until_ms = loop_drain_deadline_ms(lifecycle->server) + LIFECYCLE_OVERTIME_MS;
    uint64_t ended = 0;

    while (ended < lifecycle->loop_count) {
        const uint64_t now_ms = clock_ms();
        struct pollfd fds[] = {{.fd = lifecycle->signal_fd, .events = POLLIN},
                               {.fd = lifecycle->done_fd, .events = POLLIN}};
        uint64_t more;

        if (now_ms >= until_ms)
            return false;
        (void)poll(fds, 2, (int)(until_ms - now_ms)); /* a failure is a wake for nothing */
        if (lifecycle_take_signal(lifecycle) != 0)
            lifecycle_exit(lifecycle, LIFECYCLE_SECOND_SIGNAL);
        if (read(lifecycle->done_fd, &more, sizeof(more)) == (ssize_t)sizeof(more))
            ended += more;
    }
    return true;
}

void lifecycle_serve(struct lifecycle *lifecycle)
{
    struct server *server = lifecycle->server;

    (void)lifecycle_accept_until(lifecycle, LIFECYCLE_FOREVER); /* any signal means the same */
    lifecycle_leave(lifecycle);
    lifecycle_begin_drain(lifecycle);
    if (!lifecycle_await_loops(lifecycle)) {
        log_note(&server->log, LOG_ERROR, "drained", "outcome", "a request did not end in time");
        lifecycle_exit(lifecycle,
                       EXIT_SUCCESS); /* its thread still runs, so nothing can be freed */
    }
    pool_stop(&server->answers); /* before their loops, which they may be about to wake */
    pool_stop(&server->blocks);
    for (size_t i = 0; i < lifecycle->loop_count; i++)
        loop_join(&lifecycle->loops[i]);
    free(lifecycle->loops);
    (void)close(lifecycle->done_fd);
    log_note(&server->log, LOG_INFO, "drained", "outcome", "complete");
}
