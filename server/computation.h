/*
 * What takes too long for a loop, done by a worker while the connection is suspended: answering a
 * request, or making the next block of an answer's body.
 *
 * A request is first handled in its loop, under a watch that allows a millisecond. Handlers say
 * beforehand what they estimate, so that most requests end here, where a hop to another thread
 * would cost more than they do, and the others are stopped before they begin and handled again by a
 * worker, under a watch that allows seconds. What takes milliseconds has workers of its own, so
 * that it does not wait for what takes seconds; when it turns out to take long, it goes to the
 * others.
 *
 * One thread owns a computation, with all of its transaction, at any moment:
 *
 *   IDLE -> QUEUED    the loop suspends the connection, then publishes the job
 *   QUEUED -> RUNNING a worker takes it
 *   RUNNING -> DONE   the worker hands it back to the loop, and touches it no more
 *   DONE -> IDLE      the loop has resumed the connection, which nobody else does, and the library
 *                     has called again
 *
 * No other thread cancels it: its watch looks whether anybody still wants what is being computed,
 * and the job then ends sooner, by the same way.
 */
#ifndef COMPUTATION_H
#define COMPUTATION_H

#include <microhttpd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ahead.h"
#include "pool.h"
#include "posenc.h"

#define COMPUTATION_INLINE_NS    1000000  /* of work that a loop may do for one request */
#define COMPUTATION_CROWDED_NS   50000    /* of it, where many do so in the same round */
#define COMPUTATION_OVER_NS      3000000  /* in a loop, that shows that estimates were wrong */
#define COMPUTATION_BLOCK_NS     2000000  /* of work that a loop may do for one block of a body */
#define COMPUTATION_LATE_NS      8000000  /* of a block that shows that an estimate was wrong */
#define COMPUTATION_PART_NS      20000000 /* of work that one job may do for a body */
#define COMPUTATION_BRIEF_NS     20000000 /* of work for a request that need not wait for long ones */
#define COMPUTATION_LONG_NS      100000000 /* that show that this estimate was wrong */
#define COMPUTATION_BLOCK_BYTES  262144U   /* of a body, made at one time */
#define COMPUTATION_LOOK_US      20000     /* between looks whether the client is still there */
#define COMPUTATION_REFUSED      400       /* status from which an answer has nothing of the body */
#define COMPUTATION_HALF_OPEN_US 1000000   /* for a client that has closed its own side */

struct transaction;

enum computation_state {
    COMPUTATION_IDLE,
    COMPUTATION_QUEUED,
    COMPUTATION_RUNNING,
    COMPUTATION_DONE,
};

/* Why work was stopped. */
enum computation_stop {
    COMPUTATION_GOES_ON,
    COMPUTATION_TOO_LONG_HERE, /* for a loop, or for the workers of what is brief */
    COMPUTATION_TIMEOUT,
    COMPUTATION_WAITED, /* too long for a worker */
    COMPUTATION_CLIENT_GONE,
    COMPUTATION_DRAINED, /* draining has reached its deadline */
};

struct computation {
    struct job job;
    struct transaction *transaction;
    struct MHD_Connection *mhd;
    _Atomic enum computation_state state;
    bool is_answer;    /* the job handles the request; else it makes a block of the body */
    bool is_in_worker; /* what the watch allows */
    bool is_short;     /* what was stopped in the loop could have been done there, were it alone */
    bool is_brief;     /* what was stopped in the loop, or is with a worker, takes milliseconds */
    bool has_no_place; /* among the jobs: the loop does itself what is short */
    enum computation_stop stop;
    uint64_t queued_us, began_us, looked_us; /* clock_us() */
    uint64_t began_cpu_ns;                   /* of the loop's thread */
    struct posenc_watch watch;               /* of the request, from its beginning to its end */
    struct ahead ahead;                      /* what is made of the body and not yet sent */
    bool is_slow;                            /* blocks of the body are made by workers */
};

void computation_init(struct transaction *transaction);

/* Frees what it holds; it is not with a worker. */
void computation_release(struct transaction *transaction);

enum computation_outcome {
    COMPUTATION_ANSWERED, /* there is a response */
    COMPUTATION_AWAY,     /* the connection is suspended: the library will call again */
    COMPUTATION_GONE,     /* nobody waits for a response */
};

/* In the access callback's last call, as often as it comes without a response: handles the request.
 */
enum computation_outcome computation_answer(struct transaction *transaction,
                                            struct MHD_Connection *mhd);

#define COMPUTATION_READ_LATER (-2) /* the connection is suspended */

/* In the content reader: bytes of the response's body, as its read() would give them, or
 * COMPUTATION_READ_LATER. */
ssize_t computation_read(struct transaction *transaction, uint64_t offset, char *buffer,
                         size_t size);

/* The whole body, whose length is known, lies in computation->ahead. */
bool computation_has_whole(const struct transaction *transaction);

/* In the loop: takes a job back that a worker has handed over, and resumes its connection. */
void computation_resume(struct job *job);

#endif
