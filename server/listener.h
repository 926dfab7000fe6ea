/* The listening socket. */
#ifndef LISTENER_H
#define LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "address.h"

#define LISTENER_BACKLOG     4096 /* finished handshakes that may wait; the kernel caps it */
#define LISTENER_PROBLEM_MAX 512  /* bytes of a sentence, with its end */

/* A client that has connected. */
struct arrival {
    int fd; /* non-blocking, owned by whoever holds the arrival */
    struct sockaddr_storage address;
    socklen_t address_size;
};

enum listener_outcome {
    LISTENER_ACCEPTED,
    LISTENER_EMPTY,     /* nobody waits, or who waited has gone */
    LISTENER_EXHAUSTED, /* out of descriptors or memory: try again after a pause */
};

/* A non-blocking socket that listens there, or -1 with a sentence in problem. */
int listener_open(const struct address *address, char problem[LISTENER_PROBLEM_MAX]);

/* The port that was bound, 0 when it cannot be told. */
unsigned listener_port(int fd);

enum listener_outcome listener_accept(int fd, struct arrival *arrival);

/* New clients are refused from now on, where closing alone would leave them in the backlog. */
void listener_close(int fd);

#endif
