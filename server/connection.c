#include "connection.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "canned.h"
#include "clock.h"
#include "loop.h"
#include "server.h"
#include "transaction.h"
#include "watchdog.h"

struct connection *connection_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

static int connection_fd(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);

    assert(info);
    return info->connect_fd;
}

static void connection_name_client(struct connection *connection, struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;

    if (info && info->client_addr && info->client_addr->sa_family == AF_INET) {
        memcpy(&ipv4, info->client_addr, sizeof(ipv4));
        (void)inet_ntop(AF_INET, &ipv4.sin_addr, connection->client, sizeof(connection->client));
    } else if (info && info->client_addr && info->client_addr->sa_family == AF_INET6) {
        memcpy(&ipv6, info->client_addr, sizeof(ipv6));
        (void)inet_ntop(AF_INET6, &ipv6.sin6_addr, connection->client, sizeof(connection->client));
    } else if (info && info->client_addr && info->client_addr->sa_family == AF_UNIX) {
        memcpy(connection->client, "unix", sizeof("unix"));
        connection->is_unix = true;
    }
}

/* Gives the session the certificate of the moment; false when there is no memory. */
static bool connection_secure(struct connection *connection, struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_GNUTLS_SESSION);

    if (!info || !info->tls_session)
        return false;
    connection->session = info->tls_session;
    connection->identity = tls_store_acquire(connection->loop->server->tls);
    return connection->identity && tls_identity_use(connection->identity, connection->session);
}

void connection_send(struct connection *connection, const char *bytes, size_t size)
{
    if (connection->session)
        (void)gnutls_record_send(connection->session, bytes, size);
    else
        (void)send(connection->fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static const struct canned connection_crowd = {
    429, "Too Many Requests", "too-many-connections",
    "Your address has as many connections as one address may have; use those, or close some."};

/* Counts it among those of its address, of which too many are answered and shut at once: waiting
 * for their requests would be what the limit is against. */
static void connection_count_address(struct connection *connection, struct MHD_Connection *mhd)
{
    struct server *server = connection->loop->server;
    const uint64_t most = server->settings.address_connections_max;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    char text[CANNED_TEXT_MAX];
    size_t count;

    if (most == 0 || !info || connection->loop->kind == LOOP_OPERATORS)
        return;
    connection->peer = address_counts_enter(&server->addresses, info->client_addr, &count);
    if (count <= most)
        return;
    if (connection->loop->kind != LOOP_CALLERS_TLS) /* there the handshake has not begun */
        connection_send(connection, text, canned_write(&connection_crowd, text));
    linger_keep(&connection->loop->lingering, connection->fd, false, clock_ms() + LINGER_MS);
    watchdog_shut(connection);
}

static struct connection *connection_open(struct loop *loop, struct MHD_Connection *mhd)
{
    const struct server *server = loop->server;
    struct connection *connection = calloc(1, sizeof(*connection));

    if (!connection) {
        (void)shutdown(connection_fd(mhd), SHUT_RDWR); /* all that can be done without memory */
        return NULL;
    }
    connection->loop = loop;
    connection->fd = connection_fd(mhd);
    connection_name_client(connection, mhd);
    metrics_add(&loop->shard->connections, 1);
    if (loop->kind == LOOP_CALLERS_TLS && !connection_secure(connection, mhd))
        (void)shutdown(connection->fd, SHUT_RDWR); /* the library sees that and cleans up */
    if (loop->kind != LOOP_OPERATORS &&
        atomic_load(&server->connections) > server->settings.connections_max)
        connection->is_surplus = !watchdog_cut_idle(loop);
    watchdog_enter(connection, PHASE_HEAD, clock_ms());
    connection_count_address(connection, mhd);
    connection->next = loop->first;
    if (loop->first)
        loop->first->previous = connection;
    loop->first = connection;
    return connection;
}

static void connection_close(struct loop *loop, struct connection *connection)
{
    struct server *server = loop->server;
    const uint64_t now_ms = clock_ms();

    /* The library has closed neither the socket nor its number yet. */
    if (connection->phase != PHASE_CUT && atomic_load(&server->is_draining))
        linger_keep(&loop->lingering, connection->fd, true, loop_drain_deadline_ms(server));
    else if (connection->phase != PHASE_CUT && connection->is_lingering)
        linger_keep(&loop->lingering, connection->fd, false, now_ms + LINGER_MS);
    if (connection->previous)
        connection->previous->next = connection->next;
    else
        loop->first = connection->next;
    if (connection->next)
        connection->next->previous = connection->previous;
    transaction_free(connection->transaction);
    tls_identity_release(connection->identity);
    address_counts_leave(&server->addresses, connection->peer);
    free(connection);
}

void connection_notify(void *cls, struct MHD_Connection *mhd, void **socket_context,
                       enum MHD_ConnectionNotificationCode code)
{
    struct loop *loop = cls;

    loop->callbacks++;
    switch (code) {
    case MHD_CONNECTION_NOTIFY_STARTED:
        loop->has_adopted = true;
        *socket_context = connection_open(loop, mhd);
        return;
    case MHD_CONNECTION_NOTIFY_CLOSED:
        if (*socket_context)
            connection_close(loop, *socket_context);
        *socket_context = NULL;
        loop_forget_connection(loop);
        return;
    }
}
