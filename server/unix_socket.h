/* Listening at a path: the rights to it, and what a server that was killed has left behind. */
#ifndef UNIX_SOCKET_H
#define UNIX_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>

/* Which file is ours: another server may have put its own in its place. */
struct unix_path {
    dev_t device;
    ino_t inode; /* 0: none */
};

/*
 * Binds a stream socket to a path, with these permission bits from before anybody can connect. A
 * socket that is there already is removed when nobody listens at it. False with errno: EADDRINUSE
 * when somebody does, or the path is something else.
 */
bool unix_socket_bind(int fd, const char *path, mode_t mode, struct unix_path *ours);

/* Removes the path if it still is ours. */
void unix_socket_unlink(const char *path, const struct unix_path *ours);

#endif
