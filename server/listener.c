#include "listener.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Opens one of a host's addresses; -1 with errno set. */
static int listener_bind(const struct addrinfo *info)
{
    const int on = 1, off = 0;
    const int fd = socket(info->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int reason;

    if (fd < 0)
        return -1;
    /* A restart must not wait for connections of the last run to leave TIME_WAIT. */
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0)
        goto failed;
    /* [::] means every address, IPv4 too. */
    if (info->ai_family == AF_INET6 &&
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off)) != 0)
        goto failed;
    if (bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, LISTENER_BACKLOG) == 0)
        return fd;
failed:
    reason = errno;
    (void)close(fd);
    errno = reason;
    return -1;
}

int listener_open(const struct address *address, char problem[LISTENER_PROBLEM_MAX])
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char port[8], text[ADDRESS_TEXT_MAX];
    int fd = -1, status;

    address_format(address, text);
    (void)snprintf(port, sizeof(port), "%u", address->port);
    status = getaddrinfo(address->host, port, &hints, &found);
    if (status != 0) {
        (void)snprintf(problem, LISTENER_PROBLEM_MAX, "cannot listen at %s: %s", text,
                       gai_strerror(status));
        return -1;
    }
    for (const struct addrinfo *at = found; at && fd < 0; at = at->ai_next)
        fd = listener_bind(at);
    if (fd < 0)
        (void)snprintf(problem, LISTENER_PROBLEM_MAX, "cannot listen at %s: %s", text,
                       strerror(errno));
    freeaddrinfo(found);
    return fd;
}

unsigned listener_port(int fd)
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

enum listener_outcome listener_accept(int fd, struct arrival *arrival)
{
    arrival->address_size = sizeof(arrival->address);
    arrival->fd = accept4(fd, (struct sockaddr *)&arrival->address, &arrival->address_size,
                          SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (arrival->fd >= 0)
        return LISTENER_ACCEPTED;
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
        return LISTENER_EXHAUSTED;
    return LISTENER_EMPTY;
}

void listener_close(int fd)
{
    (void)shutdown(fd, SHUT_RDWR); /* fails only where close() does all that is needed */
    (void)close(fd);
}
