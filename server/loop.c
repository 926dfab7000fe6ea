#include "loop.h"

#include <assert.h>
#include <gnutls/abstract.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"
#include "computation.h"
#include "connection.h"
#include "server.h"
#include "transaction.h"
#include "watchdog.h"

#define LOOP_SWEEP_MS      100 /* between looks at deadlines */
#define LOOP_SWEEP_SOON_MS 10  /* while sockets linger or the server drains */
#define LOOP_IDLE_RUNS_MAX 64U /* before the library is not believed any more that it is busy */
#define LOOP_IDLE_MS       5   /* between rounds from then on */
#define LOOP_STACK_BYTES   ((size_t)4 << 20)
#define LOOP_BLOCK_SLACK   16U /* connections that may close late, beyond the server's limit */

uint64_t loop_drain_deadline_ms(const struct server *server)
{
    return atomic_load(&server->drain_started_ms) + server->settings.drain_seconds * 1000;
}

void loop_forget_connection(struct loop *loop)
{
    atomic_fetch_sub(&loop->connections, 1);
    atomic_fetch_sub(&loop->server->connections, 1);
}

static void loop_signal(int fd)
{
    const uint64_t one = 1;
    const ssize_t written = write(fd, &one, sizeof(one));

    (void)written; /* fails only when the counter is full, and then the reader is awake anyway */
}

void loop_wake(struct loop *loop)
{
    loop_signal(loop->wake_fd);
}

bool loop_has_room(struct loop *loop)
{
    bool has_room;

    (void)pthread_mutex_lock(&loop->inbox_mutex); /* cannot fail: initialised, not recursive */
    has_room = loop->inbox_count < LOOP_INBOX_MAX;
    (void)pthread_mutex_unlock(&loop->inbox_mutex);
    return has_room;
}

void loop_hand_over(struct loop *loop, const struct arrival *arrival)
{
    atomic_fetch_add(&loop->connections, 1);
    atomic_fetch_add(&loop->server->connections, 1);
    (void)pthread_mutex_lock(&loop->inbox_mutex);
    assert(loop->inbox_count < LOOP_INBOX_MAX);
    loop->inbox[loop->inbox_count++] = *arrival;
    (void)pthread_mutex_unlock(&loop->inbox_mutex);
    loop_wake(loop);
}

void loop_hand_back(struct loop *loop, struct job *job)
{
    (void)pthread_mutex_lock(&loop->inbox_mutex);
    job->next = loop->done;
    loop->done = job;
    (void)pthread_mutex_unlock(&loop->inbox_mutex);
    loop_wake(loop);
}

static void loop_adopt(struct loop *loop, const struct arrival *arrival)
{
    loop->has_adopted = false;
    /* On failure the library has closed the descriptor, with its callbacks run or not at all. */
    if (MHD_add_connection(loop->daemon, arrival->fd, (const struct sockaddr *)&arrival->address,
                           arrival->address_size) != MHD_YES &&
        !loop->has_adopted)
        loop_forget_connection(loop);
}

static void loop_empty_inbox(struct loop *loop)
{
    struct arrival taken[LOOP_INBOX_MAX];
    struct job *done;
    uint64_t wakes;
    size_t count;
    ssize_t got;

    got = read(loop->wake_fd, &wakes, sizeof(wakes));
    (void)got; /* nothing to read is no failure */
    (void)pthread_mutex_lock(&loop->inbox_mutex);
    count = loop->inbox_count;
    for (size_t i = 0; i < count; i++)
        taken[i] = loop->inbox[i];
    loop->inbox_count = 0;
    done = loop->done;
    loop->done = NULL;
    (void)pthread_mutex_unlock(&loop->inbox_mutex);
    for (size_t i = 0; i < count; i++)
        loop_adopt(loop, &taken[i]);
    for (struct job *next; done; done = next) {
        next = done->next;
        computation_resume(done);
    }
}

