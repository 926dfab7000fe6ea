/*
 * Sockets that a service manager has opened before it started this program: systemd's protocol,
 * sd_listen_fds(3). Descriptors 3, 4, ... are ours when LISTEN_PID is our process.
 */
#ifndef ACTIVATION_H
#define ACTIVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define ACTIVATION_FIRST_FD 3
#define ACTIVATION_ADMIN    "admin" /* FileDescriptorName= of a socket for operators */

/* How many sockets were handed over to process `pid`: 0 when none were, or the variables are odd.
 * lookup is getenv() or a test's own. */
size_t activation_count(const char *(*lookup)(const char *name), pid_t pid);

/* Whether the socket of that index is called "admin". */
bool activation_is_admin(const char *(*lookup)(const char *name), size_t index);

#endif
