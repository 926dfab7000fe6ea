/*
 * Start, service and drain, in the main thread: it accepts, hands each client to the loop that has
 * the fewest, and waits for signals. On SIGTERM or SIGINT /readyz turns to 503 and all else goes on
 * for the drain delay; whoever has connected by then is still served, the listening socket closes,
 * running requests finish, and idle connections end.
 */
#ifndef LIFECYCLE_H
#define LIFECYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop.h"
#include "server.h"

struct lifecycle {
    struct server *server;
    struct loop *loops; /* owned */
    size_t loop_count;
    int listen_fd; /* owned */
    int signal_fd; /* of SIGTERM and SIGINT; borrowed */
    int done_fd;   /* each loop adds one when it ends; owned */
    uint64_t pause_until_ms;
};

/* Starts the loops; false, and listen_fd still the caller's, when the system refuses. */
bool lifecycle_start(struct lifecycle *lifecycle, struct server *server, int listen_fd,
                     int signal_fd);

/* Serves until a signal comes and draining is over. A second signal ends the process at once. */
void lifecycle_serve(struct lifecycle *lifecycle);

#endif
