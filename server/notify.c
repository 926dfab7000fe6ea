#include "notify.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"

#define NOTIFY_STATE_MAX 96

bool notify_send(const char *path, const char *state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t size = path ? strlen(path) : 0;
    ssize_t sent;
    int fd;

    if (!path)
        return true;
    if (size < 2 || size >= sizeof(address.sun_path) || (path[0] != '/' && path[0] != '@'))
        return false;
    memcpy(address.sun_path, path, size);
    if (path[0] == '@')
        address.sun_path[0] = '\0'; /* an abstract name, which has no end but its length */
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    sent = sendto(fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT,
                  (const struct sockaddr *)&address,
                  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size));
    (void)close(fd);
    return sent == (ssize_t)strlen(state);
}

bool notify_send_reloading(const char *path)
{
    char state[NOTIFY_STATE_MAX];

    (void)snprintf(state, sizeof(state), "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, clock_us());
    return notify_send(path, state);
}
