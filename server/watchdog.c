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

/* Bytes that the client's kernel has acknowledged since the connection began. Nobody counts those
 * of a Unix socket, so there it is what the library took to send of this answer. */
static uint64_t watchdog_acked_bytes(const struct connection *connection)
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

void watchdog_enter(struct connection *connection, enum phase phase, uint64_t now_ms)
{
    if (connection->phase == PHASE_CUT)
        return;
    if (phase == PHASE_HEAD && connection->is_unix)
        connection->acked_bytes = 0; /* of the answer before */
    connection->phase = phase;
    connection->deadline_ms =
        now_ms + watchdog_limit_ms(&connection->loop->server->settings, phase);
}

void watchdog_feed(struct connection *connection, uint64_t received, uint64_t started_ms)
{
    if (connection->phase != PHASE_BODY)
        return;
    connection->deadline_ms = started_ms +
                              watchdog_limit_ms(&connection->loop->server->settings, PHASE_BODY) +
                              received * 1000 / WATCHDOG_BODY_BYTES_PER_SECOND;
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
    (void)shutdown(connection->fd, SHUT_RDWR); /* fails only when the client has gone already */
    connection->phase = PHASE_CUT;
    connection->deadline_ms = UINT64_MAX;
}

/* A client that takes its answer slowly, but takes it, gets another period. */
static bool watchdog_renews(struct connection *connection, uint64_t now_ms)
{
    uint64_t acked;

    if (connection->phase != PHASE_SENDING)
        return false;
    acked = watchdog_acked_bytes(connection);
    if (acked < connection->acked_bytes + WATCHDOG_SEND_BYTES_MIN)
        return false;
    connection->acked_bytes = acked;
    watchdog_enter(connection, PHASE_SENDING, now_ms);
    return true;
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

void watchdog_sweep(struct loop *loop, uint64_t now_ms)
{
    for (struct connection *at = loop->first; at; at = at->next) {
        if (at->phase == PHASE_CUT)
            continue;
        if (watchdog_drains(at, now_ms) ||
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
