#include "lifecycle.h"

#include <assert.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "log_queue.h"
#include "notify.h"

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

    return pool_start(&server->answers, (size_t)settings->workers) &&
           pool_start(&server->brief, (size_t)settings->workers);
}

static bool lifecycle_start_loops(struct lifecycle *lifecycle, enum loop_kind kind, size_t count)
{
    for (; count > 0; count--, lifecycle->loop_count++) {
        if (!loop_start(&lifecycle->loops[lifecycle->loop_count], kind, lifecycle->server,
                        lifecycle->done_fd))
            return false;
    }
    return true;
}

/* Ends the process while its threads still run, so that nothing can be freed. */
static _Noreturn void lifecycle_exit(struct lifecycle *lifecycle, int status)
{
    listener_set_close(lifecycle->listeners, false);
    listener_set_close(lifecycle->listeners, true);
    (void)log_queue_close(lifecycle->server->log.queue, LIFECYCLE_LOG_MS);
    _exit(status);
}

size_t lifecycle_loops_max(const struct settings *settings)
{
    return 2 * (size_t)settings->threads + 1; /* without TLS, with it, and one for operators */
}

bool lifecycle_start(struct lifecycle *lifecycle, struct server *server,
                     struct listener_set *listeners, int signal_fd)
{
    const size_t threads = (size_t)server->settings.threads;

    *lifecycle =
        (struct lifecycle){.server = server, .listeners = listeners, .signal_fd = signal_fd};
    lifecycle->done_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    lifecycle->loops = calloc(lifecycle_loops_max(&server->settings), sizeof(*lifecycle->loops));
    if (lifecycle->done_fd < 0 || !lifecycle->loops || !lifecycle_start_pools(server))
        return false; /* the caller ends the process, and with it what is held here */
    return lifecycle_start_loops(lifecycle, LOOP_CALLERS,
                                 listener_set_has_callers(listeners, false) ? threads : 0) &&
           lifecycle_start_loops(lifecycle, LOOP_CALLERS_TLS,
                                 listener_set_has_callers(listeners, true) ? threads : 0) &&
           lifecycle_start_loops(lifecycle, LOOP_OPERATORS,
                                 listener_set_has_admin(listeners) ? 1 : 0);
}

static enum loop_kind lifecycle_kind_for(const struct listener *listener)
{
    if (listener->is_admin)
        return LOOP_OPERATORS;
    return listener->is_tls ? LOOP_CALLERS_TLS : LOOP_CALLERS;
}

/* The loop of that kind with the fewest connections; there is one. */
static struct loop *lifecycle_choose_loop(struct lifecycle *lifecycle, enum loop_kind kind)
{
    struct loop *best = NULL;

    for (size_t i = 0; i < lifecycle->loop_count; i++) {
        struct loop *loop = &lifecycle->loops[i];

        if (loop->kind == kind &&
            (!best || atomic_load(&loop->connections) < atomic_load(&best->connections)))
            best = loop;
    }
    assert(best);
    return best;
}

static void lifecycle_pause(struct lifecycle *lifecycle, bool is_admin, uint64_t ms)
{
    lifecycle->pause_until_ms[is_admin] = clock_ms() + ms;
}

static void lifecycle_report_exhausted(struct lifecycle *lifecycle)
{
    if (!atomic_exchange(&lifecycle->server->is_exhausted, true))
        log_note(&lifecycle->server->log, LOG_WARN, "accepting pauses", "reason",
                 "descriptors or memory are out");
    lifecycle_pause(lifecycle, false, LIFECYCLE_EXHAUSTED_MS);
    lifecycle_pause(lifecycle, true, LIFECYCLE_EXHAUSTED_MS);
}

/* Callers share one limit; operators have their own, so that they get in when callers are many. */
static bool lifecycle_is_full(const struct lifecycle *lifecycle, struct loop *loop)
{
    const struct server *server = lifecycle->server;

    if (!loop_has_room(loop))
        return true;
    if (loop->kind == LOOP_OPERATORS)
        return atomic_load(&loop->connections) >= SERVER_OPERATORS_MAX;
    return atomic_load(&server->connections) >=
           server->settings.connections_max + SERVER_SURPLUS_MAX;
}

