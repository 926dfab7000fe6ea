/*
 * Event loops, one thread each, each with a daemon of libmicrohttpd that waits for nothing itself.
 * The library's own epoll loop sleeps with requests in hand when exactly 128, 256, 384, ... events
 * are ready, so a loop here waits on the daemon's epoll descriptor and then lets it run.
 */
#ifndef LOOP_H
#define LOOP_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linger.h"
#include "listener.h"
#include "request_id.h"
#include "turns.h"

#define LOOP_INBOX_MAX 64U /* arrivals that a loop has not taken over yet */

#define LOOP_HALVING_US 2000U /* a round this old gives half, then a quarter, ... */

struct connection;
struct job;
struct metrics_shard;
struct server;

enum loop_kind {
    LOOP_CALLERS,
    LOOP_CALLERS_TLS, /* the library speaks TLS with all of a daemon's connections, or with none */
    LOOP_OPERATORS,   /* one, apart, so that it answers while all others are busy, or draining */
};

struct loop {
    struct server *server;
    enum loop_kind kind;
    struct MHD_Daemon *daemon;
    pthread_t thread;
    int epoll_fd; /* the daemon's */
    int wake_fd;  /* ours: an arrival, a job that is done, or draining */
    int done_fd;  /* borrowed: told when the loop ends */

    pthread_mutex_t inbox_mutex; /* guards the next three */
    struct arrival inbox[LOOP_INBOX_MAX];
    size_t inbox_count;
    struct job *done; /* jobs handed back, the last first */

    atomic_size_t connections; /* handed to this loop and not yet closed */

    /* Only the loop's own thread touches what follows. */
    struct connection *first;
    size_t suspended; /* connections that wait for a job */
    struct linger_list lingering;
    struct request_id_pool ids;
    struct metrics_shard *shard; /* where this loop counts */
    uint64_t callbacks;          /* by which the library has told of something so far */
    uint64_t round_us;           /* clock_us() when the library began this round */
    struct turns turns;          /* among the bodies that it sends */
    unsigned idle_runs; /* rounds in a row that it has asked for and in which nothing happened */
    bool has_adopted;   /* set by the library's callback while it takes a connection over */
};

/* Makes and starts a loop; false, and nothing to stop, when the system refuses. */
bool loop_start(struct loop *loop, enum loop_kind kind, struct server *server, int done_fd);

/* Whether loop_hand_over() may be called; only the thread that hands over can ask. */
bool loop_has_room(struct loop *loop);

/* Hands a client over, its descriptor with it. */
void loop_hand_over(struct loop *loop, const struct arrival *arrival);

/* Gives a job back to the loop, which resumes its connection. From a worker; the loop lives on
 * while workers do. */
void loop_hand_back(struct loop *loop, struct job *job);

/* Lets the loop look at server->is_draining and server->is_over. */
void loop_wake(struct loop *loop);

/* Waits for the end of a draining loop and frees what it held. */
void loop_join(struct loop *loop);

/*
 * How much work may be done for a connection in this round, of what it wants, but no less than
 * `least`. Each round serves all connections that are ready, so the more there are, the less each
 * may get, or a short request would wait for all of them. Few get all they want.
 */
uint64_t loop_share(const struct loop *loop, uint64_t wanted, uint64_t least);

/* One connection less. */
void loop_forget_connection(struct loop *loop);

/* When draining ends at the latest, in clock_ms(). */
uint64_t loop_drain_deadline_ms(const struct server *server);

#endif