/*
 * How long the library lets us wait. It asks for rounds without end (0.9.75) for a connection whose
 * buffer a chunk's extension or the trailers have filled: nothing happens in them, so that many in
 * a row become few.
 */
static bool loop_ask_timeout(struct loop *loop, MHD_UNSIGNED_LONG_LONG *wanted)
{
    if (MHD_get_timeout(loop->daemon, wanted) != MHD_YES)
        return false;
    if (*wanted == 0 && loop->idle_runs >= LOOP_IDLE_RUNS_MAX)
        *wanted = LOOP_IDLE_MS;
    return true;
}

static int loop_timeout_ms(struct loop *loop, bool is_draining)
{
    MHD_UNSIGNED_LONG_LONG wanted;
    int limit = -1;

    if (is_draining || loop->lingering.count > 0)
        limit = LOOP_SWEEP_SOON_MS;
    else if (loop->first)
        limit = LOOP_SWEEP_MS;
    if (!loop_ask_timeout(loop, &wanted))
        return limit;
    return wanted < LOOP_SWEEP_MS && (limit < 0 || (int)wanted < limit) ? (int)wanted : limit;
}

/* A daemon must not be stopped while connections are suspended. */
static bool loop_is_done(struct loop *loop, uint64_t now_ms)
{
    if (loop->suspended > 0)
        return false;
    if (now_ms >= loop_drain_deadline_ms(loop->server))
        return true;
    return atomic_load(&loop->connections) == 0 && loop->lingering.count == 0;
}

uint64_t loop_share(const struct loop *loop, uint64_t wanted, uint64_t least)
{
    const uint64_t halvings = (clock_us() - loop->round_us) / LOOP_HALVING_US;

    if (wanted <= least)
        return wanted;
    if (halvings >= 64)
        return least;
    wanted >>= halvings;
    return wanted > least ? wanted : least;
}

/* Lets the library work, and counts the rounds in which nothing had come and it told of nothing. */
static void loop_run_library(struct loop *loop, bool has_events)
{
    const uint64_t callbacks = loop->callbacks;

    loop->round_us = clock_us();
    turns_begin_round(&loop->turns);
    (void)MHD_run(loop->daemon); /* fails only for daemons with threads of their own */
    if (has_events || loop->callbacks != callbacks)
        loop->idle_runs = 0;
    else
        loop->idle_runs++;
}

/* Operators may look on while others drain. */
static bool loop_must_end(const struct loop *loop)
{
    return atomic_load(loop->kind == LOOP_OPERATORS ? &loop->server->is_over
                                                    : &loop->server->is_draining);
}

static void *loop_run(void *cls)
{
    struct loop *loop = cls;
    uint64_t now_ms = clock_ms(), sweep_ms = now_ms;
    bool is_draining = false;

    while (!is_draining || !loop_is_done(loop, now_ms)) {
        struct pollfd fds[] = {{.fd = loop->wake_fd, .events = POLLIN},
                               {.fd = loop->epoll_fd, .events = POLLIN}};

        (void)poll(fds, 2,
                   loop_timeout_ms(loop, is_draining)); /* a failure is a wake for nothing */
        is_draining = loop_must_end(loop);
        if (fds[0].revents)
            loop_empty_inbox(loop);
        loop_run_library(loop, fds[0].revents || fds[1].revents);
        now_ms = clock_ms();
        if (now_ms < sweep_ms && !is_draining)
            continue;
        watchdog_sweep(loop, now_ms);
        linger_sweep(&loop->lingering, now_ms);
        sweep_ms = now_ms + (loop->lingering.count ? LOOP_SWEEP_SOON_MS : LOOP_SWEEP_MS);
    }
    MHD_stop_daemon(loop->daemon); /* completes and closes what missed the deadline */
    linger_release(&loop->lingering);
    loop_signal(loop->done_fd);
    return NULL;
}

/* Percent escapes stay as they are: %00 would cut the path short, %2F would change its shape. */
static size_t loop_keep_escapes(void *cls, struct MHD_Connection *mhd, char *text)
{
    size_t size = 0;

    (void)cls;
    (void)mhd;
    while (text[size])
        size++;
    return size;
}

