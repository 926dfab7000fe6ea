/* Telling a service manager how we are: systemd's protocol, sd_notify(3). */
#ifndef NOTIFY_H
#define NOTIFY_H

#include <stdbool.h>

/* Lines of a state. */
#define NOTIFY_READY    "READY=1"
#define NOTIFY_STOPPING "STOPPING=1"

/*
 * Sends the state as one datagram to the socket that $NOTIFY_SOCKET names: a path, or '@' and an
 * abstract name. Best effort: false when it could not be sent; true also when path is NULL, since
 * nobody listens then. Any thread.
 */
bool notify_send(const char *path, const char *state);

/* The state that a reload begins with: the manager waits for the NOTIFY_READY after it. */
bool notify_send_reloading(const char *path);

#endif
