/*
 * Counting what happens. Each loop counts into a shard of its own, which no other thread writes, so
 * that counting takes neither a lock nor an atomic addition; a scrape sums the shards. What exists
 * only once for all loops is read where it lives: see metrics_rows.h.
 */
#ifndef METRICS_H
#define METRICS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "connection.h"

#define METRICS_ROUTES_MAX     64 /* of the router's table; routes past it count as unmatched */
#define METRICS_METHODS        9
#define METRICS_STATUSES       32
#define METRICS_REASONS_MAX    96 /* slugs of problems; more count as "other" */
#define METRICS_DURATION_STEPS 18
#define METRICS_SIZE_STEPS     14
#define METRICS_CACHE_LINE     64 /* bytes that processors keep from each other at once */

/* A counter that one thread writes and others read. */
typedef _Atomic uint64_t metrics_counter;

/* Observations by upper bound, the last without one, and their sum. */
struct metrics_durations {
    metrics_counter buckets[METRICS_DURATION_STEPS + 1];
    metrics_counter sum_us;
};

struct metrics_sizes {
    metrics_counter buckets[METRICS_SIZE_STEPS + 1];
    metrics_counter sum_bytes;
};

struct metrics_reason {
    _Atomic(const char *) slug; /* NULL: free, as are all behind it */
    metrics_counter count;
};

struct metrics_shard {
    /* By index of route, of method and of status; see metrics_route_name() and its like. */
    metrics_counter requests[METRICS_ROUTES_MAX][METRICS_METHODS][METRICS_STATUSES];
    struct metrics_durations durations[METRICS_ROUTES_MAX];
    struct metrics_sizes sizes[METRICS_ROUTES_MAX];
    struct metrics_reason reasons[METRICS_REASONS_MAX];
    metrics_counter other_reasons;
    metrics_counter received_bytes;   /* of requests' bodies */
    metrics_counter sent_bytes;       /* of answers' bodies */
    metrics_counter connections;      /* taken in, ever */
    metrics_counter cuts[PHASE_CUT];  /* by what the connection was doing */
    char padding[METRICS_CACHE_LINE]; /* before the next shard */
};

struct metrics {
    const char *routes[METRICS_ROUTES_MAX]; /* the router's templates, compared by address */
    size_t route_count;
    struct metrics_shard *shards; /* owned */
    size_t shard_count;
    atomic_size_t claimed;
    uint64_t started_us; /* CLOCK_REALTIME, microseconds since 1970 */
};

/* Makes room for so many shards; false, and nothing to release, when memory is out. */
bool metrics_init(struct metrics *metrics, size_t shards);
void metrics_release(struct metrics *metrics);

/* A shard for the calling loop. At most `shards` calls. */
struct metrics_shard *metrics_claim(struct metrics *metrics);

/* A request that is over, one way or another. */
struct metrics_request {
    const char *route;   /* as struct response has it; NULL: refused before it was routed */
    const char *method;  /* as sent */
    const char *problem; /* slug, or NULL */
    unsigned status;     /* 0: there was no answer */
    uint64_t duration_us;
    uint64_t received_bytes, sent_bytes;
};

void metrics_note_request(const struct metrics *metrics, struct metrics_shard *shard,
                          const struct metrics_request *request);

/* Adds to a counter of a shard that the calling thread owns. */
static inline void metrics_add(metrics_counter *counter, uint64_t more)
{
    const uint64_t old = atomic_load_explicit(counter, memory_order_relaxed);

    atomic_store_explicit(counter, old + more, memory_order_relaxed);
}

/* The sum over all shards of the counter at that offset in struct metrics_shard. */
uint64_t metrics_sum(const struct metrics *metrics, size_t offset);

/* Labels of indices: routes end in "unmatched" and "none"; all are bounded. NULL past the last. */
const char *metrics_route_name(const struct metrics *metrics, size_t index);
const char *metrics_method_name(size_t index);
const char *metrics_status_name(size_t index);

/* Upper bounds of buckets as labels show them; NULL past the last but one, which is "+Inf". */
const char *metrics_duration_bound(size_t index);
const char *metrics_size_bound(size_t index);

#endif
