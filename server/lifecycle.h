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

#include "listener_set.h"
#include "loop.h"
#include "server.h"

struct lifecycle {
    struct server *server;
    struct listener_set *listeners; /* borrowed; closed at the end */
    struct loop *loops;             /* owned; one for operators comes last */
    size_t loop_count;
    int signal_fd; /* of SIGTERM and SIGINT; borrowed */
    int done_fd;   /* each loop adds one when it ends; owned */
    uint64_t loops_ended;
    uint64_t pause_until_ms[2]; /* before which nobody is taken in: of callers, of operators */
};

/* How many loops there are at most. */
size_t lifecycle_loops_max(const struct settings *settings);

/* Starts the loops; false when the system refuses. */
bool lifecycle_start(struct lifecycle *lifecycle, struct server *server,
                     struct listener_set *listeners, int signal_fd);

/* Serves until a signal comes and draining is over. A second signal ends the process at once. */
void lifecycle_serve(struct lifecycle *lifecycle);

#endif
