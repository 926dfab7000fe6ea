#include "linger.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LINGER_READ_BYTES 16384

void linger_keep(struct linger_list *list, int fd, bool until_sent, uint64_t until_ms)
{
    int copy;

    if (list->count == LINGER_MAX)
        return;
    copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0)
        return;
    (void)shutdown(copy, SHUT_WR); /* fails only when the client has gone, which a read tells */
    list->entries[list->count++] =
        (struct linger_entry){.fd = copy, .until_sent = until_sent, .until_ms = until_ms};
}

/* Reads what has arrived; true when no more can come, or more came than we care to drop. */
static bool linger_drop_input(struct linger_entry *entry)
{
    char scrap[LINGER_READ_BYTES];

    while (entry->dropped_bytes < LINGER_BYTES_MAX) {
        const ssize_t got = recv(entry->fd, scrap, sizeof(scrap), MSG_DONTWAIT);

        if (got < 0)
            return errno != EAGAIN && errno != EINTR;
        if (got == 0)
            return true;
        entry->dropped_bytes += (uint64_t)got;
    }
    return true;
}

/*
 * All bytes and the end of our side are acknowledged, or the connection is no more. The kernel's
 * count of unsent bytes would not do: a reset leaves it as it was.
 */
static bool linger_has_sent(int fd)
{
    struct tcp_info info;
    socklen_t size = sizeof(info);

    memset(&info, 0, sizeof(info));
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return true;
    return info.tcpi_state == TCP_FIN_WAIT2 || info.tcpi_state == TCP_TIME_WAIT ||
           info.tcpi_state == TCP_CLOSE;
}

void linger_sweep(struct linger_list *list, uint64_t now_ms)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        struct linger_entry *entry = &list->entries[i];
        const bool is_closed = linger_drop_input(entry);

        if ((is_closed && linger_has_sent(entry->fd)) || now_ms >= entry->until_ms ||
            (entry->until_sent && linger_has_sent(entry->fd)))
            (void)close(entry->fd);
        else
            list->entries[kept++] = *entry;
    }
    list->count = kept;
}

void linger_release(struct linger_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        (void)close(list->entries[i].fd);
    list->count = 0;
}
