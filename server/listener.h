/* A listening socket: of TCP or at a Unix path, our own or inherited. */
#ifndef LISTENER_H
#define LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "address.h"
#include "unix_socket.h"

#define LISTENER_BACKLOG     4096 /* finished handshakes that may wait; the kernel caps it */
#define LISTENER_PROBLEM_MAX 512  /* bytes of a sentence, with its end */

struct listener {
    int fd;                 /* non-blocking */
    struct address address; /* with the port that was bound */
    struct unix_path path;  /* to remove at the end; none for sockets that are not ours to remove */
    bool is_inherited;      /* somebody else holds it, too, and may hand it to the next server */
    bool is_tls;
    bool is_admin; /* serves operators: probes and metrics */
};

struct listener_options {
    mode_t unix_mode; /* permission bits of a Unix socket */
    bool is_v6_only;  /* [::] leaves IPv4 to somebody else */
};

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

/* Listens there; false with a sentence in problem. */
bool listener_open(const struct address *address, const struct listener_options *options,
                   struct listener *listener, char problem[LISTENER_PROBLEM_MAX]);

/* Takes over a socket that somebody else has made; false, with a sentence, when it is none that
 * listens for streams. */
bool listener_adopt(int fd, struct listener *listener, char problem[LISTENER_PROBLEM_MAX]);

enum listener_outcome listener_accept(const struct listener *listener, struct arrival *arrival);

/* New clients are refused from now on, where closing alone would leave them in the backlog; but
 * those of an inherited socket wait there for the next server. */
void listener_close(struct listener *listener);

#endif