/* The library wants to be told where certificates come from; connection.c gives each session its
 * own, so that nobody asks here. */
static int loop_find_no_certificate(gnutls_session_t session,
                                    const struct gnutls_cert_retr_st *info,
                                    gnutls_pcert_st **certificates, unsigned *count,
                                    gnutls_ocsp_data_st **ocsp, unsigned *ocsp_count,
                                    gnutls_privkey_t *key, unsigned *flags)
{
    (void)session, (void)info, (void)certificates, (void)count;
    (void)ocsp, (void)ocsp_count, (void)key, (void)flags;
    return -1;
}

static struct MHD_Daemon *loop_open_daemon(struct loop *loop)
{
    const struct settings *settings = &loop->server->settings;
    const bool is_tls = loop->kind == LOOP_CALLERS_TLS;
    const unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME |
                           (is_tls ? MHD_USE_TLS : 0)
#if MHD_VERSION >= 0x01000000
                           |
                           MHD_USE_NO_THREAD_SAFETY /* one thread; connections are added at once */
#endif
        ;

    return MHD_start_daemon(
        flags, 0, NULL, NULL, transaction_access, loop, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)settings->header_bytes_max, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(settings->connections_max + SERVER_SURPLUS_MAX + LOOP_BLOCK_SLACK),
        MHD_OPTION_CONNECTION_TIMEOUT, 0U, /* the watchdog's task */
        MHD_OPTION_NOTIFY_CONNECTION, connection_notify, loop, MHD_OPTION_NOTIFY_COMPLETED,
        transaction_completed, loop, MHD_OPTION_URI_LOG_CALLBACK, transaction_note_target, loop,
        MHD_OPTION_UNESCAPE_CALLBACK, loop_keep_escapes, NULL, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
#if MHD_VERSION >= 0x01000000
        MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#endif
        is_tls ? MHD_OPTION_HTTPS_PRIORITIES : MHD_OPTION_END, TLS_PRIORITIES,
        MHD_OPTION_HTTPS_CERT_CALLBACK2, loop_find_no_certificate, MHD_OPTION_END);
}

static bool loop_start_thread(struct loop *loop)
{
    pthread_attr_t attributes;
    bool is_started;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    is_started = pthread_attr_setstacksize(&attributes, LOOP_STACK_BYTES) == 0 &&
                 pthread_create(&loop->thread, &attributes, loop_run, loop) == 0;
    (void)pthread_attr_destroy(&attributes);
    return is_started;
}

bool loop_start(struct loop *loop, enum loop_kind kind, struct server *server, int done_fd)
{
    const union MHD_DaemonInfo *info;

    loop->kind = kind;
    loop->server = server;
    loop->done_fd = done_fd;
    loop->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (loop->wake_fd < 0)
        return false;
    (void)pthread_mutex_init(&loop->inbox_mutex, NULL); /* cannot fail without attributes */
    loop->daemon = loop_open_daemon(loop);
    if (!loop->daemon)
        goto failed;
    info = MHD_get_daemon_info(loop->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (!info || info->epoll_fd < 0)
        goto failed;
    loop->epoll_fd = info->epoll_fd;
    loop->shard = metrics_claim(&server->metrics);
    if (loop_start_thread(loop))
        return true;
failed:
    if (loop->daemon)
        MHD_stop_daemon(loop->daemon);
    (void)pthread_mutex_destroy(&loop->inbox_mutex);
    (void)close(loop->wake_fd);
    return false;
}

void loop_join(struct loop *loop)
{
    (void)pthread_join(loop->thread, NULL);
    for (size_t i = 0; i < loop->inbox_count; i++)
        (void)close(loop->inbox[i].fd); /* came too late to be taken over */
    (void)pthread_mutex_destroy(&loop->inbox_mutex);
    (void)close(loop->wake_fd);
}
