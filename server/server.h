/* What all loops of one server share: settings, and counters that only atomics touch. */
#ifndef SERVER_H
#define SERVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "address_counts.h"
#include "budget.h"
#include "exchange.h"
#include "log.h"
#include "log_limit.h"
#include "metrics.h"
#include "pool.h"
#include "settings.h"
#include "spares.h"
#include "tls.h"

/* Connections beyond the limit that are taken in only to be told 503. */
#define SERVER_SURPLUS_MAX 64U

/* Connections of operators at one time. */
#define SERVER_OPERATORS_MAX 64U

struct server {
    struct settings settings; /* read-only once loops run */
    struct service service;
    struct access *access;     /* NULL: anybody may call */
    pthread_mutex_t reloading; /* held while files are read again, and at the end for good */
    struct tls_store *tls;     /* NULL: no listener speaks TLS */
    struct log log;
    struct log_limit log_limit;
    struct log_drops log_drops;
    struct metrics metrics;
    atomic_bool is_leaving;            /* a signal has come: /readyz says so, all else goes on */
    const char *notify_path;           /* of the service manager's socket, or NULL */
    atomic_bool is_over;               /* all but operators have been served */
    atomic_bool is_draining;           /* nobody new is taken in; is_leaving holds too */
    _Atomic uint64_t drain_started_ms; /* clock_ms(); set before is_draining */
    bool is_confined;                  /* by sandbox.h, before the first client is taken in */
    atomic_bool is_exhausted;          /* descriptors or memory are out; the log has said so */
    atomic_bool has_stale_files;       /* the last SIGHUP could not read one of them */
    atomic_size_t connections;         /* accepted and not yet closed */
    atomic_size_t requests;            /* begun and not yet completed */
    struct address_counts addresses;   /* of connections */
    struct budget budget;              /* of the memory that requests make it hold */
    struct spares spares;              /* rooms for the next bodies; nobody holds them */
    struct pool answers;               /* handle requests that take long */
    struct pool brief; /* what takes some milliseconds, and must not wait for those: requests, and
                          blocks of answers that have begun */
};

#endif