/* Takes one client in; false when nobody waits or there is no room, and then perhaps a pause. */
static bool lifecycle_accept(struct lifecycle *lifecycle, const struct listener *listener)
{
    struct server *server = lifecycle->server;
    struct loop *loop = lifecycle_choose_loop(lifecycle, lifecycle_kind_for(listener));
    struct arrival arrival;

    if (lifecycle_is_full(lifecycle, loop)) {
        lifecycle_pause(lifecycle, listener->is_admin, LIFECYCLE_FULL_MS);
        return false;
    }
    switch (listener_accept(listener, &arrival)) {
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

static void lifecycle_accept_some(struct lifecycle *lifecycle, const struct listener *listener)
{
    for (unsigned i = 0; i < LIFECYCLE_ACCEPTS_MAX && lifecycle_accept(lifecycle, listener); i++)
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
    for (size_t i = 0; i < 2; i++) {
        const uint64_t pause_until_ms = lifecycle->pause_until_ms[i];

        if (now_ms < pause_until_ms && pause_until_ms < until_ms)
            until_ms = pause_until_ms;
    }
    return until_ms == LIFECYCLE_FOREVER ? -1 : (int)(until_ms - now_ms);
}

/* Waits for a signal, an event of extra_fd (or -1), or the time, and takes in who comes meanwhile.
 */
static void lifecycle_wait(struct lifecycle *lifecycle, int extra_fd, uint64_t now_ms,
                           uint64_t until_ms)
{
    const struct listener_set *set = lifecycle->listeners;
    struct pollfd fds[2 + LISTENER_SET_MAX] = {{.fd = lifecycle->signal_fd, .events = POLLIN},
                                               {.fd = extra_fd, .events = POLLIN}};

    for (size_t i = 0; i < set->count; i++) {
        const struct listener *listener = &set->items[i];
        const bool is_paused = now_ms < lifecycle->pause_until_ms[listener->is_admin];

        fds[2 + i] = (struct pollfd){.fd = is_paused ? -1 : listener->fd, .events = POLLIN};
    }
    /* A failure is a wake for nothing. */
    if (poll(fds, 2 + set->count, lifecycle_wait_ms(lifecycle, now_ms, until_ms)) <= 0)
        return;
    for (size_t i = 0; i < set->count; i++) {
        if (fds[2 + i].revents)
            lifecycle_accept_some(lifecycle, &set->items[i]);
    }
}

/* Takes clients in until a signal comes, which is returned, or the time is over: 0. */
static unsigned lifecycle_accept_until(struct lifecycle *lifecycle, uint64_t until_ms)
{
    for (;;) {
        const unsigned signal_number = lifecycle_take_signal(lifecycle);
        const uint64_t now_ms = clock_ms();

        if (signal_number != 0 || now_ms >= until_ms)
            return signal_number;
        lifecycle_wait(lifecycle, -1, now_ms, until_ms);
    }
}

/* Balancers see /readyz fail and send others their clients; those that still come are served. */
static void lifecycle_leave(struct lifecycle *lifecycle)
{
    struct server *server = lifecycle->server;
    const uint64_t delay_ms = 1000 * server->settings.drain_delay_seconds;

    (void)notify_send(server->notify_path, NOTIFY_STOPPING); /* nothing depends on it */
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
    struct listener_set *set = lifecycle->listeners;

    log_note(&server->log, LOG_INFO, "draining", "reason", "signal");
    for (size_t i = 0; i < set->count; i++) {
        while (!set->items[i].is_admin && lifecycle_accept(lifecycle, &set->items[i]))
            continue;
    }
    listener_set_close(set, false);
    atomic_store(&server->drain_started_ms, clock_ms());
    atomic_store(&server->is_draining, true);
    for (size_t i = 0; i < lifecycle->loop_count; i++)
        loop_wake(&lifecycle->loops[i]);
}

/* Waits until so many loops have ended in all; false when they do not in time. */
static bool lifecycle_await_loops(struct lifecycle *lifecycle, size_t count)
{
    const uint64_t until_ms = loop_drain_deadline_ms(lifecycle->server) + LIFECYCLE_OVERTIME_MS;

    while (lifecycle->loops_ended < count) {
        const uint64_t now_ms = clock_ms();
        uint64_t more;

        if (now_ms >= until_ms)
            return false;
        lifecycle_wait(lifecycle, lifecycle->done_fd, now_ms, until_ms);
        if (lifecycle_take_signal(lifecycle) != 0)
            lifecycle_exit(lifecycle, LIFECYCLE_SECOND_SIGNAL);
        if (read(lifecycle->done_fd, &more, sizeof(more)) == (ssize_t)sizeof(more))
            lifecycle->loops_ended += more;
    }
    return true;
}

/* Operators are served to the last, and those who then are in the middle of an answer get it. */
static bool lifecycle_drain(struct lifecycle *lifecycle)
{
    const size_t count = lifecycle->loop_count;
    const bool has_operators = lifecycle->loops[count - 1].kind == LOOP_OPERATORS;

    if (!lifecycle_await_loops(lifecycle, has_operators ? count - 1 : count))
        return false;
    listener_set_close(lifecycle->listeners, true);
    atomic_store(&lifecycle->server->is_over, true);
    loop_wake(&lifecycle->loops[count - 1]);
    return lifecycle_await_loops(lifecycle, count);
}

void lifecycle_serve(struct lifecycle *lifecycle)
{
    struct server *server = lifecycle->server;

    (void)lifecycle_accept_until(lifecycle, LIFECYCLE_FOREVER); /* any signal means the same */
    lifecycle_leave(lifecycle);
    lifecycle_begin_drain(lifecycle);
    if (!lifecycle_drain(lifecycle)) {
        log_note(&server->log, LOG_ERROR, "drained", "outcome", "a request did not end in time");
        lifecycle_exit(lifecycle, EXIT_SUCCESS);
    }
    pool_stop(&server->answers); /* before their loops, which they may be about to wake */
    pool_stop(&server->brief);
    for (size_t i = 0; i < lifecycle->loop_count; i++)
        loop_join(&lifecycle->loops[i]);
    free(lifecycle->loops);
    (void)close(lifecycle->done_fd);
    log_note(&server->log, LOG_INFO, "drained", "outcome", "complete");
}
