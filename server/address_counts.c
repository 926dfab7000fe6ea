#include "address_counts.h"

#include <assert.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define FNV_PRIME  UINT64_C(0x100000001b3) /* of FNV-1a, 64 bits */
#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define KEY_BYTES  9 /* the family, and as much of the address as counts */

struct address_count {
    struct address_count *next; /* in its bucket */
    uint8_t key[KEY_BYTES];
    size_t connections;
};

void address_counts_init(struct address_counts *counts)
{
    *counts = (struct address_counts){0};
    (void)pthread_mutex_init(&counts->mutex, NULL); /* cannot fail without attributes */
    if (getrandom(&counts->seed, sizeof(counts->seed), GRND_NONBLOCK) !=
        (ssize_t)sizeof(counts->seed))
        counts->seed = (uint64_t)(uintptr_t)counts; /* random, too, where addresses are */
}

static bool address_counts_key(const struct sockaddr *address, uint8_t key[KEY_BYTES])
{
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;

    memset(key, 0, KEY_BYTES);
    if (address && address->sa_family == AF_INET) {
        memcpy(&ipv4, address, sizeof(ipv4));
        memcpy(key + 1, &ipv4.sin_addr, 4);
        return true;
    }
    if (!address || address->sa_family != AF_INET6)
        return false;
    memcpy(&ipv6, address, sizeof(ipv6));
    if (IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr)) {
        memcpy(key + 1, &ipv6.sin6_addr.s6_addr[12], 4);
        return true;
    }
    key[0] = 6;
    memcpy(key + 1, &ipv6.sin6_addr, 8);
    return true;
}

static struct address_count **address_counts_bucket(struct address_counts *counts,
                                                    const uint8_t key[KEY_BYTES])
{
    uint64_t hash = FNV_OFFSET ^ counts->seed;

    for (size_t i = 0; i < KEY_BYTES; i++)
        hash = (hash ^ key[i]) * FNV_PRIME;
    return &counts->buckets[(hash ^ hash >> 32) % ADDRESS_COUNTS_BUCKETS];
}

/* The entry of a key, made where there is none; NULL when memory is out. The mutex is held. */
static struct address_count *address_counts_find(struct address_counts *counts,
                                                 const uint8_t key[KEY_BYTES])
{
    struct address_count **bucket = address_counts_bucket(counts, key), *entry = *bucket;

    while (entry && memcmp(entry->key, key, KEY_BYTES) != 0)
        entry = entry->next;
    if (entry)
        return entry;
    entry = calloc(1, sizeof(*entry));
    if (!entry)
        return NULL;
    memcpy(entry->key, key, KEY_BYTES);
    entry->next = *bucket;
    *bucket = entry;
    return entry;
}

struct address_count *address_counts_enter(struct address_counts *counts,
                                           const struct sockaddr *address, size_t *count)
{
    uint8_t key[KEY_BYTES];
    struct address_count *entry;

    *count = 0;
    if (!address_counts_key(address, key))
        return NULL;
    (void)pthread_mutex_lock(&counts->mutex); /* cannot fail: initialised, not recursive */
    entry = address_counts_find(counts, key);
    if (entry)
        *count = ++entry->connections;
    (void)pthread_mutex_unlock(&counts->mutex);
    return entry;
}

void address_counts_leave(struct address_counts *counts, struct address_count *entry)
{
    struct address_count **at;

    if (!entry)
        return;
    (void)pthread_mutex_lock(&counts->mutex);
    assert(entry->connections > 0);
    if (--entry->connections == 0) {
        at = address_counts_bucket(counts, entry->key);
        while (*at != entry)
            at = &(*at)->next;
        *at = entry->next;
        free(entry);
    }
    (void)pthread_mutex_unlock(&counts->mutex);
}
