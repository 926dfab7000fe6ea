/*
 * Time in which the machine had no processor for whoever was ready to run. What a service takes is
 * its own affair; what others take from it on a shared machine is not. The kernel tells both apart
 * (the second number of /proc/PID/task/TID/schedstat); where it does not, nothing is told here.
 */
#ifndef WAITING_H
#define WAITING_H

#include <stdint.h>
#include <sys/types.h>

#define WAITING_THREADS_MAX 32

/* Threads of a server, but no workers, which wait on purpose; and the thread that opens it. */
struct waiting {
    int fds[WAITING_THREADS_MAX];
    uint64_t last_ns[WAITING_THREADS_MAX];
    int count;
    uint64_t total_us;
};

void waiting_open(struct waiting *waiting, pid_t server);

/*
 * Microseconds so far, from the opening on, in which the one of them waited that waited longest
 * between two calls: the waits of several may be at the same time. From the thread that opened it.
 */
uint64_t waiting_us(struct waiting *waiting);

void waiting_close(struct waiting *waiting);

#endif
