/*
 * How many connections each address has, over all loops. An IPv4 address counts alone, also where
 * it comes written as IPv6; of an IPv6 address the network of 64 bits counts, which one client has
 * to itself.
 */
#ifndef ADDRESS_COUNTS_H
#define ADDRESS_COUNTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define ADDRESS_COUNTS_BUCKETS 1024

/* One address that has connections. */
struct address_count;

struct address_counts {
    pthread_mutex_t mutex; /* guards all but the seed */
    struct address_count *buckets[ADDRESS_COUNTS_BUCKETS];
    uint64_t seed; /* so that nobody can choose addresses that share a bucket */
};

void address_counts_init(struct address_counts *counts);

/*
 * Counts a connection; what is returned must be given to address_counts_leave() at its end. `count`
 * gets how many the address has now. NULL, and 0, for what is no IP address or when memory is out.
 * Any thread.
 */
struct address_count *address_counts_enter(struct address_counts *counts,
                                           const struct sockaddr *address, size_t *count);

/* One connection less; NULL is fine. Any thread. */
void address_counts_leave(struct address_counts *counts, struct address_count *entry);

#endif
