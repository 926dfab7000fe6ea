#include "listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

/* Opens one of a host's addresses; -1 with errno set. */
static int listener_bind(const struct addrinfo *info, bool is_v6_only)
{
    const int on = 1, only = is_v6_only;
    const int fd = socket(info->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int reason;

    if (fd < 0)
        return -1;
    /* A restart must not wait for connections of the last run to leave TIME_WAIT. */
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0)
        goto failed;
    /* Otherwise [::] means every address, IPv4 too. */
    if (info->ai_family == AF_INET6 &&
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof(only)) != 0)
        goto failed;
    if (bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, LISTENER_BACKLOG) == 0)
        return fd;
failed:
    reason = errno;
    (void)close(fd);
    errno = reason;
    return -1;
}

static bool listener_explain(const struct address *address, const char *why,
                             char problem[LISTENER_PROBLEM_MAX])
{
    char text[ADDRESS_TEXT_MAX];

    address_format(address, text);
    (void)snprintf(problem, LISTENER_PROBLEM_MAX, "cannot listen at %s: %s", text, why);
    return false;
}

static bool listener_open_unix(const struct address *address, mode_t unix_mode,
                               struct listener *listener, char problem[LISTENER_PROBLEM_MAX])
{
    listener->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener->fd < 0)
        return listener_explain(address, strerror(errno), problem);
    if (unix_socket_bind(listener->fd, address->host, unix_mode, &listener->path) &&
        listen(listener->fd, LISTENER_BACKLOG) == 0)
        return true;
    (void)listener_explain(address, strerror(errno), problem);
    (void)close(listener->fd);
    unix_socket_unlink(address->host, &listener->path);
    return false;
}

static unsigned listener_port(int fd)
{
    struct sockaddr_storage bound = {0};
    socklen_t size = sizeof(bound);
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;

    if (getsockname(fd, (struct sockaddr *)&bound, &size) != 0)
        return 0;
    if (bound.ss_family == AF_INET6) {
        memcpy(&ipv6, &bound, sizeof(ipv6));
        return ntohs(ipv6.sin6_port);
    }
    memcpy(&ipv4, &bound, sizeof(ipv4));
    return ntohs(ipv4.sin_port);
}

static bool listener_open_tcp(const struct address *address, bool is_v6_only,
                              struct listener *listener, char problem[LISTENER_PROBLEM_MAX])
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char port[8];
    int status;

    (void)snprintf(port, sizeof(port), "%u", address->port);
    status = getaddrinfo(address->host, port, &hints, &found);
    if (status != 0)
        return listener_explain(address, gai_strerror(status), problem);
    listener->fd = -1;
    for (const struct addrinfo *at = found; at && listener->fd < 0; at = at->ai_next)
        listener->fd = listener_bind(at, is_v6_only);
    if (listener->fd < 0)
        (void)listener_explain(address, strerror(errno), problem);
    else
        listener->address.port = listener_port(listener->fd);
    freeaddrinfo(found);
    return listener->fd >= 0;
}

bool listener_open(const struct address *address, const struct listener_options *options,
                   struct listener *listener, char problem[LISTENER_PROBLEM_MAX])
{
    *listener = (struct listener){.address = *address};
    if (address->is_unix)
        return listener_open_unix(address, options->unix_mode, listener, problem);
    return listener_open_tcp(address, options->is_v6_only, listener, problem);
}

/* What a socket is bound to; false for families that are not served. */
static bool listener_read_address(int fd, struct address *address)
{
    struct sockaddr_storage bound = {0};
    socklen_t size = sizeof(bound);
    struct sockaddr_un local;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;

    *address = (struct address){0};
    if (getsockname(fd, (struct sockaddr *)&bound, &size) != 0)
        return false;
    switch (bound.ss_family) {
    case AF_UNIX:
        memcpy(&local, &bound, sizeof(local)); /* an abstract name begins with a NUL byte */
        address->is_unix = true;
        (void)snprintf(address->host, sizeof(address->host), "%.*s", (int)sizeof(local.sun_path),
                       local.sun_path);
        return true;
    case AF_INET:
        memcpy(&ipv4, &bound, sizeof(ipv4));
        address->port = ntohs(ipv4.sin_port);
        return inet_ntop(AF_INET, &ipv4.sin_addr, address->host, ADDRESS_HOST_MAX) != NULL;
    case AF_INET6:
        memcpy(&ipv6, &bound, sizeof(ipv6));
        address->port = ntohs(ipv6.sin6_port);
        return inet_ntop(AF_INET6, &ipv6.sin6_addr, address->host, ADDRESS_HOST_MAX) != NULL;
    default:
        return false;
    }
}

static bool listener_has_option(int fd, int option, int wanted)
{
    int value = -1;
    socklen_t size = sizeof(value);

    return getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 && value == wanted;
}

bool listener_adopt(int fd, struct listener *listener, char problem[LISTENER_PROBLEM_MAX])
{
    const int flags = fcntl(fd, F_GETFL);

    *listener = (struct listener){.fd = fd, .is_inherited = true};
    if (flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 &&
        fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && listener_has_option(fd, SO_TYPE, SOCK_STREAM) &&
        listener_has_option(fd, SO_ACCEPTCONN, 1) && listener_read_address(fd, &listener->address))
        return true;
    (void)snprintf(problem, LISTENER_PROBLEM_MAX,
                   "descriptor %d, which was handed over, is no listening stream socket", fd);
    return false;
}

enum listener_outcome listener_accept(const struct listener *listener, struct arrival *arrival)
{
    arrival->address_size = sizeof(arrival->address);
    arrival->fd = accept4(listener->fd, (struct sockaddr *)&arrival->address,
                          &arrival->address_size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (arrival->fd >= 0)
        return LISTENER_ACCEPTED;
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
        return LISTENER_EXHAUSTED;
    return LISTENER_EMPTY;
}

void listener_close(struct listener *listener)
{
    unix_socket_unlink(listener->address.host, &listener->path);
    if (!listener->is_inherited)
        (void)shutdown(listener->fd,
                       SHUT_RDWR); /* fails only where close() does all that is needed */
    (void)close(listener->fd);
    listener->fd = -1;
}
