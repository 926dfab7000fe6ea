#include "watchdog.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "canned.h"
#include "loop.h"
#include "server.h"
#include "transaction.h"

static const struct canned watchdog_timeout = {
    408, "Request Timeout", "request-timeout",
    "The request did not arrive in time; send it faster."};

static uint64_t watchdog_limit_ms(const struct settings *settings, enum phase phase)
{
    switch (phase) {
    case PHASE_HEAD:
        return settings->head_seconds * 1000;
    case PHASE_BODY:
        return settings->body_seconds * 1000;
    case PHASE_SENDING:
        return settings->send_seconds * 1000;
    case PHASE_IDLE:
        return settings->idle_seconds * 1000;
    case PHASE_COMPUTING:
    case PHASE_CUT:
        break;
    }
    return UINT32_MAX;
}

/* Bytes that the client has taken: what its kernel has acknowledged since the connection began.
 * Nobody counts those of a Unix socket, so there it is what the library took to send of this
 * answer. */
static uint64_t watchdog_taken_bytes(const struct connection *connection)
{
    struct tcp_info info;
    socklen_t size = sizeof(info);

    if (connection->is_unix)
        return connection->transaction ? connection->transaction->sent_bytes : 0;
    memset(&info, 0, sizeof(info));
    if (getsockopt(connection->fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return 0;
    return info.tcpi_bytes_acked;
}

/* The time to send stands still while the next block is computed. */
static uint64_t watchdog_time_to_send_ms(struct connection *connection, uint64_t limit_ms)
{
    if (connection->phase == PHASE_COMPUTING && connection->left_ms > 0)
        return connection->left_ms;
    connection->taken_bytes = watchdog_taken_bytes(connection);
    return limit_ms;
}

void watchdog_enter(struct connection *connection, enum phase phase, uint64_t now_ms)
{
    uint64_t limit_ms = watchdog_limit_ms(&connection->loop->server->settings, phase);

    if (connection->phase == PHASE_CUT)
        return;
    if (phase == PHASE_SENDING)
        limit_ms = watchdog_time_to_send_ms(connection, limit_ms);
    connection->left_ms = 0;
    if (phase == PHASE_COMPUTING && connection->phase == PHASE_SENDING)
        connection->left_ms =
            connection->deadline_ms > now_ms ? connection->deadline_ms - now_ms : 1;
    connection->phase = phase;
    connection->look_ms = now_ms + WATCHDOG_LOOK_MS;
    connection->deadline_ms = now_ms + limit_ms;
}

void watchdog_feed(struct connection *connection, uint64_t received, uint64_t started_ms)
{
    if (connection->phase != PHASE_BODY)
        return;
    connection->deadline_ms = started_ms +
                              watchdog_limit_ms(&connection->loop->server->settings, PHASE_BODY) +
                              received * 1000 / WATCHDOG_BODY_BYTES_PER_SECOND;
}

void watchdog_shut(struct connection *connection)
{
    (void)shutdown(connection->fd, SHUT_RDWR); /* fails only when the client has gone already */
    connection->phase = PHASE_CUT;
    connection->deadline_ms = UINT64_MAX;
}

/* A client that takes its answer too slowly gets a reset: else the kernel would go on to hold what
 * is written and not yet taken, megabytes for each, and send it at that client's pace. */
static void watchdog_drop_unsent(const struct connection *connection)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};

    /* Where it fails, closing is as slow as the client. */
    (void)setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
}

static void watchdog_cut(struct connection *connection)
{
    const bool is_request_begun = connection->transaction != NULL;
    char text[CANNED_TEXT_MAX];

    metrics_add(&connection->loop->shard->cuts[connection->phase], 1);
    if (is_request_begun && (connection->phase == PHASE_HEAD || connection->phase == PHASE_BODY)) {
        transaction_set_outcome(connection->transaction, 408, watchdog_timeout.slug);
        connection_send(connection, text, canned_write(&watchdog_timeout, text));
    }
    if (connection->phase == PHASE_SENDING)
        watchdog_drop_unsent(connection);
    watchdog_shut(connection);
}

/* A client that takes its answer slowly, but takes it, gets another period. */
static bool watchdog_renews(struct connection *connection, uint64_t now_ms)
{
    const struct settings *settings = &connection->loop->server->settings;

    if (connection->phase != PHASE_SENDING ||
        watchdog_taken_bytes(connection) - connection->taken_bytes <
            settings->send_rate_min * settings->send_seconds)
        return false;
    watchdog_enter(connection, PHASE_SENDING, now_ms);
    return true;
}

/* A request may not last for ever, even where each of its parts makes way. */
static bool watchdog_is_overdue(const struct connection *connection, uint64_t now_ms)
{
    const struct transaction *transaction = connection->transaction;
    const uint64_t limit_ms = connection->loop->server->settings.request_seconds * 1000;

    return limit_ms > 0 && transaction && transaction->has_begun &&
           now_ms >= transaction->began_us / 1000 + limit_ms;
}

static bool watchdog_has_input(int fd)
{
    int waiting = 0;

    return ioctl(fd, FIONREAD, &waiting) == 0 && waiting > 0;
}

/* Idle connections end at once, but not one whose next request has just arrived. */
static bool watchdog_drains(const struct connection *connection, uint64_t now_ms)
{
    const struct server *server = connection->loop->server;

    if (!atomic_load(&server->is_draining))
        return false;
    if (connection->phase == PHASE_IDLE)
        return !watchdog_has_input(connection->fd);
    return connection->phase == PHASE_HEAD &&
           now_ms >= atomic_load(&server->drain_started_ms) + WATCHDOG_DRAIN_HEAD_MS;
}

/*
 * The client has ended its side before its request was whole, or between requests. The library
 * looks when bytes come, and misses an end that came along with the last of them: such a connection
 * would be held until its deadline.
 */
static bool watchdog_is_abandoned(struct connection *connection, uint64_t now_ms)
{
    char next;

    if (connection->phase != PHASE_HEAD && connection->phase != PHASE_BODY &&
        connection->phase != PHASE_IDLE)
        return false;
    if (now_ms < connection->look_ms)
        return false;
    connection->look_ms = now_ms + WATCHDOG_LOOK_MS;
    return recv(connection->fd, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void watchdog_sweep(struct loop *loop, uint64_t now_ms)
{
    for (struct connection *at = loop->first; at; at = at->next) {
        if (at->phase == PHASE_CUT)
            continue;
        if (watchdog_drains(at, now_ms) || watchdog_is_overdue(at, now_ms) ||
            watchdog_is_abandoned(at, now_ms) ||
            (now_ms >= at->deadline_ms && !watchdog_renews(at, now_ms)))
            watchdog_cut(at);
    }
}

bool watchdog_cut_idle(struct loop *loop)
{
    struct connection *oldest = NULL;

    for (struct connection *at = loop->first; at; at = at->next) {
        if (at->phase == PHASE_IDLE && (!oldest || at->deadline_ms < oldest->deadline_ms))
            oldest = at;
    }
    if (!oldest)
        return false;
    watchdog_cut(oldest);
    return true;
}
