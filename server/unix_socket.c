#include "unix_socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un unix_socket_address(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    strncpy(address.sun_path, path, sizeof(address.sun_path) - 1); /* address_parse() saw it fit */
    return address;
}

static bool unix_socket_try_bind(int fd, const char *path)
{
    const struct sockaddr_un address = unix_socket_address(path);

    return bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0;
}

/* A refusal is what the kernel says of a socket that no process has open any more. */
static bool unix_socket_is_stale(const char *path)
{
    const struct sockaddr_un address = unix_socket_address(path);
    struct stat status;
    bool is_refused;
    int fd;

    if (lstat(path, &status) != 0 || !S_ISSOCK(status.st_mode))
        return false;
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    is_refused = connect(fd, (const struct sockaddr *)&address, sizeof(address)) != 0 &&
                 errno == ECONNREFUSED;
    (void)close(fd);
    return is_refused;
}

bool unix_socket_bind(int fd, const char *path, mode_t mode, struct unix_path *ours)
{
    struct stat status;

    if (!unix_socket_try_bind(fd, path)) {
        if (errno != EADDRINUSE)
            return false;
        if (!unix_socket_is_stale(path)) {
            errno = EADDRINUSE;
            return false;
        }
        if (unlink(path) != 0 || !unix_socket_try_bind(fd, path))
            return false;
    }
    /* Nobody can connect before listen() is called. */
    if (chmod(path, mode) != 0 || lstat(path, &status) != 0)
        return false;
    *ours = (struct unix_path){.device = status.st_dev, .inode = status.st_ino};
    return true;
}

void unix_socket_unlink(const char *path, const struct unix_path *ours)
{
    struct stat status;

    if (ours->inode == 0 || lstat(path, &status) != 0)
        return;
    if (status.st_dev == ours->device && status.st_ino == ours->inode)
        (void)unlink(path); /* a path that stays is removed by the next start */
}
