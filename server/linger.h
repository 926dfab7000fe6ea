/*
 * Connections whose last bytes are still on their way. Closing a socket that holds unread bytes
 * resets it, and the reset can overtake an answer such as 413; and when a container's first process
 * exits, the network goes with it, whatever the kernel had yet to send. So a second descriptor
 * keeps such a socket open for a while: what the client still sends is read and dropped.
 */
#ifndef LINGER_H
#define LINGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINGER_MAX       64          /* sockets at one time, per loop */
#define LINGER_MS        2000        /* for a client that was refused */
#define LINGER_BYTES_MAX (16U << 20) /* read and dropped from one socket */

struct linger_entry {
    int fd;
    bool until_sent;   /* close as soon as the client has everything */
    uint64_t until_ms; /* clock_ms(); close at the latest */
    uint64_t dropped_bytes;
};

/* One per loop; zeroed is empty. */
struct linger_list {
    struct linger_entry entries[LINGER_MAX];
    size_t count;
};

/* Takes a duplicate of fd, which its owner may then close. With no room fd just closes sooner. */
void linger_keep(struct linger_list *list, int fd, bool until_sent, uint64_t until_ms);

/* Drops what has arrived and closes what is done. */
void linger_sweep(struct linger_list *list, uint64_t now_ms);

/* Closes all. */
void linger_release(struct linger_list *list);

#endif
